import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable, pluralize } from '../format.ts';
import { addCommand, parseIdArgument } from '../options.ts';
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

/** `mneme verify`: fails when something is not what it should be. */
export function registerVerifyCommand(program: Command, context: Context): void {
  addCommand(
    program,
    'verify',
    'check everything derived or counted, beside live traffic (operator)',
  )
    .option('--account <id>', 'only this account', parseIdArgument)
    .option('--repair', 'make documents and vectors anew that are not what they should be')
    .option('--deep', 'also read every recording and attachment whole, and compare it by its hash')
    .option(
      '--erased <id>',
      'prove that something erased is gone, and report what files hold',
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
      if (left > 0) throw new CliError('faults_found', `${pluralize(left, 'fault')} found.`);
    });
}

/** Fails where content is left that can be read. */
async function verifyErased(
  context: Context,
  admin: Client['admin'],
  erasedId: string,
  options: VerifyOptions,
): Promise<void> {
  const erasure = await admin.getErasure({ params: { id: erasedId } });
  printResult(context, options, erasure, () => describeErasure(erasure));
  if (erasure.logical.complete) return;
  throw new CliError('faults_found', 'Content of it can still be read.');
}

function describeErasure({ kind, erased_at, account_id, logical, physical }: Erasure): string[] {
  const namesOf = (found: Erasure['logical']['content']): string =>
    found.map(({ table: name, rows }) => `${name} (${pluralize(rows, 'row')})`).join(', ');
  const pending = 'Events, deliveries, answers and mails are cleared within a minute.';
  return formatTable([
    ['erased', `${kind} of account ${account_id}, ${erased_at}`],
    ['logical', logical.complete ? 'complete: no row has its content' : 'not complete'],
    ...(logical.content_removed_at === null ? [['', pending]] : []),
    ...(logical.content.length > 0 ? [['', `content in ${namesOf(logical.content)}`]] : []),
    ...(logical.ids_only.length > 0 ? [['', `its id alone in ${namesOf(logical.ids_only)}`]] : []),
    ['physical', physical.complete ? 'complete: no file has its content' : 'not complete'],
    ...(physical.tables.length > 0
      ? [['', `not vacuumed since: ${physical.tables.join(', ')}`]]
      : []),
    ...(physical.files > 0 ? [['', `${pluralize(physical.files, 'file')} to be removed`]] : []),
    ...physical.backups.map((backup) => ['', `made before, and erased on a restore: ${backup}`]),
  ]);
}

const rowsOf = ({ checked }: Report): number =>
  Object.values(checked).reduce((sum, rows) => sum + rows, 0);

const progressLabel = (report: Report): string =>
  `${pluralize(rowsOf(report), 'row')}, ${pluralize(report.faults_total, 'fault')}`;

function describe(report: Report): string[] {
  const { accounts, checked, outdated, repaired, faults, faults_total: total } = report;
  const { stray_blobs: strays, damaged_pages: pages } = report;
  const shown = faults.length + pages.length;
  return [
    ...formatTable([
      ['accounts', String(accounts)],
      ...Object.entries(checked).map(([check, rows]) => [check, String(rows)]),
      ['faults', String(total)],
      ['repaired', String(repaired)],
      ...(strays === null ? [] : [['stray blobs', String(strays)]]),
    ]),
    ...(outdated > 0 ? [outdatedLine(outdated)] : []),
    ...(faults.length > 0 ? ['', ...describeInconsistencies(faults)] : []),
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

const describeInconsistencies = (faults: readonly Inconsistency[]): string[] =>
  formatTable([
    ['CHECK', 'FAULT', 'ACCOUNT', 'ROW', ''],
    ...faults.map(({ check, code, account_id, id: row, message, repaired }) => [
      check,
      code,
      account_id,
      row ?? '',
      repaired ? `${message} (repaired)` : message,
    ]),
  ]);
