import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createProgramRunner, ProgramFailed } from './index.ts';

const run = createProgramRunner(systemClock);
const base = { timeoutMs: 20_000, cpuSeconds: null, outputBytes: 2 ** 20 };
const node = (source: string) => [process.execPath, ['-e', source]] as const;
const spin = 'for (;;) {}';
const isHeld = isAvailable('prlimit');

test.runIf(isHeld)('a program that exceeds its processor time is killed', async () => {
  const startTime = process.hrtime.bigint();
  const call = run(...node(spin), { ...base, cpuSeconds: 1 });
  await expect(call).rejects.toThrow(ProgramFailed);
  expect(Number(process.hrtime.bigint() - startTime) / 1e9).toBeLessThan(15);
});

test.runIf(isHeld)('a program that exceeds its memory fails', async () => {
  // More than Node itself needs.
  const limits = { ...base, memoryBytes: 2 ** 31 };
  const greedy = 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));';
  await expect(run(...node(greedy), limits)).rejects.toThrow(ProgramFailed);
  const modest = 'console.log(Buffer.alloc(2 ** 24, 1).length)';
  expect((await run(...node(modest), limits)).stdout.toString()).toBe('16777216\n');
});

test.runIf(isAvailable('processFiles'))('its processor time is reported', async () => {
  const source = 'const until = Date.now() + 1500; while (Date.now() < until);';
  const { cpuSeconds } = await run(...node(source), base);
  expect(cpuSeconds).toBeGreaterThan(0.05);
  expect(cpuSeconds).toBeLessThan(5);
});

/** A folder in which test programs write their ids; they are killed after the test. */
async function whoRuns() {
  const folder = await mkdtemp(path.join(tmpdir(), 'mneme-run-'));
  const file = path.join(folder, 'pids');
  const written = async (): Promise<number[]> => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean).map(Number);
  };
  const alive = async (): Promise<number[]> => {
    const states = (await written()).map(async (pid) => ({ pid, runs: await isAlive(pid) }));
    return (await Promise.all(states)).filter(({ runs }) => runs).map(({ pid }) => pid);
  };
  return {
    file,
    started: (count: number) => eventually(written, ({ length }) => length === count, 30_000),
    gone: () => eventually(alive, ({ length }) => length === 0, 30_000),
    async [Symbol.asyncDispose]() {
      for (const pid of await alive()) process.kill(pid, 'SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

/** A zombie process is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const told = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  return told !== null && !/^[ZX]/.test(told.slice(told.lastIndexOf(')') + 2));
}

describe.runIf(isAvailable('processFiles'))('a child process of a program', () => {
  const environment = { PATH: process.env.PATH ?? '' };
  const bash = (source: string, file: string) =>
    ['/bin/bash', ['-c', `echo $$ >>${file}; ${source}`]] as const;
  /** It continues once its child has written its id. */
  const child = (command: string, file: string) => {
    const isTold = `[ $(wc -l <${file}) = 2 ]`;
    return `(echo $BASHPID >>${file}; exec ${command}) & until ${isTold}; do :; done`;
  };

  test('ends with it if the output is endless', async () => {
    await using who = await whoRuns();
    const call = run(...bash(`${child('yes', who.file)}; wait`, who.file), {
      ...{ ...base, env: environment },
    });
    await expect(call).rejects.toThrow(/^printed too much/);
    await who.gone();
  });

  test('ends with it after the timeout', async () => {
    await using who = await whoRuns();
    const call = run(...bash(`${child('sleep 300', who.file)}; wait`, who.file), {
      ...{ ...base, env: environment, timeoutMs: 1_000 },
    });
    await expect(call).rejects.toThrow(/^took too long/);
    await who.gone();
  });

  test('ends with it if the caller aborts', async () => {
    await using who = await whoRuns();
    const stop = new AbortController();
    const call = run(...bash(`${child('sleep 300', who.file)}; wait`, who.file), {
      ...{ ...base, env: environment, timeoutMs: 300_000, signal: stop.signal },
    });
    await who.started(2);
    stop.abort(new Error('nobody waits'));
    await expect(call).rejects.toThrow('nobody waits');
    await who.gone();
  });

  test('ends after it if the child holds the pipes', async () => {
    await using who = await whoRuns();
    const source = `${child('sleep 300', who.file)}; echo said`;
    const { stdout } = await run(...bash(source, who.file), { ...base, env: environment });
    expect(stdout.toString()).toBe('said\n');
    await who.gone();
  });

  test('ends after it if the child holds no pipes', async () => {
    await using who = await whoRuns();
    const source = `${child('sleep 300 >/dev/null 2>&1', who.file)}; echo said`;
    const { stdout } = await run(...bash(source, who.file), { ...base, env: environment });
    expect(stdout.toString()).toBe('said\n');
    await who.gone();
  });

  test('does not delay the result if it has left the group', async () => {
    await using who = await whoRuns();
    const source = `${child('setsid sleep 300', who.file)}; echo said`;
    const { stdout } = await run(...bash(source, who.file), { ...base, env: environment });
    expect(stdout.toString()).toBe('said\n');
  });

  test.each([
    ['where it has left the group', 'echo said', /^said$/],
    ['where it has left the group and the run took too long', 'wait', /^took too long/],
  ])('ends with it %s, on request', async (_, rest, told) => {
    await using who = await whoRuns();
    const source = `${child('setsid sleep 300 >/dev/null 2>&1', who.file)}; ${rest}`;
    const limits = { ...base, env: environment, timeoutMs: 2_000, killsEscaped: true };
    const said = await run(...bash(source, who.file), limits).then(
      ({ stdout }) => stdout.toString().trim(),
      (error: Error) => error.message,
    );
    expect(said).toMatch(told);
    await who.gone();
  });

  test('may print until its end after the program has exited', async () => {
    await using who = await whoRuns();
    const source = 'exec > >(cat); head -c 500000 /dev/zero';
    const { stdout } = await run(...bash(source, who.file), { ...base, env: environment });
    expect(stdout).toHaveLength(500_000);
  });

  /** A separate process that runs a program, as the server does. */
  function service(source: string, file: string) {
    const [program, args] = bash(source, file);
    const limits = { ...base, env: environment, timeoutMs: 300_000 };
    const asked = [program, args, limits].map((one) => JSON.stringify(one)).join(', ');
    const place = JSON.stringify(new URL('./index.ts', import.meta.url));
    const clock = JSON.stringify(new URL('../../kernel/clock.ts', import.meta.url));
    const code = `
      import { createProgramRunner } from ${place};
      import { systemClock } from ${clock};
      process.on('SIGTERM', () => process.exit(1));
      await createProgramRunner(systemClock)(${asked});`;
    return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  }

  test('ends with the server, however it stops', async () => {
    await using who = await whoRuns();
    const own = service(`${child('sleep 300', who.file)}; wait`, who.file);
    await who.started(2);
    own.kill('SIGTERM');
    await once(own, 'exit');
    await who.gone();
  });

  test.runIf(existsSync('/usr/bin/setpriv'))('ends even if the server is killed', async () => {
    await using who = await whoRuns();
    const own = service('exec sleep 300', who.file);
    await who.started(1);
    own.kill('SIGKILL');
    await once(own, 'exit');
    await who.gone();
  });
});
