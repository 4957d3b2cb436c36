import type { Command } from 'commander';
import { migrationsFolder } from '../instance/open-database.ts';
import { readConfig } from '../kernel/config.ts';
import { createLog } from '../kernel/log.ts';
import { type RestoreResult, type RestoreStep, restoreBackup } from '../restore/restore.ts';
import { createStepReporter, formatCount } from './progress.ts';
import type { Terminal } from './terminal.ts';

const labels: Readonly<Record<RestoreStep, string>> = {
  checksums: 'Checking the archive',
  files: 'Restoring files',
  database: 'Restoring the database',
  erasures: 'Repeating erasures since the backup',
  verification: 'Verifying',
};

interface Options {
  readonly json?: boolean;
  readonly eraseAgain: boolean;
}

/** `mneme-server restore FILE`: fails if the verification finds errors. */
export function registerRestoreCommand(program: Command, terminal: Terminal): void {
  const { env, version, print, warn } = terminal;
  program
    .command('restore')
    .description('restore a backup into an empty data folder and an empty database')
    .argument('<file>', 'the archive')
    .option('--json', 'print the result as JSON')
    .option('--no-erase-again', 'restore data that was erased after the backup was created')
    .action(async (file: string, { json, eraseAgain }: Options) => {
      const { config, warnings } = readConfig(env);
      for (const warning of warnings) warn(`mneme: ${warning}`);
      const log = createLog('error', { write: (line) => warn(line.trimEnd()) });
      const restored = await restoreBackup({
        file,
        config,
        version,
        migrations: migrationsFolder,
        log,
        eraseAgain,
        onStep: createStepReporter(terminal, labels),
      }).finally(() => terminal.showProgress(null));
      if (json) print(JSON.stringify(toJsonResult(restored)));
      else for (const line of describe(restored)) print(line);
      if (!isConsistent(restored)) terminal.setExitCode(1);
    });
}

const isConsistent = ({ verification }: RestoreResult): boolean =>
  verification.faults_total === 0 && verification.damaged_pages.length === 0;

const toJsonResult = ({
  manifest,
  blobs,
  erased,
  remainingSpaces,
  verification,
}: RestoreResult) => ({
  created_at: manifest.created_at,
  program_version: manifest.program_version,
  accounts: verification.accounts,
  files: blobs,
  erased_again: erased,
  kept_space_ids: remainingSpaces.map(({ id }) => id),
  faults_total: verification.faults_total,
  faults: verification.faults,
  damaged_pages: verification.damaged_pages,
  deliveries_paused: true,
});

function describe(restored: RestoreResult): string[] {
  const { manifest, blobs, erased, remainingSpaces, verification } = restored;
  const { accounts, faults_total: errors } = verification;
  return [
    `Restored the backup of ${manifest.created_at} (Mneme ${manifest.program_version}): ` +
      `${formatCount(accounts, 'account')}, ${formatCount(blobs, 'file')}.`,
    ...(erased > 0 ? [`Repeated ${formatCount(erased, 'erasure')} that followed the backup.`] : []),
    ...remainingSpaces.map(
      ({ id }) =>
        `The space ${id} was erased after the backup, but is restored: it contains memories or ` +
        'sessions that were not erased.',
    ),
    isConsistent(restored)
      ? 'The verification found no errors.'
      : `The verification found ${formatCount(errors, 'error')}: start the server and run ` +
        '`mneme verify`.',
    'Webhook calls and mail are paused, so that nothing is sent twice. When this copy replaces ' +
      'the original, start the server and run `mneme resume-deliveries`.',
    `Unsubscribes and bounces since ${manifest.created_at} are missing from this copy.`,
    'A backup does not contain the admin key: use the existing key, or run ' +
      '`mneme keys reset-admin`.',
  ];
}
