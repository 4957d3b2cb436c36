import { expect, test } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLog } from '../../kernel/log.ts';
import { createCommandRunner } from './command-runner.ts';

const parts = { log: createLog('silent'), clock: systemClock };
const never = new AbortController().signal;
const limits = { timeoutMs: 60_000, outputBytesMax: 1_000, signal: never };

test.runIf(isAvailable('prlimit'))(
  'a program with endless computation or memory use is stopped by its limits',
  async () => {
    const run = createCommandRunner('', { cpuSeconds: 1, memoryBytes: 2 ** 31 }, parts);
    const call = (source: string) => run(process.execPath, ['-e', source], limits);
    await expect(call('for (;;) {}')).rejects.toThrow(/was stopped$/);
    const greedy = 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));';
    await expect(call(greedy)).rejects.toThrow(/was stopped$|ended with/);
    expect((await call('console.log("heard")')).toString()).toBe('heard\n');
  },
);
