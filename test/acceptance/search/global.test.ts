import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keywordSearchRegistry } from '../../../packages/server/src/domains/search/index.ts';
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
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';
import { createMemory, listEvents } from '../memories/memory-requests.ts';

const none = { memory: [], highlight: [], cluster: [], space: [] };
type Answer = Awaited<ReturnType<Client['search']['global']>>;

describe.each(engines)('GET /search/global on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  const clock = createFakeClock();
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { clock, embedder } });
  });
  afterAll(() => service.stop());

  const global = (client: Client, q: string, query = {}): Promise<Answer> =>
    client.search.global({ query: { q, ...query } });
  const contents = ({ results }: Answer): string[] => results.memory.map(({ content }) => content);
  const names = ({ results }: Answer): string[] => results.space.map(({ name }) => name);
  /** What each highlight marks. */
  const marked = ({ results }: Answer): string[][] =>
    results.highlight.map(({ snippet, ranges }) =>
      ranges.map(([start, end]) => snippet.slice(start, end)),
    );

  it('answers matches by resource type, with the query and the total', async () => {
    const { client } = await service.createAccount();
    const space = await client.spaces.create({
      body: { name: 'Tea house', description: null, metadata: { floor: 2 } },
    });
    const { id } = await createMemory(client, 'Ana drinks green tea.', {
      tags: ['drink'],
      priority: 3,
    });
    await createMemory(client, 'A violin has four strings.');
    const { results } = await client.search.post({ body: { q: 'green tea', limit: 1 } });
    const answer = await global(client, 'green tea');
    expect(answer).toEqual({
      query: 'green tea',
      results: {
        memory: [{ ...results[0], score: expect.any(Number) }],
        highlight: [
          {
            memory_id: id,
            snippet: 'Ana drinks green tea.',
            ranges: [
              [11, 16],
              [17, 20],
            ],
          },
        ],
        cluster: [],
        space: [space],
      },
      total: 3,
    });
    expect(await global(client, 'nothing like it')).toEqual({
      query: 'nothing like it',
      results: none,
      total: 0,
    });
  });

  it('finds by words alone: what lies near is no match, and nothing is embedded', async () => {
    const { client } = await service.createAccount();
    await createMemory(client, 'The physician examined the patient.');
    await createMemory(client, 'A doctor is here.');
    const near = await client.search.post({ body: { q: 'doctor' } });
    expect(near.results).toHaveLength(2);
    const answer = await embedder.whileDown(() => global(client, 'doctor'));
    expect(contents(answer)).toEqual(['A doctor is here.']);
  });

  it('leaves out what only stands beside a word in a conversation', async () => {
    const { client } = await service.createAccount();
    const { id } = await client.cliSessions.create({ body: { name: 'talk' } });
    const messages = ['Where is the harbour?', 'Down the road.', 'Thanks!'].map((content) => ({
      role: 'user',
      content,
    }));
    await client.cliSessions.postMessages({ params: { id }, body: { messages } });
    expect(contents(await global(client, 'harbour'))).toEqual(['Where is the harbour?']);
  });

  it.each([
    ['any of the words', 'coffee violin', ['Ana drinks coffee.', 'The violin is old.']],
    ['other forms of a word', 'drinking', ['Ana drinks coffee.', 'Ana drinks green tea.']],
    ['a quoted phrase', '"green tea"', ['Ana drinks green tea.']],
    ['a quoted phrase of stop words', '"is old"', ['The violin is old.']],
    ['what holds no -term', 'Ana -coffee', ['Ana drinks green tea.']],
    ['what holds no -"phrase"', 'Ana -"green tea"', ['Ana drinks coffee.']],
    ['a misspelt word', 'voilin', ['The violin is old.']],
    ['nothing for an exclusion alone', '-coffee', []],
    ['nothing for stop words', 'is the', []],
    ['nothing for signs', '!? %', []],
  ])('finds memories by %s: %s', async (_what, q, expected) => {
    const { client } = await service.createAccount();
    for (const content of ['Ana drinks green tea.', 'Ana drinks coffee.', 'The violin is old.']) {
      await createMemory(client, content);
    }
    const answer = await global(client, q);
    expect(contents(answer).sort()).toEqual(expected);
    expect(answer.results.highlight).toHaveLength(expected.length);
    for (const texts of marked(answer)) expect(texts).not.toEqual([]);
  });

  it('a highlight shows where the words stand, also far inside of a long memory', async () => {
    const { client } = await service.createAccount();
    const filler = 'Nothing of note was said about the weather. '.repeat(200);
    const { id } = await createMemory(client, `${filler}The invoice of March is unpaid. ${filler}`);
    const answer = await global(client, 'unpaid invoices');
    const [highlight] = answer.results.highlight;
    expect(highlight?.memory_id).toBe(id);
    expect(highlight?.snippet).toContain('The invoice of March is unpaid.');
    expect(highlight?.snippet.length).toBeLessThan(250);
    expect(marked(answer)).toEqual([['invoice', 'unpaid']]);
  });

  it('marks what was asked as the text has it, in any script', async () => {
    const { client } = await service.createAccount();
    await createMemory(client, 'The Café and 我喜欢喝绿茶 and voilà, "parse_url" 1.2.3');
    const said = async (q: string) => marked(await global(client, q));
    expect(await said('cafe')).toEqual([['Café']]);
    expect(await said('绿茶')).toEqual([['绿茶']]);
    expect(await said('parse_url 1.2.3')).toEqual([['parse_url', '1.2.3']]);
    expect(await said('cofe')).toEqual([['Café']]);
    expect(await said('"and 我喜欢"')).toEqual([['and 我喜欢']]);
  });

  it('finds spaces by name and description, the name first, then by name', async () => {
    const { client } = await service.createAccount();
    const spaces = {
      'Harbour works': null,
      Attic: 'Papers about the harbour, and boxes',
      Cellar: 'Wine',
      'Bicycle harbour': 'where the bicycles are',
    };
    for (const [name, description] of Object.entries(spaces)) {
      await client.spaces.create({ body: { name, description } });
    }
    const found = async (q: string) => names(await global(client, q));
    expect(await found('harbour')).toEqual(['Bicycle harbour', 'Harbour works', 'Attic']);
    expect(await found('harbours wine')).toEqual([
      'Bicycle harbour',
      'Harbour works',
      'Attic',
      'Cellar',
    ]);
    expect(await found('harb')).toEqual(['Bicycle harbour', 'Harbour works', 'Attic']);
    expect(await found('harbour -bicycle')).toEqual(['Harbour works', 'Attic']);
    expect(await found('"and boxes"')).toEqual(['Attic']);
    expect(await found('%')).toEqual([]);
  });

  it('fills the groups that are asked for, and counts only these', async () => {
    const { client } = await service.createAccount();
    await client.spaces.create({ body: { name: 'tea' } });
    await createMemory(client, 'Green tea');
    const filled = async (types?: ('memory' | 'highlight' | 'cluster' | 'space')[]) => {
      const { results, total } = await global(client, 'tea', types ? { types } : {});
      const [memory, highlight, cluster, space] = Object.values(results).map(
        (group) => group.length,
      );
      return [memory, highlight, cluster, space, total];
    };
    expect(await filled()).toEqual([1, 1, 0, 1, 3]);
    expect(await filled(['memory'])).toEqual([1, 0, 0, 0, 1]);
    expect(await filled(['highlight'])).toEqual([0, 1, 0, 0, 1]);
    expect(await filled(['cluster'])).toEqual([0, 0, 0, 0, 0]);
    expect(await filled(['space', 'memory'])).toEqual([1, 0, 0, 1, 2]);
  });

  it('shows 20 of each group unless told, and counts them all', async () => {
    const { client } = await service.createAccount();
    const memories = Array.from({ length: 30 }, (_, i) => ({ content: `Harbour note ${i}` }));
    await client.memories.bulkCreate({ body: { memories } });
    for (let i = 0; i < 25; i += 1) {
      await client.spaces.create({ body: { name: `Harbour ${i}` } });
    }
    const sizes = async (query = {}) => {
      const { results, total } = await global(client, 'harbour', query);
      return [results.memory.length, results.highlight.length, results.space.length, total];
    };
    expect(await sizes()).toEqual([20, 20, 20, 85]);
    expect(await sizes({ limit: 100 })).toEqual([30, 30, 25, 85]);
    expect(await sizes({ limit: 1 })).toEqual([1, 1, 1, 85]);
  });

  it('shows each memory in the order of its highlight, the best first', async () => {
    const { client } = await service.createAccount();
    await createMemory(
      client,
      'In a long line about very many other things a harbour is named once.',
    );
    await createMemory(client, 'Harbour');
    const { results } = await global(client, 'harbour');
    expect(results.memory[0]?.content).toBe('Harbour');
    expect(results.highlight.map(({ memory_id }) => memory_id)).toEqual(
      results.memory.map(({ id }) => id),
    );
  });

  it('marks a superseded memory with a warning, and leaves out deleted ones', async () => {
    const { client } = await service.createAccount();
    const [older, newer] = [
      await createMemory(client, 'Tea costs 2'),
      await createMemory(client, 'Tea costs 3'),
    ];
    await client.relationships.create({
      params: { memoryId: newer.id },
      body: { target_id: older.id, relationship_type: 'supersedes' },
    });
    const warned = (await global(client, 'tea')).results.memory.map(({ id, warnings }) => [
      id,
      warnings,
    ]);
    expect(warned).toContainEqual([older.id, [{ code: 'superseded', superseded_by: newer.id }]]);
    expect(warned).toContainEqual([newer.id, undefined]);
    await client.memories.remove({ params: { id: newer.id }, query: { soft: true } });
    expect(contents(await global(client, 'tea'))).toEqual(['Tea costs 2']);
    await client.memories.remove({ params: { id: older.id } });
    expect((await global(client, 'tea')).total).toBe(0);
  });

  it('shows and counts only what the account has and the key may read', async () => {
    const { client } = await service.createAccount();
    const space = async (name: string): Promise<string> => {
      const { id } = await client.spaces.create({ body: { name } });
      await createMemory(client, `tea in ${name}`, { space_id: id });
      return id;
    };
    const own = await space('own tea');
    await space('other tea');
    await createMemory(client, 'tea at account level');
    const keyFor = async (space_ids: string[]): Promise<Client> =>
      service.client((await client.keys.create({ body: { name: 'limited', space_ids } })).key);
    const seen = async (by: Client) => {
      const answer = await global(by, 'tea');
      expect(answer.results.highlight).toHaveLength(answer.results.memory.length);
      return [contents(answer).sort(), names(answer).sort(), answer.total];
    };
    const all = ['tea at account level', 'tea in other tea', 'tea in own tea'];
    expect(await seen(client)).toEqual([all, ['other tea', 'own tea'], 8]);
    expect(await seen(await keyFor([own]))).toEqual([['tea in own tea'], ['own tea'], 3]);
    const withDefault = await keyFor([own, 'default']);
    expect(await seen(withDefault)).toEqual([[all[0], all[2]], ['own tea'], 5]);
    const stranger = await service.createAccount();
    expect(await seen(stranger.client)).toEqual([[], [], 0]);
  });

  it('shows no space to a key that may not read spaces', async () => {
    const { client } = await service.createAccount();
    await client.spaces.create({ body: { name: 'tea' } });
    await createMemory(client, 'Green tea');
    const withScopes = async (...scopes: ('search:read' | 'spaces:read')[]) => {
      const body = { name: 'some', scopes };
      const { key } = await client.keys.create({ body });
      return (await global(service.client(key), 'tea')).total;
    };
    expect(await withScopes('search:read')).toBe(2);
    expect(await withScopes('search:read', 'spaces:read')).toBe(3);
  });

  it('shows clusters once their domain finds them', async () => {
    const alone = await startService(engine, { isExclusive: true });
    try {
      keywordSearchRegistry.on(
        alone.running.context.app,
        'cluster',
        async (_ctx, { weigh, limit }) => {
          const known = ['Tea houses', 'Violins'].map((name) => ({ name }));
          const items = known.filter(({ name }) => weigh(name) > 0);
          return { items: items.slice(0, limit), total: items.length };
        },
      );
      const { client } = await alone.createAccount();
      expect(await global(client, 'tea')).toEqual({
        query: 'tea',
        results: { ...none, cluster: [{ name: 'Tea houses' }] },
        total: 1,
      });
      expect((await global(client, 'tea', { types: ['memory'] })).total).toBe(0);
    } finally {
      await alone.stop();
    }
  });

  it.each([
    ['q is missing', {}, { q: 'required' }],
    ['q is empty', { q: '' }, { q: 'invalid_range' }],
    ['q has 1001 characters', { q: 'x'.repeat(1_001) }, { q: 'field_too_long' }],
    ['q holds U+0000', { q: 'a\0' }, { q: 'invalid_characters' }],
    ['a type is unknown', { q: 'x', types: 'memory,audio' }, { 'types.1': 'invalid_enum_value' }],
    ['types are empty', { q: 'x', types: '' }, { 'types.0': 'invalid_enum_value' }],
    ['limit is 0', { q: 'x', limit: 0 }, { limit: 'invalid_range' }],
    ['limit is 101', { q: 'x', limit: 101 }, { limit: 'invalid_range' }],
    ['limit is no integer', { q: 'x', limit: '1.5' }, { limit: 'invalid_type' }],
    ['session is empty', { q: 'x', session: '' }, { session: 'invalid_range' }],
    ['a field is unknown', { q: 'x', type: 'space' }, { type: 'unknown_field' }],
  ])('refuses with the field and its code when %s', async (_when, query, expected) => {
    const path = '/search/global';
    const answer = await service.client().request({ method: 'GET', path, query });
    const fields = Object.fromEntries(
      Object.entries(expected).map(([name, code]) => [name, { code }]),
    );
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { fields } } } });
  });

  it('adds the memories it answered to the session, and tells memory.accessed', async () => {
    const { client } = await service.createAccount();
    const { id } = await createMemory(client, 'Green tea');
    await client.spaces.create({ body: { name: 'tea' } });
    await global(client, 'tea', { session: 'k' });
    await global(client, 'tea', { session: 'marks', types: ['highlight'] });
    await global(client, 'tea', { session: 'spaces', types: ['space'] });
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual([id]);
    expect((await onlySessionOfKey(client, 'marks')).memory_ids).toEqual([id]);
    expect((await onlySessionOfKey(client, 'spaces')).memory_ids).toEqual([]);
    clock.advance(500);
    const events = await eventually(
      () => listEvents(client, 'memory.accessed'),
      (told) => told.length > 1,
    );
    const data = { ids: [id], via: 'global' };
    expect(events.map((event) => event.data)).toEqual([data, data]);
  });

  it('counts no search, and answers when the month has none left', async () => {
    advanceToNextMonth(clock);
    const { client, id: accountId } = await service.createAccount('free');
    const counter = { accountId, metric: 'searches', period: monthOf(clock.now()) };
    await global(client, 'tea');
    expect(await readUsage(service, counter)).toBe(0);
    await setUsage(service, counter, 5_000);
    expect((await client.request(getRequest('/search/global?q=tea'))).status).toBe(200);
  });
});
