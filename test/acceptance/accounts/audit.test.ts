import { createHash } from 'node:crypto';
import type { AuditEntry } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const nobody = '019b8d1c-0000-7000-8000-00000000dead';

describe.each(engines)('the audit log on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock }, isExclusive: true });
  });
  afterAll(() => service.stop());

  const read = async (client: Client, query: object = {}): Promise<AuditEntry[]> =>
    (await client.account.audit({ query: { limit: 100, ...query } })).data;
  const send = (client: Client, method: string, path: string, body?: unknown, requestId?: string) =>
    client.request({
      method,
      path,
      body,
      headers: requestId === undefined ? {} : { 'x-request-id': requestId },
    });
  const idOf = (answer: { body: unknown }): string => (answer.body as { id: string }).id;

  /** The id of the key that a client has, and of its account. */
  async function actorOf(client: Client) {
    const [{ id: account_id }, { data }] = [await client.account.get(), await client.keys.list()];
    const api_key_id = data[0]?.id ?? '';
    return { account_id, api_key_id, key_id: api_key_id };
  }

  it('tells every change of keys: what, whose, by whom, in which request', async () => {
    const { client } = await service.createAccount();
    const actor = await actorOf(client);
    const body = { name: 'agent', scopes: ['memories:read'], expires_at: '2099-01-01T00:00:00Z' };
    const id = idOf(await send(client, 'POST', '/api-keys', body, 'made'));
    await send(client, 'POST', `/api-keys/${id}/rotate`, { grace_seconds: 60 }, 'turned');
    await send(client, 'DELETE', `/api-keys/${id}`, undefined, 'ended');
    const entries = (await read(client)).slice(0, 3);
    const common = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), target_id: id, actor };
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const details = { ...body, space_ids: null, expires_at: '2099-01-01T00:00:00.000Z' };
    expect(entries).toEqual([
      {
        ...common,
        created_at,
        action: 'key.revoked',
        request_id: 'ended',
        details: { name: 'agent' },
      },
      {
        ...common,
        created_at,
        action: 'key.rotated',
        request_id: 'turned',
        details: { name: 'agent', grace_seconds: 60 },
      },
      { ...common, created_at, action: 'key.created', request_id: 'made', details },
    ]);
  });

  it('tells every change of the account: what was set', async () => {
    const { id, client } = await service.createAccount();
    const body = { name: 'Acme', settings: { daily_memory_limit: 7 } };
    await send(client, 'PATCH', '/account', body, 'renamed');
    const [entry] = await read(client);
    expect(entry).toMatchObject({
      action: 'account.updated',
      target_id: id,
      actor: await actorOf(client),
      request_id: 'renamed',
      details: body,
    });
  });

  it('has what the operator does in the logs of both accounts, of the same request', async () => {
    const operator = service.operator();
    const actor = await actorOf(operator);
    const made = await send(operator, 'POST', '/admin/accounts', { name: 'acme' }, 'op-1');
    const id = idOf(made);
    const path = `/admin/accounts/${id}`;
    const issued = await send(operator, 'POST', `${path}/keys`, { name: 'first' }, 'op-2');
    await send(operator, 'PATCH', path, { plan: 'pro', suspended: false }, 'op-3');
    const client = service.client((issued.body as { key: string }).key);
    const expected = [
      ['account.updated', id, 'op-3', { plan: 'pro', suspended: false }],
      ['key.created', idOf(issued), 'op-2', { name: 'first' }],
      ['account.created', id, 'op-1', { name: 'acme', plan: 'free' }],
    ] as const;
    const own = await read(client);
    const operators = (await read(operator)).slice(0, 3);
    for (const [i, [action, target_id, request_id, details]] of expected.entries()) {
      const common = { action, target_id, request_id, actor };
      expect(own[i]).toMatchObject({ ...common, details });
      expect(operators[i]).toMatchObject({ ...common, details: { ...details, account_id: id } });
      expect(operators[i]?.id).not.toBe(own[i]?.id);
    }
    expect(own).toHaveLength(3);

    await send(operator, 'DELETE', `${path}?confirm=true`, undefined, 'op-4');
    expect((await read(operator))[0]).toMatchObject({
      action: 'account.deleted',
      target_id: id,
      actor,
      request_id: 'op-4',
      details: { name: 'acme', plan: 'pro', account_id: id },
    });
  });

  it('begins with what the service did at its start: no actor', async () => {
    const operator = service.operator();
    const { pagination } = await operator.account.audit({ query: { limit: 1 } });
    const query = { limit: 2, offset: pagination.total - 2 };
    const { data } = await operator.account.audit({ query });
    const { account_id, key_id } = await actorOf(operator);
    expect(data).toMatchObject([
      { action: 'key.created', target_id: key_id, actor: null, request_id: 'start' },
      { action: 'account.created', target_id: account_id, actor: null, request_id: 'start' },
    ]);
  });

  it('holds no secret', async () => {
    const { id, client } = await service.createAccount();
    const made = await client.keys.create({ body: { name: 'agent' } });
    const turned = await client.keys.rotate({ params: { id: made.id } });
    const { token } = await client.auth.createToken();
    const body = { name: 'another' };
    const issued = await service.operator().admin.createKey({ params: { id }, body });
    const text = JSON.stringify([await read(client), await read(service.client())]);
    expect(text).toContain('another');
    for (const { key } of [made, turned, issued]) {
      const digest = createHash('sha256').update(key).digest();
      for (const part of [
        key.split('_')[2] ?? key,
        digest.toString('hex'),
        digest.toString('base64'),
      ])
        expect(text).not.toContain(part);
    }
    expect(text).not.toContain(token.split('.')[2]);
  });

  it('has nothing of a change that did not happen', async () => {
    const { client } = await service.createAccount('free');
    const { id } = await client.keys.create({ body: { name: 'agent', scopes: ['email:read'] } });
    await client.keys.create({ body: { name: 'last' } });
    await client.keys.revoke({ params: { id } });
    await client.keys.create({ body: { name: 'in its place' } });
    const before = await read(client);
    const attempts = [
      [403, 'POST', '/api-keys', { name: 'one too many' }],
      [422, 'POST', '/api-keys', {}],
      [422, 'PATCH', '/account', { settings: { color: 'red' } }],
      [204, 'DELETE', `/api-keys/${id}`, undefined],
      [409, 'POST', `/api-keys/${id}/rotate`, {}],
      [404, 'DELETE', `/api-keys/${nobody}`, undefined],
      [403, 'PATCH', `/admin/accounts/${nobody}`, { plan: 'max' }],
    ] as const;
    for (const [status, method, path, body] of attempts) {
      expect((await send(client, method, path, body)).status, `${method} ${path}`).toBe(status);
    }
    expect(await read(client)).toEqual(before);
  });

  it('has a replayed request once', async () => {
    const { client } = await service.createAccount();
    const create = () => client.keys.create({ body: { name: 'once' } }, { idempotencyKey: 'once' });
    expect(await create()).toEqual(await create());
    expect(await read(client, { action: 'key.created' })).toHaveLength(2);
  });

  it('is newest first, and pages by limit and offset', async () => {
    const { client } = await service.createAccount();
    const names = Array.from({ length: 7 }, (_, i) => `key ${i}`);
    for (const name of names) await client.keys.create({ body: { name } });
    const told = (entries: readonly AuditEntry[]) =>
      entries.map(({ details }) => (details as { name: string }).name);
    const newest = [...names.toReversed(), 'test'];
    const all = await read(client, { action: 'key.created' });
    expect(told(all)).toEqual(newest);
    const query = { action: 'key.created', limit: 3, offset: 2 } as const;
    const page = await client.account.audit({ query });
    expect(told(page.data)).toEqual(newest.slice(2, 5));
    expect(page.pagination).toEqual({
      total: 8,
      limit: 3,
      offset: 2,
      has_more: true,
      next_cursor: null,
    });
    const rest = await client.account.audit({ query: { ...query, offset: 6 } });
    expect(told(rest.data)).toEqual(newest.slice(6));
    expect(rest.pagination).toEqual({
      total: 8,
      limit: 3,
      offset: 6,
      has_more: false,
      next_cursor: null,
    });
    const plain = await client.account.audit();
    expect(plain.pagination).toEqual({
      total: 9,
      limit: 20,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
  });

  it('filters by action, since (from it on) and until (before it)', async () => {
    const { client } = await service.createAccount();
    const made: AuditEntry[] = [];
    for (let i = 0; i < 3; i += 1) {
      clock.advance(60_000);
      const { id } = await client.keys.create({ body: { name: `key ${i}` } });
      if (i === 1) await client.keys.revoke({ params: { id } });
      made.push(...(await read(client, { action: 'key.created', limit: 1 })));
    }
    const [first, second, third] = made.map(({ created_at }) => created_at);
    const told = async (query: object) =>
      (await read(client, query)).map(({ action, details }) => [
        action,
        (details as { name?: string }).name,
      ]);
    expect(await told({ action: 'key.revoked' })).toEqual([['key.revoked', 'key 1']]);
    expect(await told({ since: second, until: third })).toEqual([
      ['key.revoked', 'key 1'],
      ['key.created', 'key 1'],
    ]);
    expect(await told({ since: third })).toEqual([['key.created', 'key 2']]);
    expect(await told({ since: first, until: third, action: 'key.created' })).toEqual([
      ['key.created', 'key 1'],
      ['key.created', 'key 0'],
    ]);
    expect(await told({ since: third, until: third })).toEqual([]);
    const { pagination } = await client.account.audit({ query: { since: second ?? '' } });
    expect(pagination.total).toBe(3);
  });

  it.each([
    ['an unknown action', 'action=key.lost', 'action', 'invalid_enum_value'],
    ['a time that is none', 'since=yesterday', 'since', 'invalid_format'],
    ['a limit over 100', 'limit=101', 'limit', 'invalid_range'],
    ['an offset below 0', 'offset=-1', 'offset', 'invalid_range'],
    ['an unknown field', 'actor=me', 'actor', 'unknown_field'],
  ])('refuses %s: 422', async (_what, query, field, code) => {
    const { client } = await service.createAccount();
    expect(await send(client, 'GET', `/account/audit?${query}`)).toMatchObject({
      status: 422,
      body: { error: { details: { fields: { [field]: { code } } } } },
    });
  });

  it('is for admin keys of the account alone', async () => {
    const [one, other] = [await service.createAccount(), await service.createAccount()];
    await one.client.keys.create({ body: { name: 'mine' } });
    const scopes = ['memories:write', 'spaces:read'] as const;
    const { key } = await one.client.keys.create({ body: { name: 'r', scopes: [...scopes] } });
    expect(await send(service.client(key), 'GET', '/account/audit')).toMatchObject({
      status: 403,
      body: { error: { details: { required_scope: 'admin' } } },
    });
    expect(JSON.stringify(await read(other.client))).not.toContain(one.id);
    expect((await read(other.client)).map(({ action }) => action)).toEqual([
      'key.created',
      'account.created',
    ]);
  });

  it('has as many entries as there were changes at the same time', async () => {
    const { client } = await service.createAccount();
    const count = 10;
    await Promise.all(
      Array.from({ length: count }, (_, i) => client.keys.create({ body: { name: `key ${i}` } })),
    );
    const entries = await read(client, { action: 'key.created' });
    expect(new Set(entries.map(({ target_id }) => target_id)).size).toBe(count + 1);
  });
});
