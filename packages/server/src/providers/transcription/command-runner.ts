import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { oneLine } from '../../text/one-line.ts';
import { createProgramRunner, findOnPath, isExecutable, ProgramFailed } from '../program/index.ts';
import type { CommandRunner } from './command.ts';
import { TranscriptionFailed } from './transcription.ts';

/** What one run may take of this machine, where the system can hold it. */
export interface CommandLimits {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

const saidCharactersMax = 2_000;

/** No shell, and nothing of this process' environment but where programs are. */
export function createCommandRunner(
  searchPath: string,
  { cpuSeconds, memoryBytes }: CommandLimits,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): CommandRunner {
  const run = createProgramRunner(clock);
  return async (program, args, { timeoutMs, outputBytesMax, signal }) => {
    const place = await findProgramPath(program, searchPath);
    if (place === null) {
      throw new TranscriptionFailed(missingProgramMessage(program), {
        unavailable: true,
        isPermanent: true,
      });
    }
    const limits = { cpuSeconds, memoryBytes, timeoutMs, outputBytes: outputBytesMax, signal };
    try {
      const { stdout } = await run(place, args, {
        ...limits,
        killsEscaped: true,
        env: { PATH: searchPath },
      });
      return stdout;
    } catch (cause) {
      if (!(cause instanceof ProgramFailed)) throw cause;
      const failed = `${path.basename(program)} ${cause.reason}`;
      // For debugging alone, and no part of the fault: it may hold words of the recording.
      const said = oneLine(cause.stderr.slice(-saidCharactersMax), saidCharactersMax);
      log.debug({ said }, failed);
      throw new TranscriptionFailed(failed);
    }
  };
}

/** Its folder is of this machine: the name alone is told. */
const missingProgramMessage = (program: string): string =>
  `the transcription provider "command" needs the program ${path.basename(program)}, which is ` +
  'not there: install it, or name another in MNEME_TRANSCRIPTION_COMMAND';

/** What has to be installed before it can be run; null: nothing. */
export const findMissingProgram = async (
  program: string,
  searchPath: string,
): Promise<string | null> =>
  (await findProgramPath(program, searchPath)) === null ? missingProgramMessage(program) : null;

async function findProgramPath(program: string, searchPath: string): Promise<string | null> {
  if (!program.includes(path.sep)) return findOnPath(program, searchPath);
  const place = path.resolve(program);
  return (await isExecutable(place)) ? place : null;
}
