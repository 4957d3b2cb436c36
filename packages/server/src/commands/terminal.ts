import type { Environment } from '../kernel/settings.ts';

/** What the commands of the server's program need from outside. */
export interface Terminal {
  readonly env: Environment;
  /** Of the program. */
  readonly version: string;
  /** Standard error is a terminal, so that secrets may be printed there. */
  readonly isInteractive: boolean;
  /** To standard output, which has nothing but results. */
  print(line: string): void;
  /** To standard error. */
  warn(line: string): void;
  /** Replaces one line of standard error; nothing where that is no terminal. Null removes it. */
  showProgress(text: string | null): void;
  setExitCode(code: number): void;
  /** Prints what was thrown and ends the process. */
  fail(error: unknown): never;
}
