import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import type { Visibility } from './relationships.ts';

/** A relationship in the direction of a walk. */
export interface TraversalStep {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly weight: number;
  /** 0 while one of its memories is pinned. */
  readonly decayRate: number;
  readonly weightSetAtMs: number;
}

export interface FrontierFilter {
  readonly direction: 'outgoing' | 'incoming' | 'both';
  readonly type?: string | undefined;
}

/**
 * Reads with one statement which memories of the frontier are visible, and all relationships that
 * lead away from them; with `within`, only those that lead to these ids. Ids are accepted with or
 * without hyphens and returned without. The rows are packed into one value: some ten thousand rows
 * would take longer to transfer than to find.
 */
export async function readFrontier(
  db: Db,
  { accountId, visible }: Visibility,
  frontier: readonly string[],
  { direction, type }: FrontierFilter,
  within: readonly string[] | null = null,
): Promise<{ steps: TraversalStep[]; seen: Set<string> }> {
  // A fenced look-up per node: otherwise the planner scans the whole table.
  const side = (near: string, far: string): RawBuilder<unknown> => sql`
    select frontier.node as near, step.far, id, weight, weight_set_at, rate
    from frontier, lateral (
      select ${sql.ref(far)} as far, id, weight, weight_set_at,
        case when pinned_memory_count > 0 then 0 else decay_rate end as rate
      from relationships
      where account_id = ${accountId}::uuid and ${sql.ref(near)} = frontier.node
      ${type === undefined ? sql`` : sql`and type = ${type}`}
      offset 0
    ) as step
    ${within === null ? sql`` : sql`where step.far = any(${within}::uuid[])`}`;
  const sides = [
    ...(direction === 'incoming' ? [] : [side('source_id', 'target_id')]),
    ...(direction === 'outgoing' ? [] : [side('target_id', 'source_id')]),
  ];
  const { rows } = await sql<{ steps: Uint8Array | null; seen: Uint8Array | null }>`
    with frontier as materialized (
      select node from unnest(${frontier}::uuid[]) as asked (node), lateral (
        select from ${visibleMemoriesSubquery(accountId, visible)} as memory
        where memory.id = asked.node offset 0
      ) as active
    )
    select (select string_agg(uuid_send(node), '') from frontier) as seen,
      string_agg(uuid_send(near) || uuid_send(far) || uuid_send(id) || float8send(weight)
        || float8send(rate) || timestamptz_send(weight_set_at), '') as steps
    from (${sql.join(sides, sql` union all `)}) as step`.execute(db);
  const { steps, seen } = rows[0] ?? {};
  return { steps: unpack(steps ?? new Uint8Array()), seen: unpackIds(seen ?? new Uint8Array()) };
}

const idBytes = 16;

function unpackIds(packed: Uint8Array): Set<string> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const ids = new Set<string>();
  for (let offset = 0; offset < bytes.length; offset += idBytes)
    ids.add(bytes.toString('hex', offset, offset + idBytes));
  return ids;
}

const stepBytes = 72;
/** PostgreSQL timestamps are microseconds since 2000. */
const epochMs = Date.UTC(2000, 0, 1);

function unpack(packed: Uint8Array): TraversalStep[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const steps: TraversalStep[] = [];
  for (let offset = 0; offset < bytes.length; offset += stepBytes) {
    steps.push({
      from: bytes.toString('hex', offset, offset + 16),
      to: bytes.toString('hex', offset + 16, offset + 32),
      id: bytes.toString('hex', offset + 32, offset + 48),
      weight: bytes.readDoubleBE(offset + 48),
      decayRate: bytes.readDoubleBE(offset + 56),
      weightSetAtMs: epochMs + Number(bytes.readBigInt64BE(offset + 64)) / 1_000,
    });
  }
  return steps;
}

export const withoutHyphens = (id: string): string => id.replaceAll('-', '');

/** The published format of an id. */
export const hyphenated = (id: string): string =>
  `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
