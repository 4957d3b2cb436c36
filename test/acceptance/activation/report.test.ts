import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createHandClock } from '../accounts/hand-clock.ts';
import { store } from '../memories/asking.ts';
import { find, minuteMs, only, withoutTimers } from './finding.ts';

describe.each(engines)('The report of an activation session on %s', (engine) => {
  let service: Service;
  const clock = withoutTimers(createHandClock());
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('has each memory with its accesses, and when each came', async () => {
    const { client } = await service.account();
    const tea = await store(client, 'tea is hot', { tags: ['drink'], priority: 3 });
    const sea = await store(client, 'sea is cold', { metadata: { far: true } });
    await find(client, 'k', '"sea is"');
    clock.advance(minuteMs);
    await find(client, 'k', '"tea is"');
    clock.advance(minuteMs);
    await find(client, 'k', '"sea is"');
    const session = await only(client, 'k');
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
    const { client } = await service.account();
    const many = Array.from({ length: 20 }, (_, i) => `t${String(i).padStart(2, '0')}`);
    await store(client, 'needle one', { tags: ['zebra', 'apple', 'both'] });
    await store(client, 'needle two', { tags: ['both', 'apple', 'zebra', 'all'] });
    await store(client, 'needle three', { tags: ['both', 'all', ...many] });
    await store(client, 'elsewhere', { tags: ['other'] });
    await find(client, 'k', '"needle"');
    const { id } = await only(client, 'k');
    const { top_tags } = await client.sessions.report({ params: { id } });
    expect(top_tags).toEqual([
      { tag: 'both', count: 3 },
      { tag: 'all', count: 2 },
      { tag: 'apple', count: 2 },
      { tag: 'zebra', count: 2 },
      ...many.slice(0, 16).map((tag) => ({ tag, count: 1 })),
    ]);
  });

  it('of nothing is empty', async () => {
    const { client } = await service.account();
    await find(client, 'k', 'nothing');
    const session = await only(client, 'k');
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
