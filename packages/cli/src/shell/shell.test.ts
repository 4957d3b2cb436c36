import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../test/support/requirements.ts';
import { writeConfig } from '../profiles/config-file.ts';
import { runInProcess } from '../testing.ts';

const bin = fileURLToPath(new URL('../../bin/mneme.mjs', import.meta.url));

let folder = '';
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-shell-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await runInProcess(['completion', shell]);
    fs.writeFileSync(path.join(folder, shell), stdout);
  }
  // The scripts read the profiles with the program itself.
  const call = `exec '${process.execPath}' '${bin}' "$@"`;
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.writeFileSync(path.join(folder, 'bin/mneme'), `#!/bin/sh\n${call}\n`, { mode: 0o755 });
  const profile = { url: 'http://127.0.0.1:7077', api_key: 'mnk_test' };
  await writeConfig(path.join(folder, 'mneme/config.json'), {
    current: 'home',
    profiles: { home: profile, work: profile },
  });
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const runShell = (shell: string, flags: readonly string[], code: string): string =>
  execFileSync(shell, [...flags, '-c', code], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
      XDG_CONFIG_HOME: folder,
    },
  });

const quote = (text: string): string => `'${text}'`;

/** What the shell offers after these words, of which the last one is incomplete. */
const complete = {
  bash: (words: readonly string[]): string[] =>
    runShell(
      'bash',
      ['--norc'],
      `source ./bash; COMP_WORDS=(mneme ${words.map(quote).join(' ')});
       COMP_CWORD=${words.length}; _mneme; printf '%s\\n' "\${COMPREPLY[@]}"`,
    )
      .trim()
      .split('\n'),
  // The completion system of zsh needs a terminal: functions of the same names print its input.
  zsh: (words: readonly string[]): string[] =>
    runShell(
      'zsh',
      ['-f'],
      `compdef() { : }; compadd() { shift; print -l -- "$@" }; _files() { : }
       _describe() { print -l -- \${(P)2} }; source ./zsh
       words=(mneme ${words.map(quote).join(' ')}); CURRENT=${words.length + 1}; _mneme`,
    )
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0] ?? '')
      .filter((word) => word.startsWith(words.at(-1) ?? '')),
  fish: (words: readonly string[]): string[] =>
    runShell('fish', ['--no-config'], `source ./fish; complete -C 'mneme ${words.join(' ')}'`)
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? ''),
};

const shells = isAvailable('shells') ? (['bash', 'zsh', 'fish'] as const) : (['bash'] as const);

describe.each(shells)('the completion of %s', (shell) => {
  it.each<[string[], string[]]>([
    [['webh'], ['webhooks']],
    [
      ['mail', 'create-'],
      ['create-address', 'create-reaction', 'create-digest'],
    ],
    [
      ['--profile', 'x', 'jobs', ''],
      ['wait', 'list', 'get', 'cancel', 'retry', 'list-all', 'retry-any'],
    ],
    [
      ['memories', 'list', '--order', ''],
      ['asc', 'desc'],
    ],
    [
      ['memories', 'ls', '--order', ''],
      ['asc', 'desc'],
    ],
    [['memories', 'delete', 'm1', '--y'], ['--yes']],
    [['memories', 'list', '--no-pin'], ['--no-pinned']],
    [['profiles', 'u'], ['use']],
    [
      ['memories', 'list', '--profile', ''],
      ['home', 'work'],
    ],
    [['--profile', 'h'], ['home']],
    [['profiles', 'use', 'w'], ['work']],
  ])('offers for %j', (words, offered) => {
    expect(complete[shell](words).sort()).toEqual(offered.sort());
  });

  it('offers the commands of the first level', () => {
    expect(complete[shell](['']).length).toBeGreaterThan(30);
  });
});

describe('mneme man', () => {
  it('has every noun and verb, and no line that roff reads as a command by mistake', async () => {
    const { stdout } = await runInProcess(['man']);
    expect(stdout).toContain('.B mneme memories bulk\\-tags <id...>\n');
    expect(stdout).toContain('.B mneme completion <shell>\n');
    expect(stdout).toMatch(/^\.SH EXIT STATUS$/m);
    const requests = stdout.split('\n').filter((line) => /^[.']/.test(line));
    const known = /^\.(?:TH|SH|TP|B|nf|fi)\b/;
    expect(requests.filter((line) => !known.test(line))).toEqual([]);
  });
});
