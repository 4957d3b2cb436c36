import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable, pluralize } from '../format.ts';
import { addOutputOptions, parseIdArgument } from '../options.ts';
import { waitForJob } from '../wait-for-job.ts';

type Report = Awaited<ReturnType<Client['admin']['getVerification']>>;
type Inconsistency = Report['faults'][number];

type Erasure = Awaited<ReturnType<Client['admin']['getErasure']>>;

interface VerifyOptions {
  readonly json?: boolean;
  readonly account?: string;
  readonly repair?: boolean;
  readonly deep?: boolean;
  readonly erased?: string;
}

/** `mneme verify`: fails when inconsistencies are left. */
export function fillVerifyCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .option('--account <id>', 'only this account', parseIdArgument)
    .option('--repair', 'rebuild inconsistent documents and vectors')
    .option('--deep', 'also read recordings and attachments and compare their hashes')
    .option(
      '--erased <id>',
      'verify that erased content is gone, and report files and backups that still contain it',
      parseIdArgument,
    )
    .action(async (options: VerifyOptions) => {
      const { admin } = await context.client();
      if (options.erased !== undefined)
        return verifyErased(context, admin, options.erased, options);
      const { account: account_id, repair = false, deep = false } = options;
      const body = { account_id, repair, deep };
      const { job_id } = await admin.startVerification({ body });
      const report = await waitForJob(
        context,
        () => admin.getVerification({ params: { id: job_id } }),
        { label: progressLabel, isQuiet: options.json ?? false },
      );
      printResult(context, options, report, () => describe(report));
      const { faults_left: left } = report;
      if (left > 0) throw new CliError('faults_found', `${pluralize(left, 'error')} found.`);
    });
}

/** Fails when content of the erased resource is still readable. */
async function verifyErased(
  context: CommandContext,
  admin: Client['admin'],
  erasedId: string,
  options: VerifyOptions,
): Promise<void> {
  const erasure = await admin.getErasure({ params: { id: erasedId } });
  printResult(context, options, erasure, () => describeErasure(erasure));
  if (erasure.logical.complete) return;
  throw new CliError('faults_found', 'Erased content is still readable.');
}

function describeErasure({ kind, erased_at, account_id, logical, physical }: Erasure): string[] {
  const formatTables = (tables: Erasure['logical']['content']): string =>
    tables.map(({ table: name, rows }) => `${name} (${pluralize(rows, 'row')})`).join(', ');
  const pending = 'Events, deliveries, stored responses and mails are cleared within a minute.';
  return formatTable([
    ['erased', `${kind} of account ${account_id}, ${erased_at}`],
    ['logical', logical.complete ? 'complete: no row contains it' : 'not complete'],
    ...(logical.content_removed_at === null ? [['', pending]] : []),
    ...(logical.content.length > 0 ? [['', `content in ${formatTables(logical.content)}`]] : []),
    ...(logical.ids_only.length > 0
      ? [['', `only its id in ${formatTables(logical.ids_only)}`]]
      : []),
    ['physical', physical.complete ? 'complete: no file contains it' : 'not complete'],
    ...(physical.tables.length > 0
      ? [['', `not vacuumed since: ${physical.tables.join(', ')}`]]
      : []),
    ...(physical.files > 0 ? [['', `${pluralize(physical.files, 'file')} to be removed`]] : []),
    ...physical.backups.map((backup) => ['', `older backup, erased again on restore: ${backup}`]),
  ]);
}

const rowsOf = ({ checked }: Report): number =>
  Object.values(checked).reduce((sum, rows) => sum + rows, 0);

const progressLabel = (report: Report): string =>
  `${pluralize(rowsOf(report), 'row')}, ${pluralize(report.faults_total, 'error')}`;

function describe(report: Report): string[] {
  const { accounts, checked, outdated, repaired, faults: errors, faults_total: total } = report;
  const { stray_blobs: orphans, damaged_pages: pages } = report;
  const shown = errors.length + pages.length;
  return [
    ...formatTable([
      ['accounts', String(accounts)],
      ...Object.entries(checked).map(([check, rows]) => [check, String(rows)]),
      ['errors', String(total)],
      ['repaired', String(repaired)],
      ...(orphans === null ? [] : [['orphaned blobs', String(orphans)]]),
    ]),
    ...(outdated > 0 ? [outdatedLine(outdated)] : []),
    ...(errors.length > 0 ? ['', ...describeInconsistencies(errors)] : []),
    ...(pages.length > 0 ? ['', ...describePages(pages)] : []),
    ...(total > shown ? [`… and ${total - shown} more`] : []),
  ];
}

const outdatedLine = (count: number): string =>
  `${pluralize(count, 'document')} analysed by an earlier version: use --repair to update them.`;

const describePages = (pages: Report['damaged_pages']): string[] =>
  formatTable([
    ['RELATION', 'PAGE', ''],
    ...pages.map(({ relation, page, message }) => [relation, String(page), message]),
  ]);

const describeInconsistencies = (inconsistencies: readonly Inconsistency[]): string[] =>
  formatTable([
    ['CHECK', 'ERROR', 'ACCOUNT', 'ROW', ''],
    ...inconsistencies.map(({ check, code, account_id, id: row, message, repaired }) => [
      check,
      code,
      account_id,
      row ?? '',
      repaired ? `${message} (repaired)` : message,
    ]),
  ]);
