import { Command } from 'commander';
import { registerDoctorCommand } from './doctor.ts';
import { registerModelsCommand } from './models.ts';
import { registerMoveCommand } from './move.ts';
import { registerResetAdminCommand } from './reset-admin.ts';
import { registerRestoreCommand } from './restore.ts';
import { registerStartCommand } from './start.ts';
import type { Terminal } from './terminal.ts';

const help = `
All settings are environment variables. The README lists them.`;

/** Builds all commands, one file each. Parsing throws a CommanderError for a usage error. */
export function makeProgram(terminal: Terminal): Command {
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
  registerStartCommand(program, terminal);
  registerResetAdminCommand(program, terminal);
  registerDoctorCommand(program, terminal);
  registerRestoreCommand(program, terminal);
  registerMoveCommand(program, terminal);
  registerModelsCommand(program, terminal);
  return program;
}
