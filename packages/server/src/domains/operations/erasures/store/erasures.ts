import { type RawBuilder, sql } from 'kysely';
import { acrossAccounts, type Db } from '../../../../database/index.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** A table and its columns, any of which may contain an id. */
interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** All tables except the ledger itself. */
async function tablesOf(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname as name, json_agg(json_build_object(
      'name', attname, 'type', format_type(atttypid, null)) order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'erasures'
    group by relname order by relname`.execute(db);
  return rows;
}

const never = sql<boolean>`false`;
const always = sql<boolean>`true`;

/**
 * Conditions for rows that contain ids but no content. In tables that are not listed, each row has
 * content.
 */
const contentFreeRows: Readonly<Record<string, RawBuilder<boolean>>> = {
  jobs: always,
  audit_log: always,
  activation_sessions: always,
  email_confirmations: always,
  cluster_runs: always,
  // Tombstones, which exist until every process has seen the deletion.
  documents: sql`(deleted_at is not null and terms is null)`,
  events: sql`(type like '%.deleted' or type like 'memory.bulk_%' or data ->> 'erased' = 'true'
    or type in ('memory.superseded', 'memory.update_suggested')
    or type = 'memory.accessed' and coalesce(data ->> 'query', data ->> 'topic') is null)`,
  webhook_deliveries: sql`(event_type like '%.deleted' or event_type like 'memory.bulk_%'
    or event_type in ('memory.superseded', 'memory.update_suggested')
    or body like '%"erased":true%'
    or event_type = 'memory.accessed' and body not similar to '%"(query|topic)":%')`,
  // An error response may contain an id.
  idempotency: sql`(status >= 400 or body is null or body ->> 'erased' = 'true')`,
  inbound_mails: sql`(raw_blob is null and body_plain = '')`,
  outbound_mails: sql`(text = '')`,
};

function referencesId({ columns }: Table, id: string): RawBuilder<boolean> {
  const like = `%${id}%`;
  const conditions = columns.flatMap(({ name, type }) => {
    const column = sql.ref(name);
    if (type === 'uuid') return [sql`${column} = ${id}::uuid`];
    if (type === 'uuid[]') return [sql`${id}::uuid = any(${column})`];
    return /^(?:text|json|jsonb|text\[\])$/.test(type) ? [sql`${column}::text like ${like}`] : [];
  });
  return conditions.length === 0 ? never : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

export interface TableRowCount {
  readonly table: string;
  readonly rows: number;
}

/** Rows of all tables that contain an id, with and without content. Reads whole tables. */
export async function countReferencingRows(
  db: Db,
  id: string,
): Promise<{ content: TableRowCount[]; idsOnly: TableRowCount[] }> {
  const found = { content: [] as TableRowCount[], idsOnly: [] as TableRowCount[] };
  for (const table of await tablesOf(db)) {
    const isContentFree = contentFreeRows[table.name] ?? never;
    // Documents of other memories, which it has superseded, may name it.
    const isOther =
      table.name === 'documents' ? sql`(kind = 'memory' and id <> ${id}::uuid)` : never;
    const isIdOnly = sql`(${isContentFree} or ${isOther})`;
    const { rows } = await sql<{ content: number; others: number }>`
      select count(*) filter (where (${isIdOnly}) is not true)::int as content,
        count(*) filter (where ${isIdOnly})::int as others
      from ${sql.table(table.name)} where ${referencesId(table, id)}`.execute(
      acrossAccounts(db, 'a proof of an erasure searches all tables'),
    );
    const [{ content, others } = { content: 0, others: 0 }] = rows;
    if (content > 0) found.content.push({ table: table.name, rows: content });
    if (others > 0) found.idsOnly.push({ table: table.name, rows: others });
  }
  return found;
}

export interface ErasureRow {
  readonly kind: string;
  readonly account_id: string;
  readonly erased_at: Date;
  readonly content_removed_at: Date | null;
}

/** An id has only one kind. */
export async function findErasure(db: Db, id: string): Promise<ErasureRow | undefined> {
  const { rows } = await sql<ErasureRow>`
    select kind, account_id, erased_at, content_removed_at from erasures
    where id = ${id}::uuid order by kind limit 1`.execute(db);
  return rows[0];
}
