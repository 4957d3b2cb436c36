import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { onlySessionOfKey } from '../activation/session-requests.ts';
import { createMemory, idsOf, listEvents } from '../memories/memory-requests.ts';
import { createRelationship } from '../relationships/relationship-requests.ts';
import { parseEntries, tokenCount } from './context-entries.ts';

const dayMs = 86_400_000;
const lasting = { decay_rate: 0 } as const;
/** A phrase that the one match holds; what is related to it holds no word of it. */
const query = '"tea is"';

describe.each(engines)('Related memories in a recall on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  type Request = Parameters<Client['search']['recall']>[0]['body'];
  type Body = Partial<Omit<Request, 'q' | 'query'>> & { query?: string };
  const recall = (client: Client, body: Body = {}) =>
    client.search.recall({ body: { query, ...body } });
  const idsRecalled = async (client: Client, body: Body = {}): Promise<string[]> =>
    (await recall(client, body)).memories.map(({ id }) => id);
  /** What matches, and two memories that do not. */
  const three = async (fields: object = {}) => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = ''] = idsOf([
      await createMemory(client, 'tea is hot', fields),
      await createMemory(client, 'harbours freeze', fields),
      await createMemory(client, 'owls hunt', fields),
    ]);
    return { client, a, b, c };
  };

  it('come behind the matches, without a score, each with the memory that led to it', async () => {
    const { client, a, b, c } = await three();
    await createRelationship(client, a, c, { ...lasting, weight: 0.4 });
    await createRelationship(client, b, a, { ...lasting, weight: 0.6, type: 'caused_by' });
    const { context, memories, token_count, truncated } = await recall(client);
    expect(memories.map(({ id, related_to }) => [id, related_to])).toEqual([
      [a, null],
      [b, a],
      [c, a],
    ]);
    expect(memories.map(({ score }) => score)).toEqual([expect.any(Number), null, null]);
    const ids = memories.map(({ id }) => id);
    expect(parseEntries(context, ids).map(({ id, text }) => [id, text])).toEqual([
      [a, 'tea is hot'],
      [b, 'harbours freeze'],
      [c, 'owls hunt'],
    ]);
    expect(token_count).toBe(tokenCount(context));
    expect(truncated).toBe(false);
    for (const memory of memories) {
      const { score: _, passage: __, related_to: ___, salience: ____, ...read } = memory;
      expect(await client.memories.get({ params: { id: memory.id } })).toMatchObject(read);
    }
  });

  it('come unless include_related is false', async () => {
    const { client, a, b } = await three();
    await createRelationship(client, a, b);
    expect(await idsRecalled(client)).toEqual([a, b]);
    expect(await idsRecalled(client, { include_related: true })).toEqual([a, b]);
    const answer = await recall(client, { include_related: false });
    expect(idsOf(answer.memories as never)).toEqual([a]);
    expect(answer.context).not.toContain(b);
    expect(answer.truncated).toBe(false);
  });

  it('are one relationship away, in either direction, and none stands there twice', async () => {
    const { client, a, b, c } = await three();
    const second = await createMemory(client, 'green tea is better');
    await createRelationship(client, b, a, { ...lasting, weight: 0.5 });
    await createRelationship(client, second.id, b, { ...lasting, weight: 0.9 });
    await createRelationship(client, a, second.id);
    await createRelationship(client, b, c);
    const { memories } = await recall(client);
    const [first, next, ...related] = memories;
    expect(new Set([first?.id, next?.id])).toEqual(new Set([a, second.id]));
    expect(related.map(({ id, related_to }) => [id, related_to])).toEqual([[b, second.id]]);
  });

  it('name the better match of two that lead to them by equally strong relationships', async () => {
    const { client, a, b } = await three();
    const other = await createMemory(client, 'green tea is better');
    const [first = '', next = ''] = await idsRecalled(client);
    expect(new Set([first, next])).toEqual(new Set([a, other.id]));
    await createRelationship(client, next, b, lasting);
    await createRelationship(client, b, first, lasting);
    const { memories } = await recall(client);
    expect(memories[2]).toMatchObject({ id: b, related_to: first });
  });

  it('come by their strength after decay', async () => {
    const { client, a, b, c } = await three();
    await createRelationship(client, a, b, { weight: 1, decay_rate: 0.1 });
    await createRelationship(client, a, c, { weight: 0.5, decay_rate: 0 });
    expect(await idsRecalled(client)).toEqual([a, b, c]);
    clock.advance(30 * dayMs);
    expect(await idsRecalled(client)).toEqual([a, c, b]);
  });

  it('come while there is room among max_memories, the strongest first', async () => {
    const { client, a, b, c } = await three();
    const second = await createMemory(client, 'green tea is better');
    await createRelationship(client, a, b, { ...lasting, weight: 0.3 });
    await createRelationship(client, a, c, { ...lasting, weight: 0.7 });
    for (const [max_memories, related] of [
      [2, []],
      [3, [c]],
      [4, [c, b]],
    ] as const) {
      const { memories, truncated } = await recall(client, { max_memories });
      expect(memories.slice(2).map(({ id }) => id)).toEqual(related);
      expect(new Set(memories.slice(0, 2).map(({ id }) => id))).toEqual(new Set([a, second.id]));
      // Left out for the number, not for the budget.
      expect(truncated).toBe(false);
    }
    expect(await idsRecalled(client, { max_memories: 1 })).toHaveLength(1);
  });

  it('come while there is room in the budget, and never over it', async () => {
    const { client, a } = await three();
    const long = await createMemory(client, `owls ${'hunt at night in the old wood '.repeat(60)}`);
    await createRelationship(client, a, long.id);
    const whole = await recall(client);
    expect(idsOf(whole.memories as never)).toEqual([a, long.id]);
    const alone = tokenCount((await recall(client, { include_related: false })).context);
    for (let max_tokens = alone; max_tokens < whole.token_count; max_tokens += 37) {
      const { context, token_count, truncated, memories } = await recall(client, { max_tokens });
      expect(tokenCount(context)).toBeLessThanOrEqual(max_tokens);
      expect(token_count).toBe(tokenCount(context));
      expect(truncated).toBe(true);
      expect(memories[0]?.id).toBe(a);
    }
    const exact = await recall(client, { max_tokens: whole.token_count });
    expect(exact).toMatchObject({ context: whole.context, truncated: false });
  });

  it('do not come where the matches themselves did not fit', async () => {
    const { client, a, b } = await three();
    const long = await createMemory(client, `green tea is ${'better than any other '.repeat(200)}`);
    await createRelationship(client, a, b);
    const { memories, truncated } = await recall(client, { max_tokens: 300 });
    expect(truncated).toBe(true);
    expect(memories.map(({ id }) => id)).not.toContain(b);
    expect(memories.map(({ id }) => id)).toContain(long.id);
  });

  it('are looked for within the space and the tags that were asked for', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const fields = { space_id: red.id, tags: ['x', 'y'] };
    const { id: a } = await createMemory(client, 'tea is hot', fields);
    const { id: both } = await createMemory(client, 'harbours freeze', fields);
    const { id: untagged } = await createMemory(client, 'owls hunt', {
      space_id: red.id,
      tags: ['x'],
    });
    const { id: level } = await createMemory(client, 'foxes sleep', { tags: ['x', 'y'] });
    for (const id of [both, untagged, level]) await createRelationship(client, a, id);
    const sorted = async (body: Body) => (await idsRecalled(client, body)).slice(1).toSorted();
    expect(await sorted({})).toEqual([both, untagged, level].toSorted());
    expect(await sorted({ space_id: red.id })).toEqual([both, untagged].toSorted());
    expect(await sorted({ tags: ['x', 'y'] })).toEqual([both, level].toSorted());
    expect(await sorted({ tags: ['x', 'y'], space_id: red.id })).toEqual([both]);
    const key = (space_ids: string[]) =>
      client.keys.create({ body: { name: 'limited', space_ids } });
    const limited = service.client((await key([red.id])).key);
    expect((await idsRecalled(limited)).toSorted()).toEqual([a, both, untagged].toSorted());
  });

  it('are neither deleted nor of another account', async () => {
    const { client, a, b, c } = await three();
    await createRelationship(client, a, b);
    await createRelationship(client, a, c);
    await client.memories.remove({ params: { id: b }, query: { soft: true } });
    expect(await idsRecalled(client)).toEqual([a, c]);
    await client.memories.remove({ params: { id: c } });
    expect(await idsRecalled(client)).toEqual([a]);
    await client.memories.restore({ params: { id: b } });
    expect(await idsRecalled(client)).toEqual([a, b]);
    expect(await idsRecalled((await service.createAccount()).client)).toEqual([]);
  });

  it('are in the session of the recall and in its event, like matches', async () => {
    const { client, a, b } = await three();
    await createRelationship(client, a, b);
    await recall(client, { session: 'k' });
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual([a, b]);
    clock.advance(1_000);
    const events = await eventually(
      () => listEvents(client, 'memory.accessed'),
      ({ length }) => length > 0,
    );
    expect(events.map(({ data }) => data.ids)).toEqual([[a, b]]);
  });

  describe('that are superseded', () => {
    it('are left out, be they matches or related', async () => {
      const { client, a, b, c } = await three();
      await createRelationship(client, a, b);
      expect(await idsRecalled(client)).toEqual([a, b]);
      await createRelationship(client, c, b, { type: 'supersedes' });
      expect(await idsRecalled(client)).toEqual([a]);
      await createRelationship(client, c, a, { type: 'supersedes' });
      const { context, memories } = await recall(client);
      expect([context, memories]).toEqual(['', []]);
      // A search still shows it, with a warning.
      const { results } = await client.search.get({ query: { q: query } });
      expect(results.map(({ id }) => id)).toEqual([a]);
    });

    it('are left out of the newer one, which they are related to', async () => {
      const { client, a, b } = await three();
      await createRelationship(client, a, b, { type: 'supersedes', bidirectional: true });
      expect(await idsRecalled(client)).toEqual([a]);
      await client.memories.remove({ params: { id: a }, query: { soft: true } });
      expect(await idsRecalled(client, { query: '"harbours freeze"' })).toEqual([b]);
    });
  });
});
