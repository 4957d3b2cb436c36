import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import {
  minuteMs,
  onlySessionOfKey,
  searchWithSession,
  withoutTimers,
} from './session-requests.ts';

describe.each(engines)('The report of an activation session on %s', (engine) => {
  let service: Service;
  const clock = withoutTimers(createFakeClock());
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('has each memory with its accesses, and when each came', async () => {
    const { client } = await service.createAccount();
    const tea = await createMemory(client, 'tea is hot', { tags: ['drink'], priority: 3 });
    const sea = await createMemory(client, 'sea is cold', { metadata: { far: true } });
    await searchWithSession(client, 'k', '"sea is"');
    clock.advance(minuteMs);
    await searchWithSession(client, 'k', '"tea is"');
    clock.advance(minuteMs);
    await searchWithSession(client, 'k', '"sea is"');
    const session = await onlySessionOfKey(client, 'k');
    const report = await client.sessions.report({ params: { id: session.id } });
    expect(Object.keys(report).toSorted()).toEqual(
      ['entities', 'memories', 'relationships', 'session', 'timeline', 'top_tags'].toSorted(),
    );
    expect(report.session).toEqual(session);
    expect(report.entities).toEqual([]);
    const [first, second] = report.memories;
    expect(report.memories).toEqual([
      { ...sea, salience: null, access_count: 2, first_accessed_at: session.started_at },
      { ...tea, salience: null, access_count: 1, first_accessed_at: second?.first_accessed_at },
    ]);
    const apartMs =
      Date.parse(second?.first_accessed_at ?? '') - Date.parse(first?.first_accessed_at ?? '');
    expect(apartMs).toBeGreaterThanOrEqual(minuteMs);
    expect(apartMs).toBeLessThan(2 * minuteMs);
    expect(report.timeline).toEqual([
      { at: first?.first_accessed_at, memory_id: sea.id },
      { at: second?.first_accessed_at, memory_id: tea.id },
    ]);
  });

  it('ranks tags by how many memories have them, then by their letters, 20 at most', async () => {
    const { client } = await service.createAccount();
    const many = Array.from({ length: 20 }, (_, i) => `t${String(i).padStart(2, '0')}`);
    await createMemory(client, 'needle one', { tags: ['zebra', 'apple', 'both'] });
    await createMemory(client, 'needle two', { tags: ['both', 'apple', 'zebra', 'all'] });
    await createMemory(client, 'needle three', { tags: ['both', 'all', ...many] });
    await createMemory(client, 'elsewhere', { tags: ['other'] });
    await searchWithSession(client, 'k', '"needle"');
    const { id } = await onlySessionOfKey(client, 'k');
    const { top_tags } = await client.sessions.report({ params: { id } });
    expect(top_tags).toEqual([
      { tag: 'both', count: 3 },
      { tag: 'all', count: 2 },
      { tag: 'apple', count: 2 },
      { tag: 'zebra', count: 2 },
      ...many.slice(0, 16).map((tag) => ({ tag, count: 1 })),
    ]);
  });

  it('names whom most of its memories speak of, in the spaces of the key', async () => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const said = [
      await createMemory(client, 'needle: Ana Ruiz works at Acme Corp.'),
      await createMemory(client, 'needle: Ana Ruiz met Ben Ito in Lisbon.'),
      await createMemory(client, 'needle: Cleo Marsh works at Bolt Inc.', { space_id }),
      await createMemory(client, 'Dana Reyes works at Corex Inc.'),
    ];
    for (const { id } of said) await client.knowledge.extract({ body: { memory_id: id } });
    await searchWithSession(client, 'k', '"needle"');
    const { id } = await onlySessionOfKey(client, 'k');
    const namesOf = async (reader: typeof client) =>
      (await reader.sessions.report({ params: { id } })).entities.map(({ name }) => name);
    const { entities } = await client.sessions.report({ params: { id } });
    expect(entities[0]).toEqual({
      id: expect.any(String),
      name: 'Ana Ruiz',
      type: 'person',
      memory_count: 2,
    });
    const others = entities.slice(1).map(({ name }) => name);
    expect(others).toEqual(expect.arrayContaining(['Ben Ito', 'Cleo Marsh', 'Lisbon']));
    expect(others).toEqual(others.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect(others).not.toContain('Dana Reyes');
    const { key } = await client.keys.create({
      body: { name: 'red alone', space_ids: [space_id] },
    });
    const seen = await namesOf(service.client(key));
    expect(seen).toContain('Cleo Marsh');
    expect(seen).not.toContain('Ana Ruiz');
  });

  it('of nothing is empty', async () => {
    const { client } = await service.createAccount();
    await searchWithSession(client, 'k', 'nothing');
    const session = await onlySessionOfKey(client, 'k');
    const query = { include_relationships: false };
    expect(await client.sessions.report({ params: { id: session.id }, query })).toEqual({
      session,
      memories: [],
      relationships: [],
      top_tags: [],
      entities: [],
      timeline: [],
    });
  });
});
