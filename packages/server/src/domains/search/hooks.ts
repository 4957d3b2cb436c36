import type { KeywordScorer } from '@mneme/text';
import { createRegistry } from '../../kernel/per-app.ts';
import type { App, Ctx } from '../ctx.ts';

/** A search by words: a text of weight 0 does not match. */
interface KeywordCriteria {
  readonly weigh: KeywordScorer;
  readonly limit: number;
}

/** The best first; `total` counts all. Only what the key may read. */
type KeywordSearch = (
  ctx: Ctx,
  wanted: KeywordCriteria,
) => Promise<{ readonly items: readonly object[]; readonly total: number }>;

/** Groups of /search/global that another domain fills, by their name in `types`. */
export const keywordSearchRegistry = createRegistry<App, 'cluster' | 'space', KeywordSearch>();

/** A group that a memory is in. */
interface GroupMembership {
  readonly key: string;
  readonly label: string;
}

/** Returns the groups of the memories; those in none may be omitted. */
type MembershipLookup = (
  ctx: Ctx,
  memoryIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly GroupMembership[]>>;

/** Groupings of memories that other domains provide, by their name in `group_by`. */
export const memoryGroupingRegistry = createRegistry<App, 'clusters', MembershipLookup>();
