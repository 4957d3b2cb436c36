/** What .ci/run makes of the output of a test run; the script lends its functions when sourced. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const script = resolve(import.meta.dirname, '../.ci/run');
const folder = mkdtempSync(join(tmpdir(), 'mneme-ci-'));
afterAll(() => rmSync(folder, { recursive: true }));

function bash(commands: string, env: NodeJS.ProcessEnv = process.env): string {
  const { stdout, stderr } = spawnSync('bash', ['-c', `source "${script}"\n${commands}`], {
    encoding: 'utf8',
    env,
  });
  return `${stdout}${stderr}`.trim();
}

/** What is counted for the output of a test command that ended with `status`. */
function counted(output: string, status: number): string {
  const log = join(folder, 'tests.log');
  writeFileSync(log, output);
  return bash(`count_tests "${log}" ${status} >"${log}.said"
    echo "$passed passed, $failed failed, $skipped skipped"`);
}

const summary = (files: string, tests: string): string =>
  `  ✓ unit a.test.ts\n\n Test Files  ${files}\n      Tests  ${tests}\n   Start at  10:00:00\n`;

describe('the count of a test run', () => {
  test('is what Vitest says', () => {
    expect(counted(summary('2 passed (2)', '12 passed (12)'), 0)).toBe(
      '12 passed, 0 failed, 0 skipped',
    );
  });

  test('has failed and skipped tests and those to be written', () => {
    const tests = '2 failed | 12 passed | 3 skipped | 1 todo (18)';
    expect(counted(summary('1 failed | 1 passed (2)', tests), 1)).toBe(
      '12 passed, 2 failed, 4 skipped',
    );
  });

  test('reads through colours', () => {
    const coloured =
      '\u001b[2m Test Files \u001b[22m \u001b[32m1 passed\u001b[39m (1)\n' +
      '\u001b[2m      Tests \u001b[22m \u001b[31m1 failed\u001b[39m | ' +
      '\u001b[32m5 passed\u001b[39m (6)\n';
    expect(counted(coloured, 1)).toBe('5 passed, 1 failed, 0 skipped');
  });

  test('adds up several runs', () => {
    const run = summary('1 passed (1)', '4 passed (4)');
    expect(counted(run + run, 0)).toBe('8 passed, 0 failed, 0 skipped');
  });

  test('counts a file that does not load as failed', () => {
    expect(counted(summary('1 failed | 1 passed (2)', '4 passed (4)'), 1)).toBe(
      '4 passed, 1 failed, 0 skipped',
    );
    expect(counted(summary('2 failed (2)', 'no tests'), 1)).toBe('0 passed, 2 failed, 0 skipped');
  });

  test('counts a failure where all tests pass and the run does not', () => {
    expect(counted(summary('1 passed (1)', '4 passed (4)'), 1)).toBe(
      '4 passed, 1 failed, 0 skipped',
    );
  });

  test('counts a failure where there is no run at all', () => {
    expect(counted('npm error code EUSAGE\n', 1)).toBe('0 passed, 1 failed, 0 skipped');
    expect(counted('nothing to see\n', 0)).toBe('0 passed, 1 failed, 0 skipped');
  });
});

test('what services logged and how tests failed is told again at the end', () => {
  const log = join(folder, 'failed.log');
  const error = 'log 10:11:12.123 error: request failed {"code":"57014"}';
  const failure = ' FAIL  |api| a.test.ts > holds';
  const reason = ['AssertionError: expected 1 to be 2', '', '- Expected'];
  const lines = [error, 'log 10:11:12.124 info: request completed', failure, ...reason];
  writeFileSync(log, `${[...lines, ' ❯ a.test.ts:7:1', '   7| expect(1)'].join('\n')}\n`);
  const told = [error, failure, ...reason.filter((line) => line !== '')];
  expect(bash(`reasons "${log}"`).split('\n')).toEqual(told);
});

describe('the test command', () => {
  const commandOf = (readme: string): string => {
    writeFileSync(join(folder, 'README.md'), readme);
    return bash(`cd "${folder}" && readme_command`);
  };

  test('is the first line of a code block that ends in npm test', () => {
    const readme = 'Run `npm test`\nnpm test\n```sh\nnpm start\nnpm ci && npm test\n```\n';
    expect(commandOf(readme)).toBe('npm ci && npm test');
  });

  test('may have a prompt before it', () => {
    expect(commandOf('```\n  $ npm ci && npm test\n```\n')).toBe('npm ci && npm test');
  });

  test('is not taken from outside of code blocks', () => {
    expect(commandOf('```\nnpm start\n```\nnpm test\n')).toBe('');
  });
});

describe('the reduced machine', () => {
  const env = {
    ...process.env,
    MNEME_TEST_DATABASE_URL: 'postgres://a',
    MNEME_TEST_ROUNDS: '3',
    MNEME_TEST_SEED: '7',
  };
  const onReduced = (command: string): string =>
    bash(`reduce "${folder}/bin"; "\${reduced[@]}" bash -c '${command}'`, env);

  test('has git, Node and npm', () => {
    expect(onReduced('git --version && node --version && npm --version')).toMatch(
      /^git version .*\nv\d+\..*\n(?:npm warn .*\n)*\d+\./,
    );
  });

  test('has none of the programs that some tests need', () => {
    const programs = 'ffmpeg ffprobe chromium python3 psql jq curl openssl strace mount';
    expect(onReduced(`for one in ${programs}; do type -P "$one"; done; echo none`)).toBe('none');
  });

  test('knows of the variables of the tests only the seed', () => {
    expect(onReduced('env | grep ^MNEME_TEST')).toBe('MNEME_TEST_SEED=7');
  });

  test('counts its tests, not what it skips, since the next run includes that', () => {
    const output = summary('2 passed (2)', '12 passed | 3 skipped (15)');
    writeFileSync(join(folder, 'README.md'), '```sh\nnpm ci && npm test\n```\n');
    writeFileSync(join(folder, 'output'), output);
    const run = `cd "${folder}"; reduce() { reduced=(env); }
      within() { cat "${folder}/output"; }
      run_readme_command >said; echo "$passed passed, $failed failed, $skipped skipped"
      run_all_tests >said; echo "$passed passed, $failed failed, $skipped skipped"`;
    expect(bash(run)).toBe('12 passed, 0 failed, 0 skipped\n24 passed, 0 failed, 3 skipped');
  });
});
