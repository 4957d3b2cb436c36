import type { Memory } from '@mneme/contract';
import { type Client, paginate } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, idsOf, listEvents } from './memory-requests.ts';

type ListQuery = NonNullable<NonNullable<Parameters<Client['memories']['list']>[0]>['query']>;

const tags = ['work', 'home', 'urgent'];
const days = Array.from({ length: 6 }, (_, i) => `2026-03-0${i + 1}T10:00:00.000Z`);
const sorts = ['created_at', 'updated_at', 'occurred_at', 'priority'] as const;

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const arbitraryFields = fc.record({
  tags: fc.subarray(tags),
  priority: fc.integer({ min: 0, max: 3 }),
  occurred_at: optional(fc.constantFrom(...days)),
  type: fc.constantFrom('text' as const, 'markdown' as const),
  topic: fc.constantFrom('tea', 'rent'),
  isOutdated: fc.boolean(),
});

const arbitraryQuery = fc.record({
  tags: optional(fc.subarray(tags, { minLength: 1 })),
  tags_any: optional(fc.subarray(tags, { minLength: 1 })),
  content_type: optional(fc.constantFrom('text' as const, 'markdown' as const)),
  min_priority: optional(fc.integer({ min: 0, max: 3 })),
  occurred_after: optional(fc.constantFrom(...days)),
  occurred_before: optional(fc.constantFrom(...days)),
  topic: optional(fc.constantFrom('tea', 'rent')),
  outdated: optional(fc.boolean()),
  sort: optional(fc.constantFrom(...sorts)),
  order: optional(fc.constantFrom('asc' as const, 'desc' as const)),
});

/** What a list of these memories must show. */
function expectedIds(
  memories: readonly Memory[],
  { sort = 'created_at', order = 'desc', ...query }: ListQuery & { topic?: string | undefined },
): string[] {
  const at = ({ occurred_at }: Memory): string => occurred_at ?? '';
  const matching = memories.filter(
    (memory) =>
      (query.tags ?? []).every((tag) => memory.tags.includes(tag)) &&
      (query.tags_any?.some((tag) => memory.tags.includes(tag)) ?? true) &&
      (query.content_type ?? memory.content_type) === memory.content_type &&
      memory.priority >= (query.min_priority ?? 0) &&
      (query.occurred_after === undefined || at(memory) >= query.occurred_after) &&
      (query.occurred_before === undefined ||
        (memory.occurred_at !== null && at(memory) < query.occurred_before)) &&
      (query.topic ?? memory.metadata.topic) === memory.metadata.topic &&
      (query.outdated ?? memory.outdated_by !== null) === (memory.outdated_by !== null),
  );
  const key = (memory: Memory): string => {
    if (sort === 'priority') return String(memory.priority);
    if (sort === 'salience') throw new Error('by salience: see salience-list.test.ts');
    return sort === 'occurred_at' ? (memory.occurred_at ?? memory.created_at) : memory[sort];
  };
  const sorted = matching.toSorted((a, b) => {
    const [x, y] = [`${key(a)} ${a.id}`, `${key(b)} ${b.id}`];
    return x < y ? -1 : 1;
  });
  return idsOf(order === 'asc' ? sorted : sorted.toReversed());
}

describe.each(engines)('GET /memories on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('filters, sorts and pages by any fields together', async () => {
    const memories = fc.array(arbitraryFields, { minLength: 6, maxLength: 14 });
    const queries = fc.array(arbitraryQuery, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(memories, queries, async (given, asked) => {
        const { client } = await service.createAccount();
        const { memories: created } = await client.memories.bulkCreate({
          body: {
            memories: given.map(({ topic, isOutdated: _, ...fields }, i) => ({
              ...fields,
              content: `memory ${i}`,
              metadata: { topic },
            })),
          },
        });
        const outdated = created.filter((_, i) => given[i]?.isOutdated).slice(0, 20);
        await createMemory(client, 'newer', {
          supersedes: idsOf(outdated),
          metadata: { topic: 'tea' },
        });
        for (const { id, priority } of created.slice(0, 2)) {
          const body = { priority: (priority + 1) % 4 };
          await client.memories.update({ params: { id }, body });
        }
        const { data } = await client.memories.list({ query: { limit: 100 } });
        for (const { topic, ...query } of asked) {
          const filters = { ...query, ...(topic && { 'metadata.topic': topic }), limit: 4 };
          const shown: string[] = [];
          const pages = paginate((place) =>
            client.memories.list({ query: { ...filters, ...place } }),
          );
          for await (const { id } of pages) shown.push(id);
          expect(shown).toEqual(expectedIds(data, { ...query, topic }));
        }
      }),
      { numRuns: runCount(4, 60) },
    );
  });

  it('takes times of creation and of change, from the first on and before the second', async () => {
    const { client } = await service.createAccount();
    const first = await createMemory(client, 'first');
    const second = await createMemory(client, 'second');
    const listed = async (query: ListQuery) => idsOf((await client.memories.list({ query })).data);
    const at = second.created_at;
    expect(await listed({ created_after: at })).toEqual([second.id]);
    expect(await listed({ created_before: at })).toEqual([first.id]);
    const params = { id: first.id };
    const changed = await client.memories.update({ params, body: { priority: 2 } });
    const changedAt = changed.updated_at;
    expect(await listed({ updated_after: changedAt, sort: 'updated_at' })).toEqual([first.id]);
    expect(await listed({ updated_before: changedAt })).toEqual([second.id]);
  });

  it('a key of one space sees what is outdated by what it may read', async () => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    const older = await createMemory(client, 'Rent is 900.', { space_id });
    await createMemory(client, 'Rent is 990.', { supersedes: [older.id] });
    const { key } = await client.keys.create({ body: { name: 'own', space_ids: [space_id] } });
    const outdated = async (asking: Client) =>
      idsOf((await asking.memories.list({ query: { outdated: true } })).data);
    expect(await outdated(client)).toEqual([older.id]);
    expect(await outdated(service.client(key))).toEqual([]);
  });
});

describe.each(engines)('PATCH of occurred_at on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine);
    client = (await service.createAccount()).client;
  });
  afterAll(() => service.stop());

  const found = async (q: string): Promise<string | undefined> =>
    (await client.search.get({ query: { q, limit: 1 } })).results[0]?.id;

  it('sets and clears the time of the content: dates are read anew, vectors stay', async () => {
    const { dimensions } = service.running.context.app.embedder;
    const embedding = Array.from({ length: dimensions }, (_, i) => (i === 3 ? 1 : 0));
    const memory = await createMemory(client, 'We met in the harbour yesterday.', { embedding });
    const params = { id: memory.id };
    const vectors = () =>
      service.running.context.app.engine.db
        .selectFrom('vectors')
        .select(['model', 'vector'])
        .where('document_id', '=', memory.id)
        .execute();
    const before = await vectors();
    const occurred_at = '2026-03-08T10:00:00.000Z';
    const changed = await client.memories.update({ params, body: { occurred_at } });
    expect(changed.occurred_at).toBe(occurred_at);
    expect(await found('2026-03-07')).toBe(memory.id);
    const query = { q: 'harbour', occurred_after: occurred_at };
    expect((await client.search.get({ query })).results[0]?.id).toBe(memory.id);
    const [event] = await listEvents(client, 'memory.updated');
    expect(event?.changes).toEqual(['occurred_at']);
    const cleared = await client.memories.update({ params, body: { occurred_at: null } });
    expect(cleared.occurred_at).toBeNull();
    expect(await vectors()).toEqual(before);
  });

  it('and of the content at the same time agree, whichever is first', async () => {
    const memory = await createMemory(client, 'Nothing yet.');
    const params = { id: memory.id };
    await Promise.all([
      client.memories.update({ params, body: { content: 'The fair was yesterday.' } }),
      client.memories.update({ params, body: { occurred_at: '2026-04-12T10:00:00Z' } }),
    ]);
    expect(await found('what was on 2026-04-11')).toBe(memory.id);
  });

  it('refuses what is no time', async () => {
    const { id } = await createMemory(client, 'When?');
    const path = `/memories/${id}`;
    const response = await client.request({ method: 'PATCH', path, body: { occurred_at: 'soon' } });
    expect(response).toMatchObject({
      status: 422,
      body: { error: { details: { fields: { occurred_at: { code: 'invalid_format' } } } } },
    });
  });
});
