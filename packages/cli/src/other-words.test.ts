import { describe, expect, it } from 'vitest';
import { commandsOfOtherWords } from './other-words.ts';
import { runInProcess } from './testing.ts';

const run = (...args: string[]) => runInProcess(args);

describe('an unknown word', () => {
  it.each([
    [['list'], 'memories list'],
    [['update', 'm1'], 'memories update <id>'],
    [['memory', 'tag', 'm1', 'a'], 'memories bulk-tags <id> --add <a,b>'],
    [['memories', 'ls', '--deleted'], 'memories list --include-deleted'],
    [['session', 'start', 'Plan'], 'sessions create <name>'],
    [['account', 'usage'], 'account'],
  ])('of %j gets the suggestion of the command with another name', async (args, command) => {
    const { code, stderr, requests } = await run(...args);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`\n  (Did you mean mneme ${command}?)\n`);
    expect(stderr.match(/Did you mean/g)).toHaveLength(1);
  });

  it('is not a name itself, and the suggested command and its options exist', async () => {
    for (const [words, command] of Object.entries(commandsOfOtherWords)) {
      const unknown = await run(...words.split(' '));
      expect(unknown.stderr, words).toContain(`(Did you mean mneme ${command}?)`);
      const [path = ''] = command.split(/ [<-]/);
      const { code, stdout } = await run('help', ...path.split(' '));
      expect({ code, stdout }, command).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^Usage: mneme ${path}\\b`)),
      });
      for (const flag of command.match(/--[\w-]+/g) ?? []) {
        expect(stdout.replaceAll('[no-]', ''), command).toContain(`${flag}`);
      }
    }
  });
});

describe('an option without its value', () => {
  it('gets the list of values, if they are known', async () => {
    const { code, stderr } = await run('add', 'tea', '--detect-updates');
    expect(code).toBe(2);
    expect(stderr).toContain('argument missing\n  (Values: off, suggest, apply)\n');
    expect((await run('add', 'tea', '--user')).stderr).not.toContain('Values');
  });
});
