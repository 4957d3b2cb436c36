import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess } from '../../../packages/cli/src/testing.ts';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { runCli } from '../cli/run-cli.ts';
import { runVerification } from '../verify/run-verification.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/imports/', import.meta.url));

interface Report {
  readonly read: Readonly<Record<string, number>>;
  readonly records: readonly Readonly<Record<string, number | string>>[];
  readonly skipped: readonly {
    readonly reason: string;
    readonly count: number;
    readonly places: readonly string[];
  }[];
  readonly redacted: Readonly<Record<string, number>>;
}

// The program reads formats; the other tests of imports store on both engines.
describe.each(oneEngine)('mneme import on %s', (engine) => {
  let service: Service;
  let folder = '';

  beforeAll(async () => {
    service = await startService(engine);
    folder = await makeTestFolder();
  });
  afterAll(async () => {
    await service.stop();
    await fs.rm(folder, { recursive: true, force: true });
  });

  const open = async (plan: 'pro' | 'enterprise' = 'enterprise') => {
    const { client, key, id } = await service.createAccount(plan);
    const run = async (...args: string[]): Promise<Report> => {
      const options = { service: { url: service.url, apiKey: key } };
      const ran = await runInProcess(['import', ...args, '--json'], options);
      expect(ran.code, ran.stderr).toBe(0);
      return JSON.parse(ran.stdout) as Report;
    };
    return { client, key, id, run };
  };

  const total = ({ records }: Report, name: string): number =>
    records.reduce((sum, record) => sum + Number(record[name]), 0);

  /** The second run finds everything that the first one has stored. */
  const expectUnchanged = (first: Report, second: Report): void => {
    const stored = total(first, 'created') + total(first, 'unchanged');
    expect(stored).toBeGreaterThan(0);
    expect([total(second, 'created'), total(second, 'updated')]).toEqual([0, 0]);
    expect(total(second, 'unchanged')).toBe(stored);
  };

  const contentsOf = async (client: Client): Promise<string[]> => {
    const { data } = await client.memories.list({ query: { limit: 100 } });
    return data.map(({ content }) => content).toSorted();
  };

  const turnsOf = async (client: Client, name: string) => {
    const { data: sessions } = await client.cliSessions.list({ query: {} });
    const session = sessions.find((one) => one.name === name);
    const { data } = await client.cliSessions.memories({
      params: { id: session?.id ?? '' },
      query: {},
    });
    return { session, turns: data };
  };

  test('chatgpt stores the current branch of each conversation, once', async () => {
    const { client, run } = await open();
    const file = path.join(fixtures, 'chatgpt-conversations.json');
    const first = await run('chatgpt', file);
    expect(first.read).toMatchObject({ conversations: 2, turns: 6, memories: 1 });
    expect(first.redacted).toEqual({ api_key: 1 });
    expect(first.skipped.map(({ reason, count }) => [reason, count])).toEqual([
      ['alternative_branch', 1],
      ['empty', 1],
    ]);
    expect(first.skipped[0]?.places[0]).toContain('6553f100-0000-4000-8000-000000000001');

    const { session, turns } = await turnsOf(client, 'Trip to Lisbon');
    expect(session).toMatchObject({
      origin_type: 'chatgpt',
      status: 'completed',
      message_count: 4,
      memory_count: 4,
      created_at: '2023-11-14T22:13:20.123Z',
      metadata: { imported_id: '6553f100-0000-4000-8000-000000000001' },
    });
    expect(
      turns.map(({ content, occurred_at, metadata }) => [content, occurred_at, metadata.role]),
    ).toEqual([
      [
        'I am planning a trip to Lisbon in May. My API key is [redacted: api_key].',
        '2023-11-14T22:13:30.500Z',
        'user',
      ],
      ['May is a good month: it is warm and dry.', '2023-11-14T22:13:40.000Z', 'assistant'],
      ['Which quarter is in this picture?', '2023-11-14T22:13:40.000Z', 'user'],
      ['This is Alfama, the oldest quarter.', '2023-11-14T22:14:20.000Z', 'assistant'],
    ]);
    expect(turns[0]?.metadata.imported_id).toBe('u1');
    expect(await contentsOf(client)).toContain('Is planning a trip to Lisbon in May');

    const { results } = await client.search.post({ body: { q: 'oldest quarter Alfama' } });
    expect(results[0]).toMatchObject({ content: 'This is Alfama, the oldest quarter.' });

    expectUnchanged(first, await run('chatgpt', file));
  });

  test('chatgpt adds to a conversation that goes on', async () => {
    const { client, run } = await open();
    const file = path.join(folder, 'conversations.json');
    const text = await fs.readFile(path.join(fixtures, 'chatgpt-conversations.json'), 'utf8');
    await fs.writeFile(file, text);
    await run('chatgpt', file);
    const all = JSON.parse(text);
    const [{ mapping }] = all;
    mapping.a2.children.push('u3');
    const message = { ...mapping.u1.message, id: 'u3', create_time: 1_700_000_700 };
    message.content = { content_type: 'text', parts: ['Thank you.'] };
    mapping.u3 = { id: 'u3', parent: 'a2', children: [], message };
    Object.assign(all[0], { current_node: 'u3', update_time: 1_700_000_700, title: 'Lisbon' });
    await fs.writeFile(file, JSON.stringify(all));
    const second = await run('chatgpt', file);
    expect(second.records).toMatchObject([
      { kind: 'sessions', created: 0, updated: 1, unchanged: 1 },
      { kind: 'memories', created: 1, updated: 0, unchanged: 7 },
    ]);
    const { session, turns } = await turnsOf(client, 'Lisbon');
    expect(turns.at(-1)?.content).toBe('Thank you.');
    expect(session).toMatchObject({ message_count: 5, memory_count: 5 });
  });

  test('chatgpt does not bring back what was erased', async () => {
    const { client, run } = await open();
    const file = path.join(fixtures, 'chatgpt-conversations.json');
    await run('chatgpt', file);
    const { turns } = await turnsOf(client, 'Trip to Lisbon');
    await client.memories.remove({ params: { id: turns[0]?.id ?? '' } });
    const second = await run('chatgpt', file);
    expect(second.skipped).toContainEqual({
      reason: 'erased_in_account',
      count: 1,
      places: ['chatgpt-conversations.json[0] 6553f100-0000-4000-8000-000000000001/u1'],
    });
    expect(await contentsOf(client)).toHaveLength(6);
  });

  test('claude stores conversations, projects and memories, once', async () => {
    const { client, run } = await open();
    const first = await run('claude', path.join(fixtures, 'claude'));
    expect(first.read).toMatchObject({ conversations: 1, turns: 2, memories: 5 });
    const { session, turns } = await turnsOf(client, 'Garden plan');
    expect(session).toMatchObject({ description: 'Planning a garden.', origin_type: 'claude' });
    expect(turns.map(({ content }) => content)).toEqual([
      'When do I sow tomatoes?\n\ngarden.txt:\nThe garden faces south.',
      'Sow tomatoes indoors in March.',
    ]);
    expect(await contentsOf(client)).toEqual(
      expect.arrayContaining([
        '# Garden\n\nAll about the garden.',
        '# Garden\n\nAnswer briefly.',
        'Tomatoes, basil and chives.',
        '**Personal context**\n\nLikes gardening and short answers.',
        'The garden faces south.',
      ]),
    );
    expectUnchanged(first, await run('claude', path.join(fixtures, 'claude')));
  });

  test('mcp-memory stores entities, observations and relations as facts, once', async () => {
    const { client, run } = await open();
    const file = path.join(fixtures, 'mcp-memory.jsonl');
    const first = await run('mcp-memory', file);
    expect(first.read).toMatchObject({ entities: 3, relations: 2, memories: 5 });
    expect(await contentsOf(client)).toEqual([
      'Acme: Makes anvils',
      'Ana Silva livesIn Porto',
      'Ana Silva prefers tea in the morning',
      'Ana Silva works at Acme',
      'Ana Silva: Speaks fluent Portuguese',
    ]);
    const { entities } = await client.knowledge.entities({ query: {} });
    expect(entities.map(({ name, type }) => [name, type])).toEqual([
      ['Acme', 'organization'],
      ['Ana Silva', 'person'],
      ['Porto', 'concept'],
    ]);
    const ana = entities.find(({ name }) => name === 'Ana Silva');
    const { facts } = await client.knowledge.facts({ params: { id: ana?.id ?? '' }, query: {} });
    expect(facts.map((fact) => [fact.predicate, fact.object_value]).toSorted()).toEqual([
      ['lives_in', 'Porto'],
      ['works_at', 'Acme'],
    ]);
    expectUnchanged(first, await run('mcp-memory', file));
  });

  test('mem0 stores memories with their owners and times, once', async () => {
    const { client, run } = await open();
    const file = path.join(fixtures, 'mem0.json');
    const first = await run('mem0', file);
    const { data } = await client.memories.list({ query: { user_id: 'alice' } });
    expect(data).toMatchObject([
      {
        content: 'Likes hiking in the Alps',
        tags: ['hobbies', 'travel'],
        metadata: { category: 'hobby', imported_from: 'mem0' },
        created_at: '2024-07-01T17:00:00.000Z',
        updated_at: '2024-07-02T17:00:00.000Z',
      },
    ]);
    const { data: others } = await client.memories.list({ query: { agent_id: 'cook' } });
    expect(others).toMatchObject([{ user_id: null, metadata: { user_id: 'alice smith' } }]);
    expectUnchanged(first, await run('mem0', file));
  });

  test('markdown stores notes with tags, times and links, once, and what changes', async () => {
    const { client, run } = await open();
    const vault = path.join(folder, 'vault');
    await fs.cp(path.join(fixtures, 'vault'), vault, { recursive: true });
    const first = await run('markdown', vault);
    expect(first.skipped).toEqual([
      { reason: 'front_matter_invalid', count: 1, places: ['Projects/template.md'] },
    ]);
    const { data } = await client.memories.list({ query: { tags: ['people'] } });
    expect(data).toMatchObject([
      {
        content_type: 'markdown',
        tags: ['people', 'colleague', 'tea'],
        occurred_at: '2024-05-01T00:00:00.000Z',
        updated_at: '2024-06-01T10:00:00.000Z',
        metadata: { title: 'Ana Silva', path: 'Ana.md', aliases: ['Ana'] },
      },
    ]);
    expect(data[0]?.content).toMatch(/^# Ana Silva\n\nAna works on \[\[/);
    const { data: links } = await client.relationships.list({
      params: { memoryId: data[0]?.id ?? '' },
      query: { direction: 'outgoing' },
    });
    expect(links.map(({ relationship_type }) => relationship_type)).toEqual([
      'references',
      'references',
    ]);
    expectUnchanged(first, await run('markdown', vault));

    await fs.writeFile(path.join(vault, 'Ben.md'), '# Ben\n\nBen moved to Porto.\n');
    const later = new Date('2030-01-01T00:00:00Z');
    await fs.utimes(path.join(vault, 'Ben.md'), later, later);
    const third = await run('markdown', vault);
    expect(third.records.find(({ kind }) => kind === 'memories')).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 3,
    });
    expect(await contentsOf(client)).toContain('# Ben\n\nBen moved to Porto.\n');
    expect(await contentsOf(client)).toHaveLength(4);
  });

  test('csv stores rows, once, also from a file that was touched', async () => {
    const { client, run } = await open();
    const file = path.join(folder, 'notes.csv');
    await fs.copyFile(path.join(fixtures, 'notes.csv'), file);
    const first = await run('csv', file);
    expect(first.skipped).toEqual([
      { reason: 'content_missing', count: 1, places: ['notes.csv:5'] },
    ]);
    const { data } = await client.memories.list({ query: { tags: ['heating'] } });
    expect(data).toMatchObject([
      {
        content: 'The boiler is in the cellar.',
        tags: ['house', 'heating'],
        created_at: '2024-01-05T00:00:00.000Z',
        metadata: { Room: 'cellar', imported_from: 'csv', imported_id: '1' },
      },
    ]);
    expect(await contentsOf(client)).toContain('A note with "quotes" and;\na line break.');
    const later = new Date('2030-01-01T00:00:00Z');
    await fs.utimes(file, later, later);
    expectUnchanged(first, await run('csv', file));

    const mapped = await run('csv', file, '--map', 'content=Room', '--source', 'rooms');
    expect(mapped.read).toMatchObject({ memories: 2 });
    expect(await contentsOf(client)).toContain('cellar');
  });

  test('jsonl stores objects, once, and says which lines are wrong', async () => {
    const { client, run } = await open();
    const file = path.join(fixtures, 'notes.jsonl');
    const first = await run('jsonl', file);
    expect(first.skipped).toEqual([
      { reason: 'invalid_json', count: 1, places: ['notes.jsonl:3'] },
      { reason: 'content_missing', count: 1, places: ['notes.jsonl:4'] },
    ]);
    const { data } = await client.memories.list({ query: { user_id: 'ana' } });
    expect(data).toMatchObject([{ content: 'A note without an id.', priority: 7 }]);
    const { data: sheds } = await client.memories.list({ query: { tags: ['shed'] } });
    expect(sheds).toMatchObject([
      { created_at: '2024-01-01T00:00:00.000Z', metadata: { colour: 'red', floor: 0 } },
    ]);
    expectUnchanged(first, await run('jsonl', file));
  });

  test('--dry-run stores nothing, --space stores into a space, --user for an owner', async () => {
    const { client, run } = await open();
    const file = path.join(fixtures, 'notes.jsonl');
    const dry = await run('jsonl', file, '--dry-run');
    expect(total(dry, 'created')).toBe(2);
    expect(await contentsOf(client)).toEqual([]);
    const { id } = await client.spaces.create({ body: { name: 'work' } });
    await run('jsonl', file, '--space', 'work', '--user', 'ben');
    const { data } = await client.memories.list({ query: { user_id: 'ben' } });
    expect(data.map(({ space_id: space }) => space)).toEqual([id, id]);
    // Elsewhere, the same source is another one.
    expect(total(await run('jsonl', file), 'created')).toBe(2);
  });

  test('a hostile export leaves a consistent account, and the rest is imported', async () => {
    const { client, id, run } = await open('pro');
    const file = path.join(folder, 'hostile.json');
    const message = (text: string, create_time: unknown = null) => ({
      author: { role: 'user' },
      create_time,
      content: { content_type: 'text', parts: [text] },
    });
    const chain = Object.fromEntries(
      Array.from({ length: 120 }, (_, i) => [
        `n${i}`,
        { parent: i === 0 ? null : `n${i - 1}`, message: message('continue', 1.7e9) },
      ]),
    );
    const talk = (name: string, mapping: object, more: object = {}) => {
      return { id: name, mapping, ...more };
    };
    const conversations = [
      talk('chain', chain, { current_node: 'n119', title: '\u0000\ud800'.repeat(300) }),
      talk('chain', chain, { current_node: 'n1' }),
      talk('cycle', {
        a: { parent: 'b', message: message('one') },
        b: { parent: 'a', message: message('two') },
      }),
      talk('large', { a: { parent: null, message: message('word '.repeat(16_000)) } }),
      talk('time', { a: { parent: null, message: message('three', 1e300) } }, { create_time: {} }),
      talk('__proto__', { ['__proto__']: { parent: null, message: message('\u0000four\udc00') } }),
    ];
    await fs.writeFile(file, `${JSON.stringify(conversations).slice(0, -1)},{"id":`);
    const first = await run('chatgpt', file);
    expect(first.read).toMatchObject({ conversations: 5, turns: 125, split: 1 });
    expect(first.skipped.map(({ reason, places }) => [reason, places])).toEqual([
      ['alternative_branch', ['hostile.json[1] chain']],
      ['repeated', ['hostile.json[1] chain']],
      ['broken_tree', ['hostile.json[2] cycle']],
      ['truncated_file', ['hostile.json[6]']],
    ]);
    expectUnchanged(first, await run('chatgpt', file));
    const { data } = await client.cliSessions.list({ query: {} });
    expect(data.map(({ message_count, memory_count }) => [message_count, memory_count])).toEqual(
      expect.arrayContaining([
        [120, 120],
        [3, 3],
      ]),
    );
    const verification = await runVerification(service, { account_id: id });
    expect(verification).toMatchObject({ status: 'completed', faults: [] });
  });

  test('says what is wrong with a source as a whole, and stores nothing', async () => {
    const { client, key } = await open();
    const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
    const failing = async (...args: string[]) => {
      const { code, stderr } = await runCli(['import', ...args], env);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await failing('csv', path.join(folder, 'missing.csv'))).toContain('does not exist');
    expect(await failing('chatgpt', path.join(fixtures, 'vault'))).toContain('conversations.json');
    const latin = path.join(folder, 'latin.csv');
    await fs.writeFile(latin, Buffer.from('id,text\n1,Z\u00fcrich\n', 'latin1'));
    expect(await failing('csv', latin)).toContain('--encoding windows-1252');
    expect(
      await failing('csv', latin, '--encoding', 'windows-1252', '--map', 'content=words'),
    ).toContain('It has: id, text');
    expect(
      await failing('jsonl', latin, '--encoding', 'windows-1252', '--space', 'nowhere'),
    ).toContain('mneme spaces create');
    expect(await contentsOf(client)).toEqual([]);
    const ran = await runCli(['import', 'csv', latin, '--encoding', 'windows-1252'], env);
    expect(ran.stdout).toMatch(/Read: 1 memory\.[\s\S]*memories +1 /);
    expect(await contentsOf(client)).toEqual(['Zürich']);
  });
});
