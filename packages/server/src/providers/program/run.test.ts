import { expect, test } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createProgramRunner, findOnPath, ProgramFailed } from './index.ts';

const run = createProgramRunner(systemClock);
const base = { timeoutMs: 20_000, cpuSeconds: null, outputBytes: 2 ** 20 };
const node = (source: string) => [process.execPath, ['-e', source]] as const;
const isHeld = isAvailable('prlimit');

test('the output is returned, and the environment of this process is not inherited', async () => {
  const source = 'console.log(JSON.stringify(process.env))';
  const { stdout } = await run(...node(source), { ...base, env: { SAID: 'yes' } });
  expect(JSON.parse(stdout.toString())).toMatchObject({ LC_ALL: 'C', SAID: 'yes' });
  expect(JSON.parse(stdout.toString())).not.toHaveProperty('PATH');
});

test.runIf(isHeld)('a program that exceeds the file size fails', async () => {
  const source = `
    const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
    const folder = mkdtempSync(require('node:os').tmpdir() + '/mneme-run-');
    try { writeFileSync(folder + '/x', Buffer.alloc(2 ** 20)); }
    finally { rmSync(folder, { recursive: true }); }`;
  await expect(run(...node(source), { ...base, fileBytes: 1_000 })).rejects.toThrow(ProgramFailed);
  await run(...node(source), { ...base, fileBytes: 2 ** 21 });
});

test('a program is found only on the PATH, not in the current folder', async () => {
  expect(await findOnPath('sh', '.:bin:/nowhere:/bin')).toBe('/bin/sh');
  expect(await findOnPath('package.json', `.:${process.cwd()}`)).toBeNull();
});
