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
import { registerMcpCommand } from './commands/mcp.ts';
import { registerAddCommand, registerSearchCommand } from './commands/memories.ts';
import { registerReembedCommand } from './commands/reembed.ts';
import { registerMoveCommand, registerRestoreCommand } from './commands/restore.ts';
import { registerVerifyCommand } from './commands/verify.ts';
import type { CommandContext } from './context.ts';
import { formatErrorLine } from './errors.ts';
import { defaultServiceUrl } from './settings.ts';

const settingsHelp = `
Settings:
  MNEME_URL       URL of the service, without /v1 (default: from MNEME_HOST and MNEME_PORT,
                  otherwise ${defaultServiceUrl})
  MNEME_API_KEY   API key (default: the file admin-key in MNEME_DATA_DIR, by default ./data)`;

/** Builds all commands. Parsing throws a CommanderError instead of ending the process. */
export function makeProgram(context: CommandContext, version: string): Command {
  const program = new Command('mneme')
    .description('Memory for agents, from the terminal')
    .version(version)
    .exitOverride()
    .configureOutput({
      // The first line is the error; a second line may suggest a similar name.
      outputError: (text, write) => {
        const [message = '', ...more] = text
          .replace(/^error: /, '')
          .trimEnd()
          .split('\n');
        const lines = [formatErrorLine('usage', message), ...more.map((line) => `  ${line}`), ''];
        write(lines.join('\n'));
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
  registerMcpCommand(program, context);
  return program;
}
