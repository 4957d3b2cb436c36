/** A range of time asked for. */
export interface TimeRange {
  /** Epoch milliseconds, [from, to). */
  readonly from: number;
  readonly to: number;
  /** Whole years are named loosely: what lies near one still counts for longer. */
  readonly isYear: boolean;
}

/** What a question asks for besides its words. */
export interface Intent {
  /** Words of the question that may be names: small letters, without accents. */
  readonly names: readonly string[];
  /** It speaks of the one who asks, and not of what an assistant said. */
  readonly isAboutSelf: boolean;
  readonly asksWhen: boolean;
  readonly times: readonly TimeRange[];
}

export interface Filters {
  readonly tags?: readonly string[] | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly contentType?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Epoch milliseconds: at or after, before. */
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly occurredAfter?: number | undefined;
  readonly occurredBefore?: number | undefined;
  /** Only these documents; null or left out: all. */
  readonly includedIds?: readonly string[] | null | undefined;
  /** None of these. */
  readonly excludedIds?: readonly string[] | undefined;
}

/** A search as the index understands it: plain data, which can be sent to another thread. */
export interface IndexQuery {
  /** Equal for the same question of callers who see the same, whenever it is asked. */
  readonly cacheKey: string;
  /** As it was asked. */
  readonly text: string;
  readonly terms: readonly string[];
  /** None of these may occur: each entry is one excluded expression, all of its terms. */
  readonly excludedTerms: readonly (readonly string[])[];
  /** Hold a phrase that must occur: they match, and nothing else does; null without phrases. */
  readonly phraseMatches: readonly string[] | null;
  readonly vector: Float32Array | null;
  /** What only lies near, or beside what holds a term, does not match. */
  readonly keywordOnly?: boolean;
  /** Spaces that may be seen, null among them for none; null: all of the account. */
  readonly spaces: readonly (string | null)[] | null;
  readonly intent: Intent;
  readonly filters: Filters;
  /** Cuts on the shown score. */
  readonly threshold: number;
  readonly now: number;
}
