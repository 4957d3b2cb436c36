import Anthropic from '@anthropic-ai/sdk';
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import type { Client } from '@mneme/sdk';
import { MnemeMemoryTool } from '@mneme/sdk/anthropic-memory';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../examples/adapters/anthropic-memory.ts';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { oneEngine } from '../../support/service.ts';

type Command = { [Name in keyof MemoryToolHandlers]: Parameters<MemoryToolHandlers[Name]>[0] };
type AnyCommand = Command[keyof Command];
type Case = readonly [title: string, ...commands: AnyCommand[]];

/** Runs a command as the tool runner does; an error is its text. */
async function run(files: MemoryToolHandlers, command: AnyCommand): Promise<string> {
  const handler = files[command.command] as (given: AnyCommand) => unknown;
  try {
    return String(await handler.call(files, command));
  } catch (error) {
    return `Error: ${(error as Error).message}`;
  }
}

const create = (path: string, file_text = 'text'): AnyCommand => ({
  command: 'create',
  path: `/memories${path}`,
  file_text,
});
const view = (path: string, view_range?: number[]): AnyCommand => ({
  command: 'view',
  path: `/memories${path}`,
  ...(view_range ? { view_range } : {}),
});
const replace = (path: string, old_str: string, new_str: string): AnyCommand => ({
  command: 'str_replace',
  path: `/memories${path}`,
  old_str,
  new_str,
});
const insert = (path: string, insert_line: number, insert_text: string): AnyCommand => ({
  command: 'insert',
  path: `/memories${path}`,
  insert_line,
  insert_text,
});
const remove = (path: string): AnyCommand => ({ command: 'delete', path: `/memories${path}` });
const rename = (from: string, to: string): AnyCommand => ({
  command: 'rename',
  old_path: `/memories${from}`,
  new_path: `/memories${to}`,
});

const poem = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Commands in turn; every answer is compared. */
const cases: readonly Case[] = [
  ['an empty memory', view(''), view('/'), view('/none')],
  ['create and view', create('/a.txt', poem), view('/a.txt'), view('')],
  ['create of an existing file', create('/a.txt'), create('/a.txt', 'other'), view('/a.txt')],
  ['create in the place of a folder', create('/d/a.txt'), create('/d'), create('')],
  ['an empty file', create('/a.txt', ''), view('/a.txt'), insert('/a.txt', 0, 'x'), view('/a.txt')],
  ['a file that is emptied', create('/a.txt', 'x'), replace('/a.txt', 'x', ''), view('/a.txt')],
  ['only white space', create('/a.txt', ' \n\t\n'), view('/a.txt'), view('')],
  [
    'any characters in names and texts',
    create('/ünï cødé, 100%/a:b.txt', '日本\t😀\r\n"$&" <b>'),
    view('/ünï cødé, 100%/a:b.txt'),
    view(''),
  ],
  [
    'a range of lines',
    create('/a.txt', poem),
    ...[[2, 3], [5, -1], [0, 2], [-3, 1], [7, 99], [20, 30], [3, 2], [2], []].map((range) =>
      view('/a.txt', range),
    ),
  ],
  [
    'folders up to two levels, sorted, without hidden items',
    ...['/b.txt', '/a/z.txt', '/a/b/c.txt', '/a/b/c/d.txt', '/B.txt'].map((path) => create(path)),
    ...['/.hidden', '/.h/a.txt', '/node_modules/x.txt', '/a/.secret'].map((path) => create(path)),
    ...['', '/a', '/a/b', '/a/', '/.h', '/a/b/c'].map((path) => view(path)),
  ],
  [
    'sizes',
    ...[0, 1, 1_023, 1_024, 1_536, 10_240, 123_456].map((n) => create(`/${n}`, 'x'.repeat(n))),
    view(''),
  ],
  [
    'paths with dots and double slashes',
    create('/./a//b.txt'),
    view('/a/b.txt'),
    view('/a/../a/./b.txt'),
    view('//a/b.txt/'),
  ],
  [
    'str_replace',
    create('/a.txt', poem),
    replace('/a.txt', 'four', '4 $& $1'),
    replace('/a.txt', 'one', '1\n1.5'),
    replace('/a.txt', 'seven', '7'),
    view('/a.txt'),
  ],
  [
    'str_replace that is refused',
    create('/d/a.txt', 'x y\nx\nz z\n'),
    replace('/d/a.txt', 'x', 'w'),
    replace('/d/a.txt', 'none', 'w'),
    replace('/d/a.txt', '', 'w'),
    replace('/d', 'x', 'w'),
    replace('/none', 'x', 'w'),
    view('/d/a.txt'),
    replace('/d/a.txt', 'z', 'w'),
  ],
  [
    'insert',
    create('/a.txt', 'one\ntwo\n'),
    insert('/a.txt', 0, 'zero\n'),
    insert('/a.txt', 2, 'x\ny\n\n'),
    insert('/a.txt', 7, 'end'),
    view('/a.txt'),
  ],
  [
    'insert that is refused',
    create('/d/a.txt', 'one'),
    insert('/d/a.txt', 2, 'x'),
    insert('/d/a.txt', -1, 'x'),
    insert('/d', 0, 'x'),
    insert('/none', 0, 'x'),
    view('/d/a.txt'),
  ],
  [
    'delete of a file and of a folder',
    ...['/a.txt', '/d/a.txt', '/d/e/b.txt', '/da.txt'].map((path) => create(path)),
    ...['/a.txt', '/a.txt', '/d', '/none/', ''].map(remove),
    view(''),
  ],
  [
    'rename of a file and of a folder',
    create('/a.txt', 'kept'),
    create('/d/e/b.txt', 'too'),
    rename('/a.txt', '/new/place.txt'),
    rename('/d', '/moved/d'),
    ...['/new/place.txt', '/moved/d/e/b.txt', '/a.txt', '/d/e/b.txt'].map((path) => view(path)),
  ],
  [
    'rename that is refused',
    ...['/a.txt', '/b.txt', '/d/c.txt'].map((path) => create(path)),
    rename('/a.txt', '/b.txt'),
    rename('/a.txt', '/d'),
    rename('/a.txt', '/a.txt'),
    rename('/none', '/new'),
    rename('', '/new'),
    rename('/a.txt', ''),
    view(''),
  ],
  [
    'paths outside of /memories',
    ...['/../secret', '/a/../../secret', '/..', '/../../etc/passwd'].flatMap((path) => [
      view(path),
      create(path),
      replace(path, 'a', 'b'),
      insert(path, 0, 'a'),
      remove(path),
      rename(path, '/x'),
      rename('/x', path),
    ]),
    { command: 'view', path: '/etc/passwd' },
    { command: 'create', path: 'memories/a.txt', file_text: '' },
    { command: 'delete', path: '' },
  ],
];

/** The size of a folder depends on the file system. */
const withoutFolderSizes = (text: string): string =>
  text.replaceAll(/^\S+\t(.*\/|\/memories[^\t]*)$/gm, (line, path: string, at: number) =>
    path.endsWith('/') || text.slice(0, at).split('\n').length === 2 ? `size\t${path}` : line,
  );

describe.each(oneEngine)('The memory tool of Anthropic on %s', (engine) => {
  let client: Client;
  useAccountPerTest(engine, (account) => {
    client = account.client;
  });

  const titled = cases.map(([title, ...commands]) => ({ title, commands }));
  it.each(titled)('answers as files do: $title', async ({ commands }) => {
    const ours = new MnemeMemoryTool({ client });
    const files = await BetaLocalFilesystemMemoryTool.init(await makeTestFolder());
    for (const command of commands) {
      const expected = withoutFolderSizes(await run(files, command));
      expect(withoutFolderSizes(await run(ours, command)), JSON.stringify(command)).toBe(expected);
    }
  });

  it('replaces a text of several lines, and a folder has the size of its files', async () => {
    const files = new MnemeMemoryTool({ client });
    await run(files, create('/d/a.txt', poem));
    expect(await run(files, replace('/d/a.txt', 'two\nthree', '2\n3'))).toContain('     2\t2\n');
    expect(await run(files, replace('/d/a.txt', 'x\ny', ''))).toContain('did not appear verbatim');
    await run(files, create('/d/b.txt', 'a\nb\na\nb\n'));
    expect(await run(files, replace('/d/b.txt', 'a\nb', ''))).toContain('in lines: 1, 3.');
    expect(await run(files, view(''))).toContain('\n36B\t/memories\n36B\t/memories/d/\n28B');
  });

  it('refuses what a file system refuses with errors of its own', async () => {
    const files = new MnemeMemoryTool({ client });
    await run(files, create('/a.txt'));
    await run(files, create('/d/b.txt'));
    const notFolder = 'Error: The path /memories/a.txt is not a directory.';
    expect(await run(files, create('/a.txt/b.txt'))).toBe(notFolder);
    expect(await run(files, rename('/d', '/a.txt/d'))).toBe(notFolder);
    expect(await run(files, rename('/d', '/d/e'))).toMatch(/^Error: Cannot rename/);
    const outside = { command: 'view', path: '/memoriesfoo' } as const;
    expect(await run(files, outside)).toBe(
      'Error: Path must start with /memories, got: /memoriesfoo',
    );
    await run(files, remove('/d/b.txt'));
    expect(await run(files, view('/d'))).toMatch(/^Error: The path \/memories\/d does not exist/);
  });

  it('keeps the files of two users apart, and its texts are found by a search', async () => {
    const [ana, ben] = [
      new MnemeMemoryTool({ client, scope: { user_id: 'ana' } }),
      new MnemeMemoryTool({ client, scope: { user_id: 'ben' } }),
    ];
    await run(ana, create('/a.txt', 'Ana prefers tea.'));
    expect(await run(ben, view(''))).not.toContain('a.txt');
    expect(await run(ben, create('/a.txt', 'Ben prefers coffee.'))).toContain('successfully');
    const { results } = await client.search.get({ query: { q: 'tea', user_id: 'ana' } });
    expect(results.map((each) => each.type === 'memory' && each.content)).toEqual([
      'Ana prefers tea.',
    ]);
  });

  it('runs the example: Claude writes a file, and reads it in the next conversation', async () => {
    const toolUse = (input: object) => [{ type: 'tool_use', id: 'toolu_1', name: 'memory', input }];
    const replies = [
      toolUse(create('/allergies.md', 'peanuts')),
      [{ type: 'text', text: 'Noted.' }],
      toolUse(view('/allergies.md')),
      [{ type: 'text', text: 'Without peanuts.' }],
    ];
    const requests: string[] = [];
    const anthropic = new Anthropic({
      apiKey: 'none',
      fetch: async (_url, init) => {
        requests.push(String(init?.body));
        const content = replies[requests.length - 1] ?? [];
        const isToolUse = content.some(({ type }) => type === 'tool_use');
        const stop_reason = isToolUse ? 'tool_use' : 'end_turn';
        const usage = { input_tokens: 1, output_tokens: 1 };
        const id = `msg_${requests.length}`;
        return Response.json({
          id,
          type: 'message',
          role: 'assistant',
          content,
          stop_reason,
          usage,
        });
      },
    });
    const ask = (text: string) => answer(client, anthropic, 'a-model', 'ana', text);
    expect(await ask('I am allergic to peanuts.')).toBe('Noted.');
    expect(await ask('What can I eat?')).toBe('Without peanuts.');
    expect(JSON.parse(requests[0] ?? '').tools).toEqual([
      { type: 'memory_20250818', name: 'memory' },
    ]);
    expect(requests[3]).toContain("Here's the content of /memories/allergies.md");
    expect(requests[3]).toContain('peanuts');
  });
});
