import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createRun, findOnPath, RunFailed } from './index.ts';

const run = createRun(systemClock);
const base = { timeoutMs: 20_000, cpuSeconds: null, outputBytes: 2 ** 20 };
const node = (source: string) => [process.execPath, ['-e', source]] as const;
const spin = 'for (;;) {}';
const isHeld = existsSync('/usr/bin/prlimit');
if (!isHeld) process.stdout.write('prlimit: skipped, it is not installed\n');

test('what is printed comes back, and the environment of this process stays here', async () => {
  const source = 'console.log(JSON.stringify(process.env))';
  const { printed } = await run(...node(source), { ...base, env: { SAID: 'yes' } });
  expect(JSON.parse(printed.toString())).toMatchObject({ LC_ALL: 'C', SAID: 'yes' });
  expect(JSON.parse(printed.toString())).not.toHaveProperty('PATH');
});

test.runIf(isHeld)('who computes for longer than allowed is ended', async () => {
  const begun = process.hrtime.bigint();
  const call = run(...node(spin), { ...base, cpuSeconds: 1 });
  await expect(call).rejects.toThrow(RunFailed);
  expect(Number(process.hrtime.bigint() - begun) / 1e9).toBeLessThan(15);
});

test.runIf(isHeld)('who takes more memory than allowed fails', async () => {
  // What Node itself wants is less.
  const limits = { ...base, memoryBytes: 2 ** 31 };
  const greedy = 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));';
  await expect(run(...node(greedy), limits)).rejects.toThrow(RunFailed);
  const modest = 'console.log(Buffer.alloc(2 ** 24, 1).length)';
  expect((await run(...node(modest), limits)).printed.toString()).toBe('16777216\n');
});

test.runIf(isHeld)('who writes a larger file than allowed fails', async () => {
  const source = `
    const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
    const folder = mkdtempSync('/tmp/mneme-run-');
    try { writeFileSync(folder + '/x', Buffer.alloc(2 ** 20)); }
    finally { rmSync(folder, { recursive: true }); }`;
  await expect(run(...node(source), { ...base, fileBytes: 1_000 })).rejects.toThrow(RunFailed);
});

test.runIf(existsSync('/proc/self/stat'))('what it took is told', async () => {
  const source = 'const until = Date.now() + 1500; while (Date.now() < until);';
  const { cpuSeconds } = await run(...node(source), base);
  expect(cpuSeconds).toBeGreaterThan(0.05);
  expect(cpuSeconds).toBeLessThan(5);
});

test('a program is found on the PATH alone, and not beside whoever asks', async () => {
  expect(await findOnPath('sh', '.:bin:/nowhere:/bin')).toBe('/bin/sh');
  expect(await findOnPath('package.json', `.:${process.cwd()}`)).toBeNull();
});
