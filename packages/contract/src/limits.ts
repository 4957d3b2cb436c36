/** Published limits. Units are last in the names; nothing here is configurable. */
export const limits = {
  /** Of any plan; the plans' own are in plans.ts. */
  contentBytesMax: 1_048_576,
  tagsPerMemoryMax: 100,
  tagCharactersMax: 255,
  metadataBytesMax: 16_384,
  /** Not published: deeper JSON is refused so that no reader's stack is at risk. */
  metadataDepthMax: 32,
  bulkItemsMax: 100,
  pageMax: 100,
  pageDefault: 20,
  searchOffsetMax: 10_000,
  searchQueryCharactersMax: 1_000,
  searchFiltersMax: 20,
  nameCharactersMax: 255,
  descriptionCharactersMax: 1_000,
  bodyBytesMax: 8 * 1024 * 1024,
  bulkBodyBytesMax: 64 * 1024 * 1024,
  idempotencyKeyCharactersMax: 255,
  embeddingDimensionsMax: 8_192,
  keyGraceSecondsMax: 30 * 86_400,
  sessionNameCharactersMax: 200,
  sessionTagsMax: 10,
  sessionTagCharactersMax: 50,
  summaryCharactersMax: 2_000,
  /** Not published: a summary that is set by PATCH. */
  patchedSummaryCharactersMax: 10_000,
  retentionDaysMax: 36_500,
  roleCharactersMax: 50,
  tokenSecondsMin: 60,
  tokenSecondsMax: 86_400,
  tokenSecondsDefault: 3_600,
} as const;
