import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addCommand } from '../options.ts';

interface Options {
  readonly json?: boolean;
}

const flags = ({ json }: Options): string[] => (json ? ['--json'] : []);

/** `mneme restore`: the server's program does it, on this machine and without a running server. */
export function registerRestoreCommand(program: Command, context: Context): void {
  addCommand(program, 'restore', 'restore a backup into an empty data folder (on the server)')
    .argument('<file>', 'the archive')
    .option('--no-erase-again', 'keep what was erased after the backup was made')
    .action(async (file: string, options: Options & { eraseAgain: boolean }) => {
      const more = options.eraseAgain ? [] : ['--no-erase-again'];
      await context.runServerProgram(['restore', file, ...flags(options), ...more]);
    });
}

/** `mneme move`: likewise. */
export function registerMoveCommand(program: Command, context: Context): void {
  addCommand(program, 'move', 'move everything to a PostgreSQL server, or back (on the server)')
    .requiredOption('--to <url>', 'postgres://… of an empty database, or "embedded"')
    .action(async (options: Options & { to: string }) => {
      await context.runServerProgram(['move', '--to', options.to, ...flags(options)]);
    });
}
