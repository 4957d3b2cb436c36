import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createHandClock } from '../../support/hand-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { eventsOf, store } from '../memories/asking.ts';

describe.each(engines)('memory.accessed on %s', (engine) => {
  const clock = createHandClock();
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('of similar memories names what they are similar to in its own space alone', async () => {
    const { client } = await service.account();
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const own = await store(client, 'Ana prefers green tea.');
    const near = await store(client, 'Ana prefers black tea.');
    const far = await store(client, 'Ana prefers white tea.', { space_id });
    await client.search.similar({ params: { memoryId: own.id }, query: { threshold: 0 } });
    clock.advance(1_000);
    const told = await eventually(
      () => eventsOf(client, 'memory.accessed'),
      (events) => events.length > 1,
    );
    const bySpace = new Map(told.map((event) => [event.space_id, event.data]));
    expect(bySpace.get(null)).toEqual({ ids: [near.id], via: 'similar', memory_id: own.id });
    expect(bySpace.get(space_id)).toEqual({ ids: [far.id], via: 'similar' });
  });
});
