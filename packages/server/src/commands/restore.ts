import type { Command } from 'commander';
import { migrationsFolder } from '../context.ts';
import { readConfig } from '../kernel/config.ts';
import { createLog } from '../kernel/log.ts';
import { type RestoreResult, type RestoreStep, restoreBackup } from '../restore/restore.ts';
import { createStepReporter, formatCount } from './progress.ts';
import type { Terminal } from './terminal.ts';

const labels: Readonly<Record<RestoreStep, string>> = {
  checksums: 'Checking the archive',
  files: 'Restoring files',
  database: 'Restoring the database',
  erasures: 'Erasing again what was erased since',
  verification: 'Verifying',
};

interface Options {
  readonly json?: boolean;
  readonly eraseAgain: boolean;
}

/** `mneme-server restore FILE`: fails where the verification finds faults. */
export function addRestore(program: Command, terminal: Terminal): void {
  const { env, version, print, warn } = terminal;
  program
    .command('restore')
    .description('restore a backup into an empty data folder and an empty database')
    .argument('<file>', 'the archive')
    .option('--json', 'print what was restored as JSON')
    .option('--no-erase-again', 'keep what was erased after the backup was made')
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
  const { accounts, faults_total: faults } = verification;
  return [
    `Restored the backup of ${manifest.created_at} (Mneme ${manifest.program_version}): ` +
      `${formatCount(accounts, 'account')}, ${formatCount(blobs, 'file')}.`,
    ...(erased > 0
      ? [`Erased again what was erased after the backup: ${formatCount(erased, 'thing')}.`]
      : []),
    ...remainingSpaces.map(
      ({ id }) =>
        `The space ${id} was erased after the backup, but stays: it has memories or sessions ` +
        'that were not erased.',
    ),
    isConsistent(restored)
      ? 'The verification found no faults.'
      : `The verification found ${faults} faults: start the server and run \`mneme verify\`.`,
    'Webhook calls and mail are paused, so that nothing is sent twice. When this copy replaces ' +
      'the original, start the server and run `mneme resume-deliveries`.',
    `Unsubscribes and bounces since ${manifest.created_at} are not known to this copy.`,
    'A backup does not contain the admin key: use the key that you have, or run ' +
      '`mneme keys reset-admin`.',
  ];
}
