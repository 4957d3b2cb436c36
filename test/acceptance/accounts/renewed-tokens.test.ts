import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneCounters } from '../../../packages/server/src/domains/accounts/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const hour = 3_600;

describe.each(engines)('POST /auth/tokens/renew on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  let client: Client;
  beforeEach(async () => {
    ({ client } = await service.createAccount());
  });

  const renewable = { expires_in: hour, renewable_for: 12 * hour };
  const link = { ...renewable, single_use: true };
  const renew = (token: string) => service.client('').auth.renewToken({ body: { token } });
  const use = (token: string) => service.client(token).account.get();
  const wait = (seconds: number) => clock.advance(seconds * 1_000);

  it('renews the same token for the same time, also after it expired', async () => {
    const issued = await client.auth.createToken({ body: renewable });
    expect(issued).toMatchObject({ single_use: false });
    await wait(2 * hour);
    await expect(use(issued.token)).rejects.toMatchObject({ code: 'expired_token' });
    const seconds = () => Math.floor(clock.now().getTime() / 1_000);
    const before = seconds();
    const renewed = await renew(issued.token);
    expect(renewed.id).toBe(issued.id);
    expect(renewed.renewable_until).toBe(issued.renewable_until);
    const renewedAt = Date.parse(renewed.expires_at) / 1_000 - hour;
    expect(renewedAt).toBeGreaterThanOrEqual(before);
    expect(renewedAt).toBeLessThanOrEqual(seconds());
    await use(renewed.token);
    expect((await client.auth.listTokens()).data.map(({ id }) => id)).toEqual([issued.id]);
  });

  it('renews to renewable_until and not beyond', async () => {
    const issued = await client.auth.createToken({ body: renewable });
    await wait(11.5 * hour);
    const last = await renew(issued.token);
    expect(last.expires_at).toBe(issued.renewable_until);
    await wait(hour);
    await expect(renew(last.token)).rejects.toMatchObject({ status: 401, code: 'expired_token' });
    expect((await client.auth.listTokens()).data).toEqual([]);
  });

  it('keeps a token that can be renewed when expired ones are removed', async () => {
    const issued = await client.auth.createToken({
      body: { ...renewable, renewable_for: 864_000 },
    });
    await wait(5 * 86_400);
    await pruneCounters(service.running.context.app);
    expect((await renew(issued.token)).id).toBe(issued.id);
  });

  it('refuses a token that was created without renewable_for', async () => {
    const { token } = await client.auth.createToken();
    await expect(renew(token)).rejects.toMatchObject({ status: 401, code: 'expired_token' });
  });

  it('refuses a revoked token', async () => {
    const { token, id } = await client.auth.createToken({ body: renewable });
    await client.auth.revokeToken({ params: { id } });
    await expect(renew(token)).rejects.toMatchObject({ status: 401, code: 'expired_token' });
  });

  it('refuses a token of a revoked, and of a rotated key', async () => {
    for (const end of ['revoke', 'rotate'] as const) {
      const key = await client.keys.create({ body: { name: 'to end' } });
      const { token } = await service.client(key.key).auth.createToken({ body: renewable });
      await client.keys[end]({ params: { id: key.id } });
      const code = end === 'revoke' ? 'revoked_api_key' : 'invalid_api_key';
      await expect(renew(token)).rejects.toMatchObject({ status: 401, code });
    }
  });

  it('refuses a changed token', async () => {
    const { token } = await client.auth.createToken({ body: renewable });
    const [head, , signature] = token.split('.');
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const later = Buffer.from(claims.replace(/"exp":\d+/, '"exp":9999999999')).toString(
      'base64url',
    );
    const forged = `${head}.${later}.${signature}`;
    await expect(renew(forged)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await expect(renew('mnk_x')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('keeps the user that a token is limited to', async () => {
    const { token } = await client.auth.createToken({ body: { ...renewable, user_id: 'alice' } });
    const renewed = await renew(token);
    expect(renewed.user_id).toBe('alice');
    const alice = service.client(renewed.token);
    const memory = await alice.memories.create({ body: { content: 'Alice keeps bees.' } });
    expect(memory.user_id).toBe('alice');
    await expect(use(renewed.token)).rejects.toMatchObject({ code: 'user_access_denied' });
  });

  it('gives another token for one of single use, once', async () => {
    const issued = await client.auth.createToken({ body: link });
    await expect(use(issued.token)).rejects.toMatchObject({ status: 401, code: 'expired_token' });
    const outcomes = await Promise.allSettled([renew(issued.token), renew(issued.token)]);
    const [renewed] = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(renewed?.id).not.toBe(issued.id);
    expect(renewed).toMatchObject({ single_use: false, renewable_until: issued.renewable_until });
    await use(renewed?.token ?? '');
    await renew(renewed?.token ?? '');
  });

  it('refuses an expired token of single use', async () => {
    const { token } = await client.auth.createToken({ body: link });
    await wait(2 * hour);
    await expect(renew(token)).rejects.toMatchObject({ status: 401, code: 'expired_token' });
  });

  it('requires renewable_for with single_use', async () => {
    const created = client.auth.createToken({ body: { single_use: true } });
    await expect(created).rejects.toMatchObject({
      code: 'validation_error',
      fields: { renewable_for: { code: 'required' } },
    });
  });

  it('keeps the scopes that the token is limited to, of those that its key has', async () => {
    const scopes = ['memories:read', 'memories:write'] as const;
    const { key } = await client.keys.create({ body: { name: 'agent', scopes: [...scopes] } });
    const wanted = ['memories:read', 'search:read'] as const;
    const body = { ...link, scopes: [...wanted] };
    const { token } = await renew((await service.client(key).auth.createToken({ body })).token);
    const renewed = await renew(token);
    expect(renewed.scopes).toEqual(wanted);
    const limited = service.client(renewed.token);
    expect((await limited.memories.list()).data).toEqual([]);
    const refused = { status: 403, code: 'insufficient_permissions' };
    const content = 'Ana drinks tea.';
    await expect(limited.memories.create({ body: { content } })).rejects.toMatchObject(refused);
    // The key does not have this one.
    await expect(limited.search.get({ query: { q: 'tea' } })).rejects.toMatchObject(refused);
    await service.client(key).memories.create({ body: { content } });
    expect((await limited.memories.list()).data).toHaveLength(1);
  });

  it('has some scopes of a key with admin, and admin only if it names it', async () => {
    const reading = await client.auth.createToken({ body: { scopes: ['memories:read'] } });
    const limited = service.client(reading.token);
    await limited.memories.list();
    await expect(limited.keys.list()).rejects.toMatchObject({ code: 'insufficient_permissions' });
    const administering = await client.auth.createToken({ body: { scopes: ['admin'] } });
    await service.client(administering.token).keys.list();
  });

  it('never has a scope of the operator where it names scopes', async () => {
    const body = { scopes: ['admin' as const] };
    const { token } = await service.operator().auth.createToken({ body });
    await expect(service.client(token).admin.listAccounts()).rejects.toMatchObject({
      code: 'insufficient_permissions',
    });
    const named = { scopes: ['operator' as 'admin'] };
    await expect(service.operator().auth.createToken({ body: named })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});
