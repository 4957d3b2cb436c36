import { type Client, isMnemeError, operations } from '@mneme/sdk';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable, pluralize } from '../format.ts';

type Erasure = Awaited<ReturnType<Client['admin']['getErasure']>>;

interface OutputOptions {
  readonly json?: boolean;
}

/** Fails when content of the erased resource is still readable. */
export async function verifyErased(
  context: CommandContext,
  { admin }: Client,
  erasedId: string,
  options: OutputOptions,
): Promise<void> {
  const erasure = await admin
    .getErasure({ params: { id: erasedId } })
    .catch((error: unknown): never => {
      if (!isMnemeError(error, 'not_found')) throw error;
      const remedy = '`mneme erasures` lists the ids of what was erased.';
      throw new CliError('not_found', `Nothing with the id ${erasedId} was erased: ${remedy}`);
    });
  printResult(context, options, erasure, () => describeErasure(erasure));
  requireNoContent([erasure]);
}

/** Verifies each erasure of the ledger since a time, and fails like `verifyErased`. */
export async function verifyErasedSince(
  context: CommandContext,
  client: Client,
  since: Date,
  options: OutputOptions & { readonly account?: string },
): Promise<void> {
  const { account } = options;
  const query = { limit: 100, ...(account && { account_id: account }) };
  const erasures: Erasure[] = [];
  // Newest first.
  for await (const { id, erased_at } of client.paginate(operations.admin.listErasures, { query })) {
    if (Date.parse(erased_at) < since.getTime()) break;
    erasures.push(await client.admin.getErasure({ params: { id } }));
  }
  printResult(context, options, erasures, () => describeErasures(erasures, since));
  requireNoContent(erasures);
}

function requireNoContent(erasures: readonly Erasure[]): void {
  if (erasures.every(({ logical }) => logical.complete)) return;
  throw new CliError('faults_found', 'Erased content is still readable.');
}

const pending = 'Events, deliveries, stored responses and mails are cleared within a minute.';

const formatTables = (tables: Erasure['logical']['content']): string =>
  tables.map(({ table: name, rows }) => `${name} (${pluralize(rows, 'row')})`).join(', ');

function describeErasure({ kind, erased_at, account_id, logical, physical }: Erasure): string[] {
  return formatTable([
    ['erased', `${kind} of account ${account_id}, ${erased_at}`],
    ['logical', logical.complete ? 'complete: no row contains it' : 'not complete'],
    ...(logical.content_removed_at === null ? [['', pending]] : []),
    ...(logical.content.length > 0 ? [['', `content in ${formatTables(logical.content)}`]] : []),
    ...(logical.ids_only.length > 0
      ? [['', `only its id in ${formatTables(logical.ids_only)}`]]
      : []),
    ['physical', physical.complete ? 'complete: no file contains it' : 'not complete'],
    ...describePhysical([physical]),
  ]);
}

/** A line for each erasure, then what is left of all of them. */
function describeErasures(erasures: readonly Erasure[], since: Date): string[] {
  const complete = erasures.filter(({ logical }) => logical.complete);
  const physicallyComplete = erasures.filter(({ physical }) => physical.complete);
  const of = `of ${erasures.length}`;
  return [
    ...erasures.map(({ erased_at, kind, id, logical }) => {
      const state = logical.complete ? 'complete' : describeRemains(logical);
      return [erased_at, kind.padEnd(12), id, state].join('  ');
    }),
    ...formatTable([
      ['erased', `${erasures.length} since ${since.toISOString()}`],
      ['logical', `complete: ${complete.length} ${of}`],
      ['physical', `complete: ${physicallyComplete.length} ${of}`],
      ...describePhysical(erasures.map(({ physical }) => physical)),
    ]),
  ];
}

const describeRemains = ({ content }: Erasure['logical']): string =>
  content.length > 0 ? `content in ${formatTables(content)}` : pending;

function describePhysical(all: readonly Erasure['physical'][]): string[][] {
  const tables = [...new Set(all.flatMap((physical) => physical.tables))].sort();
  const backups = [...new Set(all.flatMap((physical) => physical.backups))];
  const segments = all.flatMap((physical) => physical.index_segments);
  const stale = new Set(segments.filter((segment) => segment.stale).map(({ id }) => id));
  const current = new Set(segments.map(({ id }) => id).filter((id) => !stale.has(id)));
  const files = Math.max(0, ...all.map((physical) => physical.files));
  return [
    ...(tables.length > 0 ? [['', `not vacuumed since: ${tables.join(', ')}`]] : []),
    ...(tables.length > 0
      ? [['', 'Tables are vacuumed within a day; on a PostgreSQL server, VACUUM does it at once.']]
      : []),
    ...(files > 0 ? [['', `${pluralize(files, 'file')} to be removed`]] : []),
    ...(current.size > 0 ? [['', `${pluralize(current.size, 'index segment')} without it`]] : []),
    ...[...stale].map((id) => ['', `index segment from before, deleted within a minute: ${id}`]),
    ...backups.map((backup) => ['', `older backup, erased again on restore: ${backup}`]),
  ];
}
