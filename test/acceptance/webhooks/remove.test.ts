import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { runVerification } from '../verify/run-verification.ts';
import {
  absentId,
  createWebhook,
  defaultSettings,
  idsOf,
  postWebhook,
} from './webhook-requests.ts';

describe.each(engines)('webhooks that go, many at once, and their number on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const remove = (client: Client, id: string) =>
    client.request({ method: 'DELETE', path: `/webhooks/${id}` });
  const bulkDelete = (client: Client, ids: string[]) =>
    client.request({ method: 'POST', path: '/webhooks/bulk/delete', body: { ids } });
  const usageOf = async (client: Client) => (await client.account.get()).usage.webhooks;

  /** A delivery that ended, as it is kept. */
  const keepDelivery = (accountId: string, webhookId: string) =>
    sql`insert into webhook_deliveries (account_id, webhook_id, number, id, event_id, event_type,
        event_created_at, body, status, created_at)
      select ${accountId}::uuid, ${webhookId}::uuid, n, gen_random_uuid(), gen_random_uuid(),
        'memory.created', now(), '{}', 'success', now() from generate_series(1, 300) as n`.execute(
      service.running.context.app.engine.db,
    );
  const deliveriesOf = async (webhookId: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from webhook_deliveries where webhook_id = ${webhookId}::uuid`.execute(
      service.running.context.app.engine.db,
    );
    return rows[0]?.count ?? 0;
  };
  const isGone = (webhookId: string) =>
    eventually(
      () => deliveriesOf(webhookId),
      (count) => count === 0,
    );

  it('a removed one is 404 from then on, and its name is free', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { name: 'mine' });
    expect(await remove(client, id)).toMatchObject({ status: 204, body: undefined });
    expect(await remove(client, id)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect((await client.webhooks.list()).total).toBe(0);
    expect((await postWebhook(client, { name: 'mine' })).status).toBe(201);
  });

  it('the record of its deliveries goes along, and no other', async () => {
    const { id: accountId, client } = await service.createAccount();
    const [gone, kept] = [await createWebhook(client), await createWebhook(client)];
    for (const { id } of [gone, kept]) await keepDelivery(accountId, id);
    await remove(client, gone.id);
    await isGone(gone.id);
    expect(await deliveriesOf(kept.id)).toBe(300);
    await bulkDelete(client, [kept.id]);
    await isGone(kept.id);
  });

  it('all of an account go with it', async () => {
    const { id, client } = await service.createAccount();
    const webhook = await createWebhook(client);
    await keepDelivery(id, webhook.id);
    await service.operator().admin.deleteAccount({ params: { id }, query: { confirm: true } });
    await isGone(webhook.id);
    const { rows } = await sql`select id from webhooks where account_id = ${id}::uuid`.execute(
      service.running.context.app.engine.db,
    );
    expect(rows).toEqual([]);
  });

  it('many are removed by one call; ids that name none are passed over', async () => {
    const [{ client }, other] = [await service.createAccount(), await service.createAccount()];
    const ids = [
      (await createWebhook(client)).id,
      (await createWebhook(client)).id,
      (await createWebhook(client)).id,
    ];
    const theirs = (await createWebhook(other.client)).id;
    const [first = '', , third = ''] = ids;
    const answer = await bulkDelete(client, [`wh_${third}`, absentId, theirs, first, third]);
    expect(answer).toMatchObject({ status: 200, body: { deleted: 2, ids: [third, first] } });
    expect(idsOf(await client.webhooks.list())).toEqual([ids[1]]);
    expect(idsOf(await other.client.webhooks.list())).toEqual([theirs]);
    expect(await bulkDelete(client, [first])).toMatchObject({ body: { deleted: 0, ids: [] } });
  });

  it('1 to 100 are named by a call', async () => {
    const { client } = await service.createAccount();
    for (const count of [0, 101]) {
      const ids = Array<string>(count).fill(absentId);
      expect(await bulkDelete(client, ids)).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: expect.stringMatching(/^ids must have at/) },
      });
      expect(
        await postWebhook(client, { webhooks: Array(count).fill(defaultSettings) }, '/bulk'),
      ).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: expect.stringContaining('webhooks must have at') },
      });
    }
    expect(await bulkDelete(client, ['mine'])).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^ids\.0 must be a UUID/) },
    });
  });

  const bulkCreate = (client: Client, webhooks: object[]) =>
    client.request({ method: 'POST', path: '/webhooks/bulk', body: { webhooks } });

  it('many are made by one call, each with its secret', async () => {
    const { client } = await service.createAccount();
    const made = await bulkCreate(client, [
      defaultSettings,
      { ...defaultSettings, name: 'mine' },
      defaultSettings,
    ]);
    expect(made).toMatchObject({ status: 201, body: { created: 3 } });
    const { webhooks } = made.body as { webhooks: { name: string; secret: string }[] };
    const names = ['hooks.example.com', 'mine', 'hooks.example.com 2'];
    expect(webhooks.map(({ name }) => name)).toEqual(names);
    for (const { secret } of webhooks) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await usageOf(client)).toBe(3);
  });

  it.each([
    [409, 'conflict', { name: 'taken' }, /the name taken already exists/],
    [400, 'invalid_events', { events: ['nope'] }, /^Unknown event types: nope\.$/],
    [400, 'bad_request', { url: 'http://a' }, /^webhooks\.1\.url must be an absolute https URL$/],
    [404, 'space_not_found', { space_id: absentId }, /Space not found/],
  ])('all or none are made: %i %s for one of them', async (status, error, bad, message) => {
    const { client } = await service.createAccount();
    const first = { ...defaultSettings, name: 'taken' };
    expect(await bulkCreate(client, [first, { ...defaultSettings, ...bad }])).toMatchObject({
      status,
      body: { error, message: expect.stringMatching(message) },
    });
    expect((await client.webhooks.list()).total).toBe(0);
    expect(await usageOf(client)).toBe(0);
  });

  it('free has one, pro ten; a removed one makes room: 403 quota_exceeded beyond', async () => {
    const full = { status: 403, body: { error: 'quota_exceeded' } };
    const [free, pro] = [await service.createAccount('free'), await service.createAccount('pro')];
    const { id } = await createWebhook(free.client);
    expect(await postWebhook(free.client, {})).toMatchObject(full);
    await remove(free.client, id);
    expect((await postWebhook(free.client, {})).status).toBe(201);
    expect(await bulkCreate(pro.client, Array(11).fill(defaultSettings))).toMatchObject(full);
    expect((await bulkCreate(pro.client, Array(9).fill(defaultSettings))).status).toBe(201);
    const racing = await Promise.all(Array.from({ length: 4 }, () => postWebhook(pro.client, {})));
    expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403]);
    expect([await usageOf(free.client), await usageOf(pro.client)]).toEqual([1, 10]);
  });

  it('each is counted once, however often it is removed', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    await createWebhook(client);
    const answers = await Promise.all([
      remove(client, id),
      remove(client, id),
      bulkDelete(client, [id, id]),
    ]);
    expect(answers.filter(({ status }) => status === 204).length).toBeLessThan(2);
    expect(await usageOf(client)).toBe(1);
  });

  it('mneme verify finds a counter that says another number', async () => {
    const { id: accountId, client } = await service.createAccount();
    await createWebhook(client);
    const { db } = service.running.context.app.engine;
    await sql`update usage_counters set used = used + 1
      where account_id = ${accountId}::uuid and metric = 'webhooks'`.execute(db);
    const report = await runVerification(service, { account_id: accountId });
    expect(JSON.stringify(report)).toContain('the counter of webhooks is 2, but 1 exist');
  });
});
