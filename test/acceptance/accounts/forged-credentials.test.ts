import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine } from '../../../packages/server/src/database/testing.ts';
import { deriveKey } from '../../../packages/server/src/kernel/encryption.ts';
import { openRawConnection } from '../../support/raw-http.ts';
import { recordStatements } from '../../support/recorded-statements.ts';
import { runCount, testSeed } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createSeededRandom } from '../durability/seeded-random.ts';
import { checksumOf, type Forgery, forge, readClaims, signToken } from './forgeries.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));
const tokenSecret = 'a secret for tokens, of many words';

describe.each(engines)('forged credentials on %s', (engine) => {
  let service: Service;
  let key: string;
  let token: string;
  let others: { key: string; token: string };
  beforeAll(async () => {
    service = await startService(engine, { env: { MNEME_TOKEN_SECRET: tokenSecret } });
    const issue = async () => {
      const { key, client } = await service.createAccount();
      return { key, token: (await client.auth.createToken({ body: {} })).token };
    };
    ({ key, token } = await issue());
    others = await issue();
  });
  afterAll(() => service.stop());

  const total = runCount(1_000, 10_000);
  const wires = 8;
  const batch = 25;

  it(`never get in, and are all 401 invalid_api_key (${total} of seed ${testSeed})`, async () => {
    const chance = createSeededRandom(testSeed);
    const forgeries = Array.from({ length: total }, (_, i) =>
      i % 2 === 0 ? forge(chance, key, others.key) : forge(chance, token, others.token),
    );
    const wrong: unknown[] = [];
    let real = 0;
    const send = async (own: readonly Forgery[]): Promise<void> => {
      using wire = await openRawConnection(service.url);
      const head = (header: string): string =>
        `GET /v1/account HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${header}\r\n\r\n`;
      for (let from = 0; from < own.length; from += batch) {
        const part = own.slice(from, from + batch);
        // Behind each batch comes the real one: what gets in is seen to get in.
        const good = from % 2 === 0 ? key : token;
        const headers = [...part.map(({ header }) => header), `Bearer ${good}`];
        wire.send(headers.map(head).join(''));
        for (const [i, header] of headers.entries()) {
          const { status, text } = await wire.readResponse();
          const is401 = status === 401 && text.includes('"code":"invalid_api_key"');
          if (i === part.length && status === 200) real += 1;
          else if (i === part.length || !is401) wrong.push({ ...part[i], header, status, text });
        }
      }
    };
    const share = Math.ceil(total / wires);
    await Promise.all(
      Array.from({ length: wires }, (_, i) => send(forgeries.slice(i * share, (i + 1) * share))),
    );
    expect(wrong).toEqual([]);
    expect(real).toBe(wires * Math.ceil(share / batch));
    const kinds = new Set(forgeries.map(({ description }) => description));
    expect(kinds.size).toBe(37);
  });

  /** A token as the service itself would sign it, but for these claims. */
  const signed = (claims: object, bits?: 256 | 384 | 512): string =>
    signToken({ ...readClaims(token), ...claims }, deriveKey(tokenSecret, 'session tokens'), bits);
  const ask = (credential: string, path = '/account') =>
    service.client(credential).request({ method: 'GET', path });
  const refused = { status: 401, body: { error: { code: 'invalid_api_key' } } };

  it('get in when they are signed with the right key and nothing is changed', async () => {
    expect((await ask(signed({}))).status).toBe(200);
  });

  it.each<[string, object, (384 | 512)?]>([
    ['another algorithm', {}, 384],
    ['a third algorithm', {}, 512],
    ['another issuer', { iss: 'other' }],
    ['a time before which it is no good', { nbf: 4_000_000_000 }],
    ['an unknown account', { sub: '019b8d1c-0000-7000-8000-00000000dead' }],
    ['an unknown key', { key: '019b8d1c-0000-7000-8000-00000000dead' }],
  ])(
    'never get in even when they are signed with the right key: %s',
    async (_what, claims, bits) => {
      expect(await ask(signed(claims, bits))).toMatchObject(refused);
    },
  );

  it.each(['exp', 'sub', 'key', 'iss'])(
    'never get in with a claim %s of no sense',
    async (name) => {
      for (const value of [undefined, null, true, '', "' or true --", {}, ['x']]) {
        const { status, body } = await ask(signed({ [name]: value }));
        expect({ name, value, status, body }).toMatchObject(refused);
      }
    },
  );

  it('are 401 expired_token when their time is over', async () => {
    const expired = { status: 401, body: { error: { code: 'expired_token' } } };
    expect(await ask(signed({ exp: 5 }))).toMatchObject(expired);
  });
});

describe.each(eachEngine({ migrations }))('looking a key up on $name', ({ open }) => {
  it('takes the same way for an unknown key id as for a wrong secret, ever again', async () => {
    const opened = await open();
    const { engine, taken } = recordStatements(opened.engine);
    const service = await startService('embedded', { overrides: { engine } });
    const { key, client } = await service.createAccount();
    const { token } = await client.auth.createToken({ body: {} });
    // A process forgets every key that it knows when it revokes one.
    const { id } = await client.keys.create({ body: { name: 'another' } });
    await client.keys.revoke({ params: { id } });
    const secret = 'x'.repeat(43);
    const wellFormed = (body: string): string => `${body}_${checksumOf(body)}`;
    const unknown = wellFormed(`mnk_${'0'.repeat(12)}_${secret}`);
    const wrong = wellFormed(`${key.slice(0, 16)}_${secret}`);
    const selects = async (credential: string, status: number): Promise<string[]> => {
      taken();
      const { status: told } = await service
        .client(credential)
        .request({ method: 'GET', path: '/account' });
      expect(told).toBe(status);
      return taken().filter((sql) => /from "api_keys"/.test(sql));
    };
    const once = [expect.stringMatching(/^select .* where "key_id" = \$1 and \("secret_hash" = /)];
    for (const refused of [unknown, wrong, unknown, wrong]) {
      expect(await selects(refused, 401)).toEqual(once);
    }
    expect(await selects(key, 200)).toEqual(once);
    expect(await selects(key, 200)).toEqual([]);
    for (const refused of [unknown, wrong, unknown, wrong]) {
      expect(await selects(refused, 401)).toEqual(once);
    }
    expect(await selects(key, 200)).toEqual([]);
    // Of a token the signature is looked at first: a forged one asks the database nothing.
    const [head = '', claims = ''] = token.split('.');
    expect(await selects(`${head}.${claims}.${'A'.repeat(43)}`, 401)).toEqual([]);
    expect(await selects(token, 200)).toHaveLength(1);
    expect(await selects(token, 200)).toEqual([]);
    expect(await selects(`${head}.${claims}.${'A'.repeat(43)}`, 401)).toEqual([]);
    await service.stop();
    await opened.cleanup();
  });
});
