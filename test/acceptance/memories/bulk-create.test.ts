import type { Event, Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddingFailed } from '../../../packages/server/src/providers/embedding/index.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from './controlled-dependencies.ts';
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

describe.each(engines)('POST /memories/bulk on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { embedder } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const raw = (client: Client, body: unknown) =>
    client.request({ method: 'POST', path: '/memories/bulk', body });
  const stored = async (client: Client, count: number): Promise<Memory[]> =>
    (await client.memories.bulkCreate({ body: { memories: memoryBodies(count) } })).memories;
  const all = async (client: Client) =>
    (await client.memories.list({ query: { limit: 100, include_deleted: true } })).data;
  const told = async (client: Client, type: Event['type']) =>
    (await listEvents(client, type)).map(({ data }) => data);

  it('stores 100 memories in their order, each found at once', async () => {
    const client = await fresh();
    const memories = memoryBodies(100).map((one, i) => ({
      ...one,
      priority: i % 11,
      tags: [`${i}`],
    }));
    const answer = await raw(client, { memories });
    expect(answer).toMatchObject({ status: 201, body: { created: 100, failed: [], memories } });
    const { memories: made } = answer.body as { memories: Memory[] };
    expect((await client.memories.list({ query: { limit: 100 } })).data).toEqual(made.toReversed());
    expect(await searchIds(client, '"item 42"')).toEqual([made[42]?.id]);
  });

  it('tells memory.created for each, and memory.bulk_created with ids and count', async () => {
    const client = await fresh();
    const memories = await stored(client, 3);
    expect(await told(client, 'memory.created')).toEqual(memories);
    const ids = idsOf(memories);
    expect(await told(client, 'memory.bulk_created')).toEqual([{ ids, count: 3 }]);
  });

  it('lets each item stand on its own: the others are stored', async () => {
    const client = await fresh();
    const present = await createMemory(client, 'present');
    const memories = [
      { content: 'first' },
      { content: '', extra: 1 },
      { content: 'present' },
      { content: 'homeless', space_id: absentId },
      { content: 'lost', session_id: absentId },
      { content: 'x'.repeat(1_048_577) },
      { content: 'short', embedding: [1] },
      'no object',
      { content: 'first' },
      { content: 'last' },
    ];
    const answer = await client.memories.bulkCreate({ body: { memories: memories as never } });
    expect(answer.created).toBe(2);
    expect(answer.memories.map(({ content }) => content)).toEqual(['first', 'last']);
    expect(answer.failed).toEqual([
      failedItem(1, 'validation_error'),
      failedItem(2, 'duplicate_memory'),
      failedItem(3, 'space_not_found'),
      failedItem(4, 'not_found'),
      failedItem(5, 'content_too_large'),
      failedItem(6, 'invalid_embedding'),
      failedItem(7, 'validation_error'),
      failedItem(8, 'duplicate_memory'),
    ]);
    const [faulty, duplicate] = answer.failed;
    const fields = { content: { code: 'invalid_range' }, extra: { code: 'unknown_field' } };
    expect(faulty?.error.details).toMatchObject({ fields });
    expect(duplicate?.error.details).toEqual({ memory_id: present.id });
    expect(await all(client)).toHaveLength(3);
  });

  it('answers 201 also when every item failed, and tells nothing', async () => {
    const client = await fresh();
    const answer = await raw(client, { memories: [{ content: '' }, {}] });
    expect(answer).toMatchObject({ status: 201, body: { created: 0, memories: [] } });
    expect(await listEvents(client)).toEqual([]);
  });

  it('with atomic=true stores all or none, and names the item that refused', async () => {
    const client = await fresh();
    await createMemory(client, 'present');
    const refused = [
      [{ content: 'present' }, 409, 'duplicate_memory'],
      [{ content: 'a' }, 409, 'duplicate_memory'],
      [{ content: 'b', space_id: absentId }, 404, 'space_not_found'],
      [{ content: 'b', session_id: absentId }, 404, 'not_found'],
      [{ content: 'x'.repeat(1_048_577) }, 422, 'content_too_large'],
    ] as const;
    for (const [item, status, code] of refused) {
      const memories = [{ content: 'a' }, item];
      const call = client.memories.bulkCreate({ body: { memories }, query: { atomic: true } });
      expect(await expectError(call)).toMatchObject({ status, code, details: { index: 1 } });
    }
    const body = { memories: [{ content: 'a' }, { content: '' }] };
    const invalid = await expectError(
      client.memories.bulkCreate({ body, query: { atomic: true } }),
    );
    expect(Object.keys(invalid.fields)).toEqual(['memories.1.content']);
    expect(await all(client)).toHaveLength(1);
    const memories = memoryBodies(3);
    const answer = await client.memories.bulkCreate({
      body: { memories },
      query: { atomic: true },
    });
    expect(answer).toMatchObject({ created: 3, failed: [] });
  });

  it('takes 1 to 100 items', async () => {
    const client = await fresh();
    const bounds = [
      [{ memories: [] }, { code: 'invalid_range', min: 1 }],
      [{ memories: memoryBodies(101) }, { code: 'invalid_range', max: 100, received: 101 }],
      [{ memories: 'x' }, { code: 'invalid_type' }],
      [{}, { code: 'required' }],
    ] as const;
    for (const [body, fault] of bounds) {
      const error = await expectError(client.memories.bulkCreate({ body: body as never }));
      expect(error).toMatchObject({ status: 422, fields: { memories: fault } });
    }
    expect(await all(client)).toEqual([]);
  });

  it('takes bodies far over 8 MiB', async () => {
    const client = await fresh();
    const json = JSON.stringify({ memories: memoryBodies(2) });
    const body = json + ' '.repeat(20 * 1_048_576);
    expect((await raw(client, body)).status).toBe(201);
  });

  it('answers 500 embedding_failed when the provider is down, and stores nothing', async () => {
    const client = await fresh();
    const error = await embedder.whileDown(() => expectError(stored(client, 3)));
    expect(error).toMatchObject({ status: 500, code: 'embedding_failed' });
    expect(await all(client)).toEqual([]);
  });

  it('stores the others when the model refuses one text, and none with atomic=true', async () => {
    const client = await fresh();
    embedder.beforeEmbed = (texts) => {
      if (texts.some((text) => text === 'item 1')) throw new EmbeddingFailed('no such words');
    };
    try {
      const body = { memories: memoryBodies(3) };
      const call = client.memories.bulkCreate({ body, query: { atomic: true } });
      const atomic = await expectError(call);
      expect(atomic).toMatchObject({ status: 500, code: 'embedding_failed' });
      expect(await all(client)).toEqual([]);
      const { memories, failed } = await client.memories.bulkCreate({ body });
      expect(memories.map(({ content }) => content)).toEqual(['item 0', 'item 2']);
      expect(failed).toEqual([failedItem(1, 'embedding_failed')]);
    } finally {
      embedder.beforeEmbed = () => undefined;
    }
  });
});
