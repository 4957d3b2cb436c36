import { expect } from 'vitest';
import { tokenCount } from '../recall/context-entries.ts';
import { idsIn, type McpTestClient } from './mcp-clients.ts';

type Task = (mcp: McpTestClient, ids: Map<string, string>) => Promise<void>;

/** Stores a memory and notes its id under the name. */
const store =
  (name: string, args: Record<string, unknown>): Task =>
  async (mcp, ids) => {
    const { text, isError, structured } = await mcp.call('remember', args);
    expect([isError, structured?.existed], text).toEqual([false, false]);
    ids.set(name, String(structured?.id));
  };

/** Recalls, and finds exactly these among the noted memories, in any order. */
const find =
  (args: Record<string, unknown>, ...names: string[]): Task =>
  async (mcp, ids) => {
    const { text, isError } = await mcp.call('recall', args);
    expect(isError, text).toBe(false);
    const found = [...ids].filter(([, id]) => idsIn(text).includes(id)).map(([name]) => name);
    expect(found.toSorted(), text).toEqual(names.toSorted());
  };

const refuse =
  (tool: string, args: Record<string, unknown>, message: RegExp): Task =>
  async (mcp) => {
    const { text, isError } = await mcp.call(tool, args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
  };

const readNoted =
  (form: (ids: string[]) => unknown, ...names: string[]): Task =>
  async (mcp, ids) => {
    const wanted = names.map((name) => ids.get(name) ?? '');
    const { text, isError } = await mcp.call('read', { ids: form(wanted) });
    expect(isError, text).toBe(false);
    expect(idsIn(text).filter((id) => wanted.includes(id))).toEqual(wanted);
  };

const ferry = { query: 'when does the ferry to Chios leave?' };

/** Thirty tasks as agents do them, with arguments as their clients send them. */
const tasks: readonly (readonly [string, Task])[] = [
  ['store a preference', store('tea', { content: 'Ana prefers tea over coffee.' })],
  [
    'store it again',
    async (mcp, ids) => {
      const { structured } = await mcp.call('remember', {
        content: 'Ana prefers tea over coffee.',
      });
      expect(structured).toEqual({ id: ids.get('tea'), existed: true });
    },
  ],
  [
    'store with tags as JSON text',
    store('march', {
      content: 'The ferry to Chios left Piraeus at 20:30.',
      tags: '["travel", "greece"]',
      when: '2026-03-31T18:30:00',
    }),
  ],
  [
    'store with tags between commas',
    store('april', {
      content: 'The ferry to Chios left Lavrio at 21:00.',
      tags: 'travel, boats',
      when: '2026-04-02',
    }),
  ],
  [
    'store with arguments that are null',
    store('null', { content: 'Ben keeps bees in Porto.', tags: null, when: null, space: null }),
  ],
  [
    'store with unknown arguments',
    store('unknown', { content: 'Cleo plays the cello.', importance: 9, user: 'cleo' }),
  ],
  [
    'store a text of several lines',
    store('steps', { content: 'To deploy:\n1. run the tests\n2. tag the release\n3. push' }),
  ],
  ['store where somebody lives', store('munich', { content: 'I live in Munich.' })],
  [
    'store a correction',
    async (mcp, ids) => {
      const content = 'I moved from Munich to Berlin and no longer live in Munich.';
      const { structured } = await mcp.call('remember', { content });
      expect(structured?.may_supersede).toEqual([ids.get('munich')]);
    },
  ],
  ['recall a preference', find({ query: 'what does Ana like to drink?' }, 'tea')],
  ['recall with a budget as text', find({ ...ferry, max_tokens: '800' }, 'march', 'april')],
  [
    'recall within a small budget',
    async (mcp) => {
      const { text } = await mcp.call('recall', { ...ferry, max_tokens: 100 });
      expect(tokenCount(text)).toBeLessThanOrEqual(100);
      expect(text).toMatch(/^\[.{36}\] 2026-0[34]-\d\d The ferry to Chios left /);
    },
  ],
  ['recall with one of several tags', find({ ...ferry, tags: ['boats'] }, 'april')],
  ['recall with tags as text', find({ ...ferry, tags: 'travel' }, 'march', 'april')],
  ['recall with empty tags', find({ ...ferry, tags: [] }, 'march', 'april')],
  ['recall since a day', find({ ...ferry, since: '2026-04-01' }, 'april')],
  ['recall until the end of a day', find({ ...ferry, until: '2026-03-31' }, 'march')],
  [
    'recall within a period',
    find(
      { ...ferry, since: '2026-03-31 00:00', until: '2026-04-03T00:00:00+02:00' },
      'march',
      'april',
    ),
  ],
  ['recall a phrase', find({ query: '"tag the release"' }, 'steps')],
  [
    'recall what nobody stored',
    async (mcp) => {
      const { text, isError } = await mcp.call('recall', { query: 'xylophone quartz' });
      expect([text, isError]).toEqual(['No memory matches.', false]);
    },
  ],
  ['read one memory', readNoted((ids) => ids, 'steps')],
  ['read two by JSON text', readNoted((ids) => JSON.stringify(ids), 'tea', 'march')],
  ['read by an id in brackets', readNoted(([id]) => `[${id}]`, 'tea')],
  ['read by the URI of the resource', readNoted(([id]) => [`mneme://memories/${id}`], 'april')],
  [
    'read what does not exist',
    refuse('read', { ids: ['019b8d1c-0000-7000-8000-00000000dead'] }, /memory_not_found.*recall/),
  ],
  [
    'forget the query',
    refuse('recall', { max_tokens: 500 }, /query is required.*Call recall with/),
  ],
  [
    'send ids that are none',
    refuse('read', { ids: 'the tea one' }, /ids must be ids.*"the tea one".*Call read with/),
  ],
  [
    'ask about somebody unknown',
    async (mcp) => {
      const { text, isError } = await mcp.call('about', { name: 'Zed Zulu', as_of: '' });
      expect([text, isError]).toEqual(['Nothing is known about Zed Zulu. Try recall.', false]);
    },
  ],
  [
    'delete a memory, twice',
    async (mcp, ids) => {
      const id = ids.get('tea') ?? '';
      for (const form of [id, [id]]) {
        const { structured } = await mcp.call('forget', { ids: form });
        expect(structured).toEqual({ forgotten: [id] });
      }
      ids.delete('tea');
    },
  ],
  ['recall no more what was deleted', find({ query: 'what does Ana like to drink?' })],
];

/** Runs all tasks in their order; a failure names its task. */
export async function runTasks(mcp: McpTestClient): Promise<number> {
  const ids = new Map<string, string>();
  for (const [name, task] of tasks) {
    try {
      await task(mcp, ids);
    } catch (error) {
      throw new Error(`task "${name}": ${(error as Error).message}`, { cause: error });
    }
  }
  return tasks.length;
}
