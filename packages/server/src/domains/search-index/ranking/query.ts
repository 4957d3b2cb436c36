import type { OwnerFilter } from '../account/owners.ts';
import type { RankerName } from './weights.ts';

/** A requested time range. */
export interface TimeRange {
  /** Epoch milliseconds, [from, to). */
  readonly from: number;
  readonly to: number;
  /** Years are meant loosely: proximity decays more slowly. */
  readonly isYear: boolean;
}

/** What a question requests beyond its words. */
export interface QueryIntent {
  /** Words of the question that may be names: in lower case without accents. */
  readonly names: readonly string[];
  /** The question is about the user, not about an assistant's statements. */
  readonly isAboutSelf: boolean;
  readonly asksWhen: boolean;
  /** Asks for what held before, not for what holds now. */
  readonly isAboutPast: boolean;
  /** The end of the past period that it names, in epoch milliseconds; null: none. */
  readonly pastPeriodEnd: number | null;
  /** Names the words of the text that is looked for, instead of describing it. */
  readonly isLookup: boolean;
  readonly times: readonly TimeRange[];
}

export interface SearchFilters {
  readonly tags?: readonly string[] | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly owner?: OwnerFilter | undefined;
  readonly contentType?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Epoch milliseconds: inclusive lower bound, then exclusive upper bound. */
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly occurredAfter?: number | undefined;
  readonly occurredBefore?: number | undefined;
  /** Only these documents; null or omitted: all. */
  readonly includedIds?: readonly string[] | null | undefined;
  /** None of these. */
  readonly excludedIds?: readonly string[] | undefined;
}

/** A search as the index understands it: plain data that can be sent to another thread. */
export interface IndexQuery {
  /** Equal for equal questions of callers with the same visibility, independent of the time. */
  readonly cacheKey: string;
  /** The original text. */
  readonly text: string;
  readonly terms: readonly string[];
  /**
   * Each entry is one excluded expression: a document that contains all of its terms is excluded.
   */
  readonly excludedTerms: readonly (readonly string[])[];
  /** Terms that are single characters of an identifier: no match by themselves. */
  readonly fragments?: readonly string[];
  /** Documents that contain the required phrases: only these match; null without any. */
  readonly phraseMatches: readonly string[] | null;
  /** Documents that contain a phrase in quotes that is not required: they are preferred. */
  readonly preferredMatches?: readonly string[];
  /**
   * Documents behind the fact that is asked for: the confidence of a fact that holds, 0..1, or a
   * negative share of it for one that does not.
   */
  readonly factSupport?: ReadonlyMap<string, number>;
  readonly vector: Float32Array | null;
  /** The ranker for the model of the vector. */
  readonly ranker: RankerName;
  /** Documents that match only by vector or by their neighbours' words are excluded. */
  readonly keywordOnly?: boolean;
  /** Visible spaces, null in the list for "no space"; null: all of the account. */
  readonly spaces: readonly (string | null)[] | null;
  /** Spaces that the caller may see; null: all. What is elsewhere supersedes nothing. */
  readonly visibleSpaces: readonly (string | null)[] | null;
  /** The user whose documents alone the caller may see; null: those of everybody. */
  readonly visibleUser: string | null;
  /** Leaves out documents that others supersede. */
  readonly dropsSuperseded?: boolean;
  readonly intent: QueryIntent;
  /** Asks for what held at this time, in epoch milliseconds. */
  readonly asOf?: number | undefined;
  readonly filters: SearchFilters;
  /** Minimum of the shown score. */
  readonly threshold: number;
  readonly now: number;
}
