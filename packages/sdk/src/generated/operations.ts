// Generated from the contract by `npm run sdk`. Do not edit.
import { defineListOperation, defineOperation } from '../operation.ts';
import type * as t from './types.ts';

export const memoriesCreate = /* @__PURE__ */ defineOperation<t.MemoriesCreateInput, t.CreatedMemory>(
  'memories.create',
  'POST /memories',
  { idempotent: true },
);
export const memoriesList = /* @__PURE__ */ defineListOperation<t.MemoriesListInput, t.MemoriesListResult, t.Memory>(
  'memories.list',
  'GET /memories',
);
export const memoriesFacets = /* @__PURE__ */ defineOperation<t.MemoriesFacetsInput, t.MemoryFacets>(
  'memories.facets',
  'GET /memories/facets',
);
export const memoriesGet = /* @__PURE__ */ defineOperation<t.MemoriesGetInput, t.Memory>(
  'memories.get',
  'GET /memories/:id',
);
export const memoriesUpdate = /* @__PURE__ */ defineOperation<t.MemoriesUpdateInput, t.Memory>(
  'memories.update',
  'PATCH /memories/:id',
);
export const memoriesRemove = /* @__PURE__ */ defineOperation<t.MemoriesRemoveInput, t.MemoriesRemoveResult>(
  'memories.remove',
  'DELETE /memories/:id',
  { empty: true },
);
export const memoriesRestore = /* @__PURE__ */ defineOperation<t.MemoriesRestoreInput, t.Memory>(
  'memories.restore',
  'POST /memories/:id/restore',
);
export const memoriesPin = /* @__PURE__ */ defineOperation<t.MemoriesPinInput, t.Memory>(
  'memories.pin',
  'POST /memories/:id/pin',
);
export const memoriesUnpin = /* @__PURE__ */ defineOperation<t.MemoriesUnpinInput, t.Memory>(
  'memories.unpin',
  'POST /memories/:id/unpin',
);
export const memoriesProtect = /* @__PURE__ */ defineOperation<t.MemoriesProtectInput, t.Memory>(
  'memories.protect',
  'PATCH /memories/:id/protection',
);
export const memoriesVerify = /* @__PURE__ */ defineOperation<t.MemoriesVerifyInput, t.Memory>(
  'memories.verify',
  'POST /memories/:id/verify',
);
export const memoriesFeedback = /* @__PURE__ */ defineOperation<t.MemoriesFeedbackInput, t.Feedback>(
  'memories.feedback',
  'POST /memories/:id/feedback',
  { idempotent: true },
);
export const memoriesBulkCreate = /* @__PURE__ */ defineOperation<t.MemoriesBulkCreateInput, t.MemoriesBulkCreateResult>(
  'memories.bulkCreate',
  'POST /memories/bulk',
  { idempotent: true },
);
export const memoriesBulkUpdate = /* @__PURE__ */ defineOperation<t.MemoriesBulkUpdateInput, t.MemoriesBulkUpdateResult>(
  'memories.bulkUpdate',
  'PATCH /memories/bulk',
);
export const memoriesBulkDelete = /* @__PURE__ */ defineOperation<t.MemoriesBulkDeleteInput, t.MemoriesBulkDeleteResult>(
  'memories.bulkDelete',
  'POST /memories/bulk/delete',
);
export const memoriesBulkTags = /* @__PURE__ */ defineOperation<t.MemoriesBulkTagsInput, t.MemoriesBulkTagsResult>(
  'memories.bulkTags',
  'POST /memories/bulk/tags',
);
export const memoriesFromMessages = /* @__PURE__ */ defineOperation<t.MemoriesFromMessagesInput, t.MemoriesFromMessagesResult>(
  'memories.fromMessages',
  'POST /memories/from-messages',
  { idempotent: true },
);
export const memoriesErase = /* @__PURE__ */ defineOperation<t.MemoriesEraseInput, t.MemoriesEraseResult>(
  'memories.erase',
  'POST /memories/erase',
  { idempotent: true },
);
export const memoriesStartChange = /* @__PURE__ */ defineOperation<t.MemoriesStartChangeInput, t.MemoriesStartChangeResult>(
  'memories.startChange',
  'POST /bulk-changes',
  { idempotent: true },
);
export const memoriesGetChange = /* @__PURE__ */ defineOperation<t.MemoriesGetChangeInput, t.BulkChange>(
  'memories.getChange',
  'GET /bulk-changes/:changeId',
);
export const memoriesUndoChange = /* @__PURE__ */ defineOperation<t.MemoriesUndoChangeInput, t.BulkChange>(
  'memories.undoChange',
  'POST /bulk-changes/:changeId/undo',
  { idempotent: true },
);
export const memoriesSuggestions = /* @__PURE__ */ defineOperation<t.MemoriesSuggestionsInput, t.UpdateSuggestionList>(
  'memories.suggestions',
  'GET /memories/:id/suggestions',
);
export const memoriesAcceptSuggestion = /* @__PURE__ */ defineOperation<t.MemoriesAcceptSuggestionInput, t.UpdateSuggestion>(
  'memories.acceptSuggestion',
  'POST /memories/:id/suggestions/:olderId/accept',
);
export const memoriesDismissSuggestion = /* @__PURE__ */ defineOperation<t.MemoriesDismissSuggestionInput, t.UpdateSuggestion>(
  'memories.dismissSuggestion',
  'POST /memories/:id/suggestions/:olderId/dismiss',
);
export const memoriesTopics = /* @__PURE__ */ defineOperation<t.MemoriesTopicsInput, t.MemoriesTopicsResult>(
  'memories.topics',
  'GET /memories/:id/topics',
);
export const memoriesEnrich = /* @__PURE__ */ defineOperation<t.MemoriesEnrichInput, t.MemoriesEnrichResult>(
  'memories.enrich',
  'POST /memories/:id/enrich',
  { idempotent: true },
);
export const memoriesQuality = /* @__PURE__ */ defineOperation<t.MemoriesQualityInput, t.MemoriesQualityResult>(
  'memories.quality',
  'GET /memories/:id/quality',
);
export const mediaStream = /* @__PURE__ */ defineOperation<t.MediaStreamInput, Response>(
  'media.stream',
  'GET /memories/:id/stream',
  { binary: true, empty: true },
);
export const mediaLink = /* @__PURE__ */ defineOperation<t.MediaLinkInput, t.MediaLink>(
  'media.link',
  'GET /memories/:id/stream/link',
);
export const mediaRecordingMetadata = /* @__PURE__ */ defineOperation<t.MediaRecordingMetadataInput, t.VideoMetadata>(
  'media.recordingMetadata',
  'GET /memories/:id/stream/metadata',
);
export const mediaTranscript = /* @__PURE__ */ defineOperation<t.MediaTranscriptInput, t.MediaTranscriptResult>(
  'media.transcript',
  'GET /memories/:id/transcript',
);
export const mediaTranscribe = /* @__PURE__ */ defineOperation<t.MediaTranscribeInput, t.MediaPending>(
  'media.transcribe',
  'POST /memories/:id/transcribe',
  { idempotent: true },
);
export const mediaVideo = /* @__PURE__ */ defineOperation<t.MediaVideoInput, Response>(
  'media.video',
  'GET /memories/:id/video',
  { binary: true, empty: true },
);
export const mediaThumbnail = /* @__PURE__ */ defineOperation<t.MediaThumbnailInput, Response>(
  'media.thumbnail',
  'GET /memories/:id/video/thumbnail',
  { binary: true, empty: true },
);
export const mediaMetadata = /* @__PURE__ */ defineOperation<t.MediaMetadataInput, t.VideoMetadata>(
  'media.metadata',
  'GET /memories/:id/video/metadata',
);
export const mediaVideoTranscript = /* @__PURE__ */ defineOperation<t.MediaVideoTranscriptInput, t.MediaVideoTranscriptResult>(
  'media.videoTranscript',
  'GET /memories/:id/video/transcript',
);
export const mediaVideoTranscribe = /* @__PURE__ */ defineOperation<t.MediaVideoTranscribeInput, t.MediaPending>(
  'media.videoTranscribe',
  'POST /memories/:id/video/transcribe',
  { idempotent: true },
);
export const mediaInterpret = /* @__PURE__ */ defineOperation<t.MediaInterpretInput, t.MediaPending>(
  'media.interpret',
  'POST /memories/:id/video/interpret',
  { idempotent: true },
);
export const mediaInterpretation = /* @__PURE__ */ defineOperation<t.MediaInterpretationInput, t.MediaInterpretationResult>(
  'media.interpretation',
  'GET /memories/:id/video/interpretation',
);
export const mediaClip = /* @__PURE__ */ defineOperation<t.MediaClipInput, Response>(
  'media.clip',
  'GET /media/clips/:id',
  { binary: true, empty: true },
);
export const mediaCreateUpload = /* @__PURE__ */ defineOperation<t.MediaCreateUploadInput, t.Upload>(
  'media.createUpload',
  'POST /media/uploads',
  { idempotent: true, headers: { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' } },
);
export const mediaGetUpload = /* @__PURE__ */ defineOperation<t.MediaGetUploadInput, t.Upload>(
  'media.getUpload',
  'GET /media/uploads/:id',
);
export const mediaAppendUpload = /* @__PURE__ */ defineOperation<t.MediaAppendUploadInput, void>(
  'media.appendUpload',
  'PATCH /media/uploads/:id',
  { empty: true, headers: { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' } },
);
export const mediaRemoveUpload = /* @__PURE__ */ defineOperation<t.MediaRemoveUploadInput, void>(
  'media.removeUpload',
  'DELETE /media/uploads/:id',
  { empty: true, headers: { 'tus-resumable': '1.0.0' } },
);
export const relationshipsCreate = /* @__PURE__ */ defineOperation<t.RelationshipsCreateInput, t.CreatedRelationship>(
  'relationships.create',
  'POST /relationships/:memoryId',
  { idempotent: true },
);
export const relationshipsBatch = /* @__PURE__ */ defineOperation<t.RelationshipsBatchInput, t.RelationshipsBatchResult>(
  'relationships.batch',
  'POST /relationships/batch',
  { idempotent: true },
);
export const relationshipsList = /* @__PURE__ */ defineOperation<t.RelationshipsListInput, t.RelationshipsListResult>(
  'relationships.list',
  'GET /relationships/:memoryId',
);
export const relationshipsRelated = /* @__PURE__ */ defineOperation<t.RelationshipsRelatedInput, t.RelationshipsRelatedResult>(
  'relationships.related',
  'GET /relationships/:memoryId/related',
);
export const relationshipsUpdate = /* @__PURE__ */ defineOperation<t.RelationshipsUpdateInput, t.Relationship>(
  'relationships.update',
  'PATCH /relationships/:sourceId/:targetId/:type',
);
export const relationshipsRemove = /* @__PURE__ */ defineOperation<t.RelationshipsRemoveInput, void>(
  'relationships.remove',
  'DELETE /relationships/:sourceId/:targetId/:type',
  { empty: true },
);
export const relationshipsWeaken = /* @__PURE__ */ defineOperation<t.RelationshipsWeakenInput, t.Relationship>(
  'relationships.weaken',
  'POST /relationships/:sourceId/:targetId/:type/weaken',
);
export const relationshipsReinforce = /* @__PURE__ */ defineOperation<t.RelationshipsReinforceInput, t.Relationship>(
  'relationships.reinforce',
  'POST /relationships/:sourceId/:targetId/:type/reinforce',
);
export const knowledgeEntities = /* @__PURE__ */ defineListOperation<t.KnowledgeEntitiesInput, t.KnowledgeEntitiesResult, t.KnowledgeEntitiesItem>(
  'knowledge.entities',
  'GET /knowledge/entities',
);
export const knowledgeCount = /* @__PURE__ */ defineOperation<t.KnowledgeCountInput, t.KnowledgeCountResult>(
  'knowledge.count',
  'GET /knowledge/entities/count',
);
export const knowledgeAtTime = /* @__PURE__ */ defineListOperation<t.KnowledgeAtTimeInput, t.KnowledgeAtTimeResult, t.KnowledgeAtTimeItem>(
  'knowledge.atTime',
  'GET /knowledge/entities/at-time',
);
export const knowledgeGet = /* @__PURE__ */ defineOperation<t.KnowledgeGetInput, t.EntityDetail>(
  'knowledge.get',
  'GET /knowledge/entities/:id',
);
export const knowledgeTimeline = /* @__PURE__ */ defineListOperation<t.KnowledgeTimelineInput, t.KnowledgeTimelineResult, t.KnowledgeTimelineItem>(
  'knowledge.timeline',
  'GET /knowledge/entities/:id/timeline',
);
export const knowledgeRelationships = /* @__PURE__ */ defineListOperation<t.KnowledgeRelationshipsInput, t.KnowledgeRelationshipsResult, t.EntityRelationship>(
  'knowledge.relationships',
  'GET /knowledge/entities/:id/relationships',
);
export const knowledgeFacts = /* @__PURE__ */ defineListOperation<t.KnowledgeFactsInput, t.KnowledgeFactsResult, t.Fact>(
  'knowledge.facts',
  'GET /knowledge/entities/:id/facts',
);
export const knowledgeCreate = /* @__PURE__ */ defineOperation<t.KnowledgeCreateInput, t.Entity>(
  'knowledge.create',
  'POST /knowledge/entities',
  { idempotent: true },
);
export const knowledgeUpdate = /* @__PURE__ */ defineOperation<t.KnowledgeUpdateInput, t.Entity>(
  'knowledge.update',
  'PATCH /knowledge/entities/:id',
);
export const knowledgeCreateFact = /* @__PURE__ */ defineOperation<t.KnowledgeCreateFactInput, t.Fact>(
  'knowledge.createFact',
  'POST /knowledge/facts',
  { idempotent: true },
);
export const knowledgeRemoveFact = /* @__PURE__ */ defineOperation<t.KnowledgeRemoveFactInput, t.Fact>(
  'knowledge.removeFact',
  'DELETE /knowledge/facts/:id',
);
export const knowledgeExtract = /* @__PURE__ */ defineOperation<t.KnowledgeExtractInput, t.KnowledgeExtractResult>(
  'knowledge.extract',
  'POST /knowledge/extract',
);
export const knowledgeMerge = /* @__PURE__ */ defineOperation<t.KnowledgeMergeInput, t.KnowledgeMergeResult>(
  'knowledge.merge',
  'POST /knowledge/entities/merge',
  { idempotent: true },
);
export const knowledgeMergeEntities = /* @__PURE__ */ defineOperation<t.KnowledgeMergeEntitiesInput, t.KnowledgeMergeEntitiesResult>(
  'knowledge.mergeEntities',
  'POST /entities/merge',
  { idempotent: true },
);
export const knowledgeSubgraph = /* @__PURE__ */ defineOperation<t.KnowledgeSubgraphInput, t.KnowledgeSubgraphResult>(
  'knowledge.subgraph',
  'GET /knowledge/graph/subgraph/:entityId',
);
export const knowledgePath = /* @__PURE__ */ defineOperation<t.KnowledgePathInput, t.KnowledgePathResult>(
  'knowledge.path',
  'GET /knowledge/graph/path',
);
export const knowledgeNeighbourhood = /* @__PURE__ */ defineOperation<t.KnowledgeNeighbourhoodInput, t.Neighbourhood>(
  'knowledge.neighbourhood',
  'GET /knowledge/graph/neighbourhood',
);
export const knowledgeOfMemory = /* @__PURE__ */ defineOperation<t.KnowledgeOfMemoryInput, t.MemoryKnowledge>(
  'knowledge.ofMemory',
  'GET /memories/:id/facts',
);
export const clustersCreate = /* @__PURE__ */ defineOperation<t.ClustersCreateInput, t.Cluster>(
  'clusters.create',
  'POST /clusters',
  { idempotent: true },
);
export const clustersList = /* @__PURE__ */ defineListOperation<t.ClustersListInput, t.ClustersListResult, t.ClusterWithMore>(
  'clusters.list',
  'GET /clusters',
);
export const clustersGet = /* @__PURE__ */ defineOperation<t.ClustersGetInput, t.ClusterDetail>(
  'clusters.get',
  'GET /clusters/:clusterId',
);
export const clustersUpdate = /* @__PURE__ */ defineOperation<t.ClustersUpdateInput, t.Cluster>(
  'clusters.update',
  'PATCH /clusters/:clusterId',
);
export const clustersRemove = /* @__PURE__ */ defineOperation<t.ClustersRemoveInput, void>(
  'clusters.remove',
  'DELETE /clusters/:clusterId',
  { empty: true },
);
export const clustersMerge = /* @__PURE__ */ defineOperation<t.ClustersMergeInput, t.Cluster>(
  'clusters.merge',
  'POST /clusters/:clusterId/merge',
  { idempotent: true },
);
export const clustersMemories = /* @__PURE__ */ defineListOperation<t.ClustersMemoriesInput, t.ClustersMemoriesResult, t.ClusteredMemory>(
  'clusters.memories',
  'GET /clusters/:clusterId/memories',
);
export const clustersAssociate = /* @__PURE__ */ defineOperation<t.ClustersAssociateInput, t.ClustersAssociateResult>(
  'clusters.associate',
  'POST /memories/:id/clusters',
  { idempotent: true },
);
export const clustersOfMemory = /* @__PURE__ */ defineListOperation<t.ClustersOfMemoryInput, t.ClustersOfMemoryResult, t.ClusterOfMemory>(
  'clusters.ofMemory',
  'GET /memories/:id/clusters',
);
export const clustersDissociate = /* @__PURE__ */ defineOperation<t.ClustersDissociateInput, void>(
  'clusters.dissociate',
  'DELETE /memories/:id/clusters/:clusterId',
  { empty: true },
);
export const clustersStats = /* @__PURE__ */ defineOperation<t.ClustersStatsInput, t.ClusterStats>(
  'clusters.stats',
  'GET /clusters/stats',
);
export const clustersQuality = /* @__PURE__ */ defineOperation<t.ClustersQualityInput, t.ClustersQualityResult>(
  'clusters.quality',
  'GET /clusters/:clusterId/quality',
);
export const clustersTopics = /* @__PURE__ */ defineOperation<t.ClustersTopicsInput, t.ClustersTopicsResult>(
  'clusters.topics',
  'GET /clusters/:clusterId/topics',
);
export const clustersRefreshMetrics = /* @__PURE__ */ defineOperation<t.ClustersRefreshMetricsInput, t.ClustersRefreshMetricsResult>(
  'clusters.refreshMetrics',
  'POST /clusters/:clusterId/refresh-metrics',
  { idempotent: true },
);
export const clustersRecomputeCentroid = /* @__PURE__ */ defineOperation<t.ClustersRecomputeCentroidInput, t.ClustersRecomputeCentroidResult>(
  'clusters.recomputeCentroid',
  'POST /clusters/:clusterId/recompute-centroid',
  { idempotent: true },
);
export const clustersMap = /* @__PURE__ */ defineOperation<t.ClustersMapInput, t.ClusterMap>(
  'clusters.map',
  'GET /clusters/map',
);
export const clustersFull = /* @__PURE__ */ defineOperation<t.ClustersFullInput, t.ClustersFullResult>(
  'clusters.full',
  'POST /clusters/full',
  { idempotent: true },
);
export const clustersIncremental = /* @__PURE__ */ defineOperation<t.ClustersIncrementalInput, t.ClustersIncrementalResult>(
  'clusters.incremental',
  'POST /clusters/incremental',
  { idempotent: true },
);
export const clustersStatus = /* @__PURE__ */ defineOperation<t.ClustersStatusInput, t.ClustersStatusResult>(
  'clusters.status',
  'GET /clusters/status',
);
export const clustersRuns = /* @__PURE__ */ defineListOperation<t.ClustersRunsInput, t.ClustersRunsResult, t.ClusterRun>(
  'clusters.runs',
  'GET /clusters/runs',
);
export const clustersConfig = /* @__PURE__ */ defineOperation<t.ClustersConfigInput, t.ClusterConfig>(
  'clusters.config',
  'GET /clusters/config',
);
export const clustersConfigure = /* @__PURE__ */ defineOperation<t.ClustersConfigureInput, t.ClusterConfig>(
  'clusters.configure',
  'POST /clusters/config',
);
export const searchGet = /* @__PURE__ */ defineOperation<t.SearchGetInput, t.SearchGetResult>(
  'search.get',
  'GET /search',
);
export const searchPost = /* @__PURE__ */ defineOperation<t.SearchPostInput, t.SearchPostResult>(
  'search.post',
  'POST /search',
  { reads: true },
);
export const searchRecall = /* @__PURE__ */ defineOperation<t.SearchRecallInput, t.RecallAnswer>(
  'search.recall',
  'POST /recall',
  { reads: true },
);
export const searchBatch = /* @__PURE__ */ defineOperation<t.SearchBatchInput, t.SearchBatchResult>(
  'search.batch',
  'POST /search/batch',
  { reads: true },
);
export const searchGlobal = /* @__PURE__ */ defineOperation<t.SearchGlobalInput, t.SearchGlobalResult>(
  'search.global',
  'GET /search/global',
);
export const searchTopic = /* @__PURE__ */ defineOperation<t.SearchTopicInput, t.SearchTopicResult>(
  'search.topic',
  'GET /search/topic',
);
export const searchAggregate = /* @__PURE__ */ defineOperation<t.SearchAggregateInput, t.SearchAggregateResult>(
  'search.aggregate',
  'GET /search/aggregate',
);
export const searchSimilar = /* @__PURE__ */ defineOperation<t.SearchSimilarInput, t.SearchSimilarResult>(
  'search.similar',
  'GET /search/similar/:memoryId',
);
export const searchListPresets = /* @__PURE__ */ defineListOperation<t.SearchListPresetsInput, t.SearchListPresetsResult, t.SearchPreset>(
  'search.listPresets',
  'GET /search/pipelines',
);
export const searchGetPreset = /* @__PURE__ */ defineOperation<t.SearchGetPresetInput, t.SearchPreset>(
  'search.getPreset',
  'GET /search/pipelines/:name',
);
export const searchPutPreset = /* @__PURE__ */ defineOperation<t.SearchPutPresetInput, t.SearchPreset>(
  'search.putPreset',
  'PUT /search/pipelines/:name',
);
export const searchRemovePreset = /* @__PURE__ */ defineOperation<t.SearchRemovePresetInput, void>(
  'search.removePreset',
  'DELETE /search/pipelines/:name',
  { empty: true },
);
export const spacesCreate = /* @__PURE__ */ defineOperation<t.SpacesCreateInput, t.Space>(
  'spaces.create',
  'POST /spaces',
  { idempotent: true },
);
export const spacesList = /* @__PURE__ */ defineListOperation<t.SpacesListInput, t.SpacesListResult, t.Space>(
  'spaces.list',
  'GET /spaces',
);
export const spacesGet = /* @__PURE__ */ defineOperation<t.SpacesGetInput, t.Space>(
  'spaces.get',
  'GET /spaces/:id',
);
export const spacesUpdate = /* @__PURE__ */ defineOperation<t.SpacesUpdateInput, t.Space>(
  'spaces.update',
  'PATCH /spaces/:id',
);
export const spacesRemove = /* @__PURE__ */ defineOperation<t.SpacesRemoveInput, void>(
  'spaces.remove',
  'DELETE /spaces/:id',
  { empty: true },
);
export const cliSessionsCreate = /* @__PURE__ */ defineOperation<t.CliSessionsCreateInput, t.CliSession>(
  'cliSessions.create',
  'POST /cli-sessions',
  { idempotent: true },
);
export const cliSessionsList = /* @__PURE__ */ defineListOperation<t.CliSessionsListInput, t.CliSessionsListResult, t.CliSession>(
  'cliSessions.list',
  'GET /cli-sessions',
);
export const cliSessionsActive = /* @__PURE__ */ defineOperation<t.CliSessionsActiveInput, t.CliSessionsActiveResult>(
  'cliSessions.active',
  'GET /cli-sessions/active',
);
export const cliSessionsStats = /* @__PURE__ */ defineOperation<t.CliSessionsStatsInput, t.CliSessionStats>(
  'cliSessions.stats',
  'GET /cli-sessions/stats',
);
export const cliSessionsGet = /* @__PURE__ */ defineOperation<t.CliSessionsGetInput, t.CliSession>(
  'cliSessions.get',
  'GET /cli-sessions/:id',
);
export const cliSessionsUpdate = /* @__PURE__ */ defineOperation<t.CliSessionsUpdateInput, t.CliSession>(
  'cliSessions.update',
  'PATCH /cli-sessions/:id',
);
export const cliSessionsRemove = /* @__PURE__ */ defineOperation<t.CliSessionsRemoveInput, void>(
  'cliSessions.remove',
  'DELETE /cli-sessions/:id',
  { empty: true },
);
export const cliSessionsPause = /* @__PURE__ */ defineOperation<t.CliSessionsPauseInput, t.CliSession>(
  'cliSessions.pause',
  'POST /cli-sessions/:id/pause',
);
export const cliSessionsResume = /* @__PURE__ */ defineOperation<t.CliSessionsResumeInput, t.CliSession>(
  'cliSessions.resume',
  'POST /cli-sessions/:id/resume',
);
export const cliSessionsComplete = /* @__PURE__ */ defineOperation<t.CliSessionsCompleteInput, t.CliSession>(
  'cliSessions.complete',
  'POST /cli-sessions/:id/complete',
);
export const cliSessionsArchive = /* @__PURE__ */ defineOperation<t.CliSessionsArchiveInput, t.CliSession>(
  'cliSessions.archive',
  'POST /cli-sessions/:id/archive',
);
export const cliSessionsMemories = /* @__PURE__ */ defineListOperation<t.CliSessionsMemoriesInput, t.CliSessionsMemoriesResult, t.Memory>(
  'cliSessions.memories',
  'GET /cli-sessions/:id/memories',
);
export const cliSessionsPostMessages = /* @__PURE__ */ defineOperation<t.CliSessionsPostMessagesInput, t.CliSessionsPostMessagesResult>(
  'cliSessions.postMessages',
  'POST /cli-sessions/:id/messages',
  { idempotent: true },
);
export const sessionsList = /* @__PURE__ */ defineListOperation<t.SessionsListInput, t.SessionsListResult, t.ActivationSession>(
  'sessions.list',
  'GET /sessions',
);
export const sessionsActive = /* @__PURE__ */ defineListOperation<t.SessionsActiveInput, t.SessionsActiveResult, t.ActivationSession>(
  'sessions.active',
  'GET /sessions/active',
);
export const sessionsGet = /* @__PURE__ */ defineOperation<t.SessionsGetInput, t.ActivationSessionDetail>(
  'sessions.get',
  'GET /sessions/:id',
);
export const sessionsMemories = /* @__PURE__ */ defineListOperation<t.SessionsMemoriesInput, t.SessionsMemoriesResult, t.Memory>(
  'sessions.memories',
  'GET /sessions/:id/memories',
);
export const sessionsExport = /* @__PURE__ */ defineOperation<t.SessionsExportInput, t.SessionsExportResult>(
  'sessions.export',
  'GET /sessions/:id/export',
  { text: true },
);
export const sessionsReport = /* @__PURE__ */ defineOperation<t.SessionsReportInput, t.ActivationReport>(
  'sessions.report',
  'GET /sessions/:id/report',
);
export const accountGet = /* @__PURE__ */ defineOperation<t.AccountGetInput, t.Account>(
  'account.get',
  'GET /account',
);
export const accountUpdate = /* @__PURE__ */ defineOperation<t.AccountUpdateInput, t.Account>(
  'account.update',
  'PATCH /account',
);
export const accountAudit = /* @__PURE__ */ defineListOperation<t.AccountAuditInput, t.AccountAuditResult, t.AuditEntry>(
  'account.audit',
  'GET /account/audit',
);
export const authCreateToken = /* @__PURE__ */ defineOperation<t.AuthCreateTokenInput, t.IssuedSessionToken>(
  'auth.createToken',
  'POST /auth/tokens',
  { idempotent: true },
);
export const authRenewToken = /* @__PURE__ */ defineOperation<t.AuthRenewTokenInput, t.IssuedSessionToken>(
  'auth.renewToken',
  'POST /auth/tokens/renew',
);
export const authListTokens = /* @__PURE__ */ defineListOperation<t.AuthListTokensInput, t.AuthListTokensResult, t.SessionToken>(
  'auth.listTokens',
  'GET /auth/tokens',
);
export const authRevokeToken = /* @__PURE__ */ defineOperation<t.AuthRevokeTokenInput, void>(
  'auth.revokeToken',
  'DELETE /auth/tokens/:id',
  { empty: true },
);
export const keysCreate = /* @__PURE__ */ defineOperation<t.KeysCreateInput, t.IssuedApiKey>(
  'keys.create',
  'POST /api-keys',
  { idempotent: true },
);
export const keysList = /* @__PURE__ */ defineListOperation<t.KeysListInput, t.KeysListResult, t.ApiKey>(
  'keys.list',
  'GET /api-keys',
);
export const keysRevoke = /* @__PURE__ */ defineOperation<t.KeysRevokeInput, void>(
  'keys.revoke',
  'DELETE /api-keys/:id',
  { empty: true },
);
export const keysRotate = /* @__PURE__ */ defineOperation<t.KeysRotateInput, t.IssuedApiKey>(
  'keys.rotate',
  'POST /api-keys/:id/rotate',
);
export const grantsList = /* @__PURE__ */ defineListOperation<t.GrantsListInput, t.GrantsListResult, t.OAuthGrant>(
  'grants.list',
  'GET /oauth/grants',
);
export const grantsRevoke = /* @__PURE__ */ defineOperation<t.GrantsRevokeInput, void>(
  'grants.revoke',
  'DELETE /oauth/grants/:id',
  { empty: true },
);
export const adminCreateAccount = /* @__PURE__ */ defineOperation<t.AdminCreateAccountInput, t.AccountState>(
  'admin.createAccount',
  'POST /admin/accounts',
  { idempotent: true },
);
export const adminListAccounts = /* @__PURE__ */ defineListOperation<t.AdminListAccountsInput, t.AdminListAccountsResult, t.AccountState>(
  'admin.listAccounts',
  'GET /admin/accounts',
);
export const adminGetAccount = /* @__PURE__ */ defineOperation<t.AdminGetAccountInput, t.AccountState>(
  'admin.getAccount',
  'GET /admin/accounts/:id',
);
export const adminUpdateAccount = /* @__PURE__ */ defineOperation<t.AdminUpdateAccountInput, t.AccountState>(
  'admin.updateAccount',
  'PATCH /admin/accounts/:id',
);
export const adminDeleteAccount = /* @__PURE__ */ defineOperation<t.AdminDeleteAccountInput, void>(
  'admin.deleteAccount',
  'DELETE /admin/accounts/:id',
  { empty: true },
);
export const adminCreateKey = /* @__PURE__ */ defineOperation<t.AdminCreateKeyInput, t.IssuedApiKey>(
  'admin.createKey',
  'POST /admin/accounts/:id/keys',
  { idempotent: true },
);
export const adminStartVerification = /* @__PURE__ */ defineOperation<t.AdminStartVerificationInput, t.AdminStartVerificationResult>(
  'admin.startVerification',
  'POST /admin/verifications',
  { idempotent: true },
);
export const adminGetVerification = /* @__PURE__ */ defineOperation<t.AdminGetVerificationInput, t.Verification>(
  'admin.getVerification',
  'GET /admin/verifications/:id',
);
export const adminBackup = /* @__PURE__ */ defineOperation<t.AdminBackupInput, Response>(
  'admin.backup',
  'GET /admin/backup',
  { binary: true, empty: true },
);
export const adminGetDiagnosis = /* @__PURE__ */ defineOperation<t.AdminGetDiagnosisInput, t.Diagnosis>(
  'admin.getDiagnosis',
  'GET /admin/diagnosis',
);
export const adminAcknowledgeFindings = /* @__PURE__ */ defineOperation<t.AdminAcknowledgeFindingsInput, t.Diagnosis>(
  'admin.acknowledgeFindings',
  'POST /admin/diagnosis/acknowledge',
);
export const adminStartReembedding = /* @__PURE__ */ defineOperation<t.AdminStartReembeddingInput, t.AdminStartReembeddingResult>(
  'admin.startReembedding',
  'POST /admin/reembeddings',
  { idempotent: true },
);
export const adminGetReembedding = /* @__PURE__ */ defineOperation<t.AdminGetReembeddingInput, t.Reembedding>(
  'admin.getReembedding',
  'GET /admin/reembeddings/:id',
);
export const adminListModels = /* @__PURE__ */ defineOperation<t.AdminListModelsInput, t.EmbeddingModels>(
  'admin.listModels',
  'GET /admin/models',
);
export const adminRemoveModel = /* @__PURE__ */ defineOperation<t.AdminRemoveModelInput, t.AdminRemoveModelResult>(
  'admin.removeModel',
  'DELETE /admin/models/:name',
);
export const adminStartModelTest = /* @__PURE__ */ defineOperation<t.AdminStartModelTestInput, t.AdminStartModelTestResult>(
  'admin.startModelTest',
  'POST /admin/model-tests',
  { idempotent: true },
);
export const adminGetModelTest = /* @__PURE__ */ defineOperation<t.AdminGetModelTestInput, t.ModelTest>(
  'admin.getModelTest',
  'GET /admin/model-tests/:id',
);
export const adminPauseDeliveries = /* @__PURE__ */ defineOperation<t.AdminPauseDeliveriesInput, t.DeliveryState>(
  'admin.pauseDeliveries',
  'POST /admin/deliveries/pause',
);
export const adminResumeDeliveries = /* @__PURE__ */ defineOperation<t.AdminResumeDeliveriesInput, t.DeliveryState>(
  'admin.resumeDeliveries',
  'POST /admin/deliveries/resume',
);
export const adminListErasures = /* @__PURE__ */ defineListOperation<t.AdminListErasuresInput, t.AdminListErasuresResult, t.Erasure>(
  'admin.listErasures',
  'GET /admin/erasures',
);
export const adminGetErasure = /* @__PURE__ */ defineOperation<t.AdminGetErasureInput, t.ErasureReport>(
  'admin.getErasure',
  'GET /admin/erasures/:id',
);
export const adminListJobs = /* @__PURE__ */ defineListOperation<t.AdminListJobsInput, t.AdminListJobsResult, t.OperatorJob>(
  'admin.listJobs',
  'GET /admin/jobs',
);
export const adminRetryJob = /* @__PURE__ */ defineOperation<t.AdminRetryJobInput, t.OperatorJob>(
  'admin.retryJob',
  'POST /admin/jobs/:id/retry',
  { idempotent: true },
);
export const adminListQueues = /* @__PURE__ */ defineOperation<t.AdminListQueuesInput, t.AdminListQueuesResult>(
  'admin.listQueues',
  'GET /admin/queues',
);
export const adminPauseQueue = /* @__PURE__ */ defineOperation<t.AdminPauseQueueInput, t.AdminPauseQueueResult>(
  'admin.pauseQueue',
  'POST /admin/queues/:name/pause',
);
export const adminResumeQueue = /* @__PURE__ */ defineOperation<t.AdminResumeQueueInput, t.AdminResumeQueueResult>(
  'admin.resumeQueue',
  'POST /admin/queues/:name/resume',
);
export const adminExport = /* @__PURE__ */ defineOperation<t.AdminExportInput, Response>(
  'admin.export',
  'GET /admin/export',
  { binary: true, empty: true },
);
export const adminImport = /* @__PURE__ */ defineOperation<t.AdminImportInput, t.QueuedImport>(
  'admin.import',
  'POST /admin/import',
  { headers: { 'content-type': 'application/gzip' } },
);
export const adminGetImport = /* @__PURE__ */ defineOperation<t.AdminGetImportInput, t.Import>(
  'admin.getImport',
  'GET /admin/imports/:id',
);
export const transfersExport = /* @__PURE__ */ defineOperation<t.TransfersExportInput, Response>(
  'transfers.export',
  'GET /export',
  { binary: true, empty: true },
);
export const transfersImport = /* @__PURE__ */ defineOperation<t.TransfersImportInput, t.QueuedImport>(
  'transfers.import',
  'POST /import',
  { headers: { 'content-type': 'application/gzip' } },
);
export const transfersGetImport = /* @__PURE__ */ defineOperation<t.TransfersGetImportInput, t.Import>(
  'transfers.getImport',
  'GET /imports/:id',
);
export const emailGetAddress = /* @__PURE__ */ defineOperation<t.EmailGetAddressInput, t.EmailAddress>(
  'email.getAddress',
  'GET /email/address',
);
export const emailCreateAddress = /* @__PURE__ */ defineOperation<t.EmailCreateAddressInput, t.EmailAddress>(
  'email.createAddress',
  'POST /email/address',
  { idempotent: true },
);
export const emailRotateAddress = /* @__PURE__ */ defineOperation<t.EmailRotateAddressInput, t.EmailRotateAddressResult>(
  'email.rotateAddress',
  'POST /email/address/rotate',
  { idempotent: true },
);
export const emailListAddresses = /* @__PURE__ */ defineListOperation<t.EmailListAddressesInput, t.EmailListAddressesResult, t.EmailAddress>(
  'email.listAddresses',
  'GET /email/addresses',
);
export const emailDeactivateAddress = /* @__PURE__ */ defineOperation<t.EmailDeactivateAddressInput, void>(
  'email.deactivateAddress',
  'DELETE /email/address',
  { empty: true },
);
export const emailListHistory = /* @__PURE__ */ defineListOperation<t.EmailListHistoryInput, t.EmailListHistoryResult, t.Mail>(
  'email.listHistory',
  'GET /email/history',
);
export const emailGetHistory = /* @__PURE__ */ defineOperation<t.EmailGetHistoryInput, t.Mail>(
  'email.getHistory',
  'GET /email/history/:id',
);
export const emailListAttachments = /* @__PURE__ */ defineListOperation<t.EmailListAttachmentsInput, t.EmailListAttachmentsResult, t.Attachment>(
  'email.listAttachments',
  'GET /email/history/:id/attachments',
);
export const emailGetAttachment = /* @__PURE__ */ defineOperation<t.EmailGetAttachmentInput, t.Attachment>(
  'email.getAttachment',
  'GET /email/attachments/:id',
);
export const emailDownloadAttachment = /* @__PURE__ */ defineOperation<t.EmailDownloadAttachmentInput, t.EmailDownloadAttachmentResult>(
  'email.downloadAttachment',
  'GET /email/attachments/:id/download',
);
export const emailAttachmentContent = /* @__PURE__ */ defineOperation<t.EmailAttachmentContentInput, Response>(
  'email.attachmentContent',
  'GET /email/attachments/:id/content',
  { binary: true, empty: true },
);
export const emailRemoveAttachment = /* @__PURE__ */ defineOperation<t.EmailRemoveAttachmentInput, void>(
  'email.removeAttachment',
  'DELETE /email/attachments/:id',
  { empty: true },
);
export const emailListSenders = /* @__PURE__ */ defineListOperation<t.EmailListSendersInput, t.EmailListSendersResult, t.SenderRule>(
  'email.listSenders',
  'GET /email/senders',
);
export const emailAddSender = /* @__PURE__ */ defineOperation<t.EmailAddSenderInput, t.SenderRule>(
  'email.addSender',
  'POST /email/senders',
  { idempotent: true },
);
export const emailCheckSender = /* @__PURE__ */ defineOperation<t.EmailCheckSenderInput, t.EmailCheckSenderResult>(
  'email.checkSender',
  'POST /email/senders/check',
  { reads: true },
);
export const emailRemoveSender = /* @__PURE__ */ defineOperation<t.EmailRemoveSenderInput, void>(
  'email.removeSender',
  'DELETE /email/senders/:pattern',
  { empty: true },
);
export const emailInbound = /* @__PURE__ */ defineOperation<t.EmailInboundInput, t.EmailInboundResult>(
  'email.inbound',
  'POST /email/inbound',
  { headers: { 'content-type': 'message/rfc822' } },
);
export const emailListReactions = /* @__PURE__ */ defineListOperation<t.EmailListReactionsInput, t.EmailListReactionsResult, t.Reaction>(
  'email.listReactions',
  'GET /email/reactions',
);
export const emailCreateReaction = /* @__PURE__ */ defineOperation<t.EmailCreateReactionInput, t.Reaction>(
  'email.createReaction',
  'POST /email/reactions',
  { idempotent: true },
);
export const emailUpdateReaction = /* @__PURE__ */ defineOperation<t.EmailUpdateReactionInput, t.Reaction>(
  'email.updateReaction',
  'PATCH /email/reactions/:id',
);
export const emailRemoveReaction = /* @__PURE__ */ defineOperation<t.EmailRemoveReactionInput, void>(
  'email.removeReaction',
  'DELETE /email/reactions/:id',
  { empty: true },
);
export const emailListDigests = /* @__PURE__ */ defineListOperation<t.EmailListDigestsInput, t.EmailListDigestsResult, t.Digest>(
  'email.listDigests',
  'GET /email/digests',
);
export const emailCreateDigest = /* @__PURE__ */ defineOperation<t.EmailCreateDigestInput, t.Digest>(
  'email.createDigest',
  'POST /email/digests',
  { idempotent: true },
);
export const emailUpdateDigest = /* @__PURE__ */ defineOperation<t.EmailUpdateDigestInput, t.Digest>(
  'email.updateDigest',
  'PATCH /email/digests/:id',
);
export const emailRemoveDigest = /* @__PURE__ */ defineOperation<t.EmailRemoveDigestInput, void>(
  'email.removeDigest',
  'DELETE /email/digests/:id',
  { empty: true },
);
export const emailSendDigest = /* @__PURE__ */ defineOperation<t.EmailSendDigestInput, t.EmailSendDigestResult>(
  'email.sendDigest',
  'POST /email/digests/:id/send',
  { idempotent: true },
);
export const emailListOutbound = /* @__PURE__ */ defineListOperation<t.EmailListOutboundInput, t.EmailListOutboundResult, t.OutboundMail>(
  'email.listOutbound',
  'GET /email/outbound',
);
export const emailRetryOutbound = /* @__PURE__ */ defineOperation<t.EmailRetryOutboundInput, t.OutboundMail>(
  'email.retryOutbound',
  'POST /email/outbound/:id/retry',
  { idempotent: true },
);
export const emailListSuppressions = /* @__PURE__ */ defineListOperation<t.EmailListSuppressionsInput, t.EmailListSuppressionsResult, t.Suppression>(
  'email.listSuppressions',
  'GET /email/suppressions',
);
export const emailRemoveSuppression = /* @__PURE__ */ defineOperation<t.EmailRemoveSuppressionInput, void>(
  'email.removeSuppression',
  'DELETE /email/suppressions/:email',
  { empty: true },
);
export const emailUnsubscribePage = /* @__PURE__ */ defineOperation<t.EmailUnsubscribePageInput, Response>(
  'email.unsubscribePage',
  'GET /email/unsubscribe',
  { binary: true, empty: true },
);
export const emailUnsubscribe = /* @__PURE__ */ defineOperation<t.EmailUnsubscribeInput, Response>(
  'email.unsubscribe',
  'POST /email/unsubscribe',
  { binary: true, empty: true, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
);
export const webhooksList = /* @__PURE__ */ defineListOperation<t.WebhooksListInput, t.WebhooksListResult, t.Webhook>(
  'webhooks.list',
  'GET /webhooks',
);
export const webhooksCreate = /* @__PURE__ */ defineOperation<t.WebhooksCreateInput, t.Webhook>(
  'webhooks.create',
  'POST /webhooks',
  { idempotent: true },
);
export const webhooksStats = /* @__PURE__ */ defineOperation<t.WebhooksStatsInput, t.WebhooksStatsResult>(
  'webhooks.stats',
  'GET /webhooks/stats',
);
export const webhooksEventTypes = /* @__PURE__ */ defineOperation<t.WebhooksEventTypesInput, t.WebhooksEventTypesResult>(
  'webhooks.eventTypes',
  'GET /webhooks/event-types',
);
export const webhooksBulkCreate = /* @__PURE__ */ defineOperation<t.WebhooksBulkCreateInput, t.WebhooksBulkCreateResult>(
  'webhooks.bulkCreate',
  'POST /webhooks/bulk',
  { idempotent: true },
);
export const webhooksBulkDelete = /* @__PURE__ */ defineOperation<t.WebhooksBulkDeleteInput, t.WebhooksBulkDeleteResult>(
  'webhooks.bulkDelete',
  'POST /webhooks/bulk/delete',
);
export const webhooksGet = /* @__PURE__ */ defineOperation<t.WebhooksGetInput, t.Webhook>(
  'webhooks.get',
  'GET /webhooks/:webhookId',
);
export const webhooksUpdate = /* @__PURE__ */ defineOperation<t.WebhooksUpdateInput, t.Webhook>(
  'webhooks.update',
  'PATCH /webhooks/:webhookId',
);
export const webhooksRemove = /* @__PURE__ */ defineOperation<t.WebhooksRemoveInput, void>(
  'webhooks.remove',
  'DELETE /webhooks/:webhookId',
  { empty: true },
);
export const webhooksTest = /* @__PURE__ */ defineOperation<t.WebhooksTestInput, t.WebhooksTestResult>(
  'webhooks.test',
  'POST /webhooks/:webhookId/test',
);
export const webhooksListDeliveries = /* @__PURE__ */ defineListOperation<t.WebhooksListDeliveriesInput, t.WebhooksListDeliveriesResult, t.WebhookDelivery>(
  'webhooks.listDeliveries',
  'GET /webhooks/:webhookId/deliveries',
);
export const webhooksGetDelivery = /* @__PURE__ */ defineOperation<t.WebhooksGetDeliveryInput, t.WebhookDelivery>(
  'webhooks.getDelivery',
  'GET /webhooks/:webhookId/deliveries/:deliveryId',
);
export const webhooksRetryDelivery = /* @__PURE__ */ defineOperation<t.WebhooksRetryDeliveryInput, t.WebhooksRetryDeliveryResult>(
  'webhooks.retryDelivery',
  'POST /webhooks/:webhookId/deliveries/:deliveryId/retry',
);
export const webhooksReplay = /* @__PURE__ */ defineOperation<t.WebhooksReplayInput, t.WebhooksReplayResult>(
  'webhooks.replay',
  'POST /webhooks/:webhookId/replay',
  { idempotent: true },
);
export const operationsHealth = /* @__PURE__ */ defineOperation<t.OperationsHealthInput, t.OperationsHealthResult>(
  'operations.health',
  'GET /health',
  { statuses: [503] },
);
export const operationsReady = /* @__PURE__ */ defineOperation<t.OperationsReadyInput, t.OperationsReadyResult>(
  'operations.ready',
  'GET /ready',
  { statuses: [503] },
);
export const operationsLivez = /* @__PURE__ */ defineOperation<t.OperationsLivezInput, t.OperationsLivezResult>(
  'operations.livez',
  'GET /livez',
);
export const operationsReadyz = /* @__PURE__ */ defineOperation<t.OperationsReadyzInput, t.OperationsReadyzResult>(
  'operations.readyz',
  'GET /readyz',
  { statuses: [503] },
);
export const operationsMetrics = /* @__PURE__ */ defineOperation<t.OperationsMetricsInput, Response>(
  'operations.metrics',
  'GET /metrics',
  { binary: true, empty: true },
);
export const operationsOpenapi = /* @__PURE__ */ defineOperation<t.OperationsOpenapiInput, t.OperationsOpenapiResult>(
  'operations.openapi',
  'GET /openapi.json',
);
export const jobsList = /* @__PURE__ */ defineListOperation<t.JobsListInput, t.JobsListResult, t.Job>(
  'jobs.list',
  'GET /jobs',
);
export const jobsGet = /* @__PURE__ */ defineOperation<t.JobsGetInput, t.Job>(
  'jobs.get',
  'GET /jobs/:id',
);
export const jobsCancel = /* @__PURE__ */ defineOperation<t.JobsCancelInput, t.Job>(
  'jobs.cancel',
  'POST /jobs/:id/cancel',
  { idempotent: true },
);
export const jobsRetry = /* @__PURE__ */ defineOperation<t.JobsRetryInput, t.Job>(
  'jobs.retry',
  'POST /jobs/:id/retry',
  { idempotent: true },
);
export const eventsList = /* @__PURE__ */ defineListOperation<t.EventsListInput, t.EventsListResult, t.EventsListItem>(
  'events.list',
  'GET /events',
);
export const eventsStream = /* @__PURE__ */ defineOperation<t.EventsStreamInput, t.EventsStreamResult>(
  'events.stream',
  'GET /events/stream',
  { stream: true },
);

/** Every operation of the API, by area and verb. */
export const operations = {
  memories: {
    create: memoriesCreate,
    list: memoriesList,
    facets: memoriesFacets,
    get: memoriesGet,
    update: memoriesUpdate,
    remove: memoriesRemove,
    restore: memoriesRestore,
    pin: memoriesPin,
    unpin: memoriesUnpin,
    protect: memoriesProtect,
    verify: memoriesVerify,
    feedback: memoriesFeedback,
    bulkCreate: memoriesBulkCreate,
    bulkUpdate: memoriesBulkUpdate,
    bulkDelete: memoriesBulkDelete,
    bulkTags: memoriesBulkTags,
    fromMessages: memoriesFromMessages,
    erase: memoriesErase,
    startChange: memoriesStartChange,
    getChange: memoriesGetChange,
    undoChange: memoriesUndoChange,
    suggestions: memoriesSuggestions,
    acceptSuggestion: memoriesAcceptSuggestion,
    dismissSuggestion: memoriesDismissSuggestion,
    topics: memoriesTopics,
    enrich: memoriesEnrich,
    quality: memoriesQuality,
  },
  media: {
    stream: mediaStream,
    link: mediaLink,
    recordingMetadata: mediaRecordingMetadata,
    transcript: mediaTranscript,
    transcribe: mediaTranscribe,
    video: mediaVideo,
    thumbnail: mediaThumbnail,
    metadata: mediaMetadata,
    videoTranscript: mediaVideoTranscript,
    videoTranscribe: mediaVideoTranscribe,
    interpret: mediaInterpret,
    interpretation: mediaInterpretation,
    clip: mediaClip,
    createUpload: mediaCreateUpload,
    getUpload: mediaGetUpload,
    appendUpload: mediaAppendUpload,
    removeUpload: mediaRemoveUpload,
  },
  relationships: {
    create: relationshipsCreate,
    batch: relationshipsBatch,
    list: relationshipsList,
    related: relationshipsRelated,
    update: relationshipsUpdate,
    remove: relationshipsRemove,
    weaken: relationshipsWeaken,
    reinforce: relationshipsReinforce,
  },
  knowledge: {
    entities: knowledgeEntities,
    count: knowledgeCount,
    atTime: knowledgeAtTime,
    get: knowledgeGet,
    timeline: knowledgeTimeline,
    relationships: knowledgeRelationships,
    facts: knowledgeFacts,
    create: knowledgeCreate,
    update: knowledgeUpdate,
    createFact: knowledgeCreateFact,
    removeFact: knowledgeRemoveFact,
    extract: knowledgeExtract,
    merge: knowledgeMerge,
    mergeEntities: knowledgeMergeEntities,
    subgraph: knowledgeSubgraph,
    path: knowledgePath,
    neighbourhood: knowledgeNeighbourhood,
    ofMemory: knowledgeOfMemory,
  },
  clusters: {
    create: clustersCreate,
    list: clustersList,
    get: clustersGet,
    update: clustersUpdate,
    remove: clustersRemove,
    merge: clustersMerge,
    memories: clustersMemories,
    associate: clustersAssociate,
    ofMemory: clustersOfMemory,
    dissociate: clustersDissociate,
    stats: clustersStats,
    quality: clustersQuality,
    topics: clustersTopics,
    refreshMetrics: clustersRefreshMetrics,
    recomputeCentroid: clustersRecomputeCentroid,
    map: clustersMap,
    full: clustersFull,
    incremental: clustersIncremental,
    status: clustersStatus,
    runs: clustersRuns,
    config: clustersConfig,
    configure: clustersConfigure,
  },
  search: {
    get: searchGet,
    post: searchPost,
    recall: searchRecall,
    batch: searchBatch,
    global: searchGlobal,
    topic: searchTopic,
    aggregate: searchAggregate,
    similar: searchSimilar,
    listPresets: searchListPresets,
    getPreset: searchGetPreset,
    putPreset: searchPutPreset,
    removePreset: searchRemovePreset,
  },
  spaces: {
    create: spacesCreate,
    list: spacesList,
    get: spacesGet,
    update: spacesUpdate,
    remove: spacesRemove,
  },
  cliSessions: {
    create: cliSessionsCreate,
    list: cliSessionsList,
    active: cliSessionsActive,
    stats: cliSessionsStats,
    get: cliSessionsGet,
    update: cliSessionsUpdate,
    remove: cliSessionsRemove,
    pause: cliSessionsPause,
    resume: cliSessionsResume,
    complete: cliSessionsComplete,
    archive: cliSessionsArchive,
    memories: cliSessionsMemories,
    postMessages: cliSessionsPostMessages,
  },
  sessions: {
    list: sessionsList,
    active: sessionsActive,
    get: sessionsGet,
    memories: sessionsMemories,
    export: sessionsExport,
    report: sessionsReport,
  },
  account: {
    get: accountGet,
    update: accountUpdate,
    audit: accountAudit,
  },
  auth: {
    createToken: authCreateToken,
    renewToken: authRenewToken,
    listTokens: authListTokens,
    revokeToken: authRevokeToken,
  },
  keys: {
    create: keysCreate,
    list: keysList,
    revoke: keysRevoke,
    rotate: keysRotate,
  },
  grants: {
    list: grantsList,
    revoke: grantsRevoke,
  },
  admin: {
    createAccount: adminCreateAccount,
    listAccounts: adminListAccounts,
    getAccount: adminGetAccount,
    updateAccount: adminUpdateAccount,
    deleteAccount: adminDeleteAccount,
    createKey: adminCreateKey,
    startVerification: adminStartVerification,
    getVerification: adminGetVerification,
    backup: adminBackup,
    getDiagnosis: adminGetDiagnosis,
    acknowledgeFindings: adminAcknowledgeFindings,
    startReembedding: adminStartReembedding,
    getReembedding: adminGetReembedding,
    listModels: adminListModels,
    removeModel: adminRemoveModel,
    startModelTest: adminStartModelTest,
    getModelTest: adminGetModelTest,
    pauseDeliveries: adminPauseDeliveries,
    resumeDeliveries: adminResumeDeliveries,
    listErasures: adminListErasures,
    getErasure: adminGetErasure,
    listJobs: adminListJobs,
    retryJob: adminRetryJob,
    listQueues: adminListQueues,
    pauseQueue: adminPauseQueue,
    resumeQueue: adminResumeQueue,
    export: adminExport,
    import: adminImport,
    getImport: adminGetImport,
  },
  transfers: {
    export: transfersExport,
    import: transfersImport,
    getImport: transfersGetImport,
  },
  email: {
    getAddress: emailGetAddress,
    createAddress: emailCreateAddress,
    rotateAddress: emailRotateAddress,
    listAddresses: emailListAddresses,
    deactivateAddress: emailDeactivateAddress,
    listHistory: emailListHistory,
    getHistory: emailGetHistory,
    listAttachments: emailListAttachments,
    getAttachment: emailGetAttachment,
    downloadAttachment: emailDownloadAttachment,
    attachmentContent: emailAttachmentContent,
    removeAttachment: emailRemoveAttachment,
    listSenders: emailListSenders,
    addSender: emailAddSender,
    checkSender: emailCheckSender,
    removeSender: emailRemoveSender,
    inbound: emailInbound,
    listReactions: emailListReactions,
    createReaction: emailCreateReaction,
    updateReaction: emailUpdateReaction,
    removeReaction: emailRemoveReaction,
    listDigests: emailListDigests,
    createDigest: emailCreateDigest,
    updateDigest: emailUpdateDigest,
    removeDigest: emailRemoveDigest,
    sendDigest: emailSendDigest,
    listOutbound: emailListOutbound,
    retryOutbound: emailRetryOutbound,
    listSuppressions: emailListSuppressions,
    removeSuppression: emailRemoveSuppression,
    unsubscribePage: emailUnsubscribePage,
    unsubscribe: emailUnsubscribe,
  },
  webhooks: {
    list: webhooksList,
    create: webhooksCreate,
    stats: webhooksStats,
    eventTypes: webhooksEventTypes,
    bulkCreate: webhooksBulkCreate,
    bulkDelete: webhooksBulkDelete,
    get: webhooksGet,
    update: webhooksUpdate,
    remove: webhooksRemove,
    test: webhooksTest,
    listDeliveries: webhooksListDeliveries,
    getDelivery: webhooksGetDelivery,
    retryDelivery: webhooksRetryDelivery,
    replay: webhooksReplay,
  },
  operations: {
    health: operationsHealth,
    ready: operationsReady,
    livez: operationsLivez,
    readyz: operationsReadyz,
    metrics: operationsMetrics,
    openapi: operationsOpenapi,
  },
  jobs: {
    list: jobsList,
    get: jobsGet,
    cancel: jobsCancel,
    retry: jobsRetry,
  },
  events: {
    list: eventsList,
    stream: eventsStream,
  },
} as const;
