import type { Command } from 'commander';

/** The program, for commands that describe others. */
export interface WholeProgram {
  readonly program: Command;
  /** Adds arguments, options and verbs to a command of the first level. */
  complete(command: Command): Promise<void>;
  /** Completes every command and returns the program. */
  completeAll(): Promise<Command>;
}
