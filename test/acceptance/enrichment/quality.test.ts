import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, idsOf, listEvents } from '../memories/memory-requests.ts';

const good =
  'Deploy release 4.2 of the billing service by Friday 2026-05-08; Ana Costa approves it.';
const bad = 'It might be somehow okay or something.';

describe.each(engines)('quality on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async () => (await service.createAccount()).client;
  const drain = () => service.running.context.extractionWorker.drain();
  const get = (client: Client, id: string): Promise<Memory> =>
    client.memories.get({ params: { id } });

  describe('GET /memories/:id/quality', () => {
    it('is the weighted mean of its factors, and shown in the memory from then on', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, good);
      const { quality_score, factors, ...rest } = await client.memories.quality({ params: { id } });
      const computed_at = expect.stringMatching(/Z$/);
      expect(rest).toEqual({ memory_id: id, computed_at, calculated_at: computed_at });
      const { specificity, clarity, actionability, uniqueness } = factors;
      const mean = 0.3 * specificity + 0.25 * clarity + 0.2 * actionability + 0.25 * uniqueness;
      expect(quality_score).toBeCloseTo(mean, 3);
      expect((await get(client, id)).quality_score).toBe(quality_score);
    });

    it('has uniqueness 1 less the likeness of the nearest other memory of its space', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'apart' } });
      const { id } = await createMemory(client, good);
      const params = { id };
      await createMemory(client, `${good} Again.`, { space_id: space.id });
      const alone = await client.memories.quality({ params });
      expect(alone.factors.uniqueness).toBe(1);
      const twin = await createMemory(client, `${good} Once more.`);
      const query = { threshold: 0, limit: 5 };
      const { results } = await client.search.similar({ params: { memoryId: id }, query });
      const near = results.find(({ memory }) => memory.id === twin.id);
      expect(await client.memories.quality({ params })).toEqual(alone);
      const anew = await client.memories.quality({ params, query: { recalculate: true } });
      expect(anew.factors.uniqueness).toBeCloseTo(1 - (near?.similarity ?? 0), 3);
      expect(anew.quality_score).toBeLessThan(alone.quality_score);
      expect((await get(client, id)).quality_score).toBe(anew.quality_score);
    });

    it('is made anew when the content changes', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, good);
      const before = await client.memories.quality({ params: { id } });
      await client.memories.update({ params: { id }, body: { content: bad } });
      const after = await client.memories.quality({ params: { id } });
      expect(after.quality_score).toBeLessThan(before.quality_score);
    });
  });

  describe('in the background', () => {
    it('is null first, comes after a create, and anew after another content', async () => {
      const client = await fresh();
      const { id, quality_score } = await createMemory(client, good);
      expect(quality_score).toBeNull();
      await drain();
      const scored = await get(client, id);
      expect(scored.quality_score).toBeGreaterThan(0.3);
      const { quality_score: same } = await client.memories.quality({ params: { id } });
      expect(same).toBe(scored.quality_score);
      await client.memories.update({ params: { id }, body: { content: bad } });
      await drain();
      expect((await get(client, id)).quality_score).toBeLessThan(scored.quality_score ?? 0);
    });

    it('tells no event and keeps the ETag, so that no If-Match fails for it', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, good);
      const first = await client.request({ method: 'GET', path: `/memories/${id}` });
      const etag = first.headers.get('etag') ?? '';
      await drain();
      expect((await get(client, id)).quality_score).not.toBeNull();
      const second = await client.request({ method: 'GET', path: `/memories/${id}` });
      expect(second.headers.get('etag')).toBe(etag);
      expect(second.body).toMatchObject({ updated_at: (first.body as Memory).updated_at });
      const changed = await client.memories.update(
        { params: { id }, body: { priority: 3 } },
        { headers: { 'If-Match': etag } },
      );
      expect(changed.priority).toBe(3);
      const types = (await listEvents(client)).map(({ type }) => type);
      expect(types.filter((type) => type === 'memory.updated')).toHaveLength(1);
    });

    it('scores each of many memories, as a whole account that was stored at once', async () => {
      const client = await fresh();
      const memories = Array.from({ length: 70 }, (_, i) => ({ content: `Item ${i} of the list` }));
      await client.memories.bulkCreate({ body: { memories } });
      await drain();
      const { data } = await client.memories.list({ query: { limit: 100 } });
      expect(data.map(({ quality_score }) => typeof quality_score)).toEqual(
        memories.map(() => 'number'),
      );
    });
  });

  it('filters lists by min_quality, which what has no score yet never reaches', async () => {
    const client = await fresh();
    const [better, worse] = [await createMemory(client, good), await createMemory(client, bad)];
    const list = async (min_quality: number) =>
      idsOf((await client.memories.list({ query: { min_quality } })).data);
    expect(await list(0)).toEqual([]);
    await drain();
    const score = (await get(client, better.id)).quality_score ?? 0;
    expect((await get(client, worse.id)).quality_score).toBeLessThan(score);
    expect(await list(0)).toEqual([worse.id, better.id]);
    expect(await list(score)).toEqual([better.id]);
    expect(await list(1)).toEqual([]);
  });
});

describe.each(engines)('a service that reads by itself, on %s', (engine) => {
  it('scores a memory without being asked', async () => {
    const service = await startService(engine, { extractsInBackground: true });
    try {
      const client = service.client();
      const { id } = await createMemory(client, good);
      const scored = await eventually(
        () => client.memories.get({ params: { id } }),
        ({ quality_score }) => quality_score !== null,
      );
      expect(scored.quality_score).toBeGreaterThan(0.3);
    } finally {
      await service.stop();
    }
  });
});
