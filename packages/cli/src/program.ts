import { Command } from 'commander';
import { registerAccountCommand } from './commands/account.ts';
import { registerAccountsCommand } from './commands/accounts.ts';
import { registerBackupCommand } from './commands/backup.ts';
import { registerDeliveriesCommands } from './commands/deliveries.ts';
import { registerDoctorCommand } from './commands/doctor.ts';
import { registerErasuresCommand } from './commands/erasures.ts';
import { registerEventsCommand } from './commands/events.ts';
import { registerHealthCommand } from './commands/health.ts';
import { registerKeysCommand } from './commands/keys.ts';
import { registerAddCommand, registerSearchCommand } from './commands/memories.ts';
import { registerReembedCommand } from './commands/reembed.ts';
import { registerMoveCommand, registerRestoreCommand } from './commands/restore.ts';
import { registerVerifyCommand } from './commands/verify.ts';
import type { Context } from './context.ts';
import { formatErrorLine } from './errors.ts';
import { defaultUrl } from './settings.ts';

const settingsHelp = `
Settings:
  MNEME_URL       where the service is (default: MNEME_HOST and MNEME_PORT as for the server,
                  else ${defaultUrl})
  MNEME_API_KEY   the key; without it the file admin-key in MNEME_DATA_DIR (default ./data)`;

/** All commands. Parsing throws a CommanderError instead of ending the process. */
export function makeProgram(context: Context, version: string): Command {
  const program = new Command('mneme')
    .description('Memory for agents, from the terminal')
    .version(version)
    .exitOverride()
    .configureOutput({
      // The first line is the fault; a second one may suggest what was meant.
      outputError: (text, write) => {
        const [fault = '', ...more] = text
          .replace(/^error: /, '')
          .trimEnd()
          .split('\n');
        write([formatErrorLine('usage', fault), ...more.map((line) => `  ${line}`), ''].join('\n'));
      },
    })
    .addHelpText('after', settingsHelp);
  registerAccountCommand(program, context);
  registerAccountsCommand(program, context);
  registerKeysCommand(program, context);
  registerAddCommand(program, context);
  registerSearchCommand(program, context);
  registerEventsCommand(program, context);
  registerVerifyCommand(program, context);
  registerReembedCommand(program, context);
  registerHealthCommand(program, context);
  registerBackupCommand(program, context);
  registerRestoreCommand(program, context);
  registerMoveCommand(program, context);
  registerDoctorCommand(program, context);
  registerDeliveriesCommands(program, context);
  registerErasuresCommand(program, context);
  return program;
}
