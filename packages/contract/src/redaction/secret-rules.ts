export type SecretKind =
  | 'private_key'
  | 'api_key'
  | 'jwt'
  | 'authorization'
  | 'url_password'
  | 'password'
  | 'token';

interface SecretRule {
  readonly kind: SecretKind;
  /** With the group `secret`, and `before` and `after` for what stays. */
  readonly pattern: RegExp;
  readonly isSecret?: (secret: string, before: string) => boolean;
}

/** Bits per character, by the frequencies of the characters of the text itself. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / total) * Math.log2(count / total),
    0,
  );
}

const hasLetter = (text: string): boolean => /[A-Za-z]/.test(text);
const hasDigit = (text: string): boolean => /\d/.test(text);

/** `user-service-2`, `MAX_SIZE`, `v1.2`: words and short numbers. */
const wordsInCase =
  /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d{1,4})(?:[-_.](?:[a-z]+|[A-Z]+|v?\d{1,4}))*[.]?$/;
/** The name of a value in code or in an environment, and places. */
const reference = new RegExp(
  '^(?:process|os|env|import|config|settings|secrets|options|args|self|this|data)\\.|' +
    '^(?:\\.{0,2}|~)/|://|^[A-Z][A-Z0-9_]*$',
);

/** At least 16 characters with a letter, a digit and the entropy of random text. */
const isRandom = (secret: string): boolean =>
  secret.length >= 16 &&
  hasLetter(secret) &&
  hasDigit(secret) &&
  entropyOf(secret) >= 3 &&
  !wordsInCase.test(secret) &&
  !reference.test(secret);

/** People choose passwords: a letter and something else are enough, but not the name of a value. */
const isPassword = (secret: string): boolean =>
  secret.length >= 6 &&
  hasLetter(secret) &&
  /[^A-Za-z_.-]/.test(secret) &&
  entropyOf(secret) >= 2 &&
  !reference.test(secret);

/** Not within a longer word, such as the base64 of an image. */
const key = (source: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9+_])(?<secret>${source})(?![A-Za-z0-9])`, 'g');

/** Prefixes that only keys of these services have. */
const vendorKeys: readonly RegExp[] = [
  key('sk-ant-[A-Za-z0-9_-]{20,200}'), // Anthropic
  key('mn[kors]_[A-Za-z0-9_-]{16,200}'), // Mneme
  key('(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'), // AWS
  key('gh[pousr]_[A-Za-z0-9]{30,255}'), // GitHub
  key('github_pat_[A-Za-z0-9_]{22,255}'),
  key('gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_-]{20,200}'), // GitLab
  key('xox[abeoprs]-[A-Za-z0-9-]{10,255}'), // Slack
  key('xapp-\\d-[A-Za-z0-9-]{10,255}'),
  key('AIza[A-Za-z0-9_-]{35}'), // Google
  key('ya29\\.[A-Za-z0-9_-]{20,500}'),
  key('GOCSPX-[A-Za-z0-9_-]{20,60}'),
  key('npm_[A-Za-z0-9]{36}'),
  key('pypi-AgE[A-Za-z0-9_-]{20,300}'),
  key('hf_[A-Za-z0-9]{30,60}'), // Hugging Face
  key('(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}'), // Stripe
  key('whsec_[A-Za-z0-9+/=_-]{16,100}'),
  key('SG\\.[A-Za-z0-9_-]{16,40}\\.[A-Za-z0-9_-]{30,60}'), // SendGrid
  key('do[opr]_v1_[a-f0-9]{40,64}'), // DigitalOcean
  key('gsk_[A-Za-z0-9]{40,80}'), // Groq
  key('xai-[A-Za-z0-9]{40,120}'),
  key('lin_api_[A-Za-z0-9]{30,60}'), // Linear
  key('AGE-SECRET-KEY-1[A-Z0-9]{40,80}'),
];

const privateKey = new RegExp(
  '(?<secret>-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----' +
    '(?:(?:(?!-----BEGIN )[^]){0,16000}?-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----' +
    // One that was cut: its lines of base64.
    '|(?:\\\\[nr]|[A-Za-z0-9+/=\\r\\n])*))',
  'g',
);

const urlPassword = new RegExp(
  '(?<before>\\b[a-z][a-z0-9+.-]{0,30}://[^\\s:@/"\'<>]{0,200}:)' +
    '(?<secret>[^\\s@/"\'<>{}$[\\]]{1,200})(?<after>@)',
  'gi',
);

const token68 = (charactersMin: number): string =>
  `(?<secret>[A-Za-z0-9._~+/=-]{${charactersMin},2000})`;
const authorizationHeader = new RegExp(
  '(?<before>\\bauthorization["\']?\\s{0,3}[:=]\\s{0,3}["\']?' +
    `(?:(?:bearer|basic|token|digest)\\s{1,3})?)${token68(8)}`,
  'gi',
);
const schemeAndToken = new RegExp(`(?<before>\\b(?:bearer|basic)\\s{1,3})${token68(16)}`, 'gi');

const passwordNames = 'passwords?|passwd|passphrase|pwd|pgpassword';
const tokenNames =
  'tokens?|secrets?|api[_-]?keys?|access[_-]?keys?|secret[_-]?keys?|private[_-]?keys?|' +
  'auth[_-]?keys?|account[_-]?keys?|client[_-]?secrets?|credentials?';
/** A value without quotes; brackets and `$` begin code and templates. */
const value = '[^\\s"\'`,;()\\[\\]{}<>$|\\\\]{6,500}';

/** `name=`, `"name": "`, `--name `; the name may have a prefix such as `DB_`. */
const assignment = (names: string): RegExp =>
  new RegExp(
    `(?<before>(?:${names})(?:["'\`]?\\s{0,3}(?::=|=>|[:=])\\s{0,3}["'\`]?|` +
      `(?<=--(?:[a-z]{1,20}-)?(?:${names}))[ ]["']?))(?<secret>${value})`,
    'gi',
  );

/** In the order in which they apply: the most exact first. */
export const secretRules: readonly SecretRule[] = [
  { kind: 'private_key', pattern: privateKey },
  { kind: 'url_password', pattern: urlPassword },
  {
    kind: 'jwt',
    pattern: key('eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{10,20000}\\.[A-Za-z0-9_-]{10,2000}'),
  },
  ...vendorKeys.map((pattern): SecretRule => ({ kind: 'api_key', pattern })),
  {
    kind: 'api_key',
    pattern: key('sk-[A-Za-z0-9_-]{20,255}'),
    isSecret: isRandom,
  },
  {
    kind: 'authorization',
    pattern: authorizationHeader,
    isSecret: (secret) => !wordsInCase.test(secret),
  },
  { kind: 'authorization', pattern: schemeAndToken, isSecret: isRandom },
  { kind: 'password', pattern: assignment(passwordNames), isSecret: isPassword },
  { kind: 'token', pattern: assignment(tokenNames), isSecret: isRandom },
];
