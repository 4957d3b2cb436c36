import { sql } from 'kysely';
import { countOtherConnections } from '../catalog-queries.ts';
import type { Engine, Tx } from '../engine.ts';
import { DatabaseUnsuitable } from '../errors.ts';
import { DISABLE_STATEMENT_TIMEOUT } from '../transaction.ts';
import { readTableStates, type TableState } from './table-states.ts';

type DistributionStep = 'distribute' | 'remove-copy';

export interface DistributeOptions {
  /** Called before each table, with its number among those of this step. */
  readonly onTable: (
    step: DistributionStep,
    table: TableState,
    of: { readonly number: number; readonly total: number },
  ) => void;
}

/**
 * Distributes the tables that are not yet where they belong, each in a transaction of its own: a
 * further call continues where an earlier one ended. Then removes the rows that the coordinator
 * still has of distributed tables.
 *
 * Throws DatabaseUnsuitable as soon as another process of Mneme uses the database.
 */
export async function distributeTables(
  engine: Engine,
  { onTable }: DistributeOptions,
): Promise<void> {
  const misplaced = inOrder((await readTableStates(engine.db)).filter(isMisplaced));
  for (const [i, table] of misplaced.entries()) {
    onTable('distribute', table, { number: i + 1, total: misplaced.length });
    await engine.transaction(async (tx) => {
      await requireNoOtherProcess(tx);
      await sql.raw(DISABLE_STATEMENT_TIMEOUT).execute(tx);
      await distributeTable(tx, table);
    });
  }
  const copied = (await readTableStates(engine.db)).filter(({ hasLocalCopy }) => hasLocalCopy);
  for (const [i, table] of copied.entries()) {
    onTable('remove-copy', table, { number: i + 1, total: copied.length });
    await engine.transaction(async (tx) => {
      await sql.raw(DISABLE_STATEMENT_TIMEOUT).execute(tx);
      await sql`select truncate_local_data_after_distributing_table(${table.name})`.execute(tx);
    });
  }
}

/** Distributes the tables that a migration has created, in its transaction. */
export async function distributeNewTables(tx: Tx): Promise<void> {
  for (const table of inOrder((await readTableStates(tx)).filter(isMisplaced))) {
    await distributeTable(tx, table);
  }
}

/** Throws DatabaseUnsuitable if only a part of the tables is distributed. */
export async function requireCompleteDistribution({ db }: Engine): Promise<void> {
  const misplaced = (await readTableStates(db)).filter(isMisplaced);
  if (misplaced.length === 0) return;
  const names = misplaced.slice(0, 3).map(({ name }) => name);
  throw new DatabaseUnsuitable(
    `The database is distributed only in part (${names.join(', ')} and others are missing): run ` +
      '`mneme-server distribute` to complete it.',
  );
}

const isMisplaced = ({ isPlaced }: TableState): boolean => !isPlaced;

/** Tenant tables reference reference tables, and never the reverse. */
const inOrder = (tables: readonly TableState[]): TableState[] => [
  ...tables.filter(({ placement }) => placement === 'reference'),
  ...tables.filter(({ placement }) => placement === 'tenant'),
  ...tables.filter(({ placement }) => placement === 'local' || placement === 'known-local'),
];

async function distributeTable(tx: Tx, { name, placement }: TableState): Promise<void> {
  if (placement === 'tenant') {
    await sql`select create_distributed_table(${name}, 'account_id',
      colocate_with => coalesce(
        (select min(logicalrelid::text) from pg_dist_partition where partmethod = 'h'),
        'none'))`.execute(tx);
  } else if (placement === 'reference') {
    await sql`select create_reference_table(${name})`.execute(tx);
  } else if (placement === 'known-local') {
    // Those that reference a reference table are known since that became one.
    await sql`select citus_add_local_table_to_metadata(${name}) where not exists (
      select from pg_dist_partition where logicalrelid = ${name}::regclass)`.execute(tx);
  } else {
    throw new DatabaseUnsuitable(
      `The table ${name} is distributed, and belongs on the coordinator: run ` +
        `\`select undistribute_table('${name}')\`.`,
    );
  }
}

async function requireNoOtherProcess(tx: Tx): Promise<void> {
  if ((await countOtherConnections(tx)) === 0) return;
  throw new DatabaseUnsuitable('Servers still use the database: stop them first.');
}
