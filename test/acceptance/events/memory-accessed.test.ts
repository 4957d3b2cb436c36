import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, listEvents } from '../memories/memory-requests.ts';

describe.each(engines)('memory.accessed on %s', (engine) => {
  const clock = createFakeClock();
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('of similar memories names what they are similar to in its own space alone', async () => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const own = await createMemory(client, 'Ana prefers green tea.');
    const near = await createMemory(client, 'Ana prefers black tea.');
    const far = await createMemory(client, 'Ana prefers white tea.', { space_id });
    await client.search.similar({ params: { memoryId: own.id }, query: { threshold: 0 } });
    clock.advance(1_000);
    const told = await eventually(
      () => listEvents(client, 'memory.accessed'),
      (events) => events.length > 1,
    );
    const bySpace = new Map(told.map((event) => [event.space_id, event.data]));
    expect(bySpace.get(null)).toEqual({ ids: [near.id], via: 'similar', memory_id: own.id });
    expect(bySpace.get(space_id)).toEqual({ ids: [far.id], via: 'similar' });
  });

  const searches = {
    search: (client: Client, scope: Scope) =>
      client.search.get({ query: { q: 'secret plan', threshold: 0, ...scope } }),
    recall: (client: Client, scope: Scope) =>
      client.search.recall({ body: { query: 'secret plan', ...scope } }),
    aggregate: (client: Client, scope: Scope) =>
      client.search.aggregate({
        query: { query: 'secret plan', group_by: 'content_type', threshold: 0, ...scope },
      }),
    batch: (client: Client, scope: Scope) =>
      client.search.batch({ body: { queries: [{ q: 'secret plan', threshold: 0, ...scope }] } }),
    global: (client: Client) => client.search.global({ query: { q: 'secret plan' } }),
  };

  /** The queries that the events of each space show, once there is one of both memories. */
  async function queriesTold(client: Client, count: number) {
    clock.advance(1_000);
    const told = await eventually(
      () => listEvents(client, 'memory.accessed'),
      (events) => events.length >= count,
    );
    return Object.fromEntries(told.map(({ space_id, data }) => [space_id, data.query ?? null]));
  }

  /** An account with a memory in a space, and one in none. */
  async function plansInTwoPlaces() {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    await createMemory(client, 'The secret plan is in the drawer.');
    await createMemory(client, 'The secret plan is in the safe.', { space_id });
    return { client, space_id };
  }

  it.each(Object.keys(searches) as (keyof typeof searches)[])(
    'of a %s of every space shows its text in no space',
    async (way) => {
      const { client, space_id } = await plansInTwoPlaces();
      await searches[way](client, {});
      expect(await queriesTold(client, 2)).toEqual({ null: null, [space_id]: null });
    },
  );

  it.each(['search', 'recall', 'aggregate', 'batch'] as const)(
    'of a %s of one space shows its text there',
    async (way) => {
      const { client, space_id } = await plansInTwoPlaces();
      await searches[way](client, { space_id });
      expect(await queriesTold(client, 1)).toEqual({ [space_id]: 'secret plan' });
    },
  );

  it('of a search with a key of one space shows its text, of two spaces not', async () => {
    const { client } = await service.createAccount();
    const [red, blue] = [
      await client.spaces.create({ body: { name: 'red' } }),
      await client.spaces.create({ body: { name: 'blue' } }),
    ];
    for (const { id: space_id } of [red, blue]) {
      await createMemory(client, 'The secret plan is in the safe.', { space_id });
    }
    const keyOf = async (...spaces: { id: string }[]) => {
      const space_ids = spaces.map(({ id }) => id);
      const { key } = await client.keys.create({
        body: { name: 'k', scopes: ['search:read', 'memories:read'], space_ids },
      });
      return service.client(key);
    };
    await searches.search(await keyOf(red), {});
    expect(await queriesTold(client, 1)).toEqual({ [red.id]: 'secret plan' });
    await searches.search(await keyOf(red, blue), {});
    expect(await queriesTold(client, 3)).toEqual({ [red.id]: null, [blue.id]: null });
  });
});

interface Scope {
  readonly space_id?: string;
}
