import type { Environment } from '../kernel/settings.ts';

/** The dependencies of the server's commands. */
export interface Terminal {
  readonly env: Environment;
  /** Changes variables for libraries that read the environment; undefined unsets a variable. */
  setVariables(changes: Environment): void;
  /** The version of the program. */
  readonly version: string;
  /** Whether stderr is a terminal, so that secrets may be printed there. */
  readonly isInteractive: boolean;
  /** Writes a line to stdout, which contains only results. */
  print(line: string): void;
  /** Writes a line to stderr. */
  warn(line: string): void;
  /** Replaces the last line of stderr if that is a terminal. Null removes the line. */
  showProgress(text: string | null): void;
  setExitCode(code: number): void;
  /** Prints the error and ends the process. */
  fail(error: unknown): Promise<never>;
}
