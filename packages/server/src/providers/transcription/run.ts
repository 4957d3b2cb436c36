import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { createRun, findOnPath, isRunnable, RunFailed } from '../program/index.ts';
import type { RunProgram } from './command.ts';
import { TranscriptionFailed } from './transcription.ts';

/** What one run may take of this machine, where the system can hold it. */
export interface CommandLimits {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

/** No shell, and nothing of this process' environment but where programs are. */
export function programRunner(
  searchPath: string,
  { cpuSeconds, memoryBytes }: CommandLimits,
  clock: Clock,
): RunProgram {
  const run = createRun(clock);
  return async (program, args, { timeoutMs, outputBytesMax, signal }) => {
    const place = await placeOf(program, searchPath);
    // As without FFmpeg: who waits for it is told so at once, and may ask again once it is there.
    if (place === null) throw new TranscriptionFailed(`${program} is not there`);
    const limits = { cpuSeconds, memoryBytes, timeoutMs, outputBytes: outputBytesMax, signal };
    try {
      const { printed } = await run(place, args, { ...limits, env: { PATH: searchPath } });
      return printed.toString('utf8');
    } catch (cause) {
      if (!(cause instanceof RunFailed)) throw cause;
      // What it said may hold words: it is not told.
      const { exitCode } = cause;
      const why = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
      throw new TranscriptionFailed(`${path.basename(program)} ${why}`);
    }
  };
}

async function placeOf(program: string, searchPath: string): Promise<string | null> {
  if (!program.includes(path.sep)) return findOnPath(program, searchPath);
  const place = path.resolve(program);
  return (await isRunnable(place)) ? place : null;
}
