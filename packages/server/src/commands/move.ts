import type { Command } from 'commander';
import { readConfig } from '../kernel/config.ts';
import { createLog } from '../kernel/log.ts';
import { type MoveResult, type MoveStep, moveDatabase } from '../restore/move-database.ts';
import { createStepReporter, formatCount } from './progress.ts';
import type { Terminal } from './terminal.ts';

const labels: Readonly<Record<MoveStep, string>> = {
  copy: 'Copying the database',
  verification: 'Verifying the copy',
  switch: 'Switching the data folder',
};

interface Options {
  readonly to: string;
  readonly json?: boolean;
}

/** `mneme-server move --to URL`: fails where the copy has faults; it is not used then. */
export function addMove(program: Command, terminal: Terminal): void {
  const { env, version, print, warn } = terminal;
  program
    .command('move')
    .description('move everything to a PostgreSQL server, or back to the embedded database')
    .requiredOption('--to <url>', 'postgres://… of an empty database, or "embedded"')
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
}: MoveResult) => ({
  accounts,
  faults_total,
  faults,
  kept: previousDatabaseFolder,
});

function describe(
  { verification, previousDatabaseFolder }: MoveResult,
  to: string | null,
): string[] {
  const { accounts, faults_total: faults } = verification;
  if (faults > 0) {
    return [
      `The copy has ${faults} faults and is not used. Run \`mneme verify --repair\` on the ` +
        'source, empty the target, and move again.',
    ];
  }
  return [
    `Moved ${formatCount(accounts, 'account')}. The verification found no faults.`,
    to === null
      ? 'Start the server without MNEME_DATABASE_URL.'
      : 'Start the server with MNEME_DATABASE_URL set to the new database.',
    ...(previousDatabaseFolder === null
      ? []
      : [
          `The former database is kept in ${previousDatabaseFolder}: ` +
            'remove it when you no longer need it.',
        ]),
  ];
}
