/** Names of inline objects and of sets of values, where those of their place say too little. */

const inline: Readonly<Record<string, string>> = {
  MemoriesBulkCreateResponseFailed: 'FailedItem',
  FailedItemError: 'ItemError',
  MemoriesEnrichResponseEnrichments: 'Enrichments',
  EnrichmentsTopics: 'TopicsEnrichment',
  EnrichmentsSummary: 'SummaryEnrichment',
  EnrichmentsEntities: 'EntitiesEnrichment',
  EntitiesEnrichmentData: 'RecognizedEntity',
  EnrichmentsQuality: 'QualityEnrichment',
  MemoriesEnrichResponse202: 'QueuedEnrichment',
  RelationshipsRelatedResponseMemory: 'RelatedMemory',
  EntityPageEntity: 'EntitySummary',
  KnowledgeExtractResponseEntity: 'ExtractedEntity',
  KnowledgeSubgraphResponseNode: 'SubgraphNode',
  KnowledgeSubgraphResponseEdge: 'GraphEdge',
  KnowledgeTimelineItem: 'TimelineEntry',
  KnowledgeEntitiesItem: 'EntitySummary',
  ClusterWithMoreQualityMetrics: 'ClusterQualityMetrics',
  ClusterWithMoreTopicInfo: 'ClusterTopicInfo',
  ClusterTopicInfoRepresentation: 'TopicRepresentation',
  TopicRepresentationTerm: 'TopicTerm',
  ClusterWithMorePagePagination: 'Pagination',
  ClusteredMemoryPagePagination: 'CountedPagination',
  ClustersRefreshMetricsResponse: 'QueuedClusterJob',
  ClustersFullResponse: 'QueuedClusterRun',
  SearchResultWhyMatched: 'WhyMatched',
  SearchGetResponse: 'SearchResponse',
  SearchResponseFacets: 'SearchFacets',
  SearchBatchResponseResult: 'BatchSearchResult',
  SearchBatchResponseResult2: 'FailedBatchSearch',
  SearchSimilarResponseResult: 'SimilarMemory',
  AdminStartVerificationResponse: 'StartedJob',
  ErasureReportLogicalContent: 'TableRows',
  OperationsHealthResponse: 'Health',
  OperationsReadyResponse: 'Readiness',
};

/** @param hint the name by place: the class or the operation, then the property */
export const nameOfInline = (hint: string): string => inline[hint] ?? hint;

/** By their first and last value. */
const literals: Readonly<Record<string, string>> = {
  'text video': 'ContentType',
  'text image': 'CreatedContentType',
  'person date': 'EntityType',
  'queued cancelled': 'JobStatus',
  'created_at salience': 'MemorySort',
  'name silhouette_score': 'ClusterSort',
  'tags time_bucket': 'SearchGrouping',
  'account.created deliveries.resumed': 'AuditAction',
  'memories:read admin': 'GrantableScope',
  'memories:read operator': 'Scope',
  'memory webhook': 'ErasureKind',
  'permanent on_completion': 'RetentionPolicy',
  'received rate_limited': 'MailStatus',
  'queued bounced': 'OutboundMailStatus',
  'memory.created entity.extracted': 'EventType',
};

export const nameOfLiteral = (values: readonly unknown[], hint: string): string =>
  literals[`${values[0]} ${values.at(-1)}`] ?? hint;
