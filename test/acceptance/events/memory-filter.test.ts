import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError } from '../memories/memory-requests.ts';

describe.each(engines)('events of one memory on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    ({ client } = await service.createAccount());
  });
  const typesOf = async (query: object, reader: Client = client) =>
    (await reader.events.list({ query })).data.map(({ type }) => type);

  it('are those about it and what belongs to it, and of no other memory', async () => {
    const memory = await createMemory(client, 'Ana drinks tea.');
    const other = await createMemory(client, 'Ben drinks milk.');
    for (const { id } of [memory, other]) {
      await client.memories.update({ params: { id }, body: { priority: 7 } });
      await client.memories.feedback({ params: { id }, body: { helpful: true } });
    }
    const memory_id = memory.id;
    const types = await typesOf({ memory_id, limit: 100 });
    expect(types).toContain('memory.created');
    expect(types.filter((type) => type === 'memory.updated')).toHaveLength(1);
    expect(types.filter((type) => type === 'feedback.submitted')).toHaveLength(1);
    const updates = await client.events.list({ query: { memory_id, type: 'memory.updated' } });
    expect(updates.data.map(({ data }) => 'id' in data && data.id)).toEqual([memory_id]);
    expect(await typesOf({ memory_id: absentId })).toEqual([]);
  });

  it('are read in pages, whose cursor is good for this memory alone', async () => {
    const { id } = await createMemory(client, 'Ana drinks tea.');
    const params = { id };
    for (const priority of [1, 2, 3]) await client.memories.update({ params, body: { priority } });
    const query = { memory_id: id, type: 'memory.updated' as const, limit: 2 };
    const first = await client.events.list({ query });
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const cursor = first.next_cursor ?? '';
    const second = await client.events.list({ query: { ...query, cursor } });
    expect([second.data.length, second.has_more]).toEqual([1, false]);
    const mixed = client.events.list({ query: { ...query, memory_id: absentId, cursor } });
    expect(await expectError(mixed)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('stay hidden from those who may not see the memory', async () => {
    const { id: memory_id } = await createMemory(client, 'Ben drinks milk.', { user_id: 'ben' });
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    expect(await typesOf({ memory_id }, service.client(token))).toEqual([]);
    const space = await client.spaces.create({ body: { name: 'red' } });
    const { key } = await client.keys.create({ body: { name: 'red', space_ids: [space.id] } });
    expect(await typesOf({ memory_id }, service.client(key))).toEqual([]);
  });
});
