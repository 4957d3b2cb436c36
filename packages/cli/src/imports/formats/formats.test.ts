import { describe, expect, test } from 'vitest';
import { modifiedAt, readItems, skipsOf } from '../testing.ts';
import { chatgptFormat } from './chatgpt.ts';
import { claudeFormat } from './claude.ts';
import { csvFormat } from './csv.ts';
import { jsonlFormat } from './jsonl.ts';
import { markdownFormat } from './markdown.ts';
import { mcpMemoryFormat } from './mcp-memory.ts';
import { mem0Format } from './mem0.ts';

const memoriesOf = (items: Awaited<ReturnType<typeof readItems>>) =>
  items.filter((item) => item.type === 'memory');
const turnsOf = (items: Awaited<ReturnType<typeof readItems>>) =>
  items.flatMap((item) => (item.type === 'conversation' ? item.turns : []));

const prompt = (text: unknown, more: object = {}) => ({
  author: { role: 'user' },
  create_time: null,
  content: { content_type: 'text', parts: [text] },
  ...more,
});

describe('chatgpt', () => {
  const read = (...conversations: unknown[]) =>
    readItems(chatgptFormat, { 'c.json': JSON.stringify(conversations) });

  test('turns without times follow the turn before, the conversation, or the file', async () => {
    const mapping = {
      a: { parent: null, message: prompt('one') },
      b: { parent: 'a', message: prompt('two', { create_time: 1_700_000_000 }) },
      c: { parent: 'b', message: prompt('three') },
    };
    const started = { id: 'x', mapping, current_node: 'c', create_time: 1_600_000_000 };
    expect(turnsOf(await read(started)).map(({ at }) => at?.getTime())).toEqual([
      1_600_000_000_000, 1_700_000_000_000, 1_700_000_000_000,
    ]);
    const timeless = { id: 'y', mapping: { a: mapping.a }, current_node: 'a' };
    const [conversation] = await read(timeless);
    expect(conversation).toMatchObject({ title: 'y', createdAt: null, updatedAt: modifiedAt });
    expect(turnsOf(await read(timeless))[0]?.at).toBeNull();
  });

  test('hidden messages, and those of the system and of tools, are left out', async () => {
    const hidden = { metadata: { is_visually_hidden_from_conversation: true } };
    const messages = [
      prompt('kept'),
      prompt('hidden', hidden),
      prompt('to a tool', { author: { role: 'assistant' }, recipient: 'python' }),
      prompt('of a tool', { author: { role: 'tool' } }),
      prompt('thoughts', { content: { content_type: 'thoughts', thoughts: [] } }),
      prompt({ content_type: 'audio_transcription', text: 'spoken' }),
      prompt(null),
      { author: null, content: 3 },
    ];
    const mapping = Object.fromEntries(
      messages.map((message, i) => [`n${i}`, { parent: i === 0 ? null : `n${i - 1}`, message }]),
    );
    const items = await read({ id: 'x', mapping, current_node: 'n7' });
    expect(turnsOf(items).map(({ text }) => text)).toEqual(['kept', 'spoken']);
  });

  test('what is no conversation is reported with its place', async () => {
    const cyclic = {
      a: { parent: 'b', message: prompt('one') },
      b: { parent: 'a', message: prompt('two') },
    };
    const items = await read(
      null,
      {},
      { id: 'm', mapping: [] },
      { id: 'c', mapping: cyclic, current_node: 'a' },
    );
    expect(skipsOf(items)).toEqual([
      'invalid_record c.json[0]',
      'invalid_record c.json[1]',
      'invalid_record c.json[2] m',
      'broken_tree c.json[3] c',
    ]);
    expect(turnsOf(items).map(({ text }) => text)).toEqual(['two', 'one']);
  });

  test('of a truncated file, the complete conversations are read', async () => {
    const mapping = { a: { parent: null, message: prompt('one') } };
    const whole = JSON.stringify([
      { id: 'x', mapping },
      { id: 'y', mapping },
    ]);
    const items = await readItems(chatgptFormat, { 'c.json': whole.slice(0, -9) });
    expect(turnsOf(items)).toHaveLength(1);
    expect(skipsOf(items)).toEqual(['truncated_file c.json[1]']);
  });

  test('several files of a large export are read, and others are not', async () => {
    const conversation = (id: string) =>
      JSON.stringify([{ id, mapping: { a: { parent: null, message: prompt(id) } } }]);
    const items = await readItems(chatgptFormat, {
      'conversations-000.json': conversation('one'),
      'conversations-001.json': conversation('two'),
      'user.json': '{"email": "ana@example.com"}',
    });
    expect(turnsOf(items).map(({ text }) => text)).toEqual(['one', 'two']);
    await expect(readItems(chatgptFormat, { a: '', b: '' })).rejects.toThrow('conversations.json');
  });
});

describe('claude', () => {
  test('records of any shape are read or reported', async () => {
    const items = await readItems(claudeFormat, {
      'conversations.json': JSON.stringify([
        { uuid: 'a', chat_messages: [{ sender: 'human', text: 'Hello', created_at: 'no time' }] },
        { uuid: 'b', chat_messages: [null, { sender: 'robot', text: 'x' }, { sender: 'human' }] },
        { chat_messages: [] },
        7,
      ]),
      'projects.json': JSON.stringify([{ uuid: 'p', docs: [{ uuid: 'd', content: '' }] }]),
    });
    expect(turnsOf(items)).toEqual([{ id: '0', role: 'user', text: 'Hello', at: null }]);
    expect(skipsOf(items)).toEqual([
      'empty conversations.json[1] b',
      'invalid_record conversations.json[2]',
      'invalid_record conversations.json[3]',
      'empty projects.json[0] p/docs/d',
    ]);
  });
});

describe('mcp-memory', () => {
  test('lines of any shape are read or reported', async () => {
    const lines = [
      { type: 'entity', name: 'Ana', observations: ['Sings', { content: 'Ana swims' }, 7] },
      { type: 'relation', from: 'Ana', to: '', relationType: 'knows' },
      { type: 'note' },
      [],
    ].map((line) => JSON.stringify(line));
    const content = `${lines.join('\n')}\nnonsense\n{"type": "enti`;
    const items = await readItems(mcpMemoryFormat, { 'memory.jsonl': content });
    expect(memoriesOf(items).map((one) => one.content)).toEqual(['Ana: Sings', 'Ana swims']);
    expect(skipsOf(items)).toEqual([
      'empty memory.jsonl:1',
      'invalid_record memory.jsonl:2',
      'invalid_record memory.jsonl:3',
      'invalid_record memory.jsonl:4',
      'invalid_json memory.jsonl:5',
      'truncated_file memory.jsonl:6',
    ]);
  });
});

describe('mem0', () => {
  test('a list without an object around it is read', async () => {
    const items = await readItems(mem0Format, {
      'm.json': JSON.stringify([{ memory: 'Likes tea' }, { id: 'x' }]),
    });
    expect(memoriesOf(items)).toMatchObject([{ content: 'Likes tea', updatedAt: modifiedAt }]);
    expect(skipsOf(items)).toEqual(['content_missing m.json[1] x']);
  });
});

describe('markdown', () => {
  const linksOf = (items: Awaited<ReturnType<typeof readItems>>) =>
    items.flatMap((item) => (item.type === 'link' ? [`${item.from} → ${item.to}`] : []));

  test('links name notes by their paths or names, and nothing outside', async () => {
    const items = await readItems(markdownFormat, {
      'a.md': '[[c]] [[sub/c|the c]] [[a]] [[none]] [[../secret]] ![[B#Part]] [x](sub/d%20e.md#p)',
      'sub/b.md': '[up](../a.md) [out](../../etc/passwd.md) [[C]] [web](https://e.org/x.md)',
      'sub/c.md': 'c',
      'sub/d e.md': 'd',
      'picture.png': 'x',
    });
    expect(linksOf(items)).toEqual([
      'a.md → sub/c.md',
      'a.md → sub/b.md',
      'a.md → sub/d e.md',
      'sub/b.md → sub/c.md',
      'sub/b.md → a.md',
    ]);
  });

  test('front matter in any state leaves the note readable', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g']
      .map((key, i) => `${key}: &${key} [${`*${'abcdef'[i]},`.repeat(9)}]`)
      .join('\n')}`;
    const items = await readItems(markdownFormat, {
      'bomb.md': `---\n${bomb}\n---\nBomb`,
      'empty.md': '---\n---\n',
      'list.md': '---\n- a\n---\nList',
      'open.md': '---\ntitle: never closed',
      'tags.md': '---\ntags: "#one two, three"\ndate: not a date\n---\n# T\n#four #5',
    });
    expect(skipsOf(items)).toEqual([
      'front_matter_invalid bomb.md',
      'empty empty.md',
      'front_matter_invalid list.md',
    ]);
    const byId = new Map(memoriesOf(items).map((one) => [one.id, one]));
    expect(byId.get('open.md')?.content).toBe('# open\n\n---\ntitle: never closed');
    expect(byId.get('tags.md')).toMatchObject({
      tags: ['one', 'two', 'three', 'four'],
      metadata: { date: 'not a date', title: 'tags' },
      createdAt: null,
    });
  });

  test('a note in another encoding is reported, and the others are read', async () => {
    const items = await readItems(markdownFormat, {
      'a.md': Buffer.from('Z\u00fcrich', 'latin1'),
      'b.md': Buffer.from('\ufeffBern', 'utf16le'),
    });
    expect(skipsOf(items)).toEqual(['invalid_encoding a.md']);
    expect(memoriesOf(items).map((one) => one.content)).toEqual(['# b\n\nBern']);
  });
});

describe('csv', () => {
  const read = (content: string, map = {}) => readItems(csvFormat, { 'n.csv': content }, { map });

  test.each([',', ';', '\t', '|'])('columns are separated by %j', async (delimiter) => {
    const rows = [
      ['id', 'Text', 'a,b'],
      ['1', 'Tea', 'x'],
    ];
    const quoted = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n');
    expect(memoriesOf(await read(quoted))).toMatchObject([
      { id: '1', content: 'Tea', metadata: { 'a,b': 'x' } },
    ]);
  });

  test('rows of other lengths, empty names and repeated names are read', async () => {
    const items = await read('id,text,,text\n1,Tea\n2,Coffee,a,b,c\n');
    expect(memoriesOf(items)).toMatchObject([
      { content: 'Tea', metadata: {} },
      { content: 'Coffee', metadata: { column_3: 'a', textcolumn_4: 'b' } },
    ]);
  });

  test('columns that the user names are used, and a missing one is an error', async () => {
    const table = 'nr,what,when\n7,Tea,2024-05-01\n';
    const map = { id: 'nr', content: 'what', created_at: 'when' };
    expect(memoriesOf(await read(table, map))).toMatchObject([
      { id: '7', content: 'Tea', createdAt: new Date('2024-05-01') },
    ]);
    await expect(read(table, { content: 'body' })).rejects.toThrow('It has: nr, what, when');
    await expect(read(table)).rejects.toThrow('--map content=<column>');
  });

  test('a quote that is never closed ends the table, with its line', async () => {
    const items = await read('id,text\n1,Tea\n2,"Coffee\n3,Milk\n');
    expect(memoriesOf(items).map((one) => one.content)).toEqual(['Tea']);
    expect(skipsOf(items)).toEqual([expect.stringMatching(/^truncated_file n\.csv:\d$/)]);
  });
});

describe('jsonl', () => {
  test('a list is read like lines, and values that are not understood stay visible', async () => {
    const rows = [
      { text: 'Tea', createdAt: 'yesterday', user: 'ana smith', priority: 99, tags: 'a; b' },
      { text: 'Milk', created_at: 1_704_067_200_000, expires_at: '2030-01-01T00:00:00+02:00' },
    ];
    const items = await readItems(jsonlFormat, { 'n.json': `\n ${JSON.stringify(rows)}` });
    expect(memoriesOf(items)).toMatchObject([
      {
        content: 'Tea',
        tags: ['a', 'b'],
        createdAt: null,
        owner: {},
        metadata: { createdAt: 'yesterday', user: 'ana smith', priority: 99 },
      },
      {
        createdAt: new Date('2024-01-01'),
        expiresAt: new Date('2029-12-31T22:00:00Z'),
      },
    ]);
  });

  test('rows without ids are known by their content and owner', async () => {
    const [a, b, c] = memoriesOf(
      await readItems(jsonlFormat, {
        'n.jsonl': '{"text":"Tea"}\n{"text":"Tea","user":"ana"}\n{"text":"Tea","x":1}\n',
      }),
    );
    expect(a?.id).toBe(c?.id);
    expect(a?.id).not.toBe(b?.id);
  });
});
