import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createLog } from '../../kernel/log.ts';
import { createCommandRunner } from './command-runner.ts';
import { TranscriptionFailed } from './index.ts';

const parts = { log: createLog('silent'), clock: systemClock };
const never = new AbortController().signal;
const limits = { timeoutMs: 60_000, outputBytesMax: 1_000, signal: never };

test('the end of the stderr of a failed program is logged only at debug', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const held = { cpuSeconds: 60, memoryBytes: 2 ** 31 };
  const run = createCommandRunner('', held, { ...parts, log });
  const source =
    "console.error('word '.repeat(900) + '\\nNo such model:\\n  tiny'); process.exit(3)";
  const fault = await run(process.execPath, ['-e', source], limits).catch((error) => error);
  expect(fault).toBeInstanceOf(TranscriptionFailed);
  expect(fault).toMatchObject({ message: 'node ended with 3' });
  expect(fault).not.toHaveProperty('cause');
  const [line, ...others] = lines.map((one) => JSON.parse(one));
  expect(others).toEqual([]);
  expect(line).toMatchObject({ level: 'debug', msg: 'node ended with 3' });
  expect(line.said).toMatch(/word No such model: tiny$/);
  expect(line.said.length).toBeLessThanOrEqual(2_000);
});
