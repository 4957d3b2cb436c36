import { Command } from 'commander';
import type { Terminal } from './terminal.ts';

type Register = (program: Command, terminal: Terminal) => void;

/** One file each. A start loads only its own, so that it takes less time. */
const commands: Readonly<Record<string, () => Promise<Register>>> = {
  start: async () => (await import('./start.ts')).registerStartCommand,
  migrate: async () => (await import('./migrate.ts')).registerMigrateCommand,
  worker: async () => (await import('./worker.ts')).registerWorkerCommand,
  'generate-key': async () => (await import('./generate-key.ts')).registerGenerateKeyCommand,
  'reset-admin': async () => (await import('./reset-admin.ts')).registerResetAdminCommand,
  doctor: async () => (await import('./doctor.ts')).registerDoctorCommand,
  'verify-backup': async () => (await import('./verify-backup.ts')).registerVerifyBackupCommand,
  restore: async () => (await import('./restore.ts')).registerRestoreCommand,
  move: async () => (await import('./move.ts')).registerMoveCommand,
  distribute: async () => (await import('./distribute.ts')).registerDistributeCommand,
  models: async () => (await import('./models.ts')).registerModelsCommand,
};

const help = `
All settings are environment variables. The README lists them.`;

/** Whether the command opens the embedded database, unless its settings are not valid. */
const isStartOfEmbedded = ({ env }: Terminal, [command]: readonly string[]): boolean =>
  command === 'start' && (env.MNEME_DATABASE_URL ?? '').trim() === '';

/** Runs the command that the parameters name. Throws a CommanderError for a usage error. */
export async function runProgram(terminal: Terminal, parameters: readonly string[]): Promise<void> {
  const program = new Command('mneme-server')
    .description('The Mneme server, and commands for its files and its database')
    .version(terminal.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'mneme: ')),
    })
    .addHelpText('after', help);
  const named = commands[parameters[0] ?? ''];
  // Without a command there may be a mistake, which is explained with the names of all.
  if (isStartOfEmbedded(terminal, parameters)) {
    const { startWorkerEarly } = await import('../database/embedded/start-worker.ts');
    startWorkerEarly();
  }
  for (const load of named === undefined ? Object.values(commands) : [named]) {
    (await load())(program, terminal);
  }
  await program.parseAsync(parameters, { from: 'user' });
}
