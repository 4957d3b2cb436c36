import type { Client, Import } from '@mneme/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { UsageError } from '../errors.ts';
import { formatTable } from '../format.ts';
import { openFile } from '../input.ts';
import { addCommand } from '../options.ts';
import { waitForJob } from '../wait-for-job.ts';

type NameMap = Readonly<Record<string, string>>;

interface Options {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly applyDeletions?: boolean;
  readonly mapSpace?: NameMap;
  readonly mapUser?: NameMap;
  readonly mapAgent?: NameMap;
  readonly mapRun?: NameMap;
  readonly account?: string;
  readonly allAccounts?: boolean;
}

/** The server checks the whole archive before it responds. */
const checkTimeoutMs = 3_600_000;

/** `mneme import archive`: imports what `mneme export` wrote, and waits for the report. */
export function addImportArchiveCommand(parent: Command, context: CommandContext): void {
  addCommand(parent, 'archive', 'import an archive of mneme export; again changes nothing')
    .argument('<file>', 'the archive; - reads it from stdin')
    .option('--dry-run', 'store nothing; report what an import would do')
    .option('--apply-deletions', 'also erase what was erased in the exported account')
    .option('--map-space <from=to>', 'store a space in another one; can be repeated', addToMap)
    .option('--map-user <from=to>', 'change a user id; can be repeated', addToMap)
    .option('--map-agent <from=to>', 'change an agent id; can be repeated', addToMap)
    .option('--map-run <from=to>', 'change a run id; can be repeated', addToMap)
    .option('--account <id>', 'into another account (operator)')
    .option('--all-accounts', 'each account of the archive into that with its id (operator)')
    .action(async (file: string, options: Options) => {
      const body = file === '-' ? toStream(context.input) : (await openFile(file)).file;
      const client = await context.client();
      const id = await start(client, body, options);
      const report = await waitForJob(
        context,
        () => client.transfers.getImport({ params: { id } }),
        { label: labelOf, isQuiet: options.json ?? false },
      );
      printResult(context, options, report, () => describe(report));
    });
}

function addToMap(text: string, previous: NameMap = {}): NameMap {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('Must have the form from=to.');
  return { ...previous, [text.slice(0, at)]: text.slice(at + 1) };
}

const toStream = (input: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  ReadableStream.from(input) as ReadableStream<Uint8Array>;

async function start(
  client: Client,
  body: Blob | ReadableStream<Uint8Array>,
  options: Options,
): Promise<string> {
  const { account, allAccounts = false, dryRun = false, applyDeletions = false } = options;
  const flags = { dry_run: dryRun, apply_deletions: applyDeletions };
  const limits = { timeoutMs: checkTimeoutMs };
  const maps = mapsOf(options);
  if (account === undefined && !allAccounts) {
    const query = { ...flags, ...maps };
    return (await client.transfers.import({ body, query }, limits)).import_id;
  }
  if (Object.keys(maps).length > 0 || (account !== undefined && allAccounts)) {
    throw new UsageError('--account and --all-accounts map nothing, and exclude each other.');
  }
  const query = { ...flags, ...(account !== undefined && { account_id: account }) };
  return (await client.admin.import({ body, query }, limits)).import_id;
}

function mapsOf({ mapSpace, mapUser, mapAgent, mapRun }: Options): Record<string, string> {
  const maps = { map_spaces: mapSpace, map_users: mapUser, map_agents: mapAgent, map_runs: mapRun };
  return Object.fromEntries(
    Object.entries(maps).flatMap(([name, map]) => (map ? [[name, JSON.stringify(map)]] : [])),
  );
}

const labelOf = ({ records }: Import): string => {
  const last = records.at(-1);
  return last ? `${last.kind}: ${last.created} created` : 'reading';
};

function describe({ dry_run, records, reasons }: Import): string[] {
  const header = ['', 'created', 'updated', 'unchanged', 'skipped'];
  const rows = records.map(({ kind, created, updated, unchanged, skipped }) => [
    kind.replaceAll('_', ' '),
    ...[created, updated, unchanged, skipped].map(String),
  ]);
  return [
    ...(dry_run ? ['Nothing was stored (--dry-run).'] : []),
    ...formatTable([header, ...rows]),
    ...reasons.map(
      ({ kind, reason, count }) =>
        `skipped ${count} ${kind.replaceAll('_', ' ')}: ${reason.replaceAll('_', ' ')}`,
    ),
  ];
}
