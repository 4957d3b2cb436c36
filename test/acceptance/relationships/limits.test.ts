import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectError, listEvents } from '../memories/memory-requests.ts';
import {
  createManyRelationships,
  createMemories,
  createRelationship,
  relationshipParams,
} from './relationship-requests.ts';

const full = { status: 403, code: 'quota_exceeded' };

describe.each(engines)('1,000 relationships per memory on %s', (engine) => {
  let service: Service;
  let client: Client;
  let others: string[];
  beforeAll(async () => {
    service = await startService(engine);
    client = (await service.createAccount()).client;
    others = await createMemories(client, 1_000);
  });
  afterAll(() => service.stop());

  const degree = async (memoryId: string): Promise<number> =>
    (await client.relationships.list({ params: { memoryId } })).total;
  const fresh = async (): Promise<string> => (await createMemories(client, 1))[0] ?? '';
  /** A memory with so many relationships. */
  const hub = async (count: number): Promise<string> => {
    const id = await fresh();
    await createManyRelationships(client, id, others.slice(0, count));
    return id;
  };

  it('are the limit, in both directions together; a removed one makes room', async () => {
    const id = await hub(998);
    const [a, b] = [await fresh(), await fresh()];
    await createRelationship(client, a, id);
    const last = await createRelationship(client, id, a);
    const used = { quota: 'relationships_per_memory', limit: 1_000, used: 1_000, memory_id: id };
    expect(await expectError(createRelationship(client, id, b))).toMatchObject({
      ...full,
      details: used,
    });
    expect(await expectError(createRelationship(client, b, id))).toMatchObject({
      ...full,
      details: used,
    });
    expect(await degree(id)).toBe(1_000);
    expect(await degree(b)).toBe(0);
    await client.relationships.remove({ params: relationshipParams(last) as never });
    await createRelationship(client, b, id);
    expect(await degree(id)).toBe(1_000);
  });

  it('a pair counts two, and is not made where there is room for one half', async () => {
    const id = await hub(999);
    const [a] = [await fresh()];
    const pair = { type: 'parent_of', bidirectional: true } as const;
    expect(await expectError(createRelationship(client, id, a, pair))).toMatchObject(full);
    expect(await expectError(createRelationship(client, a, id, pair))).toMatchObject(full);
    expect(await degree(a)).toBe(0);
    await createRelationship(client, a, id);
    expect(await degree(id)).toBe(1_000);
  });

  it('hold within one batch', async () => {
    const id = await hub(995);
    const targets = await createMemories(client, 10);
    const relationships = targets.map((target_id) => ({
      source_id: id,
      target_id,
      type: 'supports',
    }));
    const { succeeded, failed } = await client.relationships.batch({ body: { relationships } });
    expect([succeeded.length, failed.length]).toEqual([5, 5]);
    expect(failed).toMatchObject(
      [5, 6, 7, 8, 9].map((index) => ({ index, error: { code: 'quota_exceeded' } })),
    );
    expect(await degree(id)).toBe(1_000);
  });

  it('are exact under many at once', async () => {
    const id = await hub(990);
    const ends = await createMemories(client, 20);
    const answers = await Promise.allSettled(
      ends.map((end, i) =>
        i % 2 === 0 ? createRelationship(client, id, end) : createRelationship(client, end, id),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const reason of refused) expect(reason).toMatchObject(full);
    expect(await degree(id)).toBe(1_000);
    const events = await listEvents(client, 'relationship.created');
    const told = events.filter(({ data }) => [data.source_id, data.target_id].includes(id));
    expect(told).toHaveLength(1_000);
  });

  it('count a soft-deleted neighbour, which could return, and no erased one', async () => {
    const id = await hub(998);
    const [soft, gone, next] = [await fresh(), await fresh(), await fresh()];
    await createRelationship(client, id, soft);
    await createRelationship(client, gone, id);
    await client.memories.remove({ params: { id: soft }, query: { soft: true } });
    expect(await expectError(createRelationship(client, id, next))).toMatchObject(full);
    await client.memories.bulkDelete({ body: { ids: [gone] } });
    await createRelationship(client, id, next);
    await client.memories.restore({ params: { id: soft } });
    expect(await degree(id)).toBe(1_000);
  });
});
