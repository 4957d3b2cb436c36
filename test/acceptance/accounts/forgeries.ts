import { createHash, createHmac } from 'node:crypto';
import type { SeededRandom } from '../durability/seeded-random.ts';

/** Credentials that were never issued, made from ones that were. */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const visible = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('');

/** The last part of a key, as its format says: base 62 of the SHA-256 of the rest, six digits. */
export function checksumOf(body: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(body).digest('hex')}`);
  let text = '';
  for (let i = 0; i < 6; i += 1, rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}

const text = (chance: SeededRandom, length: number, from = alphabet): string =>
  Array.from({ length }, () => chance.pick([...from])).join('');

const makeKey = (keyId: string, secret: string): string => {
  const body = `mnk_${keyId}_${secret}`;
  return `${body}_${checksumOf(body)}`;
};

type Forger = (chance: SeededRandom, real: string, other: string) => string;

/** What goes wrong with any text; a visible character stays one, so that HTTP lets it through. */
const corruptions: Readonly<Record<string, Forger>> = {
  'a flipped bit': (chance, real) => {
    const at = chance.integer(0, real.length - 1);
    const flipped = real.charCodeAt(at) ^ (1 << chance.integer(0, 6));
    const is = flipped > 32 && flipped < 127 ? String.fromCharCode(flipped) : '~';
    return real.slice(0, at) + is + real.slice(at + 1);
  },
  'another character': (chance, real) => {
    const at = chance.integer(0, real.length - 1);
    return real.slice(0, at) + chance.pick([...visible]) + real.slice(at + 1);
  },
  'a beginning': (chance, real) => real.slice(0, chance.integer(1, real.length - 1)),
  'an end': (chance, real) => real.slice(chance.integer(1, real.length - 1)),
  'a missing character': (chance, real) => {
    const at = chance.integer(0, real.length - 1);
    return real.slice(0, at) + real.slice(at + 1);
  },
  'a doubled piece': (chance, real) => {
    const at = chance.integer(1, real.length - 1);
    return real.slice(0, at) + real.slice(at - chance.integer(1, at));
  },
  'another case': (chance, real) => {
    const letters = [...real].flatMap((one, at) => (/[a-z]/i.test(one) ? [at] : []));
    const at = chance.pick(letters);
    const one = real.charAt(at);
    const swapped = one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase();
    return real.slice(0, at) + swapped + real.slice(at + 1);
  },
  'all in one case': (chance, real) =>
    chance.fraction() < 0.5 ? real.toLowerCase() : real.toUpperCase(),
  'two characters changed about': (chance, real) => {
    const at = chance.integer(0, real.length - 2);
    return real.slice(0, at) + real.charAt(at + 1) + real.charAt(at) + real.slice(at + 2);
  },
  'parts in another order': (chance, real) => {
    const separator = real.includes('.') ? '.' : '_';
    const parts = real.split(separator);
    const turn = chance.integer(1, parts.length - 1);
    return [...parts.slice(turn), ...parts.slice(0, turn)].join(separator);
  },
  'appended text': (chance, real) => real + text(chance, chance.integer(1, 40), visible),
  'text before it': (chance, real) => text(chance, chance.integer(1, 40), visible) + real,
  'bytes above ASCII': (chance, real) => {
    const at = chance.integer(0, real.length);
    const bytes = ['\x80', '\x85', '\xa0', '\xad', '\xff'];
    const characters = ['é', '\xa0', '\u0130', '\u200b', '\u3000', '\ufeff', 'Ａ', '😀'];
    const utf8 = characters.map((one) => Buffer.from(one).toString('latin1'));
    return real.slice(0, at) + chance.pick([...bytes, ...utf8]) + real.slice(at);
  },
  'half of another': (chance, real, other) => {
    const at = chance.integer(1, Math.min(real.length, other.length) - 1);
    return real.slice(0, at) + other.slice(at);
  },
};

/** Well-formed keys all of them: their checksum is right. */
const keyForgeries: Readonly<Record<string, Forger>> = {
  'another secret': (chance, real) => makeKey(real.slice(4, 16), text(chance, 43)),
  'one character of the secret': (chance, real) => {
    const secret = [...real.slice(17, 60)];
    secret[chance.integer(0, 42)] = chance.pick([...alphabet]);
    return makeKey(real.slice(4, 16), secret.join(''));
  },
  'another key id': (chance, real) => makeKey(text(chance, 12), real.slice(17, 60)),
  "another key's id": (_chance, real, other) => makeKey(other.slice(4, 16), real.slice(17, 60)),
  'all of it': (chance) => makeKey(text(chance, 12), text(chance, 43)),
};

const encodeSegment = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const decodeSegment = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const signSegments = (head: string, claims: string, secret: string | Uint8Array, hash = 'sha256') =>
  `${head}.${claims}.${createHmac(hash, secret).update(`${head}.${claims}`).digest('base64url')}`;

/** The claims of a token, which anybody can read. */
export const readClaims = (token: string): Record<string, unknown> =>
  decodeSegment(token.split('.')[1] ?? '');

/** A token as the service makes them, with any claims: `hash` names an HMAC by its bits. */
export const signToken = (claims: object, secret: Uint8Array, bits: 256 | 384 | 512 = 256) =>
  signSegments(encodeSegment({ alg: `HS${bits}` }), encodeSegment(claims), secret, `sha${bits}`);

const guesses = ['', 'secret', 'mneme', 'HS256', '0'.repeat(32), 'session tokens'];

/** Well-formed tokens all of them, signed with nothing, or with what a stranger might try. */
const tokenForgeries: Readonly<Record<string, Forger>> = {
  'another algorithm': (chance, real) => {
    const [, claims = '', signature = ''] = real.split('.');
    const names = [
      'none',
      'None',
      'NONE',
      'HS384',
      'HS512',
      'RS256',
      'ES256',
      'PS256',
      'EdDSA',
      '',
    ];
    const head = encodeSegment({ alg: chance.pick(names), typ: 'JWT' });
    return `${head}.${claims}.${chance.pick([signature, 'AA', encodeSegment({})])}`;
  },
  'a key in the header': (chance, real) => {
    const [, claims = ''] = real.split('.');
    const jwk = { kty: 'oct', k: Buffer.from('mine').toString('base64url') };
    const more = chance.pick([
      { jwk },
      { kid: '../../dev/null' },
      { jku: 'http://127.0.0.1/' },
      { x5u: 'http://127.0.0.1/' },
      { crit: ['exp'] },
      { b64: false, crit: ['b64'] },
    ]);
    return signSegments(encodeSegment({ alg: 'HS256', ...more }), claims, 'mine');
  },
  'other claims': (chance, real) => {
    const [head = '', claims = '', signature = ''] = real.split('.');
    const changed = chance.pick([
      { exp: 4_000_000_000 },
      { exp: 'never' },
      { exp: null },
      { sub: '019b8d1c-0000-7000-8000-00000000dead' },
      { sub: "' or true --" },
      { key: '019b8d1c-0000-7000-8000-00000000dead' },
      { key: { $ne: null } },
      { iss: 'other' },
      { scope: 'operator' },
      { nbf: chance.integer(0, 4_000_000_000) },
    ]);
    return `${head}.${encodeSegment({ ...decodeSegment(claims), ...changed })}.${signature}`;
  },
  'claims that are none': (chance, real) => {
    const [head = '', , signature = ''] = real.split('.');
    const odd = chance.pick([null, [], 5, 'text', {}, { exp: {} }, [[[[[[]]]]]]]);
    return `${head}.${encodeSegment(odd)}.${signature}`;
  },
  'a signature of a guess': (chance, real) => {
    const [head = '', claims = ''] = real.split('.');
    return signSegments(head, claims, chance.pick([...guesses, text(chance, 32)]));
  },
  "another token's signature": (_chance, real, other) =>
    [...real.split('.').slice(0, 2), other.split('.')[2]].join('.'),
  'the same signature in other letters': (chance, real) => {
    const [head = '', claims = '', signature = ''] = real.split('.');
    const standard = Buffer.from(signature, 'base64url').toString('base64');
    const last = signature.charAt(42);
    const digits = `${alphabet.slice(10, 36)}${alphabet.slice(36)}0123456789-_`;
    const ignored = digits.charAt(digits.indexOf(last) ^ chance.integer(1, 3));
    const other = [standard, `${signature}=`, signature.slice(0, 42) + ignored, `${signature}A`];
    return `${head}.${claims}.${chance.pick(other)}`;
  },
};

/** Header values around a good credential that no client would send, and no server should take. */
const headers: Readonly<Record<string, Forger>> = {
  'another scheme': (chance, real) =>
    `${chance.pick(['Basic', 'Token', 'Digest', 'Bearer:', 'Bear', 'ApiKey'])} ${real}`,
  'no scheme': (_chance, real) => real,
  'no space': (_chance, real) => `Bearer${real}`,
  'a tab': (_chance, real) => `Bearer\t${real}`,
  quotes: (chance, real) => `Bearer ${chance.pick(['"', "'", '<', '`'])}${real}"`,
  'two of them': (chance, real, other) =>
    `Bearer ${real}${chance.pick([' ', ', ', ',', ';'])}${other}`,
  'a word before or behind': (chance, real) =>
    chance.pick([
      `Bearer token ${real}`,
      `Bearer ${real} x`,
      `Bearer Bearer ${real}`,
      `, Bearer ${real}`,
    ]),
  'a parameter': (chance, real) => `Bearer ${chance.pick(['token=', 'key=', 'b64:'])}${real}`,
  'base 64 of it': (_chance, real) => `Bearer ${Buffer.from(real).toString('base64')}`,
  'percent signs': (chance, real) => {
    const at = chance.integer(0, real.length - 1);
    const code = real.charCodeAt(at).toString(16);
    return `Bearer ${real.slice(0, at)}%${code}${real.slice(at + 1)}`;
  },
  'a first header of no use': (_chance, real) => `Bearer none\r\nAuthorization: Bearer ${real}`,
};

export interface Forgery {
  /** What was done to the real one. */
  readonly description: string;
  /** The value of the header, one byte a character. */
  readonly header: string;
}

/** One forgery of `real`, of any kind alike often, and never a good credential after all. */
export function forge(chance: SeededRandom, real: string, other: string): Forgery {
  const own = real.startsWith('mnk_') ? keyForgeries : tokenForgeries;
  const texts = Object.entries({ ...corruptions, ...own });
  const all = [...texts, ...Object.entries(headers)];
  for (;;) {
    const at = chance.integer(0, all.length - 1);
    const [what, make] = all[at] ?? ['nothing', () => ''];
    const made = make(chance, real, other);
    const header = at < texts.length ? `Bearer ${made}` : made;
    const accepted = [real, other].some((one) => header.trim() === `Bearer ${one}`);
    if (!accepted) return { description: what, header };
  }
}
