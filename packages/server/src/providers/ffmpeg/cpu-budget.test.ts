import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import type { RunLimits } from '../program/index.ts';
import { CpuBudget, createFfmpeg, ProgramFailed } from './index.ts';

const toolPath = process.execPath;
const settings = { ffmpeg: toolPath, ffprobe: toolPath, searchPath: '', ffmpegCallsMax: 1 };

test('related calls share a budget', async () => {
  const given: RunLimits[] = [];
  const ffmpeg = createFfmpeg(settings, systemClock, async (_program, _args, limits) => {
    given.push(limits);
    return { stdout: Buffer.alloc(0), cpuSeconds: 4 };
  });
  const allowance = new CpuBudget(1_000);
  const call = () => ffmpeg.convert('/x', { args: [], timeoutMs: 1_000, cpuBudget: allowance });
  for (let calls = 0; calls < 3; calls += 1) await call();
  expect(given.map(({ cpuSeconds }) => cpuSeconds)).toEqual([10, 6, 2]);
  await expect(call()).rejects.toThrow(ProgramFailed);
});

test('the budget is proportional to the file size', () => {
  expect(new CpuBudget(0).getRemaining()).toBe(10);
  expect(new CpuBudget(500_000).getRemaining()).toBe(10);
  expect(new CpuBudget(90_000_000).getRemaining()).toBe(1_800);
});
