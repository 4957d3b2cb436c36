import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

interface Options {
  readonly json?: boolean;
}

/** The id of a memory, which `memories restore` restores. */
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const flags = ({ json }: Options): string[] => (json ? ['--json'] : []);

/** `mneme restore`: runs the server program on this machine, while the server is stopped. */
export function fillRestoreCommand(command: Command, context: CommandContext): void {
  command
    .option('--json', 'print one JSON value')
    .argument('<file>', 'the archive')
    .option('--no-erase-again', 'restore data that was erased after the backup was created')
    .action(async (file: string, options: Options & { eraseAgain: boolean }) => {
      if (uuidPattern.test(file)) {
        command.error(`this restores a backup; for a memory use: mneme memories restore ${file}`);
      }
      const eraseFlags = options.eraseAgain ? [] : ['--no-erase-again'];
      await context.runServerProgram(['restore', file, ...flags(options), ...eraseFlags]);
    });
}

/** `mneme worker`: runs the server program on this machine until a signal. */
export function fillWorkerCommand(command: Command, context: CommandContext): void {
  command.action(() => context.runServerProgram(['worker']));
}

/** `mneme move`: runs the server program on this machine, while the server is stopped. */
export function fillMoveCommand(command: Command, context: CommandContext): void {
  command
    .option('--json', 'print one JSON value')
    .requiredOption('--to <url>', 'the postgres:// URL of an empty database, or "embedded"')
    .action(async (options: Options & { to: string }) => {
      await context.runServerProgram(['move', '--to', options.to, ...flags(options)]);
    });
}

/** `mneme distribute`: runs the server program on this machine, while the server is stopped. */
export function fillDistributeCommand(command: Command, context: CommandContext): void {
  command
    .option('--json', 'print one JSON value')
    .option('--check', 'show where the tables are, and change nothing')
    .action(async ({ check, ...options }: Options & { check?: boolean }) => {
      await context.runServerProgram([
        'distribute',
        ...(check ? ['--check'] : []),
        ...flags(options),
      ]);
    });
}
