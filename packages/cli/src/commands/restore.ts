import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { addCommand } from '../options.ts';

interface Options {
  readonly json?: boolean;
}

const flags = ({ json }: Options): string[] => (json ? ['--json'] : []);

/** `mneme restore`: runs the server program on this machine, while the server is stopped. */
export function registerRestoreCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'restore', 'restore a backup into an empty data folder (on the server)')
    .argument('<file>', 'the archive')
    .option('--no-erase-again', 'restore data that was erased after the backup was created')
    .action(async (file: string, options: Options & { eraseAgain: boolean }) => {
      const eraseFlags = options.eraseAgain ? [] : ['--no-erase-again'];
      await context.runServerProgram(['restore', file, ...flags(options), ...eraseFlags]);
    });
}

/** `mneme move`: runs the server program on this machine, while the server is stopped. */
export function registerMoveCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'move', 'move all data to a PostgreSQL server, or back (on the server)')
    .requiredOption('--to <url>', 'the postgres:// URL of an empty database, or "embedded"')
    .action(async (options: Options & { to: string }) => {
      await context.runServerProgram(['move', '--to', options.to, ...flags(options)]);
    });
}
