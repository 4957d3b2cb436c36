import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { inSpaces } from '../../ctx.ts';
import { initialSalience } from '../model.ts';
import { currentSalience, isUnexpired, selectUnerasedMemories, whereVisible } from './memories.ts';

const charactersMax = 1_000;

/** A memory of a period, for digests. */
export interface MemoryExcerpt {
  readonly id: string;
  /** The first characters. */
  readonly content: string;
  readonly tags: string[];
  readonly created_at: Date;
}

export interface PeriodFilter {
  readonly after: Date;
  /** Inclusive. */
  readonly until: Date;
  /** All must match. */
  readonly tags: readonly string[];
  /** Spaces (`default`: no space); null: all. */
  readonly visible: readonly string[] | null;
}

const within = (db: Db, accountId: string, { after, until, tags, visible }: PeriodFilter) =>
  whereVisible(selectUnerasedMemories(db, accountId), inSpaces(visible))
    .where('deleted_at', 'is', null)
    .where('created_at', '>', after)
    .where('created_at', '<=', until)
    .where(isUnexpired(until))
    .where(sql<boolean>`tags @> ${tags}::text[]`);

const salience = (now: Date): RawBuilder<number> =>
  sql<number>`coalesce(${currentSalience(now)}, ${initialSalience}::double precision)`;

export const countMemoriesInPeriod = async (
  db: Db,
  accountId: string,
  period: PeriodFilter,
): Promise<number> => {
  const { count } = await within(db, accountId, period)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Newest first, or the most salient ones first. */
export function findMemoriesInPeriod(
  db: Db,
  accountId: string,
  period: PeriodFilter,
  { order, limit }: { order: 'newest' | 'salient'; limit: number },
): Promise<MemoryExcerpt[]> {
  const matching = within(db, accountId, period).select([
    'id',
    sql<string>`left(content, ${charactersMax}::int)`.as('content'),
    'tags',
    'created_at',
  ]);
  const ordered = order === 'newest' ? matching : matching.orderBy(salience(period.until), 'desc');
  return ordered.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
