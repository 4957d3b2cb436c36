import path from 'node:path';
import { toOneLine } from '@mneme/text';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { createProgramRunner, findOnPath, isExecutable, ProgramFailed } from '../program/index.ts';
import type { CommandRunner } from './command.ts';
import { TranscriptionFailed } from './transcription.ts';

/** Resource limits of one run, where the system enforces them. */
export interface CommandLimits {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

const saidCharactersMax = 2_000;

/** Creates a runner without a shell, whose programs inherit only the PATH. */
export function createCommandRunner(
  searchPath: string,
  { cpuSeconds, memoryBytes }: CommandLimits,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): CommandRunner {
  const run = createProgramRunner(clock);
  return async (program, args, { timeoutMs, outputBytesMax, signal }) => {
    const programPath = await findProgramPath(program, searchPath);
    if (programPath === null) {
      throw new TranscriptionFailed(missingProgramMessage(program), {
        unavailable: true,
        isPermanent: true,
      });
    }
    const limits = { cpuSeconds, memoryBytes, timeoutMs, outputBytes: outputBytesMax, signal };
    try {
      const { stdout } = await run(programPath, args, {
        ...limits,
        killsEscaped: true,
        env: { PATH: searchPath },
      });
      return stdout;
    } catch (cause) {
      if (!(cause instanceof ProgramFailed)) throw cause;
      const failed = `${path.basename(program)} ${cause.reason}`;
      // Only at level debug and not in the error: it may contain words of the recording.
      const said = toOneLine(cause.stderr.slice(-saidCharactersMax), saidCharactersMax);
      log.debug({ said }, failed);
      throw new TranscriptionFailed(failed);
    }
  };
}

/** Names only the program, since its folder is specific to this machine. */
const missingProgramMessage = (program: string): string =>
  `the transcription provider "command" needs the program ${path.basename(program)}, which is ` +
  'not installed: install it, or set another one in MNEME_TRANSCRIPTION_COMMAND';

/** The message about the missing program; null if it is installed. */
export const findMissingProgram = async (
  program: string,
  searchPath: string,
): Promise<string | null> =>
  (await findProgramPath(program, searchPath)) === null ? missingProgramMessage(program) : null;

async function findProgramPath(program: string, searchPath: string): Promise<string | null> {
  if (!program.includes(path.sep)) return findOnPath(program, searchPath);
  const programPath = path.resolve(program);
  return (await isExecutable(programPath)) ? programPath : null;
}
