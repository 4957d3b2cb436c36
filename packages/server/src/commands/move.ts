import type { Command } from 'commander';
import { readConfig } from '../kernel/config.ts';
import { createLog } from '../kernel/log.ts';
import {
  type MoveDatabaseResult,
  type MoveDatabaseStep,
  moveDatabase,
} from '../restore/move-database.ts';
import { createStepReporter, formatCount } from './progress.ts';
import type { Terminal } from './terminal.ts';

const labels: Readonly<Record<MoveDatabaseStep, string>> = {
  copy: 'Copying the database',
  verification: 'Verifying the copy',
  switch: 'Switching the data folder',
};

interface Options {
  readonly to: string;
  readonly json?: boolean;
}

/** `mneme-server move --to URL`: fails and discards the copy if its verification finds errors. */
export function registerMoveCommand(program: Command, terminal: Terminal): void {
  const { env, version, print, warn } = terminal;
  program
    .command('move')
    .description('move all data to a PostgreSQL server, or back to the embedded database')
    .requiredOption('--to <url>', 'the postgres:// URL of an empty database, or "embedded"')
    .option('--json', 'print the result as JSON')
    .action(async (options: Options) => {
      const { config, warnings } = readConfig(env);
      for (const warning of warnings) warn(`mneme: ${warning}`);
      const log = createLog('error', { write: (line) => warn(line.trimEnd()) });
      const onStep = createStepReporter(terminal, labels);
      const to = options.to === 'embedded' ? null : options.to;
      const moved = await moveDatabase({ config, to, version, log, onStep }).finally(() =>
        terminal.showProgress(null),
      );
      if (options.json) print(JSON.stringify(toJsonResult(moved)));
      else for (const line of describe(moved, to)) print(line);
      if (moved.verification.faults_total > 0) terminal.setExitCode(1);
    });
}

const toJsonResult = ({
  verification: { accounts, faults_total, faults },
  previousDatabaseFolder,
}: MoveDatabaseResult) => ({
  accounts,
  faults_total,
  faults,
  kept: previousDatabaseFolder,
});

function describe(
  { verification, previousDatabaseFolder }: MoveDatabaseResult,
  to: string | null,
): string[] {
  const { accounts, faults_total: errors } = verification;
  if (errors > 0) {
    return [
      `The copy has ${formatCount(errors, 'error')} and is not used. Start the source, run ` +
        '`mneme verify --repair`, empty the target and repeat the move.',
    ];
  }
  return [
    `Moved ${formatCount(accounts, 'account')}. The verification found no errors.`,
    to === null
      ? 'Start the server without MNEME_DATABASE_URL.'
      : 'Start the server with MNEME_DATABASE_URL set to the new database.',
    ...(previousDatabaseFolder === null
      ? []
      : [
          `The previous database is in ${previousDatabaseFolder}. ` +
            'Remove it when you no longer need it.',
        ]),
  ];
}
