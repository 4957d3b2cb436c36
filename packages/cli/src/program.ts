import { Command } from 'commander';
import { addAccount } from './commands/account.ts';
import { addAccounts } from './commands/accounts.ts';
import { addBackup } from './commands/backup.ts';
import { addDeliveries } from './commands/deliveries.ts';
import { addDoctor } from './commands/doctor.ts';
import { addErasures } from './commands/erasures.ts';
import { addEvents } from './commands/events.ts';
import { addHealth } from './commands/health.ts';
import { addKeys } from './commands/keys.ts';
import { addAdd, addSearch } from './commands/memories.ts';
import { addReembed } from './commands/reembed.ts';
import { addMove, addRestore } from './commands/restore.ts';
import { addVerify } from './commands/verify.ts';
import type { Context } from './context.ts';
import { headline } from './faults.ts';
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
        write([headline('usage', fault), ...more.map((line) => `  ${line}`), ''].join('\n'));
      },
    })
    .addHelpText('after', settingsHelp);
  addAccount(program, context);
  addAccounts(program, context);
  addKeys(program, context);
  addAdd(program, context);
  addSearch(program, context);
  addEvents(program, context);
  addVerify(program, context);
  addReembed(program, context);
  addHealth(program, context);
  addBackup(program, context);
  addRestore(program, context);
  addMove(program, context);
  addDoctor(program, context);
  addDeliveries(program, context);
  addErasures(program, context);
  return program;
}
