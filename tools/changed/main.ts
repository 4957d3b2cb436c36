/** Runs the tests that the uncommitted changes concern, or the changes since a commit. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { repositoryFiles } from '../tidy/files.ts';
import { selectTests } from './select.ts';

const usage = `npm run test:changed -- [commit] [--all] [--list]
  commit   compares with this commit instead of HEAD
  --all    includes the slow tests, on both engines
  --list   lists the chosen files and runs nothing
`;
const root = fileURLToPath(new URL('../../', import.meta.url));

const git = (...parameters: readonly string[]): string[] =>
  execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

/** In the working tree, the index and since the commit; new files, too. */
const changedSince = (commit: string): string[] => [
  ...git('diff', '--name-only', '--no-renames', '-z', commit, '--'),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
];

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help || positionals.length > 1) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const changed = changedSince(positionals[0] ?? 'HEAD');
  const { all: slow = false } = values;
  const { tests, total, reasons } = selectTests(repositoryFiles(root), changed, { slow });
  for (const reason of reasons) console.log(reason);
  console.log(`${changed.length} changed files concern ${tests.length} of ${total} test files.`);
  if (values.list) console.log(tests.join('\n'));
  if (values.list || tests.length === 0) return 0;
  const projects = ['unit', 'api', ...(slow ? ['slow'] : [])];
  const chosen = tests.length === total ? [] : tests;
  const parameters = [...projects.flatMap((name) => ['--project', name]), ...chosen];
  const env = slow ? process.env : { ...process.env, MNEME_TEST_ENGINE: 'embedded' };
  const { status } = spawnSync('vitest', ['run', ...parameters], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  return status ?? 1;
}

process.exitCode = main();
