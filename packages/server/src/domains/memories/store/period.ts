import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { initialSalience, salienceHalfLifeDays } from '../model.ts';
import { selectUnerased, whereInSpaces } from './memories.ts';

const charactersMax = 1_000;

/** What is told of a memory that was stored within some time. */
export interface MemoryExcerpt {
  readonly id: string;
  /** Its beginning. */
  readonly content: string;
  readonly tags: string[];
  readonly created_at: Date;
}

export interface PeriodFilter {
  readonly after: Date;
  /** Itself belongs to it. */
  readonly until: Date;
  /** All must match. */
  readonly tags: readonly string[];
  /** Spaces (`default`: none); null: all. */
  readonly visible: readonly string[] | null;
}

const within = (db: Db, accountId: string, { after, until, tags, visible }: PeriodFilter) =>
  whereInSpaces(selectUnerased(db, accountId), visible)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', after)
    .where('created_at', '<=', until)
    .where(sql<boolean>`tags @> ${tags}::text[]`);

/** As salienceAt in model.ts; before it is first computed, where it starts. */
const salience = (now: Date): RawBuilder<number> => sql<number>`coalesce(
  case when is_pinned or salience_at is null then salience
  else salience * power(0.5::double precision,
    greatest(0, extract(epoch from ${now}::timestamptz - salience_at)) / 86400.0
      / ${salienceHalfLifeDays}::double precision)
  end, ${initialSalience}::double precision)`;

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
  const found = within(db, accountId, period).select([
    'id',
    sql<string>`left(content, ${charactersMax}::int)`.as('content'),
    'tags',
    'created_at',
  ]);
  const ordered = order === 'newest' ? found : found.orderBy(salience(period.until), 'desc');
  return ordered.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
