import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRedactionCounts, redactSecrets } from './index.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Random text with a letter and a digit, as services make their keys. */
const random = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...letters), { minLength: length - 2, maxLength: length - 2 })
    .map((all) => `${all.join('')}x7`);
// Written in parts, so that no scanner takes this file for a leak.
const part = (prefix: string, rest: string): string => `${prefix}${rest}`;
const body = 'q7Zt4mKd9XvB2nLs8RfW3hYc6TgJ1pEa5UoDiQxC';
const jwt = [part('ey', 'JhbGciOiJIUzI1NiJ9'), 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', body].join('.');
const pem = (label: string): string => {
  const frame = (edge: string): string => `-----${edge} ${label}PRIVATE KEY-----`;
  return `${frame('BEGIN')}\nMIIEowIBAAKCAQEA75\nq7Zt4mKd==\n${frame('END')}`;
};

describe('secrets', () => {
  it.each([
    [pem(''), 'private_key'],
    [pem('RSA '), 'private_key'],
    [pem('OPENSSH ').replaceAll('\n', '\\n'), 'private_key'],
    [part('sk-', `ant-api03-${body}`), 'api_key'],
    [part('sk-', `proj-${body}`), 'api_key'],
    [part('sk-', body), 'api_key'],
    [part('AKIA', 'IOSFODNN7EXAMPLE'), 'api_key'],
    [part('ghp_', body.slice(0, 36)), 'api_key'],
    [part('github_pat_', `11ABCDEFG0_${body}`), 'api_key'],
    [part('xoxb-', '123456789012-1234567890123-abcdefGHIJ'), 'api_key'],
    [part('AIza', body.slice(0, 35)), 'api_key'],
    [part('mnk_', `0123456789ab_${body}xyz_012345`), 'api_key'],
    [part('npm_', body.slice(0, 36)), 'api_key'],
    [part('glpat-', body.slice(0, 20)), 'api_key'],
    [part('hf_', body.slice(0, 34)), 'api_key'],
    [part('sk_live_', body.slice(0, 24)), 'api_key'],
    [part('rk_test_', body.slice(0, 24)), 'api_key'],
    [jwt, 'jwt'],
  ] as const)('%s is replaced as %s', (secret, kind) => {
    for (const text of [secret, `use ${secret}, please`, `KEY="${secret}"\n`, `(${secret})`]) {
      const redacted = redactSecrets(text);
      expect(redacted.text).toBe(text.replace(secret, `[redacted: ${kind}]`));
      expect(redacted.counts).toEqual({ [kind]: 1 });
    }
  });

  it.each([
    ['Authorization: Bearer ', 'a81nds9am3kd02mmxl', '', 'authorization'],
    ['-H "authorization: Basic ', 'dXNlcjpwYXNzd29yZA==', '" \\', 'authorization'],
    ['fails with bearer ', 'a81nds9am3kd02mmxl', ' here', 'authorization'],
    ['postgres://app:', 'hunter2', '@db.example.com/app', 'url_password'],
    ['redis://:', 'p4ss', '@localhost', 'url_password'],
    ['password=', 'hunter2', '', 'password'],
    ['the password is in "password": "', 'Tr0ub4dor&3', '"', 'password'],
    ['DB_PASSWORD=', 'Tr0ub4dor&3', '\n', 'password'],
    ['mysql --password ', 's3cretpw', ' app', 'password'],
    ['const dbPassword = "', 'Tr0ub4dor&3', '"', 'password'],
    ['token: ', 'a81nds9am3kd02mmxl', '', 'token'],
    ['X-Api-Key: ', 'a81nds9am3kd02mmxl', '', 'token'],
    ['aws_secret_access_key = ', 'wJalrXUtnFEMIqK7MDENGgbPxRfiCYEXAMPLEKEY', '', 'token'],
    ['"client_secret":"', 'a81nds9am3kd02mmxl', '"}', 'token'],
    ['--api-key ', 'a81nds9am3kd02mmxl', '', 'token'],
  ])('in %j the value %j is replaced', (before, secret, after, kind) => {
    expect(redactSecrets(before + secret + after)).toEqual({
      text: `${before}[redacted: ${kind}]${after}`,
      counts: { [kind]: 1 },
    });
  });

  it.each([
    'Fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8, see also 4b8ef61f.',
    'commit: 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'The session 019b8d1c-3a46-7fa7-8162-7d8e9fa0b1d3 has ended.',
    `![](data:image/png;base64,${Buffer.from(letters.repeat(40)).toString('base64')})`,
    'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuw==',
    'We store the password hashed; a password: never in plain text, and no secret either.',
    'The token is short. Token: a piece of text. max_tokens: 128000, tokens=1500',
    'Use scikit-learn and sk-learn-compatible-estimators-everywhere.',
    'Authorization: Bearer $MNEME_API_KEY or Authorization: Bearer <key>',
    'Authorization: required. Send a bearer token in the header.',
    'password: process.env.DB_PASSWORD_2, token = getToken(user42), secret: "$SECRET_42"',
    'const token = await createToken({ ttl: 3600 });',
    'secretName: user-service-credentials-2',
    'token: /run/secrets/app_token_2024',
    'password: string; apiKey?: string | undefined',
    'git clone https://github.com/example/app.git && open http://localhost:3000/a@b',
    'mail ana@example.com, ssh://git@example.com:22/app',
    'PWD=/srv/app/project1',
    'the prefix mnk_ and the prefix ghp_ mark keys; npm_config_registry is a setting',
    'API key: see 1Password',
  ])('%j stays as it is', (text) => {
    expect(redactSecrets(text)).toEqual({ text, counts: {} });
  });

  it('are found wherever they are in a text, and their other words stay', () => {
    const secrets = fc.oneof(
      random(40).map((rest) => part('sk-', `ant-${rest}`)),
      random(36).map((rest) => part('ghp_', rest)),
      random(36).map((rest) => part('npm_', rest)),
      random(24).map((rest) => part('sk_live_', rest)),
    );
    const words = fc.array(fc.constantFrom('the', 'key', 'of', 'Ana', 'is:', '\n', '- "', '('));
    fc.assert(
      fc.property(words, secrets, words, (before, secret, after) => {
        const text = [...before, secret, ...after].join(' ');
        const redacted = redactSecrets(text);
        expect(redacted.text).toBe(text.replace(secret, '[redacted: api_key]'));
        expect(redacted.counts).toEqual({ api_key: 1 });
      }),
    );
  });

  it('are all gone after one pass, of any text', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 12 }),
      random(20),
      fc.constantFrom(
        ...['password', 'token', '=', ': ', '"', 'Bearer ', 'authorization: ', '://u:', '@', '--'],
        ...['sk-', 'sk-ant-', 'eyJ', '.', '[redacted: token]', '-----BEGIN PRIVATE KEY-----', '\n'],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redactSecrets(pieces.join(''));
        expect(redactSecrets(once.text)).toEqual({ text: once.text, counts: {} });
      }),
      { numRuns: 2_000 },
    );
  });

  it('take linear time to find', () => {
    const seeds = ['-eyJ', '-----BEGIN PRIVATE KEY-----', 'a://', 'password=', 'token: "', ' sk-'];
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(64_000 / seed.length));
      // Processor time: on a busy machine, others use the clock's.
      const before = process.cpuUsage();
      redactSecrets(text);
      expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
    }
  });

  it('are counted together', () => {
    expect(addRedactionCounts({ jwt: 1, token: 2 }, { token: 1, password: 1 })).toEqual({
      jwt: 1,
      token: 3,
      password: 1,
    });
  });
});
