import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { EventStreamClient } from './event-stream-client.ts';

const minuteMs = 60_000;
const owners = ['ana', 'ben', undefined];
const invalidCursor = { status: 400, code: 'invalid_request' };

describe.each(engines)('events of changes for a user on %s', (engine) => {
  const clock = createFakeClock();
  let service: Service;
  let whole: Client;
  let key: string;
  let tokens: Readonly<Record<'ana' | 'ben', string>>;
  let ana: Client;
  let ben: Client;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    ({ client: whole, key } = await service.createAccount());
    const tokenOf = async (user_id: string) =>
      (await whole.auth.createToken({ body: { user_id } })).token;
    tokens = { ana: await tokenOf('ana'), ben: await tokenOf('ben') };
    ana = service.client(tokens.ana);
    ben = service.client(tokens.ben);
  });

  const eventsOf = async (client: Client, query: object = {}) =>
    (await client.events.list({ query: { limit: 100, ...query } })).data;
  const removedIds = async (client: Client, query: object = {}) =>
    (await eventsOf(client, { type: 'memory.deleted', ...query })).map(({ data }) => data);

  /** A memory of Ana, of Ben and of nobody, in this order. */
  const createThree = (content: string, more: object = {}) =>
    Promise.all(
      owners.map((user_id) =>
        createMemory(whole, content, { ...(user_id && { user_id }), ...more }),
      ),
    );
  const idsOf = (memories: readonly { readonly id: string }[]) => memories.map(({ id }) => id);

  const eraseAll = async (content: string): Promise<string[]> => {
    const ids = idsOf(await createThree(content));
    const filter = { ids };
    const counted = await whole.memories.erase({ body: { filter, dry_run: true } });
    const token = 'token' in counted ? counted.token : '';
    await whole.memories.erase({ body: { filter, token } });
    await service.running.context.worker.drain();
    return ids;
  };
  const removals: readonly (readonly [string, boolean, () => Promise<string[]>])[] = [
    ['a soft delete', true, () => removeEach({ soft: true })],
    ['a delete for good', false, () => removeEach({})],
    ['a soft delete in bulk', true, () => removeInBulk(true)],
    ['a delete for good in bulk', false, () => removeInBulk(false)],
    ['an erasure by filter', false, () => eraseAll('erased')],
    ['an expiry', false, () => expireThree()],
    ['the delete of a session', false, () => removeSession()],
  ];
  async function removeEach(query: { readonly soft?: true }): Promise<string[]> {
    const ids = idsOf(await createThree('removed'));
    for (const id of ids) await whole.memories.remove({ params: { id }, query });
    return ids;
  }
  async function removeInBulk(soft: boolean): Promise<string[]> {
    const ids = idsOf(await createThree('removed in bulk'));
    await whole.memories.bulkDelete({ body: { ids, soft } });
    return ids;
  }
  async function expireThree(): Promise<string[]> {
    const expires_at = new Date(clock.now().getTime() + minuteMs).toISOString();
    const ids = idsOf(await createThree('expires', { expires_at }));
    clock.advance(3 * minuteMs);
    await service.running.context.worker.drain();
    return ids;
  }
  async function removeSession(): Promise<string[]> {
    const { id } = await whole.cliSessions.create({ body: { name: 'talk' } });
    const ids = idsOf(await createThree('in a session', { session_id: id }));
    await whole.cliSessions.remove({ params: { id } });
    return ids;
  }

  it.each(removals)('tell of %s who had the memory, and nobody else', async (_, soft, remove) => {
    const [own, bens, nobodys] = await remove();
    const deleted = (id: string | undefined) => ({ id, soft });
    expect(await removedIds(ana)).toEqual([deleted(own)]);
    expect(await removedIds(ben)).toEqual([deleted(bens)]);
    expect(await removedIds(whole, { user_id: 'ben' })).toEqual([deleted(bens)]);
    expect(await removedIds(whole)).toHaveLength(3);
    for (const [client, id] of [
      [ana, own],
      [ben, bens],
    ] as const) {
      const text = JSON.stringify(await eventsOf(client));
      for (const foreign of [own, bens, nobodys].filter((one) => one !== id))
        expect(text).not.toContain(foreign);
    }
  });

  it('tell of a memory that leaves the spaces of a token, and of one that comes', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => whole.spaces.create({ body: { name } })),
    );
    const keyOf = async (space_ids: string[]) => {
      const { key: secret } = await whole.keys.create({ body: { name: 'limited', space_ids } });
      return service.client(secret);
    };
    const tokenIn = async (user_id: string, space_ids: string[]) => {
      const limited = await keyOf(space_ids);
      return service.client((await limited.auth.createToken({ body: { user_id } })).token);
    };
    const inOne = await tokenIn('ana', [one?.id ?? '']);
    const inTwo = await tokenIn('ana', [two?.id ?? '']);
    const inBoth = await tokenIn('ana', [one?.id ?? '', two?.id ?? '']);
    const bens = await tokenIn('ben', [one?.id ?? '', two?.id ?? '']);
    const { id } = await createMemory(whole, 'moves', { user_id: 'ana', space_id: one?.id });
    await whole.memories.update({ params: { id }, body: { space_id: two?.id ?? '' } });
    const typesOf = async (client: Client) => (await eventsOf(client)).map(({ type }) => type);
    expect(await typesOf(inOne)).toEqual(['memory.created', 'memory.deleted']);
    expect(await typesOf(inTwo)).toEqual(['memory.created']);
    expect(await typesOf(inBoth)).toEqual(['memory.created', 'memory.updated']);
    expect(await typesOf(ana)).toEqual(['memory.created', 'memory.updated']);
    expect(await typesOf(bens)).toEqual([]);
  });

  it('go on only from an id of the same user and the same filter', async () => {
    await createThree('tea');
    const lastIdOf = async (secret: string, query: Readonly<Record<string, string>> = {}) => {
      using stream = await EventStreamClient.open(service, secret, { query });
      await stream.nextMessage();
      return stream.lastId ?? '';
    };
    const filters: readonly Readonly<Record<string, string>>[] = [
      {},
      { user_id: 'ana' },
      { user_id: 'ben' },
      { agent_id: 'ana' },
      { run_id: 'ana' },
      { user_id: 'ana', agent_id: 'ana' },
    ];
    for (const filter of filters) {
      const id = await lastIdOf(key, filter);
      for (const query of filters) {
        const isSame = query === filter;
        using stream = await EventStreamClient.open(service, key, { query, lastEventId: id });
        expect(stream.status, JSON.stringify([filter, query])).toBe(isSame ? 200 : 400);
        const listed = whole.events.list({ query: { ...query, cursor: id } });
        if (isSame) await listed;
        else await expect(listed).rejects.toMatchObject(invalidCursor);
      }
      using foreign = await EventStreamClient.open(service, tokens.ana, { lastEventId: id });
      expect(foreign.status).toBe(400);
    }
    const own = await lastIdOf(tokens.ana);
    for (const secret of [tokens.ben, key]) {
      using foreign = await EventStreamClient.open(service, secret, { lastEventId: own });
      expect(foreign.status).toBe(400);
    }
    using named = await EventStreamClient.open(service, tokens.ana, {
      query: { user_id: 'ana' },
      lastEventId: own,
    });
    expect(named.status).toBe(200);
  });

  it('have no owner where a search found memories of several, nor where a cluster is', async () => {
    await createThree('green tea');
    const cluster = await whole.clusters.create({ body: { name: 'Drinks' } });
    await whole.clusters.remove({ params: { clusterId: cluster.id } });
    const search = async (query: object, count: number) => {
      await whole.search.post({ body: { q: 'green tea', ...query } });
      await eventually(
        () => {
          clock.advance(1_000);
          return eventsOf(whole, { type: 'memory.accessed' });
        },
        ({ length }) => length === count,
      );
      return (await eventsOf(whole, { user_id: 'ana' })).map(({ type }) => type);
    };
    expect(await search({}, 1)).toEqual(['memory.created']);
    expect(await search({ user_id: 'ana' }, 2)).toEqual(['memory.created', 'memory.accessed']);
  });

  it('are refused without the scopes of events, and have no webhook', async () => {
    const { key: secret } = await whole.keys.create({
      body: { name: 'reader', scopes: ['memories:read', 'memories:write'] },
    });
    const { token } = await service.client(secret).auth.createToken({ body: { user_id: 'ana' } });
    const denied = { status: 403, code: 'insufficient_permissions' };
    const reader = service.client(token);
    await expect(reader.events.list()).rejects.toMatchObject(denied);
    using stream = await EventStreamClient.open(service, token);
    expect(stream.status).toBe(403);
    const webhook = { name: 'w', url: 'https://example.com/w', events: ['*'] };
    const refused = ana.webhooks.create({ body: webhook });
    await expect(refused).rejects.toMatchObject({ status: 403 });
    const filtered = { ...webhook, filters: { user_id: 'ana' } };
    const answer = await whole.request({ method: 'POST', path: '/webhooks', body: filtered });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('user_id');
  });
});
