import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { AcceleratedClock, GatedEmbedder } from '../memories/controlled-dependencies.ts';

const hourMs = 3_600_000;
const nobody = '019b8d1c-3a42-7b63-8d2e-3f4a5b6c7d8e';

describe.each(engines)('/admin/accounts on %s', (engine) => {
  let service: Service;
  let operator: ReturnType<Service['client']>;
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true });
    operator = service.client();
  });
  afterAll(() => service.stop());

  it('the first account is `default`, on plan enterprise', async () => {
    const { data } = await operator.admin.listAccounts();
    expect(data[0]).toMatchObject({ name: 'default', plan: 'enterprise', suspended: false });
  });

  it('POST answers 201 with the account, on plan free unless told', async () => {
    const answer = await operator.request({
      method: 'POST',
      path: '/admin/accounts',
      body: { name: 'acme' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'acme',
      plan: 'free',
      suspended: false,
      settings: {
        daily_memory_limit: null,
        enforce_endpoint_limits: false,
        allow_custom_relationship_types: false,
        detect_updates: 'suggest',
        email: { accept_unknown: 'store' },
      },
      contact_email: 'owner@localhost',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    for (const plan of ['free', 'pro', 'max', 'enterprise'] as const) {
      const account = await operator.admin.createAccount({ body: { name: 'acme', plan } });
      expect(account.plan).toBe(plan);
    }
  });

  it('POST answers 422 with every faulty field', async () => {
    const body = { plan: 'gold', owner: 'ana' };
    const answer = await operator.request({ method: 'POST', path: '/admin/accounts', body });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: {
          details: {
            fields: {
              name: { code: 'required' },
              plan: { code: 'invalid_enum_value' },
              owner: { code: 'unknown_field' },
            },
          },
        },
      },
    });
  });

  it('GET lists oldest first, in pages', async () => {
    const made: string[] = [];
    for (const name of ['p1', 'p2', 'p3']) {
      made.push((await operator.admin.createAccount({ body: { name } })).id);
    }
    const { pagination } = await operator.admin.listAccounts({ query: { limit: 1 } });
    const offset = pagination.total - 3;
    const last = await operator.admin.listAccounts({ query: { limit: 3, offset } });
    expect(last.data.map(({ id }) => id)).toEqual(made);
    expect(last.pagination).toEqual({
      total: pagination.total,
      limit: 3,
      offset,
      has_more: false,
      next_cursor: null,
    });
  });

  it('GET and PATCH of one answer it as it is now', async () => {
    const { id } = await operator.admin.createAccount({ body: { name: 'acme' } });
    const params = { id };
    const patched = await operator.admin.updateAccount({
      params,
      body: { name: 'acme corp', plan: 'max' },
    });
    expect(patched).toMatchObject({ id, name: 'acme corp', plan: 'max', suspended: false });
    expect(await operator.admin.getAccount({ params })).toEqual(patched);
  });

  it('POST :id/keys issues a key that acts for that account alone', async () => {
    const { id } = await operator.admin.createAccount({ body: { name: 'acme' } });
    const body = { name: 'reader', scopes: ['memories:read' as const] };
    const issued = await operator.admin.createKey({ params: { id }, body });
    expect(issued.key).toMatch(/^mnk_/);
    const reader = service.client(issued.key);
    expect((await reader.memories.list()).data).toEqual([]);
    await expect(reader.memories.create({ body: { content: 'x' } })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('POST :id/keys cannot give operator either', async () => {
    const { id } = await operator.admin.createAccount({ body: { name: 'acme' } });
    const answer = await operator.request({
      method: 'POST',
      path: `/admin/accounts/${id}/keys`,
      body: { name: 'x', scopes: ['operator'] },
    });
    expect(answer.status).toBe(422);
    const { scopes } = await operator.admin.createKey({ params: { id }, body: { name: 'x' } });
    expect(scopes).not.toContain('operator');
  });

  it('a suspended account is 403 insufficient_permissions at once, until it is not', async () => {
    const { id, client } = await service.createAccount();
    await client.memories.list();
    await operator.admin.updateAccount({ params: { id }, body: { suspended: true } });
    await expect(client.memories.list()).rejects.toMatchObject({
      status: 403,
      code: 'insufficient_permissions',
    });
    await operator.admin.updateAccount({ params: { id }, body: { suspended: false } });
    expect((await client.memories.list()).data).toEqual([]);
  });

  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { plan: 'pro' }],
    ['DELETE', '?confirm=true', undefined],
    ['POST', '/keys', { name: 'x' }],
  ])(
    '%s /admin/accounts/:id%s of no id or no account is 404 not_found',
    async (method, rest, body) => {
      for (const id of ['nonsense', 'acc_1', nobody]) {
        const path = `/admin/accounts/${id}${rest}`;
        const answer = await operator.request({ method, path, body });
        expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
      }
    },
  );

  it('the operator can neither suspend nor delete the account it acts from', async () => {
    const { data } = await operator.admin.listAccounts({ query: { limit: 1 } });
    const params = { id: data[0]?.id ?? '' };
    const conflict = { status: 409, code: 'conflict' };
    await expect(
      operator.admin.updateAccount({ params, body: { suspended: true } }),
    ).rejects.toMatchObject(conflict);
    await expect(
      operator.admin.deleteAccount({ params, query: { confirm: true } }),
    ).rejects.toMatchObject(conflict);
    await operator.memories.list();
  });

  describe('DELETE /admin/accounts/:id', () => {
    it('needs confirm=true, or X-Confirm: true', async () => {
      const { id, client } = await service.createAccount();
      const path = `/admin/accounts/${id}`;
      for (const query of [undefined, { confirm: false }]) {
        const refused = await operator.request({ method: 'DELETE', path, query });
        expect(refused).toMatchObject({
          status: 409,
          body: { error: { code: 'confirmation_required' } },
        });
      }
      await client.memories.list();
      const headers = { 'x-confirm': 'true' };
      expect((await operator.request({ method: 'DELETE', path, headers })).status).toBe(204);
    });

    it('answers 204; every read is gone at once', async () => {
      const { id, client } = await service.createAccount();
      await client.memories.create({ body: { content: 'Ana prefers tea.' } });
      const answer = await operator.request({
        method: 'DELETE',
        path: `/admin/accounts/${id}`,
        query: { confirm: true },
      });
      expect(answer).toMatchObject({ status: 204, body: undefined });
      for (const attempt of [
        () => client.memories.list(),
        () => client.search.get({ query: { q: 'tea' } }),
        () => client.keys.list(),
      ] as (() => Promise<unknown>)[]) {
        await expect(attempt()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
      }
      const params = { id };
      await expect(operator.admin.getAccount({ params })).rejects.toMatchObject({ status: 404 });
      const { data } = await operator.admin.listAccounts({ query: { limit: 100 } });
      expect(data.map((one) => one.id)).not.toContain(id);
    });

    it('a job erases every row of the account, and of no other', async () => {
      const [gone, kept] = [await service.createAccount(), await service.createAccount()];
      for (const { client } of [gone, kept]) {
        const space = await client.spaces.create({ body: { name: 'research' } });
        const contents = Array.from({ length: 120 }, (_, i) => `note ${i}`);
        for (const part of [contents.slice(0, 60), contents.slice(60)]) {
          const memories = part.map((content) => ({ content, space_id: space.id }));
          await client.memories.bulkCreate({ body: { memories } });
        }
        const memory = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
        await client.memories.feedback({ params: { id: memory.id }, body: { helpful: true } });
        await client.memories.remove({ params: { id: memory.id }, query: { soft: true } });
        await client.search.putPreset({ params: { name: 'mine' }, body: {} });
      }
      await operator.admin.deleteAccount({ params: { id: gone.id }, query: { confirm: true } });
      const left = await eventually(() => rowsOf(service, gone.id), isErased);
      expect(Object.keys(left).length).toBeGreaterThan(6);
      expect(await rowsOf(service, kept.id)).toMatchObject({
        memories: 121,
        spaces: 1,
        search_presets: 1,
      });
      const { facets } = await kept.client.search.get({ query: { q: 'note' } });
      expect(facets.memories).toBe(120);
    });
  });
});

describe.each(engines)('an account that is deleted while it is written to on %s', (engine) => {
  it('is erased with all that a request which had begun before still wrote', async () => {
    const [clock, embedder] = [new AcceleratedClock(), await GatedEmbedder.open()];
    const service = await startService(engine, { overrides: { clock, embedder } });
    try {
      const { id, client } = await service.createAccount();
      embedder.closeGate();
      const late = client.memories.create({ body: { content: 'Ana prefers tea.' } });
      await eventually(
        async () => embedder.waitingCount,
        (waiting) => waiting === 1,
      );
      const query = { confirm: true };
      await service.operator().admin.deleteAccount({ params: { id }, query });
      await eventually(() => rowsOf(service, id), isErased);
      embedder.openGate();
      await expect(late).rejects.toMatchObject({ code: 'invalid_api_key' });
      clock.advance(hourMs);
      await eventually(() => rowsOf(service, id), isErased);
    } finally {
      await service.stop();
    }
  });
});

const isErased = (rows: Record<string, number>): boolean =>
  Object.values(rows).every((count) => count === 0);

/**
 * Rows per table that still carry the account's id; jobs aside, which are kept for a week, and the
 * ledger of erasures, which has to outlive the account.
 */
async function rowsOf(service: Service, accountId: string): Promise<Record<string, number>> {
  const { db } = service.running.context.app.engine;
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id'
      and table_name not in ('jobs', 'erasures')
  `.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} where account_id = ${accountId}::uuid
    `.execute(db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}
