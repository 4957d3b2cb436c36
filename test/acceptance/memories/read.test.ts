import type { Memory } from '@mneme/contract';
import { type Client, createClient, paginate } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError, listEvents } from './memory-requests.ts';

type ListQuery = NonNullable<NonNullable<Parameters<Client['memories']['list']>[0]>['query']>;

/** Each query has one fault. */
const faults: readonly (readonly [query: string, field: string, fault: object])[] = [
  ['limit=0', 'limit', { code: 'invalid_range', min: 1, received: 0 }],
  ['limit=101', 'limit', { code: 'invalid_range', max: 100, received: 101 }],
  ['limit=-1', 'limit', { code: 'invalid_range', min: 1, received: -1 }],
  ['limit=2.5', 'limit', { code: 'invalid_type' }],
  ['limit=ten', 'limit', { code: 'invalid_type' }],
  ['limit=', 'limit', { code: 'invalid_type' }],
  ['min_quality=-0.1', 'min_quality', { code: 'invalid_range', min: 0 }],
  ['min_quality=1.1', 'min_quality', { code: 'invalid_range', max: 1 }],
  ['pinned=1', 'pinned', { code: 'invalid_type' }],
  ['pinned=TRUE', 'pinned', { code: 'invalid_type' }],
  ['pinned=', 'pinned', { code: 'invalid_type' }],
  ['protected=yes', 'protected', { code: 'invalid_type' }],
  ['include_deleted=on', 'include_deleted', { code: 'invalid_type' }],
  ['space_id=research', 'space_id', { code: 'invalid_format' }],
  ['session_id=mine', 'session_id', { code: 'invalid_format' }],
  ['pined=true', 'pined', { code: 'unknown_field' }],
  ['offset=0', 'offset', { code: 'unknown_field' }],
  ['metadata=x', 'metadata', { code: 'unknown_field' }],
  ['metadata.a%00=x', 'metadata.a\u0000', { code: 'invalid_characters' }],
  ['sort=content', 'sort', { code: 'invalid_enum_value' }],
  ['order=up', 'order', { code: 'invalid_enum_value' }],
  ['content_type=page', 'content_type', { code: 'invalid_enum_value' }],
  ['min_priority=11', 'min_priority', { code: 'invalid_range', max: 10, received: 11 }],
  ['created_after=yesterday', 'created_after', { code: 'invalid_format' }],
  ['outdated=1', 'outdated', { code: 'invalid_type' }],
];

describe.each(engines)('Reading memories on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;

  const listed = async (client: Client, query: ListQuery = {}): Promise<string[]> => {
    const { data } = await client.memories.list({ query });
    return data.map(({ content }) => content);
  };

  describe('GET /memories/:id', () => {
    const get = (
      client: Client,
      id: string,
      headers: Record<string, string> = {},
      method = 'GET',
    ) => client.request({ method, path: `/memories/${id}`, headers });

    it('takes the bare and the prefixed id in any letter case', async () => {
      const client = await fresh();
      const { salience: _, ...memory } = await createMemory(client, 'found');
      for (const id of [memory.id, `mem_${memory.id}`, `mem_${memory.id.toUpperCase()}`]) {
        expect(await get(client, id)).toMatchObject({ status: 200, body: memory });
      }
    });

    it('answers 404 memory_not_found for no memory, and for an id that is none', async () => {
      const client = await fresh();
      const odd = [
        absentId,
        'x',
        '1',
        `rel_${absentId}`,
        `${absentId}0`,
        '%00',
        '%F0%9F%98%80',
        'mem_',
      ];
      for (const id of odd) {
        expect(await get(client, id), id).toMatchObject({
          status: 404,
          body: { error: { code: 'memory_not_found' } },
        });
      }
    });

    it("answers 404 for another account's memory", async () => {
      const [client, other] = [await fresh(), await fresh()];
      const { id } = await createMemory(client, 'mine');
      expect(await get(other, id)).toMatchObject({
        status: 404,
        body: { error: { code: 'memory_not_found' } },
      });
    });

    it('answers 403 for a memory of a space that the key may not use', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'closed' } });
      const inSpace = await createMemory(client, 'closed', { space_id: space.id });
      const { key } = await client.keys.create({ body: { name: 'k', space_ids: ['default'] } });
      const limited = createClient({ url: service.url, apiKey: key, retries: 0 });
      const open = await createMemory(limited, 'open');
      expect((await get(limited, open.id)).status).toBe(200);
      expect(await get(limited, inSpace.id)).toMatchObject({
        status: 403,
        body: { error: { code: 'space_access_denied' } },
      });
      expect(await listed(limited)).toEqual(['open']);
      expect(
        await expectError(limited.memories.list({ query: { space_id: space.id } })),
      ).toMatchObject({
        status: 403,
        code: 'space_access_denied',
      });
    });

    it('shows a soft-deleted memory as deleted', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'gone');
      const deleted = await client.memories.remove({ params: { id }, query: { soft: true } });
      expect(deleted).toMatchObject({ is_deleted: true, deleted_at: expect.any(String) });
      expect(await client.memories.get({ params: { id } })).toEqual(deleted);
    });

    it('answers an ETag that changes with the memory, and 304 while it has not', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'tagged');
      const etag = (await get(client, id)).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const same = await get(client, id, { 'if-none-match': known });
        expect(same).toMatchObject({ status: 304, body: undefined });
        expect(same.headers.get('etag')).toBe(etag);
      }
      await client.memories.update({ params: { id }, body: { priority: 1 } });
      const changed = await get(client, id, { 'if-none-match': etag });
      expect(changed).toMatchObject({ status: 200, body: { priority: 1 } });
      expect(changed.headers.get('etag')).not.toBe(etag);
    });

    it('answers HEAD like GET, without the body', async () => {
      const client = await fresh();
      // Deleted, since a read of an active memory moves its salience.
      const { id } = await createMemory(client, 'only the head');
      await client.memories.remove({ params: { id }, query: { soft: true } });
      const [whole, head] = [await get(client, id), await get(client, id, {}, 'HEAD')];
      expect(head).toMatchObject({ status: 200, body: undefined });
      for (const name of ['etag', 'content-type', 'content-length']) {
        expect(head.headers.get(name), name).toBe(whole.headers.get(name));
      }
      expect((await get(client, absentId, {}, 'HEAD')).status).toBe(404);
      expect((await get(client, id, { 'if-none-match': '*' }, 'HEAD')).status).toBe(304);
    });

    it('tells memory.accessed once, and never for a deleted memory', async () => {
      const client = await fresh();
      const [gone, read] = [await createMemory(client, 'gone'), await createMemory(client, 'read')];
      await client.memories.remove({ params: { id: gone.id }, query: { soft: true } });
      for (const { id } of [gone, read]) await client.memories.get({ params: { id } });
      const told = await eventually(
        () => listEvents(client, 'memory.accessed'),
        (events) => events.length > 0,
      );
      expect(told.map(({ data }) => data.ids)).toEqual([[read.id]]);
    });
  });

  describe('GET /memories', () => {
    it('lists the newest first, 20 unless told', async () => {
      const client = await fresh();
      const memories = Array.from({ length: 21 }, (_, i) => ({ content: `${i}` }));
      await client.memories.bulkCreate({ body: { memories } });
      await createMemory(client, 'newest');
      const page = await client.memories.list();
      expect(page.data).toHaveLength(20);
      expect(page.data[0]?.content).toBe('newest');
      expect(page).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
      const all = await client.memories.list({ query: { limit: 100 } });
      expect(all.data).toHaveLength(22);
      expect(all).toMatchObject({ has_more: false, next_cursor: null });
    });

    it('answers an empty page where there is nothing', async () => {
      const client = await fresh();
      expect(await client.memories.list()).toEqual({
        data: [],
        has_more: false,
        next_cursor: null,
        pagination: { limit: 20, total: null, offset: null, has_more: false, next_cursor: null },
      });
    });

    it('filters by space: one, none by either name, or all', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'research' } });
      await createMemory(client, 'at account level');
      await createMemory(client, 'in research', { space_id: space.id });
      expect(await listed(client)).toEqual(['in research', 'at account level']);
      expect(await listed(client, { space_id: space.id })).toEqual(['in research']);
      expect(await listed(client, { space_id: 'null' })).toEqual(['at account level']);
      expect(await listed(client, { space_id: 'default' })).toEqual(['at account level']);
      expect(
        await expectError(client.memories.list({ query: { space_id: absentId } })),
      ).toMatchObject({
        status: 404,
        code: 'space_not_found',
      });
    });

    it('filters by pin, protection, session and quality', async () => {
      const client = await fresh();
      await createMemory(client, 'plain');
      await createMemory(client, 'pinned', { is_pinned: true });
      await createMemory(client, 'soft', { protection_level: 'soft' });
      await createMemory(client, 'hard', { protection_level: 'hard' });
      expect(await listed(client, { pinned: true })).toEqual(['pinned']);
      expect(await listed(client, { pinned: false })).toEqual(['hard', 'soft', 'plain']);
      expect(await listed(client, { protected: true })).toEqual(['hard', 'soft']);
      expect(await listed(client, { protected: false })).toEqual(['pinned', 'plain']);
      expect(await listed(client, { protected: true, pinned: true })).toEqual([]);
      expect(await listed(client, { session_id: absentId })).toEqual([]);
      const rated = await client.memories.list({ query: { min_quality: 0.5 } });
      expect(rated.data.every(({ quality_score: score }) => score !== null && score >= 0.5)).toBe(
        true,
      );
    });

    it('shows soft-deleted memories only with include_deleted', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'deleted');
      await createMemory(client, 'present');
      await client.memories.remove({ params: { id }, query: { soft: true } });
      expect(await listed(client)).toEqual(['present']);
      expect(await listed(client, { include_deleted: false })).toEqual(['present']);
      expect(await listed(client, { include_deleted: true })).toEqual(['present', 'deleted']);
    });

    it('pages to the end without loss or repetition while others write', async () => {
      const client = await fresh();
      const memories = Array.from({ length: 30 }, (_, i) => ({ content: `old ${i}` }));
      const { memories: old } = await client.memories.bulkCreate({ body: { memories } });
      const seen: Memory[] = [];
      const pages = paginate((place) => client.memories.list({ query: { limit: 7, ...place } }));
      for await (const memory of pages) {
        seen.push(memory);
        if (seen.length % 5 === 0) await createMemory(client, `new ${seen.length}`);
      }
      expect(seen.map(({ id }) => id).sort()).toEqual(old.map(({ id }) => id).sort());
    });

    it('keeps its place when the memory at the cursor is deleted', async () => {
      const client = await fresh();
      for (const content of ['a', 'b', 'c', 'd']) await createMemory(client, content);
      const first = await client.memories.list({ query: { limit: 2 } });
      const last = first.data.at(-1)?.id ?? '';
      await client.memories.remove({ params: { id: last }, query: { soft: false } });
      const cursor = first.next_cursor ?? '';
      expect(await listed(client, { limit: 2, cursor })).toEqual(['b', 'a']);
      expect(await listed(client, { limit: 1, cursor })).toEqual(['b']);
    });

    it('refuses a cursor of other filters, of another account, or none at all', async () => {
      const [client, other] = [await fresh(), await fresh()];
      for (const content of ['a', 'b']) await createMemory(client, content, { is_pinned: true });
      const { next_cursor } = await client.memories.list({ query: { limit: 1, pinned: true } });
      const cursor = next_cursor ?? '';
      expect(await listed(client, { pinned: true, cursor })).toEqual(['a']);
      const [print] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
      const forged = [
        [9e15, absentId],
        ['soon', absentId],
        ['2026-13-01T00:00:00Z', absentId],
        ['2026-01-05T10:00:00Z', '-'.repeat(36)],
        ['2026-01-05T10:00:00Z', 5],
        [],
        null,
        5,
      ];
      const refused: [Client, ListQuery][] = [
        [client, { cursor }],
        [client, { pinned: false, cursor }],
        [client, { pinned: true, space_id: 'default', cursor }],
        [client, { pinned: true, include_deleted: true, cursor }],
        [other, { pinned: true, cursor }],
        ...['', 'x', 'W10', 'bnVsbA', 'a'.repeat(2_000)].map((text): [Client, ListQuery] => [
          client,
          { pinned: true, cursor: text },
        ]),
        ...forged.map((at): [Client, ListQuery] => [
          client,
          { pinned: true, cursor: Buffer.from(JSON.stringify([print, at])).toString('base64url') },
        ]),
      ];
      for (const [asking, query] of refused) {
        const error = await expectError(asking.memories.list({ query }));
        expect(error, JSON.stringify(query)).toMatchObject({
          status: 400,
          code: 'invalid_request',
        });
      }
    });

    it.each(faults)('answers 422 to ?%s, naming the field', async (query, field, fault) => {
      const client = service.client();
      const answer = await client.request({ method: 'GET', path: `/memories?${query}` });
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
      const { error } = answer.body as { error: { details: { fields: object } } };
      expect(error.details.fields).toEqual({ [field]: expect.objectContaining(fault) });
    });
  });
});
