import { type Client, paginate } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectError, idsOf, memoryBodies } from './memory-requests.ts';

const minuteMs = 60_000;

describe.each(engines)('GET /memories?sort=salience on %s', (engine) => {
  let service: Service;
  let client: Client;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** Ten memories; the first has the most helpful votes, and some have none. */
  const account = async (): Promise<string[]> => {
    client = (await service.createAccount()).client;
    const { memories } = await client.memories.bulkCreate({ body: { memories: memoryBodies(10) } });
    const ids = idsOf(memories);
    for (const [i, id] of ids.slice(0, 6).entries()) {
      for (let votes = 6 - i; votes > 0; votes -= 1)
        await client.memories.feedback({ params: { id }, body: { helpful: true } });
    }
    return ids;
  };
  const page = (query: object = {}) =>
    client.memories.list({ query: { sort: 'salience', limit: 3, ...query } });
  const all = async (query: object = {}): Promise<string[]> => {
    const shown: string[] = [];
    const pages = paginate((place) => page({ ...query, ...place }));
    for await (const { id } of pages) shown.push(id);
    return shown;
  };

  it('is in the order of salience, those without one last, in both directions', async () => {
    const ids = await account();
    const [rated, unrated] = [ids.slice(0, 6), ids.slice(6)];
    const expected = [...rated, ...unrated.toReversed()];
    expect(await all()).toEqual(expected);
    expect(await all({ order: 'asc' })).toEqual(expected.toReversed());
    expect(await all({ min_priority: 1 })).toEqual([]);
  });

  it('keeps the order of the first page while salience changes', async () => {
    const ids = await account();
    const first = await page();
    expect(idsOf(first.data)).toEqual(ids.slice(0, 3));
    for (let votes = 0; votes < 20; votes += 1)
      await client.memories.feedback({ params: { id: ids[5] ?? '' }, body: { helpful: true } });
    await client.memories.feedback({ params: { id: ids[0] ?? '' }, body: { helpful: false } });
    const cursor = first.next_cursor ?? '';
    const second = await page({ cursor });
    expect(idsOf(second.data)).toEqual(ids.slice(3, 6));
    // A new list has the new order, and the old cursor can be used again.
    expect(idsOf((await page()).data)[0]).toBe(ids[5]);
    expect(idsOf((await page({ cursor })).data)).toEqual(ids.slice(3, 6));
  });

  it('leaves out what was deleted meanwhile, and fills the page', async () => {
    const ids = await account();
    const { next_cursor } = await page();
    for (const id of ids.slice(3, 5)) await client.memories.remove({ params: { id } });
    const { data } = await page({ cursor: next_cursor });
    expect(idsOf(data)).toEqual([ids[5], ids[9], ids[8]]);
  });

  it('takes a cursor for ten minutes after its last use', async () => {
    await account();
    const first = await page();
    clock.advance(9 * minuteMs);
    const second = await page({ cursor: first.next_cursor });
    expect(second.data).toHaveLength(3);
    const cursor = second.next_cursor;
    clock.advance(9 * minuteMs);
    expect((await page({ cursor })).data).toHaveLength(3);
    clock.advance(11 * minuteMs);
    expect(await expectError(page({ cursor }))).toMatchObject({ code: 'invalid_request' });
  });

  it('refuses a cursor of another list', async () => {
    await account();
    const { next_cursor: cursor } = await page();
    for (const other of [{ sort: 'priority' }, { order: 'asc' }, { min_priority: 2 }]) {
      expect(await expectError(page({ cursor, ...other }))).toMatchObject({ status: 400 });
    }
  });
});
