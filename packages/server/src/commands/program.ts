import { Command } from 'commander';
import { addDoctor } from './doctor.ts';
import { addMove } from './move.ts';
import { addResetAdmin } from './reset-admin.ts';
import { addRestore } from './restore.ts';
import { addStart } from './start.ts';
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
  addStart(program, terminal);
  addResetAdmin(program, terminal);
  addDoctor(program, terminal);
  addRestore(program, terminal);
  addMove(program, terminal);
  return program;
}
