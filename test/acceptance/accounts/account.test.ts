import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { advanceToNextMonth } from '../limits/usage-and-windows.ts';

const defaults = {
  daily_memory_limit: null,
  enforce_endpoint_limits: false,
  allow_custom_relationship_types: false,
  email: { accept_unknown: 'store' },
};

describe.each(engines)('the account of a key on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock }, isExclusive: true });
  });
  afterAll(() => service.stop());

  const read = (client: Client) => client.request({ method: 'GET', path: '/account' });
  const change = (client: Client, body: unknown) =>
    client.request({ method: 'PATCH', path: '/account', body });

  describe('GET /account', () => {
    it('answers the whole account', async () => {
      const { id, client } = await service.createAccount('pro');
      const answer = await read(client);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        id,
        name: expect.stringMatching(/^account \d+$/),
        plan: 'pro',
        limits: expect.objectContaining({ requests_per_minute: 300 }),
        usage: {
          period: clock.now().toISOString().slice(0, 7),
          memories: 0,
          spaces: 0,
          api_keys: 1,
          webhooks: 0,
          searches: 0,
          embeddings: 0,
          memories_created_today: 0,
        },
        settings: expect.objectContaining(defaults),
        contact_email: 'owner@localhost',
        embedding: { model: 'static-en-192@1', dimensions: 192 },
      });
    });

    it('is open to any key of the account, whatever its rights and spaces', async () => {
      const { id, client } = await service.createAccount('pro');
      const space = await client.spaces.create({ body: { name: 'own' } });
      const bodies = [
        { name: 'a', scopes: ['email:read' as const] },
        { name: 'b', scopes: ['memories:write' as const], space_ids: [space.id] },
      ];
      for (const body of bodies) {
        const { key } = await client.keys.create({ body });
        expect((await service.client(key).account.get()).id).toBe(id);
      }
    });

    it('tells the usage of this month, and what is held now', async () => {
      const { client } = await service.createAccount('pro');
      advanceToNextMonth(clock);
      const { id } = await client.memories.create({ body: { content: 'Tea.' } });
      await client.memories.create({ body: { content: 'Coffee.' } });
      await client.memories.update({ params: { id }, body: { content: 'Green tea.' } });
      await client.search.get({ query: { q: 'tea' } });
      const period = clock.now().toISOString().slice(0, 7);
      const held = { memories: 2, spaces: 0, api_keys: 1, webhooks: 0 };
      const used = { searches: 1, embeddings: 3, memories_created_today: 2 };
      expect((await client.account.get()).usage).toEqual({ period, ...held, ...used });
      advanceToNextMonth(clock);
      expect((await client.account.get()).usage).toEqual({
        period: clock.now().toISOString().slice(0, 7),
        ...held,
        searches: 0,
        embeddings: 0,
        memories_created_today: 0,
      });
    });

    it('takes no query', async () => {
      const { client } = await service.createAccount();
      const query = { expand: 'usage' };
      expect(await client.request({ method: 'GET', path: '/account', query })).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { expand: { code: 'unknown_field' } } } } },
      });
    });
  });

  describe('PATCH /account', () => {
    it('changes what is named and nothing else, and answers the account', async () => {
      const { client } = await service.createAccount();
      const before = await client.account.get();
      const first = await change(client, { name: 'Acme', contact_email: 'ana@example.com' });
      expect(first.status).toBe(200);
      const renamed = { ...before, name: 'Acme', contact_email: 'ana@example.com' };
      expect(first.body).toEqual(renamed);
      const limited = { ...renamed, settings: { ...before.settings, daily_memory_limit: 7 } };
      expect((await change(client, { settings: { daily_memory_limit: 7 } })).body).toEqual(limited);
      const settings = { ...limited.settings, enforce_endpoint_limits: true };
      expect((await change(client, { settings: { enforce_endpoint_limits: true } })).body).toEqual({
        ...limited,
        settings,
      });
      expect((await change(client, {})).body).toEqual({ ...limited, settings });
      expect(await client.account.get()).toEqual({ ...limited, settings });
    });

    it('brings a default back for null', async () => {
      const { client } = await service.createAccount();
      const settings = {
        daily_memory_limit: 7,
        enforce_endpoint_limits: true,
        allow_custom_relationship_types: true,
        email: { accept_unknown: 'reject' },
      };
      await change(client, { contact_email: 'ana@example.com', settings });
      const reset = {
        daily_memory_limit: null,
        enforce_endpoint_limits: null,
        allow_custom_relationship_types: null,
        email: { accept_unknown: null },
      };
      const answer = await change(client, { contact_email: null, settings: reset });
      expect(answer.body).toMatchObject({ contact_email: 'owner@localhost', settings: defaults });
    });

    it.each([
      ['another field', { plan: 'max' }, { plan: 'unknown_field' }],
      ['suspended', { suspended: true }, { suspended: 'unknown_field' }],
      ['another setting', { settings: { color: 'red' } }, { 'settings.color': 'unknown_field' }],
      ['settings null', { settings: null }, { settings: 'invalid_type' }],
      ['an empty name', { name: '' }, { name: 'invalid_range' }],
      ['a long name', { name: 'x'.repeat(256) }, { name: 'field_too_long' }],
      ['no mail address', { contact_email: 'ana' }, { contact_email: 'invalid_format' }],
      ['a limit below zero', daily(-1), { 'settings.daily_memory_limit': 'invalid_range' }],
      ['half a memory', daily(0.5), { 'settings.daily_memory_limit': 'invalid_type' }],
      ['a limit in words', daily('none'), { 'settings.daily_memory_limit': 'invalid_type' }],
      [
        'a switch in words',
        { settings: { enforce_endpoint_limits: 'yes' } },
        { 'settings.enforce_endpoint_limits': 'invalid_type' },
      ],
      [
        'another way with unknown senders',
        { settings: { email: { accept_unknown: 'drop' } } },
        { 'settings.email.accept_unknown': 'invalid_enum_value' },
      ],
      [
        'two faults at once',
        { name: '', settings: { color: 'red', daily_memory_limit: -1 } },
        {
          name: 'invalid_range',
          'settings.color': 'unknown_field',
          'settings.daily_memory_limit': 'invalid_range',
        },
      ],
    ])('refuses %s, and changes nothing', async (_what, body, codes) => {
      const { client } = await service.createAccount();
      const before = await client.account.get();
      const answer = await change(client, body);
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
      const { fields } = (answer.body as { error: { details: { fields: object } } }).error.details;
      const told = Object.entries(fields).map(([name, { code }]) => [name, code]);
      expect(Object.fromEntries(told)).toEqual(codes);
      expect(await client.account.get()).toEqual(before);
    });

    it('needs admin', async () => {
      const { client } = await service.createAccount();
      const { key } = await client.keys.create({
        body: { name: 'most', scopes: ['memories:write', 'spaces:write', 'search:read'] },
      });
      expect(await change(service.client(key), { name: 'mine' })).toMatchObject({
        status: 403,
        body: {
          error: { code: 'insufficient_permissions', details: { required_scope: 'admin' } },
        },
      });
    });

    it('changes the own account alone', async () => {
      const [one, other] = [await service.createAccount(), await service.createAccount()];
      const before = await other.client.account.get();
      await change(one.client, { name: 'Acme', settings: { daily_memory_limit: 0 } });
      expect(await other.client.account.get()).toEqual(before);
      await other.client.memories.create({ body: { content: 'Tea.' } });
    });
  });

  describe('PATCH /admin/accounts/:id', () => {
    it('changes settings and contact as the account itself may', async () => {
      const { id, client } = await service.createAccount('free');
      const settings = { daily_memory_limit: 1 };
      const body = { settings, contact_email: 'ops@example.com', plan: 'pro' as const };
      const state = await service.operator().admin.updateAccount({ params: { id }, body });
      const expected = {
        plan: 'pro',
        contact_email: 'ops@example.com',
        settings: { ...defaults, ...settings },
      };
      expect(state).toMatchObject(expected);
      expect(await client.account.get()).toMatchObject({
        ...expected,
        limits: { requests_per_minute: 300 },
      });
      await client.memories.create({ body: { content: 'Tea.' } });
      await expect(client.memories.create({ body: { content: 'Coffee.' } })).rejects.toMatchObject({
        status: 429,
        code: 'daily_limit_exceeded',
      });
    });

    it('changes nothing without a field, and records no change', async () => {
      const { id, client } = await service.createAccount();
      const state = await client.account.get();
      const update = (body: object) =>
        service.operator().admin.updateAccount({ params: { id }, body });
      const recorded = async () => {
        const { data } = await client.account.audit({ query: { limit: 100 } });
        return data.filter(({ action }) => action === 'account.updated').length;
      };
      await update({});
      expect([await client.account.get(), await recorded()]).toEqual([state, 0]);
      await update({ contact_email: 'ops@example.com' });
      expect(await recorded()).toBe(1);
    });

    it('refuses settings that there are not', async () => {
      const { id } = await service.createAccount();
      const path = `/admin/accounts/${id}`;
      const body = { settings: { colour: 'red' } };
      expect(await service.client().request({ method: 'PATCH', path, body })).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { 'settings.colour': { code: 'unknown_field' } } } } },
      });
    });

    it('two changes of settings at once are both there', async () => {
      const { client } = await service.createAccount();
      await Promise.all([
        change(client, { settings: { daily_memory_limit: 5 } }),
        change(client, { settings: { enforce_endpoint_limits: true } }),
      ]);
      expect((await client.account.get()).settings).toMatchObject({
        daily_memory_limit: 5,
        enforce_endpoint_limits: true,
      });
    });

    it('holds from its answer on, however many requests are under way meanwhile', async () => {
      const { id, client } = await service.createAccount();
      const operator = service.client();
      const suspend = (suspended: boolean) =>
        operator.admin.updateAccount({ params: { id }, body: { suspended } });
      let ended = false;
      const busy = Array.from({ length: 8 }, async () => {
        while (!ended) await read(client);
      });
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1) {
        await suspend(i % 2 === 0);
        statuses.push((await read(client)).status);
      }
      ended = true;
      await Promise.all(busy);
      expect(statuses).toEqual(statuses.map((_, i) => (i % 2 === 0 ? 403 : 200)));
    });
  });
});

describe.each(engines)('MNEME_CONTACT_EMAIL on %s', (engine) => {
  it('is the contact of accounts that have set none', async () => {
    const env = { MNEME_CONTACT_EMAIL: 'help@example.com' };
    const service = await startService(engine, { env });
    const { id, client } = await service.createAccount();
    const contact = async () => (await client.account.get()).contact_email;
    expect(await contact()).toBe('help@example.com');
    await client.account.update({ body: { contact_email: 'ana@example.com' } });
    expect(await contact()).toBe('ana@example.com');
    await client.account.update({ body: { contact_email: null } });
    expect(await contact()).toBe('help@example.com');
    const state = await service.operator().admin.getAccount({ params: { id } });
    expect(state.contact_email).toBe('help@example.com');
    await service.stop();
  });
});

function daily(daily_memory_limit: unknown): object {
  return { settings: { daily_memory_limit } };
}
