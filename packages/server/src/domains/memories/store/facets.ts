import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { type MemoryFilter, selectMatching } from './list.ts';

export interface FacetCount<T> {
  readonly value: T;
  readonly count: number;
}

/** What memories are counted by: an expression of each, or of each of its tags. */
const expressions = {
  space: sql<string | null>`space_id`,
  type: sql<string>`content_type`,
  tag: sql<string>`unnest(tags)`,
  priority: sql<number>`priority`,
  month: sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM')`,
} as const;
type Facet = keyof typeof expressions;
type ValueOf<F extends Facet> = (typeof expressions)[F] extends RawBuilder<infer T> ? T : never;

/** The most frequent values first, or the greatest ones (`desc`). */
export async function countByFacet<F extends Facet>(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
  facet: F,
  { order, limit }: { readonly order: 'count' | 'desc'; readonly limit: number },
): Promise<FacetCount<ValueOf<F>>[]> {
  const value: RawBuilder<unknown> = expressions[facet];
  const values = selectMatching(db, accountId, filter).select(value.as('value'));
  const rows = await db
    .selectFrom(values.as('matching'))
    .select(['value', sql<number>`count(*)::int`.as('count')])
    .groupBy('value')
    .orderBy(order === 'count' ? sql`count(*) desc` : sql`value desc`)
    .orderBy('value')
    .limit(limit)
    .execute();
  return rows as FacetCount<ValueOf<F>>[];
}

export async function countMatching(
  db: Db,
  accountId: string,
  filter: MemoryFilter,
): Promise<number> {
  const { count } = await selectMatching(db, accountId, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
