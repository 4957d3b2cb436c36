import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { onlySessionOfKey } from '../activation/session-requests.ts';
import {
  advanceToNextMonth,
  getRequest,
  monthOf,
  readUsage,
  setUsage,
} from '../limits/usage-and-windows.ts';
import { createMemory, listEvents } from '../memories/memory-requests.ts';

describe.each(engines)('GET /search/topic on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const byTopic = (client: Client, topic: string, query = {}) =>
    client.search.topic({ query: { topic, ...query } });
  const found = async (client: Client, topic: string, query = {}): Promise<string[]> =>
    (await byTopic(client, topic, query)).memories.map(({ content }) => content);

  it('answers the published fields, with topic_relevance 1 and the total', async () => {
    const { client } = await service.createAccount();
    const fields = { tags: ['tea', 'hot'], metadata: { cups: 2 }, priority: 3, type: 'markdown' };
    const { id, created_at } = await createMemory(client, 'Ana drinks *tea*.', fields);
    const { data, pagination, ...published } = await byTopic(client, 'tea');
    expect(data).toEqual(published.memories);
    expect(pagination).toMatchObject({ limit: 20, total: 1, has_more: false });
    expect(published).toEqual({
      memories: [
        {
          id,
          content: 'Ana drinks *tea*.',
          content_type: 'markdown',
          tags: ['tea', 'hot'],
          metadata: { cups: 2 },
          priority: 3,
          created_at,
          topic_relevance: 1,
        },
      ],
      total: 1,
    });
    expect(await byTopic(client, 'coffee')).toMatchObject({ memories: [], total: 0 });
  });

  it.each([
    ['tea', ['plain']],
    ['Tea', ['capital']],
    ['tea ', ['with a space']],
    ['green tea', ['two words']],
    ['tea,hot', ['with a comma']],
    ['café', ['accent']],
    ['cafe', []],
    ['te', []],
    ['%', []],
    ['茶', ['Chinese']],
    ['x'.repeat(200), ['long']],
  ])('matches the whole tag as it is stored: %s', async (topic, expected) => {
    const { client } = await service.createAccount();
    const tagged = {
      plain: 'tea',
      capital: 'Tea',
      'with a space': 'tea ',
      'two words': 'green tea',
      'with a comma': 'tea,hot',
      accent: 'café',
      Chinese: '茶',
      long: 'x'.repeat(200),
    };
    const memories = Object.entries(tagged).map(([content, tag]) => ({ content, tags: [tag] }));
    const made = await client.memories.bulkCreate({ body: { memories } });
    expect(made.failed).toEqual([]);
    expect(await found(client, topic)).toEqual(expected);
  });

  it('finds by tags alone, not by what the content says', async () => {
    const { client } = await service.createAccount();
    await createMemory(client, 'tea tea tea');
    await createMemory(client, 'Something else', { tags: ['tea'] });
    expect(await found(client, 'tea')).toEqual(['Something else']);
  });

  it('shows the highest priority first, the newest of equals first, and counts all', async () => {
    const { client } = await service.createAccount();
    for (const [i, priority] of [0, 5, 0, 10, 5].entries()) {
      await createMemory(client, `${i}: priority ${priority}`, { tags: ['t'], priority });
      clock.advance(1_000);
    }
    const all = ['3: priority 10', '4: priority 5', '1: priority 5', '2: priority 0'];
    expect(await found(client, 't')).toEqual([...all, '0: priority 0']);
    expect(await found(client, 't', { limit: 4 })).toEqual(all);
    expect((await byTopic(client, 't', { limit: 2 })).total).toBe(5);
  });

  it('shows 20 unless told, and 100 at most', async () => {
    const { client } = await service.createAccount();
    for (const round of [0, 1]) {
      const memories = Array.from({ length: 60 }, (_, i) => ({
        content: `note ${round}.${i}`,
        tags: ['t'],
      }));
      await client.memories.bulkCreate({ body: { memories } });
    }
    expect((await byTopic(client, 't')).memories).toHaveLength(20);
    const most = await byTopic(client, 't', { limit: 100 });
    expect(most.memories).toHaveLength(100);
    expect(most.total).toBe(120);
  });

  it('sees new tags, soft deletes, restores and erasures at once', async () => {
    const { client } = await service.createAccount();
    const params = { id: (await createMemory(client, 'note', { tags: ['old'] })).id };
    expect(await found(client, 'old')).toEqual(['note']);
    await client.memories.update({ params, body: { tags: ['new'] } });
    expect(await found(client, 'old')).toEqual([]);
    expect(await found(client, 'new')).toEqual(['note']);
    await client.memories.remove({ params, query: { soft: true } });
    expect(await byTopic(client, 'new')).toMatchObject({ memories: [], total: 0 });
    await client.memories.restore({ params });
    expect(await found(client, 'new')).toEqual(['note']);
    await client.memories.remove({ params });
    expect(await byTopic(client, 'new')).toMatchObject({ memories: [], total: 0 });
  });

  it('shows and counts only what the account has and the key may read', async () => {
    const [mine, other] = [await service.createAccount(), await service.createAccount()];
    const { client } = mine;
    const space = async (name: string) => (await client.spaces.create({ body: { name } })).id;
    const [own, foreign] = [await space('own'), await space('foreign')];
    const tags = ['t'];
    await createMemory(client, 'at account level', { tags });
    await createMemory(client, 'in own', { tags, space_id: own });
    await createMemory(client, 'in foreign', { tags, space_id: foreign });
    const keyFor = async (space_ids: string[]): Promise<Client> =>
      service.client((await client.keys.create({ body: { name: 'limited', space_ids } })).key);
    const seen = async (by: Client) => {
      const { memories, total } = await byTopic(by, 't');
      return [memories.map(({ content }) => content).sort(), total];
    };
    expect(await seen(client)).toEqual([['at account level', 'in foreign', 'in own'], 3]);
    expect(await seen(await keyFor([own]))).toEqual([['in own'], 1]);
    const withDefault = await keyFor([own, 'default']);
    expect(await seen(withDefault)).toEqual([['at account level', 'in own'], 2]);
    expect(await seen(other.client)).toEqual([[], 0]);
  });

  it.each([
    ['topic is missing', {}, { topic: 'required' }],
    ['topic is empty', { topic: '' }, { topic: 'invalid_range' }],
    ['topic has 201 characters', { topic: 'x'.repeat(201) }, { topic: 'field_too_long' }],
    ['topic holds U+0000', { topic: 'a\0' }, { topic: 'invalid_characters' }],
    ['limit is 0', { topic: 'x', limit: 0 }, { limit: 'invalid_range' }],
    ['limit is 101', { topic: 'x', limit: 101 }, { limit: 'invalid_range' }],
    ['limit is no integer', { topic: 'x', limit: '1.5' }, { limit: 'invalid_type' }],
    ['session is empty', { topic: 'x', session: '' }, { session: 'invalid_range' }],
    ['fields are unknown', { topic: 'x', q: 'x' }, { q: 'unknown_field' }],
  ])('refuses with the field and its code when %s', async (_when, query, expected) => {
    const answer = await service.client().request({ method: 'GET', path: '/search/topic', query });
    const fields = Object.fromEntries(
      Object.entries(expected).map(([name, code]) => [name, { code }]),
    );
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { fields } } } });
  });

  it('adds what it answered to the session, and tells memory.accessed', async () => {
    const { client } = await service.createAccount();
    const [a, b] = [
      await createMemory(client, 'a', { tags: ['t'], priority: 2 }),
      await createMemory(client, 'b', { tags: ['t'], priority: 1 }),
    ];
    await createMemory(client, 'c', { tags: ['t'] });
    await byTopic(client, 't', { limit: 2, session: 'k' });
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual([a.id, b.id]);
    clock.advance(500);
    const [event] = await eventually(
      () => listEvents(client, 'memory.accessed'),
      (events) => events.length > 0,
    );
    expect(event?.data).toEqual({ ids: [a.id, b.id], via: 'topic', topic: 't' });
  });

  it('counts no search, and answers when the month has none left', async () => {
    advanceToNextMonth(clock);
    const { client, id: accountId } = await service.createAccount('free');
    const counter = { accountId, metric: 'searches', period: monthOf(clock.now()) };
    await byTopic(client, 't');
    expect(await readUsage(service, counter)).toBe(0);
    await setUsage(service, counter, 5_000);
    expect((await client.request(getRequest('/search/topic?topic=t'))).status).toBe(200);
  });
});
