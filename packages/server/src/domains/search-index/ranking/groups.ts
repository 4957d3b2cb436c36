import { dayMs, mondayOf } from '@mneme/text';
import type { AccountIndex } from '../account/account-index.ts';

export type TimeBucketSize = 'day' | 'week' | 'month';

/** The grouping key; time buckets use the document's event time in UTC. */
export type GroupBy = 'tags' | 'content_type' | 'priority' | TimeBucketSize;

export interface ResultGroup<T> {
  readonly key: string;
  readonly count: number;
  readonly meanScore: number;
  /** The three best hits. */
  readonly top: readonly { readonly id: T; readonly score: number }[];
}

interface GroupAccumulator<T> {
  count: number;
  sum: number;
  readonly top: { id: T; score: number }[];
}

const topMax = 3;

/** Collects scored items by key. Items must be added best first. */
export class GroupCollector<T> {
  readonly #groups = new Map<string, GroupAccumulator<T>>();

  add(key: string, id: T, score: number): void {
    let group = this.#groups.get(key);
    if (!group) {
      group = { count: 0, sum: 0, top: [] };
      this.#groups.set(key, group);
    }
    group.count += 1;
    group.sum += score;
    if (group.top.length < topMax) group.top.push({ id, score });
  }

  /** The largest groups; ties are ordered by key. */
  largest(limit: number): ResultGroup<T>[] {
    return [...this.#groups]
      .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([key, { count, sum, top }]) => ({ key, count, meanScore: sum / count, top }));
  }
}

/** The keys of a document: none, one, or for tags one per tag. */
export function groupKeysOf(
  index: AccountIndex,
  by: GroupBy,
): (document: number) => readonly string[] {
  const { columns } = index;
  switch (by) {
    case 'tags':
      return (document) => [...new Set(index.tags[document])];
    case 'content_type':
      return (document) => [index.contentTypes.nameOf(columns.contentType[document] as number)];
    case 'priority':
      return (document) => [String(columns.priority[document])];
    default:
      return (document) => [bucketStart(columns.occurredAt[document] as number, by)];
  }
}

/** The first day of a bucket in UTC, as YYYY-MM-DD; weeks start on Monday. */
export function bucketStart(ms: number, size: TimeBucketSize): string {
  const day = Math.floor(ms / dayMs);
  const first = { day, week: mondayOf(day), month: day - new Date(ms).getUTCDate() + 1 }[size];
  return new Date(first * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
