import type { Event, Memory } from '@mneme/contract';
import { type Client, createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  absentId,
  createMemory,
  expectError,
  failedItem,
  idsOf,
  listEvents,
  memoryBodies,
  searchIds,
} from './memory-requests.ts';

describe.each(engines)('Bulk calls on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const raw = (client: Client, method: string, path: string, body: unknown) =>
    client.request({ method, path: `/memories/${path}`, body });
  const stored = async (client: Client, count: number): Promise<Memory[]> =>
    (await client.memories.bulkCreate({ body: { memories: memoryBodies(count) } })).memories;
  const all = async (client: Client) =>
    (await client.memories.list({ query: { limit: 100, include_deleted: true } })).data;
  /** Without what the making of the memories told. */
  const told = async (client: Client, type: Event['type']) =>
    (await listEvents(client, type)).map(({ data }) => data);

  /** One plain, one soft, one hard, one deleted, and what is no memory. */
  const mixed = async (client: Client) => {
    const plain = await createMemory(client, 'plain', { tags: ['old'] });
    const soft = await createMemory(client, 'soft', { protection_level: 'soft', tags: ['old'] });
    const hard = await createMemory(client, 'hard', { protection_level: 'hard', tags: ['old'] });
    return { plain, soft, hard, ids: [plain.id, soft.id, hard.id, absentId] };
  };

  describe('PATCH /memories/bulk', () => {
    it('sets each field on every memory, merging metadata', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'research' } });
      const memories = memoryBodies(3).map((one) => ({ ...one, metadata: { keep: 1, drop: 2 } }));
      const made = (await client.memories.bulkCreate({ body: { memories } })).memories;
      const set = {
        tags: ['b'],
        priority: 7,
        metadata: { drop: null, add: 3 },
        space_id: space.id,
      };
      const ids = [`mem_${made[0]?.id}`, ...idsOf(made).slice(1)];
      const answer = await client.memories.bulkUpdate({ body: { ids, set } });
      expect(answer).toEqual({ updated: 3, failed: [] });
      const after = await all(client);
      for (const memory of after) {
        expect(memory).toMatchObject({ ...set, metadata: { keep: 1, add: 3 } });
        expect(memory.metadata).toEqual({ keep: 1, add: 3 });
      }
      const found = await client.search.get({
        query: { q: 'item', space_id: space.id, min_priority: 7 },
      });
      expect(found.results).toHaveLength(3);
    });

    it('checks each memory on its own: protection, presence, its merged size', async () => {
      const client = await fresh();
      const { plain, ids } = await mixed(client);
      const deleted = await createMemory(client, 'deleted');
      await client.memories.remove({ params: { id: deleted.id }, query: { soft: true } });
      const big = await createMemory(client, 'big', { metadata: { a: 'x'.repeat(9_000) } });
      const body = {
        ids: [...ids, deleted.id, big.id, plain.id],
        set: { metadata: { b: 'x'.repeat(9_000) } },
      };
      const { updated, failed } = await client.memories.bulkUpdate({ body });
      expect(updated).toBe(1);
      expect(failed).toEqual([
        failedItem(1, 'confirmation_required', { id: ids[1] }),
        failedItem(2, 'memory_protected', { id: ids[2] }),
        failedItem(3, 'memory_not_found', { id: absentId }),
        failedItem(4, 'conflict', { id: deleted.id }),
        failedItem(5, 'validation_error', { id: big.id }),
      ]);
      expect(await told(client, 'memory.bulk_updated')).toEqual([{ ids: [plain.id], count: 1 }]);
    });

    it('covers soft protection with confirm=true, never hard', async () => {
      const client = await fresh();
      const { ids } = await mixed(client);
      const body = { ids, set: { priority: 9 } };
      const { updated, failed } = await client.memories.bulkUpdate({
        body,
        query: { confirm: true },
      });
      expect(updated).toBe(2);
      expect(failed).toEqual([
        failedItem(2, 'memory_protected'),
        failedItem(3, 'memory_not_found'),
      ]);
      const headers = { 'x-confirm': 'true' };
      expect(await client.memories.bulkUpdate({ body }, { headers })).toMatchObject({ updated: 2 });
    });

    it('tells of each memory that changed, and one bulk event', async () => {
      const client = await fresh();
      const made = await stored(client, 3);
      await client.memories.update({ params: { id: made[1]?.id ?? '' }, body: { priority: 5 } });
      const before = (await told(client, 'memory.updated')).length;
      const ids = idsOf(made);
      const answer = await client.memories.bulkUpdate({ body: { ids, set: { priority: 5 } } });
      expect(answer.updated).toBe(3);
      expect(await told(client, 'memory.updated')).toHaveLength(before + 2);
      expect(await told(client, 'memory.reinforced')).toHaveLength(3);
      expect(await told(client, 'memory.bulk_updated')).toEqual([{ ids, count: 3 }]);
    });

    it('refuses the second of two that would be the same in one space', async () => {
      const client = await fresh();
      const [a, b] = [
        await client.spaces.create({ body: { name: 'a' } }),
        await client.spaces.create({ body: { name: 'b' } }),
      ];
      const [first, second] = [
        await createMemory(client, 'same', { space_id: a.id }),
        await createMemory(client, 'same', { space_id: b.id }),
      ];
      const body = { ids: [first.id, second.id], set: { space_id: null } };
      const { updated, failed } = await client.memories.bulkUpdate({ body });
      expect(updated).toBe(1);
      expect(failed).toEqual([failedItem(1, 'duplicate_memory', { id: second.id })]);
      expect(failed[0]?.error.details).toEqual({ memory_id: first.id });
    });

    it('refuses an unknown space with 404, and wrong fields with 422', async () => {
      const client = await fresh();
      const ids = idsOf(await stored(client, 1));
      expect(
        await raw(client, 'PATCH', 'bulk', { ids, set: { space_id: absentId } }),
      ).toMatchObject({
        status: 404,
        body: { error: { code: 'space_not_found' } },
      });
      const refused = [
        [{ ids, set: {} }, 'set'],
        [{ ids }, 'set'],
        [{ ids, set: { tags: [], content: 'x' } }, 'set.content'],
        [{ ids, set: { priority: 11 } }, 'set.priority'],
        [{ ids: [], set: { priority: 1 } }, 'ids'],
        [{ ids: Array(101).fill(absentId), set: { priority: 1 } }, 'ids'],
        [{ ids: ['x'], set: { priority: 1 } }, 'ids.0'],
      ] as const;
      for (const [body, field] of refused) {
        const { status, fields } = await expectError(
          client.memories.bulkUpdate({ body: body as never }),
        );
        expect([status, ...Object.keys(fields)]).toEqual([422, field]);
      }
    });
  });

  describe('POST /memories/bulk/tags', () => {
    it('removes first, adds after what is there, each tag once', async () => {
      const client = await fresh();
      const memory = await createMemory(client, 'tagged', { tags: ['a', 'b', 'c'] });
      const body = { ids: [memory.id], add: ['d', 'a', 'd', 'b'], remove: ['b', 'absent'] };
      expect(await client.memories.bulkTags({ body })).toEqual({ updated: 1, failed: [] });
      const after = await client.memories.get({ params: { id: memory.id } });
      expect(after.tags).toEqual(['a', 'c', 'd', 'b']);
      const { results } = await client.search.get({ query: { q: 'tagged', tags: ['d'] } });
      expect(results.map(({ id }) => id)).toEqual([memory.id]);
    });

    it('checks each memory on its own, also for the 101st tag', async () => {
      const client = await fresh();
      const { plain, ids } = await mixed(client);
      const full = await createMemory(client, 'full', {
        tags: Array.from({ length: 100 }, (_, i) => `${i}`),
      });
      const body = { ids: [...ids, full.id], add: ['new'] };
      const { updated, failed } = await client.memories.bulkTags({ body });
      expect(updated).toBe(1);
      expect(failed).toEqual([
        failedItem(1, 'confirmation_required'),
        failedItem(2, 'memory_protected'),
        failedItem(3, 'memory_not_found'),
        failedItem(4, 'validation_error', { id: full.id }),
      ]);
      expect(await told(client, 'memory.updated')).toHaveLength(1);
      expect(await told(client, 'memory.bulk_tags_updated')).toEqual([
        { ids: [plain.id], count: 1 },
      ]);
      const confirmed = await client.memories.bulkTags({ body, query: { confirm: true } });
      expect(confirmed.updated).toBe(2);
    });

    it('needs a tag to add or to remove, within the bounds of tags', async () => {
      const client = await fresh();
      const ids = idsOf(await stored(client, 1));
      const refused = [
        { ids },
        { ids, add: [], remove: [] },
        { ids, add: ['x'.repeat(256)] },
        { ids, add: Array.from({ length: 101 }, (_, i) => `${i}`) },
        { ids, add: [''] },
        { add: ['x'] },
      ];
      for (const body of refused) {
        expect((await raw(client, 'POST', 'bulk/tags', body)).status).toBe(422);
      }
    });
  });

  describe('POST /memories/bulk/delete', () => {
    it('takes all out of every read at once, and a job erases them', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'research' } });
      const memories = memoryBodies(60).map((one) => ({ ...one, space_id: space.id }));
      const made = (await client.memories.bulkCreate({ body: { memories } })).memories;
      const ids = idsOf(made);
      const answer = await client.memories.bulkDelete({ body: { ids } });
      expect(answer).toEqual({ deleted: 60, failed: [], job_id: expect.any(String) });
      expect(await all(client)).toEqual([]);
      expect(await searchIds(client, 'item')).toEqual([]);
      expect((await client.request({ method: 'GET', path: `/memories/${ids[0]}` })).status).toBe(
        404,
      );
      await client.spaces.remove({ params: { id: space.id } });
      await stored(client, 3);
      const job = await eventually(
        () => client.jobs.get({ params: { id: answer.job_id ?? '' } }),
        ({ status }) => status === 'completed',
      );
      expect(job).toMatchObject({ progress: 1, error: null, finished_at: expect.any(String) });
      expect(await all(client)).toHaveLength(3);
    });

    it('deletes softly with soft=true, without a job, and restore brings them back', async () => {
      const client = await fresh();
      const ids = idsOf(await stored(client, 3));
      const answer = await client.memories.bulkDelete({ body: { ids, soft: true } });
      expect(answer).toEqual({ deleted: 3, failed: [], job_id: null });
      expect((await all(client)).every((memory) => memory.is_deleted)).toBe(true);
      expect(await searchIds(client, 'item')).toEqual([]);
      for (const id of ids) await client.memories.restore({ params: { id } });
      expect((await searchIds(client, 'item')).toSorted()).toEqual(ids.toSorted());
    });

    it('checks each memory on its own, and confirm=true covers soft protection', async () => {
      const client = await fresh();
      for (const soft of [true, false]) {
        const { plain, soft: guarded, hard, ids } = await mixed(client);
        const body = { ids, soft };
        const { deleted, failed } = await client.memories.bulkDelete({ body });
        expect(deleted).toBe(1);
        expect(failed).toEqual([
          failedItem(1, 'confirmation_required', { id: guarded.id }),
          failedItem(2, 'memory_protected', { id: hard.id }),
          failedItem(3, 'memory_not_found', { id: absentId }),
        ]);
        const confirmed = { body: { ids: [guarded.id, hard.id], soft }, query: { confirm: true } };
        expect(await client.memories.bulkDelete(confirmed)).toMatchObject({
          deleted: 1,
          failed: [failedItem(1, 'memory_protected', { id: hard.id })],
        });
        expect((await client.memories.list()).data).toEqual([hard]);
        expect((await told(client, 'memory.deleted')).slice(-2)).toEqual([
          { id: plain.id, soft },
          { id: guarded.id, soft },
        ]);
        expect((await told(client, 'memory.bulk_deleted')).slice(-2)).toEqual([
          { ids: [plain.id], count: 1 },
          { ids: [guarded.id], count: 1 },
        ]);
        const params = { id: hard.id };
        await client.memories.protect({ params, body: { protection_level: 'none' } });
        await client.memories.remove({ params, query: { soft } });
      }
    });

    it('queues nothing when nothing can be deleted', async () => {
      const client = await fresh();
      const answer = await client.memories.bulkDelete({ body: { ids: [absentId] } });
      expect(answer).toEqual({
        deleted: 0,
        failed: [failedItem(0, 'memory_not_found', { id: absentId })],
        job_id: null,
      });
    });
  });

  it('reaches no memory of another account, nor of a space the key may not use', async () => {
    const [client, other] = [await fresh(), await fresh()];
    const space = await client.spaces.create({ body: { name: 'closed' } });
    const inSpace = await createMemory(client, 'closed', { space_id: space.id });
    const ids = [inSpace.id];
    const { key } = await client.keys.create({ body: { name: 'k', space_ids: ['default'] } });
    const limited = createClient({ url: service.url, apiKey: key, retries: 0 });
    for (const [asking, code] of [
      [other, 'memory_not_found'],
      [limited, 'space_access_denied'],
    ] as const) {
      const answers = [
        await asking.memories.bulkUpdate({ body: { ids, set: { priority: 1 } } }),
        await asking.memories.bulkTags({ body: { ids, add: ['x'] } }),
        await asking.memories.bulkDelete({ body: { ids } }),
        await asking.memories.bulkDelete({ body: { ids, soft: true } }),
      ];
      for (const { failed } of answers) expect(failed).toEqual([failedItem(0, code)]);
    }
    expect(await client.memories.get({ params: { id: inSpace.id } })).toEqual(inSpace);
  });

  it('meets other bulk calls on the same memories in any order without a fault', async () => {
    const client = await fresh();
    const ids = idsOf(await stored(client, 50));
    const calls = Array.from({ length: 12 }, (_, i) => {
      const order = i % 2 ? ids : ids.toReversed();
      const paths = [
        () => client.memories.bulkTags({ body: { ids: order, add: [`t${i}`] } }),
        () =>
          client.memories.bulkUpdate({ body: { ids: order, set: { metadata: { [`m${i}`]: i } } } }),
        () => Promise.all(order.map((id) => client.memories.get({ params: { id } }))),
      ];
      return paths[i % 3]?.();
    });
    await Promise.all(calls);
    const after = await all(client);
    for (const memory of after) {
      expect(memory.tags.toSorted()).toEqual(['t0', 't3', 't6', 't9']);
      expect(Object.keys(memory.metadata).sort()).toEqual(['m1', 'm10', 'm4', 'm7']);
    }
  });
});
