import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError, listEvents } from '../memories/memory-requests.ts';

const kafka = `Maria Lopez migrated the billing service from Kafka to Redpanda in March 2024. The
  migration reduced consumer lag. Deploy the new consumer on Friday. The cluster is fast.`;

describe.each(engines)('GET /memories/:id/topics on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async () => (await service.createAccount()).client;
  const all = { min_relevance: 0 };

  it('names what the memory is about, the most relevant first, and who found it', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, kafka);
    const answer = await client.memories.topics({ params: { id } });
    expect(answer).toMatchObject({ memory_id: id, model: 'local' });
    expect(Date.parse(answer.extracted_at)).toBeLessThanOrEqual(Date.now());
    expect(answer.topics.length).toBeGreaterThan(0);
    const relevances = answer.topics.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
  });

  it('shows those of a relevance of .5 unless min_relevance says otherwise', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, kafka);
    const { topics } = await client.memories.topics({ params: { id }, query: all });
    expect(topics.some(({ relevance }) => relevance < 0.5)).toBe(true);
    const usual = await client.memories.topics({ params: { id } });
    expect(usual.topics).toEqual(topics.filter(({ relevance }) => relevance >= 0.5));
    const least = topics[0]?.relevance ?? 0;
    const best = await client.memories.topics({ params: { id }, query: { min_relevance: least } });
    expect(best.topics).toEqual(topics.filter(({ relevance }) => relevance >= least));
  });

  it('shows the categories that are asked for, separated by commas', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, kafka);
    const { topics } = await client.memories.topics({ params: { id }, query: all });
    const answer = await client.request({
      method: 'GET',
      path: `/memories/${id}/topics?min_relevance=0&categories=entity,concept`,
    });
    expect(answer.status).toBe(200);
    const wanted = topics.filter(({ category }) => ['entity', 'concept'].includes(category));
    expect(wanted.length).toBeGreaterThan(0);
    expect(answer.body).toMatchObject({ topics: wanted });
  });

  it.each([
    ['min_relevance=1.1', 'min_relevance'],
    ['min_relevance=much', 'min_relevance'],
    ['categories=entity,colour', 'categories.1'],
    ['refresh=maybe', 'refresh'],
    ['limit=5', 'limit'],
  ])('refuses %s by the name of the field', async (query, field) => {
    const client = await fresh();
    const { id } = await createMemory(client, 'x');
    const path = `/memories/${id}/topics?${query}`;
    const { status, body } = await client.request({ method: 'GET', path });
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { details: { fields: { [field]: {} } } } });
  });

  it('keeps them until the content changes; refresh makes them anew', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, kafka);
    const params = { id };
    const first = await client.memories.topics({ params });
    await client.memories.update({ params, body: { tags: ['billing'] } });
    expect(await client.memories.topics({ params })).toEqual(first);
    const anew = await client.memories.topics({ params, query: { refresh: true } });
    expect(Date.parse(anew.extracted_at)).toBeGreaterThan(Date.parse(first.extracted_at));
    expect(await client.memories.topics({ params })).toEqual(anew);
    await client.memories.update({ params, body: { content: 'Ana keeps bees in Porto.' } });
    const changed = await client.memories.topics({ params, query: all });
    expect(changed.topics.some(({ name }) => /bees/i.test(name))).toBe(true);
    expect(changed.topics.some(({ name }) => /kafka/i.test(name))).toBe(false);
  });

  it('weighs a word less that many of its space hold, and looks at no other space', async () => {
    const client = await fresh();
    const [one, other] = [
      await client.spaces.create({ body: { name: 'one' } }),
      await client.spaces.create({ body: { name: 'other' } }),
    ];
    const content = 'The falcon protocol and the sapphire lantern were reviewed.';
    const there = await createMemory(client, content, { space_id: one.id });
    const elsewhere = await createMemory(client, content, { space_id: other.id });
    await client.memories.bulkCreate({
      body: {
        memories: Array.from({ length: 60 }, (_, i) => ({
          content: `Note ${i}: the falcon protocol again.`,
          space_id: one.id,
        })),
      },
    });
    const relevanceIn = async (id: string) => {
      const { topics } = await client.memories.topics({ params: { id }, query: all });
      return topics.find(({ name }) => /falcon/i.test(name))?.relevance ?? 0;
    };
    expect(await relevanceIn(there.id)).toBeLessThan(await relevanceIn(elsewhere.id));
  });

  it('tells no event, and leaves the memory and its ETag as they are', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, kafka);
    const path = `/memories/${id}`;
    const before = await client.request({ method: 'GET', path });
    await client.memories.topics({ params: { id } });
    const after = await client.request({ method: 'GET', path });
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    expect(after.body).toEqual(before.body);
    expect(await listEvents(client, 'memory.updated')).toEqual([]);
  });

  it("is 404 for none and for another account's, 403 outside the key's spaces", async () => {
    const [client, stranger] = [await fresh(), await fresh()];
    const space = await client.spaces.create({ body: { name: 'closed' } });
    const { id } = await createMemory(client, kafka, { space_id: space.id });
    const { key } = await client.keys.create({
      body: { name: 'k', scopes: ['memories:read'], space_ids: ['default'] },
    });
    for (const verb of ['topics', 'quality'] as const) {
      const code = async (asker: typeof client, named: string) =>
        (await expectError(asker.memories[verb]({ params: { id: named } }))).code;
      expect(await code(client, absentId)).toBe('memory_not_found');
      expect(await code(client, 'nonsense')).toBe('memory_not_found');
      expect(await code(stranger, id)).toBe('memory_not_found');
      expect(await code(service.client(key), id)).toBe('space_access_denied');
    }
  });

  it('answers for a soft-deleted memory as GET does, not for one that is gone', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, kafka);
    const params = { id };
    const before = await client.memories.topics({ params });
    await client.memories.remove({ params, query: { soft: true } });
    expect(await client.memories.topics({ params })).toEqual(before);
    expect((await client.memories.quality({ params })).factors.uniqueness).toBe(1);
    await client.memories.remove({ params });
    expect((await expectError(client.memories.topics({ params }))).code).toBe('memory_not_found');
    const { db } = service.running.context.app.engine;
    const left = await db.selectFrom('enrichments').select('operation').where('memory_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});
