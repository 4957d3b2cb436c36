import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { Fault } from '../faults.ts';
import { follow } from '../follow.ts';
import { plural, table } from '../format.ts';
import { id, leaf } from '../options.ts';

type Report = Awaited<ReturnType<Client['admin']['getVerification']>>;
type Found = Report['faults'][number];

interface Wishes {
  readonly json?: boolean;
  readonly account?: string;
  readonly repair?: boolean;
  readonly deep?: boolean;
}

/** `mneme verify`: fails when something is not what it should be. */
export function addVerify(program: Command, context: Context): void {
  leaf(program, 'verify', 'check everything derived or counted, beside live traffic (operator)')
    .option('--account <id>', 'only this account', id)
    .option('--repair', 'make documents and vectors anew that are not what they should be')
    .option('--deep', 'also read every recording and attachment whole, and compare it by its hash')
    .action(async (options: Wishes) => {
      const { admin } = await context.client();
      const { account: account_id, repair = false, deep = false } = options;
      const body = { account_id, repair, deep };
      const { job_id } = await admin.startVerification({ body });
      const report = await follow(
        context,
        () => admin.getVerification({ params: { id: job_id } }),
        { label: progressLabel, isQuiet: options.json ?? false },
      );
      show(context, options, report, () => describe(report));
      const { faults_left: left } = report;
      if (left > 0) throw new Fault('faults_found', `${plural(left, 'fault')} found.`);
    });
}

const rowsOf = ({ checked }: Report): number =>
  Object.values(checked).reduce((sum, rows) => sum + rows, 0);

const progressLabel = (report: Report): string =>
  `${plural(rowsOf(report), 'row')}, ${plural(report.faults_total, 'fault')}`;

function describe(report: Report): string[] {
  const { accounts, checked, outdated, repaired, faults, faults_total: total } = report;
  const { stray_blobs: strays, damaged_pages: pages } = report;
  const shown = faults.length + pages.length;
  return [
    ...table([
      ['accounts', String(accounts)],
      ...Object.entries(checked).map(([check, rows]) => [check, String(rows)]),
      ['faults', String(total)],
      ['repaired', String(repaired)],
      ...(strays === null ? [] : [['stray blobs', String(strays)]]),
    ]),
    ...(outdated > 0 ? [outdatedLine(outdated)] : []),
    ...(faults.length > 0 ? ['', ...describeFaults(faults)] : []),
    ...(pages.length > 0 ? ['', ...describePages(pages)] : []),
    ...(total > shown ? [`… and ${total - shown} more`] : []),
  ];
}

const outdatedLine = (count: number): string =>
  `${plural(count, 'document')} analysed by an earlier version: --repair brings them up to date.`;

const describePages = (pages: Report['damaged_pages']): string[] =>
  table([
    ['RELATION', 'PAGE', ''],
    ...pages.map(({ relation, page, message }) => [relation, String(page), message]),
  ]);

const describeFaults = (faults: readonly Found[]): string[] =>
  table([
    ['CHECK', 'FAULT', 'ACCOUNT', 'ROW', ''],
    ...faults.map(({ check, code, account_id, id: row, message, repaired }) => [
      check,
      code,
      account_id,
      row ?? '',
      repaired ? `${message} (repaired)` : message,
    ]),
  ]);
