import { sql } from 'kysely';
import { acrossAccounts } from '../across-accounts.ts';
import type { Engine } from '../engine.ts';
import { isDamagedDataError } from '../errors.ts';
import { computePageChecksum, readStoredPageChecksum } from './page-checksum.ts';

const PAGE_BYTES = 8_192;
const PAGES_OF_A_FILE = 131_072;
/** Half a megabyte, since the embedded engine has only one connection. */
export const pagesPerBatch = 64;

/** A table or an index. */
export interface Relation {
  readonly oid: number;
  readonly name: string;
  /** Relative to the database folder. */
  readonly path: string;
  readonly pages: number;
  /** The file of the relation is missing (embedded only). */
  readonly isMissing: boolean;
}

export interface DamagedPage {
  readonly relation: string;
  readonly page: number;
  readonly message: string;
}

/**
 * The next relation by oid; null after the last. On a server only tables that the role may read,
 * since statements read the pages.
 */
export async function readNextRelation(engine: Engine, after: number): Promise<Relation | null> {
  const isMissing =
    engine.kind === 'embedded'
      ? sql`pg_stat_file(pg_relation_filepath(oid), true) is null`
      : sql`false`;
  const kinds = engine.kind === 'embedded' ? ['r', 't', 'm', 'i', 'S'] : ['r', 'm'];
  const { rows } = await sql<Relation>`
    select oid::int8 as oid, oid::regclass::text as name, pg_relation_filepath(oid) as path,
      (pg_relation_size(oid) / ${PAGE_BYTES}::int)::int as pages,
      ${isMissing} as "isMissing"
    from pg_class
    where oid > ${after}::int8::oid and relkind::text = any (${kinds}::text[])
      and relpersistence <> 't' and pg_relation_filepath(oid) is not null
      and (relkind <> 'r' or has_table_privilege(oid, 'select'))
    order by pg_class.oid limit 1`.execute(engine.db);
  return rows[0] ?? null;
}

/** Reads at most `pagesPerBatch` pages of a relation and returns the damaged ones. */
export function findDamagedPages(
  engine: Engine,
  relation: Relation,
  from: number,
): Promise<DamagedPage[]> {
  if (relation.isMissing) {
    return Promise.resolve([{ relation: relation.name, page: 0, message: 'its file is missing' }]);
  }
  const count = Math.min(pagesPerBatch, relation.pages - from);
  if (count <= 0) return Promise.resolve([]);
  return engine.kind === 'embedded'
    ? readFile(engine, relation, from, count)
    : readRows(engine, relation, from, count);
}

/** The embedded database is one process: no page is read while it is written. */
async function readFile(
  engine: Engine,
  { name, path, pages }: Relation,
  from: number,
  count: number,
): Promise<DamagedPage[]> {
  const file = from < PAGES_OF_A_FILE ? path : `${path}.${Math.floor(from / PAGES_OF_A_FILE)}`;
  const at = (from % PAGES_OF_A_FILE) * PAGE_BYTES;
  const { rows } = await sql<{ bytes: Uint8Array | null }>`
    select pg_read_binary_file(${file}, ${at}::int8, ${count * PAGE_BYTES}::int8, true) as bytes
  `.execute(engine.db);
  const bytes = rows[0]?.bytes ?? new Uint8Array();
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged: DamagedPage[] = [];
  for (let index = 0; index < count; index += 1) {
    const page = from + index;
    const content = whole.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES);
    const message = checkPage(content, page);
    // A vacuum may have truncated the page: it is then gone, not damaged.
    if (message !== null && page < pages) damaged.push({ relation: name, page, message });
  }
  return damaged;
}

/** Null: the page is intact or was never written. */
function checkPage(content: Buffer, page: number): string | null {
  if (content.length < PAGE_BYTES) return 'the file ends before it';
  if (content.every((byte) => byte === 0)) return null;
  const stored = readStoredPageChecksum(content);
  // Databases of early versions have no checksums.
  if (stored === 0) return null;
  const actual = computePageChecksum(content, page);
  return actual === stored ? null : `its checksum is ${actual}, expected ${stored}`;
}

/** Bisects to find the page, since the error may name another page or none. */
async function readRows(
  engine: Engine,
  relation: Relation,
  from: number,
  count: number,
): Promise<DamagedPage[]> {
  try {
    // Cast to text, so that TOASTed values are read, too.
    await sql`
      select count(octet_length(verified_row::text))
      from ${sql.raw(relation.name)} as verified_row
      where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${from + count},0)`}::tid
    `.execute(acrossAccounts(engine.db, 'all pages are read'));
    return [];
  } catch (error) {
    if (!isDamagedDataError(error)) throw error;
    if (count === 1) return [{ relation: relation.name, page: from, message: error.message }];
    const half = count >> 1;
    return [
      ...(await readRows(engine, relation, from, half)),
      ...(await readRows(engine, relation, from + half, count - half)),
    ];
  }
}
