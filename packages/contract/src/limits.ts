/**
 * Limits of the API, published unless marked otherwise. Names end with the unit and the bound; no
 * limit is configurable.
 */
export const limits = {
  /** Maximum of all plans; the limits of each plan are in plans.ts. */
  contentBytesMax: 1_048_576,
  tagsPerMemoryMax: 100,
  tagCharactersMax: 255,
  metadataBytesMax: 16_384,
  /** Not published: rejects deeper JSON, so that recursive readers cannot overflow the stack. */
  metadataDepthMax: 32,
  bulkItemsMax: 100,
  pageMax: 100,
  pageDefault: 20,
  searchOffsetMax: 10_000,
  searchQueryCharactersMax: 1_000,
  searchFiltersMax: 20,
  searchBatchMax: 20,
  topicCharactersMax: 200,
  searchGroupsDefault: 10,
  presetNameCharactersMax: 64,
  /** Not published: presets of one account, without the built-in pipelines. */
  presetsMax: 100,
  nameCharactersMax: 255,
  descriptionCharactersMax: 1_000,
  bodyBytesMax: 8 * 1024 * 1024,
  /** Not published: one MCP message, enough for the longest content with its JSON escapes. */
  mcpBodyBytesMax: 4 * 1024 * 1024,
  /** Not published: tokens that a hook adds to a prompt. */
  hookTokensMin: 100,
  hookTokensDefault: 800,
  hookTokensMax: 10_000,
  /** Maximum of all plans; the limits of each plan are in plans.ts. */
  bulkBodyBytesMax: 64 * 1024 * 1024,
  searchBatchBodyBytesMax: 512 * 1024,
  /** Not published: body of a route without a request body. */
  noBodyBytesMax: 16 * 1024,
  jsonDepthMax: 32,
  /** Tokens of a JSON body: braces, brackets, colons, commas, strings, numbers and literals. */
  jsonTokensMax: 2_000_000,
  /** Not published: body of a route that needs no API key. */
  publicBodyBytesMax: 16 * 1024,
  /** Not published: entries of one array or object in a body. */
  jsonEntriesMax: 10_000,
  /** Not published: invalid fields that one response reports. */
  fieldErrorsMax: 1_000,
  /** Not published: invalid fields that are reported for one item of a batch. */
  itemFieldErrorsMax: 100,
  /** Not published: one name in the path of an invalid field; longer names are truncated. */
  fieldNameCharactersMax: 255,
  idempotencyKeyCharactersMax: 255,
  embeddingDimensionsMax: 8_192,
  keyGraceSecondsMax: 30 * 86_400,
  sessionNameCharactersMax: 200,
  sessionTagsMax: 10,
  sessionTagCharactersMax: 50,
  summaryCharactersMax: 2_000,
  /** Not published: a summary set by PATCH. */
  patchedSummaryCharactersMax: 10_000,
  retentionDaysMax: 36_500,
  roleCharactersMax: 50,
  sessionKeyCharactersMax: 128,
  memoryLifetimeDaysMax: 36_500,
  /** Ids in the filter of a bulk change. */
  bulkChangeIdsMax: 10_000,
  /** Ids in the filter of an erasure. */
  eraseIdsMax: 1_000,
  recallMemoriesMax: 100,
  recallMemoriesDefault: 20,
  /** Of bench/retrieval's everyday it leaves out 5 % of what is wrong, and nothing right. */
  recallThresholdDefault: 0.0002,
  recallTokensMin: 1,
  recallTokensMax: 100_000,
  recallTokensDefault: 2_000,
  relationshipsPerMemoryMax: 1_000,
  /** Memories that one request supersedes by a memory. */
  supersededMemoriesMax: 20,
  /** Suggestions in one answer: the most probable ones. */
  suggestionsMax: 100,
  relationshipTypeCharactersMax: 64,
  /** Not published: keeps weights finite, however often they are reinforced. */
  relationshipWeightMax: 1_000_000_000,
  decayRateDefault: 0.02,
  weightStepDefault: 0.1,
  graphDepthMax: 5,
  graphDepthDefault: 2,
  graphNodesMax: 500,
  neighbourhoodDepthMax: 3,
  neighbourhoodDepthDefault: 1,
  neighbourhoodNodesDefault: 100,
  /** Not published: the most edges of a neighbourhood, for each of its nodes. */
  neighbourhoodEdgesPerNode: 4,
  pathHopsMax: 10,
  pathHopsDefault: 5,
  entityPageMax: 200,
  entityPageDefault: 100,
  factPageDefault: 50,
  /** Not published. */
  aliasesMax: 100,
  factValueCharactersMax: 1_000,
  clusterPageDefault: 50,
  /** Not published. */
  clusterIdsMax: 100,
  /** Not published: manual cluster memberships of one memory. */
  clustersPerMemoryMax: 100,
  /** Points of one map: those of the newest memories. */
  mapPointsMax: 100_000,
  /** Not published: memory ids in one incremental run. */
  incrementalRunIdsMax: 1_000,
  minClusterSizeMin: 2,
  minClusterSizeMax: 1_000,
  minClusterSizeDefault: 5,
  webhookUrlCharactersMax: 2_000,
  webhookEventsMax: 100,
  webhookHeadersMax: 20,
  webhookSecretCharactersMin: 16,
  webhookRetriesMax: 10,
  webhookRetriesDefault: 3,
  webhookRetryDelayDefault: 60,
  mailBytesMax: 25 * 1024 * 1024,
  mailGraceDaysMax: 90,
  mailGraceDaysDefault: 7,
  /** Not published: recipients of one envelope. */
  mailRecipientsMax: 100,
  senderPatternCharactersMax: 320,
  /** Not published: rules, reactions and digests of one account. */
  senderRulesMax: 1_000,
  reactionsMax: 100,
  digestsMax: 100,
  mailTemplateCharactersMax: 20_000,
  mailSubjectCharactersMax: 500,
  /** Not published: recipients of one reaction or digest. */
  outboundRecipientsMax: 20,
  cooldownMinutesMax: 43_200,
  reactionsPerDayMax: 1_000,
  digestItemsMax: 100,
  digestItemsDefault: 10,
  linkSecondsMin: 60,
  linkSecondsMax: 86_400,
  linkSecondsDefault: 900,
  /** Not published: fields of a multipart form, and bytes of one field. */
  formFieldsMax: 30,
  formFieldBytesMax: 64 * 1024,
  titleCharactersMax: 500,
  ownerCharactersMax: 128,
  filenameCharactersMax: 255,
  /** Not published: unfinished uploads of one account. */
  uploadsMax: 100,
  /** Hours of inactivity after which an unfinished upload expires. */
  uploadExpiryHours: 24,
  clipSecondsMax: 600,
  clipLinkSeconds: 900,
  mediaSecondsMax: 86_400,
  transcriptPromptCharactersMax: 2_000,
  speakersMax: 50,
  /** Concurrently open event streams of one account. */
  eventStreamsMax: 20,
  tokenCharactersMax: 2_000,
  tokenSecondsMin: 60,
  tokenSecondsMax: 86_400,
  tokenSecondsDefault: 3_600,
  /** How long a session token can be renewed at most. */
  tokenRenewalSecondsMax: 2_592_000,
} as const;
