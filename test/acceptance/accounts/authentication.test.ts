import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('credentials on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** What a request with this Authorization header is answered. */
  const ask = (authorization: string | undefined, headers: Record<string, string> = {}) =>
    service.client().request({
      method: 'GET',
      path: '/memories',
      headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
    });

  /** Every 401 says which code, and how to do better. */
  const expect401 = async (answer: Awaited<ReturnType<typeof ask>>, code: string) => {
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toMatchObject({ error: { code, message: expect.any(String) } });
  };

  it.each(['', ' '])('an empty header (%j) is 401 missing_api_key', async (header) => {
    await expect401(await ask(header), 'missing_api_key');
  });

  it('no header at all is 401 missing_api_key', async () => {
    const response = await fetch(`${service.url}/v1/memories`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ error: { code: 'missing_api_key' } });
  });

  it.each([
    ['is no key', 'Bearer hello'],
    ['has another scheme', 'Basic dXNlcjpwYXNz'],
    ['has no scheme', 'KEY'],
    ['has no key', 'Bearer'],
    ['has a space in it', 'Bearer KEY KEY'],
    ['lost its last character', 'Bearer KEY-1'],
    ['has one character too many', 'Bearer KEYx'],
    ['has a typing error in the secret', 'Bearer TYPO'],
    ['is very long', `Bearer mnk_${'x'.repeat(4_000)}`],
  ])('a key that %s is 401 invalid_api_key', async (_what, header) => {
    const { key } = await service.createAccount();
    const typo = key.slice(0, 30) + (key[30] === 'a' ? 'b' : 'a') + key.slice(31);
    const sent = header
      .replaceAll('KEY-1', key.slice(0, -1))
      .replaceAll('KEY', key)
      .replaceAll('TYPO', typo);
    await expect401(await ask(sent), 'invalid_api_key');
  });

  it('a key in X-API-Key serves as well, and Authorization counts before it', async () => {
    const { key } = await service.createAccount();
    const send = (headers: Record<string, string>) =>
      fetch(`${service.url}/v1/memories`, { headers });
    expect((await send({ 'x-api-key': key })).status).toBe(200);
    expect((await send({ 'x-api-key': `${key}x` })).status).toBe(401);
    expect((await send({ 'x-api-key': '' })).status).toBe(401);
    const both = { authorization: `Bearer ${key}`, 'x-api-key': 'mnk_other' };
    expect((await send(both)).status).toBe(200);
    expect((await send({ ...both, authorization: 'Bearer mnk_other' })).status).toBe(401);
  });

  it('a well-formed key that nobody has is 401 invalid_api_key', async () => {
    const { client } = await service.createAccount();
    const first = await client.keys.create({ body: { name: 'agent' } });
    await client.keys.rotate({ params: { id: first.id } });
    await expect401(await ask(`Bearer ${first.key}`), 'invalid_api_key');
  });

  it('the scheme may be written in any letter case', async () => {
    const { key } = await service.createAccount();
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await ask(`${scheme} ${key}`)).status).toBe(200);
    }
  });

  it('a revoked key is 401 revoked_api_key, also when it is expired as well', async () => {
    const { client } = await service.createAccount();
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
    const { id, key } = await client.keys.create({ body: { name: 'agent', expires_at } });
    await client.keys.revoke({ params: { id } });
    await expect401(await ask(`Bearer ${key}`), 'revoked_api_key');
    clock.advance(61_000);
    await expect401(await ask(`Bearer ${key}`), 'revoked_api_key');
  });

  it('a key works until it expires, then it is 401 expired_api_key', async () => {
    const { client } = await service.createAccount();
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
    const { key } = await client.keys.create({ body: { name: 'agent', expires_at } });
    expect((await ask(`Bearer ${key}`)).status).toBe(200);
    clock.advance(50_000);
    expect((await ask(`Bearer ${key}`)).status).toBe(200);
    clock.advance(11_000);
    await expect401(await ask(`Bearer ${key}`), 'expired_api_key');
  });

  it('says so in whatever form is asked for', async () => {
    const flat = await ask('', { 'x-error-format': 'flat' });
    expect(flat).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    expect(flat.headers.get('www-authenticate')).toBe('Bearer');
    const problem = await ask('', { accept: 'application/problem+json' });
    expect(problem).toMatchObject({ status: 401, body: { code: 'missing_api_key' } });
  });

  it('last_used_at is told soon after a use, and moves on with later ones', async () => {
    const { client } = await service.createAccount();
    const { id, key } = await client.keys.create({ body: { name: 'agent' } });
    const lastUse = async () =>
      (await client.keys.list()).data.find((one) => one.id === id)?.last_used_at ?? null;
    expect(await lastUse()).toBeNull();
    const before = clock.now();
    await ask(`Bearer ${key}`);
    const first = await eventually(lastUse, (at) => at !== null);
    expect(Date.parse(first ?? '')).toBeGreaterThanOrEqual(before.getTime());
    clock.advance(3_600_000);
    await ask(`Bearer ${key}`);
    const second = await eventually(lastUse, (at) => at !== first);
    expect(Date.parse(second ?? '') - Date.parse(first ?? '')).toBeGreaterThanOrEqual(3_600_000);
  });

  it('a refused use is no use', async () => {
    const { client } = await service.createAccount();
    const { id, key } = await client.keys.create({ body: { name: 'agent' } });
    await client.keys.revoke({ params: { id } });
    await ask(`Bearer ${key}`);
    const { data } = await client.keys.list();
    expect(data.find((one) => one.id === id)?.last_used_at).toBeNull();
  });
});
