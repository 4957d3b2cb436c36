import type { Client } from '@mneme/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable, pluralize } from '../format.ts';
import { addOutputOptions, parseIdArgument } from '../options.ts';
import { parseTime } from '../requests/values.ts';
import { waitForJob } from '../wait-for-job.ts';
import { verifyErased, verifyErasedSince } from './verify-erased.ts';

type Report = Awaited<ReturnType<Client['admin']['getVerification']>>;
type Inconsistency = Report['faults'][number];

interface VerifyOptions {
  readonly json?: boolean;
  readonly account?: string;
  readonly repair?: boolean;
  readonly deep?: boolean;
  readonly erased?: string;
  readonly erasedSince?: Date;
}

function parsePastTime(text: string, now: Date): Date {
  const time = new Date(parseTime(text, now));
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Must be a time such as 2026-11-29T10:00:00Z, 1h or 7d.');
  return time;
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
    .option(
      '--erased-since <time>',
      'the same for all erasures since a time, such as 2026-11-29T10:00:00Z or 1h (ago)',
      (text) => parsePastTime(text, context.now()),
    )
    .action(async (options: VerifyOptions) => {
      const client = await context.client();
      const { erased, erasedSince } = options;
      if (erased !== undefined) return verifyErased(context, client, erased, options);
      if (erasedSince !== undefined)
        return verifyErasedSince(context, client, erasedSince, options);
      const { admin } = client;
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
