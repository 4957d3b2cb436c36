import { sql } from 'kysely';
import { sortTablesByReferences } from '../backup/table-list.ts';
import type { Db } from '../engine.ts';
import { type Placement, placementOf } from '../placement.ts';

/** Where the rows of a table are, compared with where they belong. */
export interface TableState {
  readonly name: string;
  readonly placement: Placement;
  /** False: the table must still be distributed, or was distributed in another way. */
  readonly isPlaced: boolean;
  /** The coordinator still has the rows that were copied to the nodes: it only takes space. */
  readonly hasLocalCopy: boolean;
}

/** How Citus keeps a table; `other` is none of the ways that Mneme uses. */
type StoredAs = Placement | 'other';

/** All tenant tables are colocated: rows of an account are on one node. */
const STORED_AS = sql<StoredAs>`
  case
    when p.partmethod is null then 'local'
    when p.partmethod = 'h' and column_to_column_name(p.logicalrelid, p.partkey) = 'account_id'
      and p.colocationid = (select mode() within group (order by colocationid)
        from pg_dist_partition where partmethod = 'h')
      then 'tenant'
    when p.partmethod = 'n' and p.repmodel = 't' then 'reference'
    when p.partmethod = 'n' and p.colocationid = 0 then 'known-local'
    else 'other'
  end`;

/** Citus may know each local table. */
const isPlacedAs = (storedAs: StoredAs, placement: Placement): boolean =>
  storedAs === placement || (storedAs === 'known-local' && placement === 'local');

/**
 * The placed tables that the database has, each after the tables that it references. Requires
 * Citus.
 */
export async function readTableStates(db: Db): Promise<TableState[]> {
  const tables = await sql<{ name: string; storedAs: StoredAs; hasLocalCopy: boolean }>`
    select c.relname::text as name, ${STORED_AS} as "storedAs",
      p.partmethod is not null and pg_relation_size(c.oid) > 0 as "hasLocalCopy"
    from pg_class as c left join pg_dist_partition as p on p.logicalrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    order by c.relname collate "C"`.execute(db);
  const references = await sql<{ source: string; target: string }>`
    select source.relname::text as source, target.relname::text as target
    from pg_constraint as k join pg_class as source on source.oid = k.conrelid
      join pg_class as target on target.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`.execute(db);
  return sortTablesByReferences(tables.rows, references.rows).flatMap((table) => {
    const placement = placementOf(table.name);
    if (placement === undefined) return [];
    const { name, storedAs, hasLocalCopy } = table;
    return [{ name, placement, isPlaced: isPlacedAs(storedAs, placement), hasLocalCopy }];
  });
}
