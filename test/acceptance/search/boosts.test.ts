import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

const q = 'what does Ana drink in the morning?';

describe.each(engines)('priority and salience in a search on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('move a result by 15 % at most together, and leave none out', async () => {
    const { client } = await service.createAccount();
    const rate = async (priority: number, helpful: boolean | null): Promise<string> => {
      const content = `Ana drinks tea in the morning (${priority}, ${helpful}).`;
      const { id } = await client.memories.create({ body: { content, priority } });
      for (let i = 0; i < 10 && helpful !== null; i += 1) {
        await client.memories.feedback({ params: { id }, body: { helpful } });
      }
      // The index takes the salience along with a change.
      await client.memories.update({ params: { id }, body: { tags: ['tea'] } });
      return id;
    };
    const ids = [
      await rate(0, null),
      await rate(0, false),
      await rate(10, null),
      await rate(10, true),
    ];
    const { results } = await client.search.get({ query: { q, explain: true } });
    expect(results.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const factors = new Map(
      results.map(({ id, why_matched: why }) => [
        id,
        (why?.priority_boost ?? 0) * (why?.salience_boost ?? 0),
      ]),
    );
    for (const factor of factors.values()) {
      expect(factor).toBeGreaterThanOrEqual(0.85);
      expect(factor).toBeLessThanOrEqual(1.15 + 1e-9);
    }
    expect(factors.get(ids[3] ?? '')).toBeGreaterThan(factors.get(ids[2] ?? '') ?? 2);
    expect(factors.get(ids[2] ?? '')).toBeGreaterThan(factors.get(ids[0] ?? '') ?? 2);
  });
});
