import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createWebhook, idsOf, patchWebhook, type Settings } from './webhook-requests.ts';

const published = [
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'memory.accessed',
  'relationship.created',
  'relationship.updated',
  'relationship.deleted',
  'cluster.created',
  'cluster.updated',
  'cluster.deleted',
  'cluster.memory_added',
  'cluster.memory_removed',
  'space.created',
  'space.updated',
  'space.deleted',
  'feedback.submitted',
  'audio.uploaded',
  'audio.transcribed',
  'webhook.test',
];

describe.each(engines)('webhooks that are read on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const get = (client: Client, path: string, headers: Record<string, string> = {}) =>
    client.request({ method: 'GET', path: `/webhooks${path}`, headers });

  /** Ids by the name that each is given. */
  async function makeSome(client: Client, settings: Record<string, Partial<Settings>>) {
    const ids: Record<string, string> = {};
    for (const [name, one] of Object.entries(settings)) {
      ids[name] = (await createWebhook(client, { ...one, name })).id;
    }
    return ids;
  }

  it('are listed newest first, in both published forms', async () => {
    const { client } = await service.createAccount();
    const { one, two, three } = await makeSome(client, { one: {}, two: {}, three: {} });
    const page = await client.webhooks.list();
    expect(idsOf(page)).toEqual([three, two, one]);
    expect(page.webhooks).toEqual(page.data);
    expect(page).toMatchObject({
      total: 3,
      pagination: { total: 3, limit: 20, offset: 0, has_more: false, next_cursor: null },
    });
    const second = await client.webhooks.list({ query: { limit: 1, offset: 1 } });
    expect(idsOf(second)).toEqual([two]);
    expect(second.pagination).toEqual({
      total: 3,
      limit: 1,
      offset: 1,
      has_more: true,
      next_cursor: null,
    });
  });

  it('are listed 1 to 100 at once', async () => {
    const { client } = await service.createAccount();
    for (const [query, bound] of [
      ['limit=0', 'limit must be at least 1'],
      ['limit=101', 'limit must be at most 100'],
      ['offset=-1', 'offset must be at least 0'],
      ['is_active=yes', 'is_active must be of type boolean'],
      ['space_id=mine', 'space_id must be a UUID'],
      ['colour=red', 'colour is not a known field'],
    ] as const) {
      const { status, body } = await get(client, `?${query}`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: expect.stringContaining(bound) },
      });
    }
  });

  it('are found by an event that they are told of, wildcards counted', async () => {
    const { client } = await service.createAccount();
    const ids = await makeSome(client, {
      all: { events: ['*'] },
      memories: { events: ['memory.*'] },
      created: { events: ['space.created', 'memory.created'] },
      spaces: { events: ['space.*'] },
    });
    const told = async (event: string) =>
      idsOf(await client.webhooks.list({ query: { event } })).toSorted();
    const sorted = (...names: string[]) => names.map((name) => ids[name]).toSorted();
    expect(await told('memory.created')).toEqual(sorted('all', 'memories', 'created'));
    expect(await told('memory.deleted')).toEqual(sorted('all', 'memories'));
    expect(await told('space.created')).toEqual(sorted('all', 'created', 'spaces'));
    expect(await told('cluster.merged')).toEqual(sorted('all'));
  });

  it('are not looked for by what is no event: 400 invalid_events', async () => {
    const { client } = await service.createAccount();
    for (const event of ['memory.exploded', 'memory.*', '*']) {
      expect(await get(client, `?event=${event}`)).toMatchObject({
        status: 400,
        body: { error: 'invalid_events', message: `Unknown event types: ${event}.` },
      });
    }
  });

  it('are found by their activity and by the space that they are bound to', async () => {
    const { client } = await service.createAccount();
    const red = (await client.spaces.create({ body: { name: 'red' } })).id;
    const blue = (await client.spaces.create({ body: { name: 'blue' } })).id;
    const ids = await makeSome(client, {
      loose: {},
      inRed: { space_id: red },
      off: { space_id: red, is_active: false },
    });
    const found = async (query: object) => idsOf(await client.webhooks.list({ query }));
    expect(await found({ is_active: true })).toEqual([ids.inRed, ids.loose]);
    expect(await found({ is_active: false })).toEqual([ids.off]);
    expect(await found({ space_id: red })).toEqual([ids.off, ids.inRed]);
    expect(await found({ space_id: red, is_active: true })).toEqual([ids.inRed]);
    expect(await found({ space_id: blue })).toEqual([]);
    expect(await found({ space_id: 'null' })).toEqual([ids.loose]);
    expect(await found({ space_id: 'default' })).toEqual([ids.loose]);
    expect(await get(client, `?space_id=${absentId}`)).toMatchObject({
      status: 404,
      body: { error: 'space_not_found' },
    });
  });

  it.each(['', 'wh_', 'whk_'])('are read by their id with the prefix "%s"', async (prefix) => {
    const { client } = await service.createAccount();
    const { id, secret: _, ...shown } = await createWebhook(client);
    expect((await get(client, `/${prefix}${id}`)).body).toMatchObject({ id, ...shown });
  });

  it('that there are not, are of another account, or have no id at all, are 404', async () => {
    const [{ client }, other] = [await service.createAccount(), await service.createAccount()];
    const { id } = await createWebhook(other.client);
    for (const path of [`/${absentId}`, `/${id}`, '/mine', `/mem_${id}`]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { name: 'mine' } : undefined;
        const answer = await client.request({ method, path: `/webhooks${path}`, body });
        expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
      }
    }
    expect((await other.client.webhooks.list()).total).toBe(1);
    expect((await client.webhooks.list()).total).toBe(0);
  });

  it('have an ETag that goes on with each change, and is answered with 304', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const etag = (await get(client, `/${id}`)).headers.get('etag') ?? '';
    expect((await get(client, `/${id}`, { 'if-none-match': etag })).status).toBe(304);
    await patchWebhook(client, id, { description: 'changed' });
    const changed = await get(client, `/${id}`, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('are counted, and so are the events that they name', async () => {
    const { client } = await service.createAccount();
    expect((await get(client, '/stats')).body).toEqual({
      total_webhooks: 0,
      active_webhooks: 0,
      inactive_webhooks: 0,
      total_deliveries: 0,
      successful_deliveries: 0,
      failed_deliveries: 0,
      events_distribution: [],
    });
    await makeSome(client, {
      a: { events: ['memory.*', 'space.created'] },
      b: { events: ['memory.*'], is_active: false },
      c: { events: ['*'] },
    });
    expect((await get(client, '/stats')).body).toMatchObject({
      total_webhooks: 3,
      active_webhooks: 2,
      inactive_webhooks: 1,
      events_distribution: [
        { event: 'memory.*', webhook_count: 2 },
        { event: '*', webhook_count: 1 },
        { event: 'space.created', webhook_count: 1 },
      ],
    });
  });

  it('may be told of the published list, in its order, and of all other events', async () => {
    const { client } = await service.createAccount();
    const { body } = await get(client, '/event-types');
    const { event_types: types, details } = body as {
      event_types: string[];
      details: { type: string; description: string }[];
    };
    expect(types.slice(0, 19)).toEqual(published);
    expect(types.slice(19).toSorted()).toEqual([
      'cluster.merged',
      'entity.extracted',
      'import.batch_stored',
      'import.completed',
      'memory.bulk_created',
      'memory.bulk_deleted',
      'memory.bulk_tags_updated',
      'memory.bulk_updated',
      'memory.expired',
      'memory.reinforced',
      'memory.restored',
      'memory.superseded',
      'memory.update_suggested',
      'memory.verified',
    ]);
    expect(details.map(({ type }) => type)).toEqual(types);
    for (const { description } of details) expect(description).toMatch(/^[A-Z].+\. data: .+\.$/);
  });

  it('need the scope webhooks:read', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const body = { name: 'other', scopes: ['memories:read' as const] };
    const other = service.client((await client.keys.create({ body })).key);
    for (const path of ['', `/${id}`, '/stats', '/event-types']) {
      expect(await get(other, path)).toMatchObject({
        status: 403,
        body: { error: 'insufficient_permissions' },
      });
      expect(await get(service.client('nonsense'), path)).toMatchObject({
        status: 401,
        body: { error: 'unauthorized' },
      });
    }
  });
});
