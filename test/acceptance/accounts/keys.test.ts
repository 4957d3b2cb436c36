import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

/** Each area for reading and writing, and admin. */
const published = [
  ...['memories', 'sessions', 'relationships', 'knowledge', 'search', 'clusters', 'email'],
  ...['webhooks', 'spaces'],
]
  .flatMap((area) => [`${area}:read`, `${area}:write`])
  .concat('admin');
const nobody = '019b8d1c-3a43-7c74-8e3f-4a5b6c7d8e9f';
const missing = { status: 404, code: 'not_found' };
const lacking = { status: 403, code: 'insufficient_permissions' };
const beyond = { status: 403, code: 'space_access_denied' };

/** The last part of a key, as its format says: base 62 of the SHA-256 of the rest, six digits. */
function checksumOf(body: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = BigInt(`0x${createHash('sha256').update(body).digest('hex')}`);
  let text = '';
  for (let i = 0; i < 6; i += 1, rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}

describe.each(engines)('API keys on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock }, isExclusive: true });
  });
  afterAll(() => service.stop());

  describe('POST /api-keys', () => {
    it('answers 201 with the key and its secret', async () => {
      const { client } = await service.createAccount();
      const body = { name: 'agent', scopes: ['memories:read', 'search:read'] };
      const answer = await client.request({ method: 'POST', path: '/api-keys', body });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        ...body,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        prefix: expect.stringMatching(/^mnk_[0-9A-Za-z]{12}$/),
        key: expect.stringMatching(/^mnk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/),
        space_ids: null,
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        created_at: expect.stringMatching(/Z$/),
      });
    });

    it('gives each key another secret, with a checksum over the rest', async () => {
      const { client } = await service.createAccount();
      const keys = await Promise.all(
        Array.from({ length: 5 }, () => client.keys.create({ body: { name: 'same' } })),
      );
      expect(new Set(keys.map(({ key }) => key.split('_')[2])).size).toBe(5);
      for (const { key, prefix } of keys) {
        expect(key.startsWith(`${prefix}_`)).toBe(true);
        expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -7)));
      }
    });

    it('gives every scope but operator when none is named', async () => {
      const { client } = await service.createAccount();
      const { scopes } = await client.keys.create({ body: { name: 'all' } });
      expect(scopes.toSorted()).toEqual(published.toSorted());
    });

    it.each([
      ['name is missing', {}, { name: 'required' }],
      ['name is empty', { name: '' }, { name: 'invalid_range' }],
      ['scopes are empty', { name: 'x', scopes: [] }, { scopes: 'invalid_range' }],
      [
        'a scope is unknown',
        { name: 'x', scopes: ['search:read', 'search:all'] },
        { 'scopes.1': 'invalid_enum_value' },
      ],
      [
        'the scope is operator',
        { name: 'x', scopes: ['operator'] },
        { 'scopes.0': 'invalid_enum_value' },
      ],
      ['a space is no id', { name: 'x', space_ids: ['mine'] }, { 'space_ids.0': 'invalid_format' }],
      ['space_ids is empty', { name: 'x', space_ids: [] }, { space_ids: 'invalid_range' }],
      [
        'expires_at is no time',
        { name: 'x', expires_at: 'soon' },
        { expires_at: 'invalid_format' },
      ],
      ['a field is unknown', { name: 'x', scope: 'admin' }, { scope: 'unknown_field' }],
    ])('answers 422 when %s', async (_when, body, expected) => {
      const answer = await service.client().request({ method: 'POST', path: '/api-keys', body });
      const fields = Object.fromEntries(
        Object.entries(expected).map(([name, code]) => [name, { code }]),
      );
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({
        error: { code: 'validation_error', details: { fields } },
      });
    });

    it('refuses a space that the account does not have: 404 space_not_found', async () => {
      const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
      const { id } = await theirs.client.spaces.create({ body: { name: 'theirs' } });
      for (const space of [id, nobody]) {
        const body = { name: 'x', space_ids: ['default', space] };
        await expect(mine.client.keys.create({ body })).rejects.toMatchObject({
          status: 404,
          code: 'space_not_found',
        });
      }
    });

    it('a key limited to spaces can give no other space, and never all', async () => {
      const { client } = await service.createAccount();
      const own = (await client.spaces.create({ body: { name: 'own' } })).id;
      const other = (await client.spaces.create({ body: { name: 'other' } })).id;
      const body = { name: 'limited', space_ids: [own, 'default'] };
      const limited = service.client((await client.keys.create({ body })).key);
      for (const space_ids of [undefined, null, [other], [own, other]]) {
        const wider = { name: 'wider', ...(space_ids === undefined ? {} : { space_ids }) };
        await expect(limited.keys.create({ body: wider })).rejects.toMatchObject(beyond);
      }
      const narrow = await limited.keys.create({ body: { name: 'narrow', space_ids: [own] } });
      expect(narrow.space_ids).toEqual([own]);
    });
  });

  describe('GET /api-keys', () => {
    it('lists the keys of the account, never a secret', async () => {
      const { client, key } = await service.createAccount();
      const made = await client.keys.create({ body: { name: 'agent' } });
      await service.createAccount();
      const answer = await client.request({ method: 'GET', path: '/api-keys' });
      const { data, pagination } = answer.body as Awaited<ReturnType<typeof client.keys.list>>;
      expect(data.map(({ name }) => name)).toEqual(['test', 'agent']);
      expect(pagination).toEqual({
        total: 2,
        limit: 20,
        offset: 0,
        has_more: false,
        next_cursor: null,
      });
      const { key: _, ...shown } = made;
      expect(data[1]).toEqual(shown);
      const text = JSON.stringify(answer.body);
      for (const secret of [key, made.key]) {
        expect(text).not.toContain(secret.split('_')[2]);
        expect(text).not.toContain(createHash('sha256').update(secret).digest('hex'));
      }
    });

    it('pages by limit and offset', async () => {
      const { client } = await service.createAccount();
      for (const name of ['b', 'c', 'd']) await client.keys.create({ body: { name } });
      const page = await client.keys.list({ query: { limit: 2, offset: 1 } });
      expect(page.data.map(({ name }) => name)).toEqual(['b', 'c']);
      expect(page.pagination).toEqual({
        total: 4,
        limit: 2,
        offset: 1,
        has_more: true,
        next_cursor: null,
      });
    });
  });

  describe('DELETE /api-keys/:id', () => {
    it('revokes at once: the very next request is 401 revoked_api_key', async () => {
      const { client } = await service.createAccount();
      const { id, key } = await client.keys.create({ body: { name: 'agent' } });
      const agent = service.client(key);
      await agent.memories.list();
      const answer = await client.request({ method: 'DELETE', path: `/api-keys/${id}` });
      expect(answer).toMatchObject({ status: 204, body: undefined });
      await expect(agent.memories.list()).rejects.toMatchObject({
        status: 401,
        code: 'revoked_api_key',
      });
      const { data } = await client.keys.list();
      expect(data.find((one) => one.id === id)?.revoked_at).not.toBeNull();
    });

    it('may be said twice, and keeps the first time', async () => {
      const { client } = await service.createAccount();
      const { id } = await client.keys.create({ body: { name: 'agent' } });
      const revokedAt = async () =>
        (await client.keys.list()).data.find((one) => one.id === id)?.revoked_at;
      await client.keys.revoke({ params: { id } });
      const first = await revokedAt();
      clock.advance(5_000);
      await client.keys.revoke({ params: { id } });
      expect(await revokedAt()).toBe(first);
    });

    it('never takes the operator key', async () => {
      const { data } = await service.client().keys.list();
      const operator = data.find(({ scopes }) => scopes.includes('operator'));
      const params = { id: operator?.id ?? '' };
      await expect(service.client().keys.revoke({ params })).rejects.toMatchObject(lacking);
    });
  });

  describe('POST /api-keys/:id/rotate', () => {
    it('gives a new secret under the same id; the former one stops at once', async () => {
      const { client } = await service.createAccount();
      const before = await client.keys.create({ body: { name: 'agent', scopes: ['search:read'] } });
      const path = `/api-keys/${before.id}/rotate`;
      const answer = await client.request({ method: 'POST', path });
      expect(answer.status).toBe(200);
      const after = answer.body as typeof before;
      expect(after).toEqual({ ...before, key: expect.any(String) });
      expect(after.key).not.toBe(before.key);
      const query = { q: 'x' };
      await service.client(after.key).search.get({ query });
      await expect(service.client(before.key).search.get({ query })).rejects.toMatchObject({
        status: 401,
        code: 'invalid_api_key',
      });
    });

    it('with grace_seconds the former secret works for that long, and no longer', async () => {
      const { client } = await service.createAccount();
      const before = await client.keys.create({ body: { name: 'agent' } });
      const params = { id: before.id };
      const after = await client.keys.rotate({ params, body: { grace_seconds: 3_600 } });
      const [former, fresh] = [service.client(before.key), service.client(after.key)];
      await former.memories.list();
      await fresh.memories.list();
      clock.advance(3_590_000);
      await former.memories.list();
      clock.advance(11_000);
      await expect(former.memories.list()).rejects.toMatchObject({ code: 'invalid_api_key' });
      await fresh.memories.list();
    });

    it('takes 0 s to 30 days of grace', async () => {
      const { client } = await service.createAccount();
      const params = { id: (await client.keys.create({ body: { name: 'agent' } })).id };
      for (const grace_seconds of [-1, 30 * 86_400 + 1]) {
        await expect(client.keys.rotate({ params, body: { grace_seconds } })).rejects.toMatchObject(
          {
            status: 422,
            fields: { grace_seconds: { code: 'invalid_range' } },
          },
        );
      }
      await client.keys.rotate({ params, body: { grace_seconds: 30 * 86_400 } });
    });

    it('refuses a revoked key: 409 conflict', async () => {
      const { client } = await service.createAccount();
      const params = { id: (await client.keys.create({ body: { name: 'agent' } })).id };
      await client.keys.revoke({ params });
      await expect(client.keys.rotate({ params })).rejects.toMatchObject({
        status: 409,
        code: 'conflict',
      });
    });

    it('never hands out rights that the caller lacks', async () => {
      const { client } = await service.createAccount();
      const own = (await client.spaces.create({ body: { name: 'own' } })).id;
      const wide = await client.keys.create({ body: { name: 'wide' } });
      const body = { name: 'limited', space_ids: [own] };
      const limited = service.client((await client.keys.create({ body })).key);
      await expect(limited.keys.rotate({ params: { id: wide.id } })).rejects.toMatchObject(beyond);
      await service.client(wide.key).memories.list();
      const admin = service.client(
        (await service.client().keys.create({ body: { name: 'a' } })).key,
      );
      const operator = (await admin.keys.list()).data.find(({ scopes }) =>
        scopes.includes('operator'),
      );
      const params = { id: operator?.id ?? '' };
      await expect(admin.keys.rotate({ params })).rejects.toMatchObject(lacking);
    });
  });

  it.each([
    ['DELETE', ''],
    ['POST', '/rotate'],
  ])(
    '%s /api-keys/:id%s of no id, no key or a key of another account is 404 not_found',
    async (method, rest) => {
      const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
      const { id } = await theirs.client.keys.create({ body: { name: 'theirs' } });
      for (const named of ['nonsense', `mem_${id}`, nobody, id]) {
        const path = `/api-keys/${named}${rest}`;
        const answer = await mine.client.request({ method, path });
        expect(answer).toMatchObject({ status: 404, body: { error: { code: missing.code } } });
      }
      const { data } = await theirs.client.keys.list();
      expect(data.find((one) => one.id === id)?.revoked_at).toBeNull();
    },
  );
});
