import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  absentId,
  createMemory,
  expectError,
  listEvents,
  searchIds,
} from '../memories/memory-requests.ts';
import { parseEntries } from './context-entries.ts';

describe.each(engines)('POST /recall on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  type Body = Parameters<Client['search']['recall']>[0]['body'];
  const idsRecalled = async (client: Client, body: Body): Promise<string[]> =>
    (await client.search.recall({ body })).memories.map(({ id }) => id);
  const notes = async (client: Client, count: number, more: object = {}) => {
    const memories = Array.from({ length: count }, (_, i) => ({ content: `note ${i}`, ...more }));
    await client.memories.bulkCreate({ body: { memories } });
  };

  it('answers memories as they are read, each cited in the context by its id', async () => {
    const client = await fresh();
    const tea = await createMemory(client, 'Ana prefers tea.', {
      tags: ['drink'],
      metadata: { speaker: ' Ben\n of  Rome ' },
      occurred_at: '2024-02-29T23:30:00Z',
    });
    const coffee = await createMemory(client, 'Ana had coffee once, long ago.\n\n');
    const answer = await client.search.recall({ body: { query: 'Ana prefers tea' } });
    expect(Object.keys(answer).toSorted()).toEqual([
      'context',
      'memories',
      'omitted',
      'token_count',
      'truncated',
    ]);
    expect(answer.memories).toEqual([
      { ...tea, salience: null, score: expect.any(Number), passage: null, related_to: null },
      { ...coffee, salience: null, score: expect.any(Number), passage: null, related_to: null },
    ]);
    const day = coffee.created_at.slice(0, 10);
    expect(parseEntries(answer.context, [tea.id, coffee.id])).toEqual([
      { id: tea.id, heading: '2024-02-29 Ben of Rome', text: 'Ana prefers tea.' },
      { id: coffee.id, heading: day, text: 'Ana had coffee once, long ago.' },
    ]);
    expect(answer.truncated).toBe(false);
  });

  it('answers an empty context where nothing matches', async () => {
    const client = await fresh();
    const nothing = { context: '', memories: [], token_count: 0, truncated: false, omitted: [] };
    expect(await client.search.recall({ body: { query: 'tea' } })).toEqual(nothing);
    expect(await client.search.recall({ body: { query: 'tea', max_tokens: 1 } })).toEqual(nothing);
  });

  it('ranks and scores as a search does', async () => {
    const client = await fresh();
    const words = ['tea', 'coffee', 'the harbour', 'tea in the harbour', 'a cup of tea and milk'];
    for (const word of words) await createMemory(client, `Ana writes of ${word}.`);
    for (const q of ['tea', 'harbour tea', 'what does Ana write?', '"cup of" tea', 'tea -milk']) {
      const { results, facets } = await client.search.get({ query: { q } });
      const { memories } = await client.search.recall({ body: { query: q } });
      // The search was an access, which raises the salience.
      const scored = ({ id, score }: { id: string; score: number | null }) => [
        id,
        expect.closeTo(score ?? 0, 1),
      ];
      // Results that only fill the page are no context.
      const matches = results.slice(0, facets.memories);
      expect(memories.map(({ id, score }) => [id, score])).toEqual(matches.map(scored));
    }
  });

  it('takes 20 memories and 2000 tokens unless told', async () => {
    const client = await fresh();
    await notes(client, 25);
    const { memories, truncated } = await client.search.recall({ body: { query: 'note' } });
    expect(memories).toHaveLength(20);
    // Left out for the number, not for the budget.
    expect(truncated).toBe(false);
    const long = await fresh();
    await createMemory(long, `note ${'seven words of a rather plain text. '.repeat(400)}`);
    const cut = await long.search.recall({ body: { query: 'note' } });
    expect(cut.truncated).toBe(true);
    expect(cut.token_count).toBeLessThanOrEqual(2_000);
    expect(cut.token_count).toBeGreaterThan(1_800);
  });

  it('takes as many memories as are asked for, the best ones', async () => {
    const client = await fresh();
    await notes(client, 90);
    await notes(client, 15, { tags: ['late'], metadata: { more: true } }).catch(() => undefined);
    const ranked = (await client.search.get({ query: { q: 'note', limit: 100 } })).results;
    for (const max_memories of [1, 2, 21, 90, 100]) {
      const ids = await idsRecalled(client, { query: 'note', max_memories, max_tokens: 100_000 });
      expect(ids).toEqual(ranked.slice(0, max_memories).map(({ id }) => id));
    }
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['query is missing', { query: undefined }, { query: 'required' }],
    ['query is empty', { query: '' }, { query: 'invalid_range' }],
    ['query has 1001 characters', { query: 'é'.repeat(1_001) }, { query: 'field_too_long' }],
    ['query holds half a character', { query: '\ud800' }, { query: 'invalid_characters' }],
    ['max_tokens is 0', { max_tokens: 0 }, { max_tokens: 'invalid_range' }],
    ['max_tokens is over 100,000', { max_tokens: 100_001 }, { max_tokens: 'invalid_range' }],
    ['max_tokens is broken', { max_tokens: 1.5 }, { max_tokens: 'invalid_type' }],
    ['max_tokens is text', { max_tokens: '5' }, { max_tokens: 'invalid_type' }],
    ['max_memories is 0', { max_memories: 0 }, { max_memories: 'invalid_range' }],
    ['max_memories is 101', { max_memories: 101 }, { max_memories: 'invalid_range' }],
    ['tags is one text', { tags: 'a' }, { tags: 'invalid_type' }],
    ['tags are 101', { tags: Array(101).fill('a') }, { tags: 'invalid_range' }],
    ['space_id is no id', { space_id: 'mine' }, { space_id: 'invalid_format' }],
    ['threshold is over 1', { threshold: 1.01 }, { threshold: 'invalid_range' }],
    ['format is none', { format: 'html' }, { format: 'invalid_enum_value' }],
    ['include_related is text', { include_related: 'no' }, { include_related: 'invalid_type' }],
    [
      'fields are unknown',
      { text: 'x', limit: 5 },
      { text: 'unknown_field', limit: 'unknown_field' },
    ],
  ])('refuses with the field and its code when %s', async (_when, more, expected) => {
    const body = { query: 'tea', ...more };
    const answer = await service.client().request({ method: 'POST', path: '/recall', body });
    expect(answer.status).toBe(422);
    const fields = Object.fromEntries(
      Object.entries(expected).map(([name, code]) => [name, { code }]),
    );
    expect(answer.body).toMatchObject({ error: { code: 'validation_error', details: { fields } } });
  });

  it('takes only memories with all of the tags', async () => {
    const client = await fresh();
    const both = await createMemory(client, 'tea one', { tags: ['a', 'b', 'c'] });
    const one = await createMemory(client, 'tea two', { tags: ['a'] });
    await createMemory(client, 'tea three');
    expect(await idsRecalled(client, { query: 'tea', tags: ['a', 'b'] })).toEqual([both.id]);
    const withA = await idsRecalled(client, { query: 'tea', tags: ['a'] });
    expect(withA.toSorted()).toEqual([both.id, one.id].toSorted());
    expect(await idsRecalled(client, { query: 'tea', tags: ['x'] })).toEqual([]);
    expect(await idsRecalled(client, { query: 'tea', tags: [] })).toHaveLength(3);
  });

  it('takes only memories of the space, which must be there and open to the key', async () => {
    const client = await fresh();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const blue = await client.spaces.create({ body: { name: 'blue' } });
    const inRed = await createMemory(client, 'tea in red', { space_id: red.id });
    const inBlue = await createMemory(client, 'tea in blue', { space_id: blue.id });
    const inNone = await createMemory(client, 'tea in none');
    const query = 'tea';
    expect(await idsRecalled(client, { query, space_id: red.id })).toEqual([inRed.id]);
    expect(await idsRecalled(client, { query, space_id: null })).toEqual([inNone.id]);
    expect(await idsRecalled(client, { query, space_id: 'default' })).toEqual([inNone.id]);
    expect(await idsRecalled(client, { query })).toHaveLength(3);
    const theirs = await (await fresh()).spaces.create({ body: { name: 'theirs' } });
    for (const space_id of [absentId, theirs.id]) {
      const refused = await expectError(client.search.recall({ body: { query, space_id } }));
      expect(refused).toMatchObject({ status: 404, code: 'space_not_found' });
    }
    const body = { name: 'limited', space_ids: [blue.id] };
    const limited = service.client((await client.keys.create({ body })).key);
    expect(await idsRecalled(limited, { query })).toEqual([inBlue.id]);
    for (const space_id of [red.id, null]) {
      const refused = await expectError(limited.search.recall({ body: { query, space_id } }));
      expect(refused).toMatchObject({ status: 403, code: 'space_access_denied' });
    }
  });

  it('leaves deleted memories and those of other accounts out', async () => {
    const client = await fresh();
    await createMemory(await fresh(), 'tea elsewhere');
    const soft = await createMemory(client, 'tea one');
    const gone = await createMemory(client, 'tea two');
    const kept = await createMemory(client, 'tea three');
    await client.memories.remove({ params: { id: soft.id }, query: { soft: true } });
    await client.memories.remove({ params: { id: gone.id } });
    expect(await idsRecalled(client, { query: 'tea' })).toEqual([kept.id]);
    await client.memories.restore({ params: { id: soft.id } });
    expect(await idsRecalled(client, { query: 'tea' })).toHaveLength(2);
  });

  it('counts as one search, a refused one as none', async () => {
    const client = await fresh();
    await createMemory(client, 'tea');
    const searches = async () => (await client.account.get()).usage.searches;
    expect(await searches()).toBe(0);
    await client.search.recall({ body: { query: 'tea' } });
    await client.search.recall({ body: { query: 'nothing there', max_memories: 100 } });
    expect(await searches()).toBe(2);
    await expectError(client.search.recall({ body: { query: 'tea', space_id: absentId } }));
    await expectError(client.search.recall({ body: { query: '' } }));
    expect(await searches()).toBe(2);
  });

  it('tells of the access once', async () => {
    const client = await fresh();
    const tea = await createMemory(client, 'tea is hot');
    await createMemory(client, 'the sea is cold and deep');
    await client.search.recall({ body: { query: '"tea is"' } });
    await client.search.recall({
      body: { query: 'nothing there at all, tea aside', max_tokens: 1 },
    });
    clock.advance(1_000);
    const events = await eventually(
      () => listEvents(client, 'memory.accessed'),
      ({ length }) => length > 0,
    );
    expect(events.map(({ data }) => data)).toEqual([{ ids: [tea.id], via: 'recall' }]);
  });

  it('needs search:read, and no more', async () => {
    const client = await fresh();
    const tea = await createMemory(client, 'tea');
    const keyWith = async (scope: 'search:read' | 'memories:read') =>
      service.client((await client.keys.create({ body: { name: 'k', scopes: [scope] } })).key);
    const searching = await keyWith('search:read');
    expect(await idsRecalled(searching, { query: 'tea' })).toEqual([tea.id]);
    const reading = await keyWith('memories:read');
    const refused = await expectError(reading.search.recall({ body: { query: 'tea' } }));
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_permissions' });
  });

  it('finds what was stored, changed and moved just before', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'Ana drinks tea.');
    expect(await idsRecalled(client, { query: '"drinks tea"' })).toEqual([id]);
    await client.memories.update({ params: { id }, body: { content: 'Ana drinks coffee.' } });
    const { context } = await client.search.recall({ body: { query: '"drinks coffee"' } });
    expect(context).toContain('Ana drinks coffee.');
    expect(await idsRecalled(client, { query: '"drinks tea"' })).toEqual([]);
    expect(await searchIds(client, '"drinks coffee"')).toEqual([id]);
  });
});
