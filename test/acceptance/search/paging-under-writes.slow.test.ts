import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

const many = 10_150;

describe.each(engines)('search pages while others write, on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  const stored: string[] = [];

  beforeAll(async () => {
    service = await startService(engine);
    ({ client } = await service.createAccount());
    for (let from = 0; from < many; from += 100) {
      const count = Math.min(100, many - from);
      const memories = Array.from({ length: count }, (_, i) => ({
        content: `Parcel ${from + i} for ${['Ana', 'Ben', 'Cleo'][i % 3]}`,
        priority: i % 11,
      }));
      const made = await client.memories.bulkCreate({ body: { memories } });
      stored.push(...made.memories.map(({ id }) => id));
    }
  });
  afterAll(() => service.stop());

  it('repeat nothing and lose nothing, to the last offset', async () => {
    const found: string[] = [];
    const deleted = new Set<string>();
    let total = many;
    for (let offset = 0; offset <= 10_000; offset += 100) {
      const { results, facets } = await client.search.post({
        body: { q: 'parcel for ana', offset, limit: 100 },
      });
      found.push(...results.map(({ id }) => id));
      total = facets.memories;
      // A new best match, a changed one, and one that goes before its page is asked for.
      await client.memories.create({ body: { content: `Parcel for Ana, again ${offset}` } });
      const changed = stored[(offset * 7) % many] ?? '';
      if (!deleted.has(changed)) {
        await client.memories.update({ params: { id: changed }, body: { tags: [`t${offset}`] } });
      }
      const gone = stored[(offset * 13 + 5_000) % many] ?? '';
      if (!found.includes(gone) && !deleted.has(gone)) {
        await client.memories.remove({ params: { id: gone } });
        deleted.add(gone);
      }
    }
    expect(deleted.size).toBeGreaterThan(10);
    expect(total).toBe(many);
    const seen = new Set(found);
    expect(seen.size).toBe(found.length);
    const missing = stored.filter((id) => !deleted.has(id) && !seen.has(id));
    // Beyond the last offset of 10,000 and its page of 100 nothing can be asked for.
    expect(missing.length).toBeLessThanOrEqual(many - 10_100);
    expect(found.length).toBeGreaterThanOrEqual(10_100 - deleted.size);
  });
});
