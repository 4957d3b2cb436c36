"""The operations of the API.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from typing import Any

from . import models
from ._operation import Operation

MEMORIES_CREATE: Operation[models.CreatedMemory] = Operation(
    "memories.create",
    "POST",
    "/memories",
    {201: models.CreatedMemory},
    idempotent=True,
)
MEMORIES_LIST: Operation[models.MemoryPage] = Operation(
    "memories.list",
    "GET",
    "/memories",
    {200: models.MemoryPage},
    reads=True,
)
MEMORIES_FACETS: Operation[models.MemoryFacets] = Operation(
    "memories.facets",
    "GET",
    "/memories/facets",
    {200: models.MemoryFacets},
    reads=True,
)
MEMORIES_GET: Operation[models.Memory] = Operation(
    "memories.get",
    "GET",
    "/memories/{id}",
    {200: models.Memory},
    reads=True,
)
MEMORIES_UPDATE: Operation[models.Memory] = Operation(
    "memories.update",
    "PATCH",
    "/memories/{id}",
    {200: models.Memory},
)
MEMORIES_REMOVE: Operation[models.Memory | None] = Operation(
    "memories.remove",
    "DELETE",
    "/memories/{id}",
    {200: models.Memory, 204: None},
)
MEMORIES_RESTORE: Operation[models.Memory] = Operation(
    "memories.restore",
    "POST",
    "/memories/{id}/restore",
    {200: models.Memory},
)
MEMORIES_PIN: Operation[models.Memory] = Operation(
    "memories.pin",
    "POST",
    "/memories/{id}/pin",
    {200: models.Memory},
)
MEMORIES_UNPIN: Operation[models.Memory] = Operation(
    "memories.unpin",
    "POST",
    "/memories/{id}/unpin",
    {200: models.Memory},
)
MEMORIES_PROTECT: Operation[models.Memory] = Operation(
    "memories.protect",
    "PATCH",
    "/memories/{id}/protection",
    {200: models.Memory},
)
MEMORIES_VERIFY: Operation[models.Memory] = Operation(
    "memories.verify",
    "POST",
    "/memories/{id}/verify",
    {200: models.Memory},
)
MEMORIES_FEEDBACK: Operation[models.Feedback] = Operation(
    "memories.feedback",
    "POST",
    "/memories/{id}/feedback",
    {201: models.Feedback},
    idempotent=True,
)
MEMORIES_BULK_CREATE: Operation[models.MemoriesBulkCreateResponse] = Operation(
    "memories.bulkCreate",
    "POST",
    "/memories/bulk",
    {201: models.MemoriesBulkCreateResponse},
    idempotent=True,
)
MEMORIES_BULK_UPDATE: Operation[models.MemoriesBulkUpdateResponse] = Operation(
    "memories.bulkUpdate",
    "PATCH",
    "/memories/bulk",
    {200: models.MemoriesBulkUpdateResponse},
)
MEMORIES_BULK_DELETE: Operation[models.MemoriesBulkDeleteResponse] = Operation(
    "memories.bulkDelete",
    "POST",
    "/memories/bulk/delete",
    {200: models.MemoriesBulkDeleteResponse},
)
MEMORIES_BULK_TAGS: Operation[models.MemoriesBulkUpdateResponse] = Operation(
    "memories.bulkTags",
    "POST",
    "/memories/bulk/tags",
    {200: models.MemoriesBulkUpdateResponse},
)
MEMORIES_FROM_MESSAGES: Operation[models.MemoriesFromMessagesResponse] = Operation(
    "memories.fromMessages",
    "POST",
    "/memories/from-messages",
    {201: models.MemoriesFromMessagesResponse},
    idempotent=True,
)
MEMORIES_ERASE: Operation[models.EraseDryRun | models.QueuedErasure] = Operation(
    "memories.erase",
    "POST",
    "/memories/erase",
    {200: models.EraseDryRun, 202: models.QueuedErasure},
    idempotent=True,
)
MEMORIES_START_CHANGE: Operation[models.BulkChangeCount | models.BulkChange] = Operation(
    "memories.startChange",
    "POST",
    "/bulk-changes",
    {200: models.BulkChangeCount, 202: models.BulkChange},
    idempotent=True,
)
MEMORIES_GET_CHANGE: Operation[models.BulkChange] = Operation(
    "memories.getChange",
    "GET",
    "/bulk-changes/{changeId}",
    {200: models.BulkChange},
    reads=True,
)
MEMORIES_UNDO_CHANGE: Operation[models.BulkChange] = Operation(
    "memories.undoChange",
    "POST",
    "/bulk-changes/{changeId}/undo",
    {202: models.BulkChange},
    idempotent=True,
)
MEMORIES_SUGGESTIONS: Operation[models.UpdateSuggestionList] = Operation(
    "memories.suggestions",
    "GET",
    "/memories/{id}/suggestions",
    {200: models.UpdateSuggestionList},
    reads=True,
)
MEMORIES_ACCEPT_SUGGESTION: Operation[models.UpdateSuggestion] = Operation(
    "memories.acceptSuggestion",
    "POST",
    "/memories/{id}/suggestions/{olderId}/accept",
    {200: models.UpdateSuggestion},
)
MEMORIES_DISMISS_SUGGESTION: Operation[models.UpdateSuggestion] = Operation(
    "memories.dismissSuggestion",
    "POST",
    "/memories/{id}/suggestions/{olderId}/dismiss",
    {200: models.UpdateSuggestion},
)
MEMORIES_TOPICS: Operation[models.MemoriesTopicsResponse] = Operation(
    "memories.topics",
    "GET",
    "/memories/{id}/topics",
    {200: models.MemoriesTopicsResponse},
    reads=True,
)
MEMORIES_ENRICH: Operation[models.MemoriesEnrichResponse | models.QueuedEnrichment] = Operation(
    "memories.enrich",
    "POST",
    "/memories/{id}/enrich",
    {200: models.MemoriesEnrichResponse, 202: models.QueuedEnrichment},
    idempotent=True,
)
MEMORIES_QUALITY: Operation[models.MemoriesQualityResponse] = Operation(
    "memories.quality",
    "GET",
    "/memories/{id}/quality",
    {200: models.MemoriesQualityResponse},
    reads=True,
)
MEDIA_STREAM: Operation[Any] = Operation(
    "media.stream",
    "GET",
    "/memories/{id}/stream",
    {},
    reads=True,
    is_binary=True,
)
MEDIA_LINK: Operation[models.MediaLink] = Operation(
    "media.link",
    "GET",
    "/memories/{id}/stream/link",
    {200: models.MediaLink},
    reads=True,
)
MEDIA_RECORDING_METADATA: Operation[models.VideoMetadata] = Operation(
    "media.recordingMetadata",
    "GET",
    "/memories/{id}/stream/metadata",
    {200: models.VideoMetadata},
    reads=True,
)
MEDIA_TRANSCRIPT: Operation[models.Transcript | models.MediaPending] = Operation(
    "media.transcript",
    "GET",
    "/memories/{id}/transcript",
    {200: models.Transcript, 202: models.MediaPending},
    reads=True,
)
MEDIA_TRANSCRIBE: Operation[models.MediaPending] = Operation(
    "media.transcribe",
    "POST",
    "/memories/{id}/transcribe",
    {202: models.MediaPending},
    idempotent=True,
)
MEDIA_VIDEO: Operation[Any] = Operation(
    "media.video",
    "GET",
    "/memories/{id}/video",
    {},
    reads=True,
    is_binary=True,
)
MEDIA_THUMBNAIL: Operation[Any] = Operation(
    "media.thumbnail",
    "GET",
    "/memories/{id}/video/thumbnail",
    {},
    reads=True,
    is_binary=True,
)
MEDIA_METADATA: Operation[models.VideoMetadata] = Operation(
    "media.metadata",
    "GET",
    "/memories/{id}/video/metadata",
    {200: models.VideoMetadata},
    reads=True,
)
MEDIA_VIDEO_TRANSCRIPT: Operation[models.Transcript | models.MediaPending] = Operation(
    "media.videoTranscript",
    "GET",
    "/memories/{id}/video/transcript",
    {200: models.Transcript, 202: models.MediaPending},
    reads=True,
)
MEDIA_VIDEO_TRANSCRIBE: Operation[models.MediaPending] = Operation(
    "media.videoTranscribe",
    "POST",
    "/memories/{id}/video/transcribe",
    {202: models.MediaPending},
    idempotent=True,
)
MEDIA_INTERPRET: Operation[models.MediaPending] = Operation(
    "media.interpret",
    "POST",
    "/memories/{id}/video/interpret",
    {202: models.MediaPending},
    idempotent=True,
)
MEDIA_INTERPRETATION: Operation[models.VideoInterpretation | models.MediaPending] = Operation(
    "media.interpretation",
    "GET",
    "/memories/{id}/video/interpretation",
    {200: models.VideoInterpretation, 202: models.MediaPending},
    reads=True,
)
MEDIA_CLIP: Operation[Any] = Operation(
    "media.clip",
    "GET",
    "/media/clips/{id}",
    {},
    reads=True,
    is_binary=True,
)
MEDIA_CREATE_UPLOAD: Operation[models.Upload] = Operation(
    "media.createUpload",
    "POST",
    "/media/uploads",
    {201: models.Upload},
    idempotent=True,
    headers={"content-type": "application/offset+octet-stream", "tus-resumable": "1.0.0"},
)
MEDIA_GET_UPLOAD: Operation[models.Upload] = Operation(
    "media.getUpload",
    "GET",
    "/media/uploads/{id}",
    {200: models.Upload},
    reads=True,
)
MEDIA_APPEND_UPLOAD: Operation[None] = Operation(
    "media.appendUpload",
    "PATCH",
    "/media/uploads/{id}",
    {204: None},
    headers={"content-type": "application/offset+octet-stream", "tus-resumable": "1.0.0"},
)
MEDIA_REMOVE_UPLOAD: Operation[None] = Operation(
    "media.removeUpload",
    "DELETE",
    "/media/uploads/{id}",
    {204: None},
    headers={"tus-resumable": "1.0.0"},
)
RELATIONSHIPS_CREATE: Operation[models.CreatedRelationship] = Operation(
    "relationships.create",
    "POST",
    "/relationships/{memoryId}",
    {201: models.CreatedRelationship},
    idempotent=True,
)
RELATIONSHIPS_BATCH: Operation[models.RelationshipsBatchResponse] = Operation(
    "relationships.batch",
    "POST",
    "/relationships/batch",
    {201: models.RelationshipsBatchResponse},
    idempotent=True,
)
RELATIONSHIPS_LIST: Operation[models.RelationshipsListResponse] = Operation(
    "relationships.list",
    "GET",
    "/relationships/{memoryId}",
    {200: models.RelationshipsListResponse},
    reads=True,
)
RELATIONSHIPS_RELATED: Operation[models.RelationshipsRelatedResponse] = Operation(
    "relationships.related",
    "GET",
    "/relationships/{memoryId}/related",
    {200: models.RelationshipsRelatedResponse},
    reads=True,
)
RELATIONSHIPS_UPDATE: Operation[models.Relationship] = Operation(
    "relationships.update",
    "PATCH",
    "/relationships/{sourceId}/{targetId}/{type}",
    {200: models.Relationship},
)
RELATIONSHIPS_REMOVE: Operation[None] = Operation(
    "relationships.remove",
    "DELETE",
    "/relationships/{sourceId}/{targetId}/{type}",
    {204: None},
)
RELATIONSHIPS_WEAKEN: Operation[models.Relationship] = Operation(
    "relationships.weaken",
    "POST",
    "/relationships/{sourceId}/{targetId}/{type}/weaken",
    {200: models.Relationship},
)
RELATIONSHIPS_REINFORCE: Operation[models.Relationship] = Operation(
    "relationships.reinforce",
    "POST",
    "/relationships/{sourceId}/{targetId}/{type}/reinforce",
    {200: models.Relationship},
)
KNOWLEDGE_ENTITIES: Operation[models.EntitySummaryPage] = Operation(
    "knowledge.entities",
    "GET",
    "/knowledge/entities",
    {200: models.EntitySummaryPage},
    reads=True,
)
KNOWLEDGE_COUNT: Operation[models.KnowledgeCountResponse] = Operation(
    "knowledge.count",
    "GET",
    "/knowledge/entities/count",
    {200: models.KnowledgeCountResponse},
    reads=True,
)
KNOWLEDGE_AT_TIME: Operation[models.KnowledgeAtTimePage] = Operation(
    "knowledge.atTime",
    "GET",
    "/knowledge/entities/at-time",
    {200: models.KnowledgeAtTimePage},
    reads=True,
)
KNOWLEDGE_GET: Operation[models.EntityDetail] = Operation(
    "knowledge.get",
    "GET",
    "/knowledge/entities/{id}",
    {200: models.EntityDetail},
    reads=True,
)
KNOWLEDGE_TIMELINE: Operation[models.TimelineEntryPage] = Operation(
    "knowledge.timeline",
    "GET",
    "/knowledge/entities/{id}/timeline",
    {200: models.TimelineEntryPage},
    reads=True,
)
KNOWLEDGE_RELATIONSHIPS: Operation[models.EntityRelationshipPage] = Operation(
    "knowledge.relationships",
    "GET",
    "/knowledge/entities/{id}/relationships",
    {200: models.EntityRelationshipPage},
    reads=True,
)
KNOWLEDGE_FACTS: Operation[models.FactPage] = Operation(
    "knowledge.facts",
    "GET",
    "/knowledge/entities/{id}/facts",
    {200: models.FactPage},
    reads=True,
)
KNOWLEDGE_CREATE: Operation[models.Entity] = Operation(
    "knowledge.create",
    "POST",
    "/knowledge/entities",
    {201: models.Entity},
    idempotent=True,
)
KNOWLEDGE_UPDATE: Operation[models.Entity] = Operation(
    "knowledge.update",
    "PATCH",
    "/knowledge/entities/{id}",
    {200: models.Entity},
)
KNOWLEDGE_CREATE_FACT: Operation[models.Fact] = Operation(
    "knowledge.createFact",
    "POST",
    "/knowledge/facts",
    {201: models.Fact},
    idempotent=True,
)
KNOWLEDGE_REMOVE_FACT: Operation[models.Fact] = Operation(
    "knowledge.removeFact",
    "DELETE",
    "/knowledge/facts/{id}",
    {200: models.Fact},
)
KNOWLEDGE_EXTRACT: Operation[models.KnowledgeExtractResponse] = Operation(
    "knowledge.extract",
    "POST",
    "/knowledge/extract",
    {200: models.KnowledgeExtractResponse},
)
KNOWLEDGE_MERGE: Operation[models.KnowledgeMergeResponse] = Operation(
    "knowledge.merge",
    "POST",
    "/knowledge/entities/merge",
    {200: models.KnowledgeMergeResponse},
    idempotent=True,
)
KNOWLEDGE_MERGE_ENTITIES: Operation[models.KnowledgeMergeResponse] = Operation(
    "knowledge.mergeEntities",
    "POST",
    "/entities/merge",
    {200: models.KnowledgeMergeResponse},
    idempotent=True,
)
KNOWLEDGE_SUBGRAPH: Operation[models.KnowledgeSubgraphResponse] = Operation(
    "knowledge.subgraph",
    "GET",
    "/knowledge/graph/subgraph/{entityId}",
    {200: models.KnowledgeSubgraphResponse},
    reads=True,
)
KNOWLEDGE_PATH: Operation[models.KnowledgePathResponse] = Operation(
    "knowledge.path",
    "GET",
    "/knowledge/graph/path",
    {200: models.KnowledgePathResponse},
    reads=True,
)
KNOWLEDGE_NEIGHBOURHOOD: Operation[models.Neighbourhood] = Operation(
    "knowledge.neighbourhood",
    "GET",
    "/knowledge/graph/neighbourhood",
    {200: models.Neighbourhood},
    reads=True,
)
KNOWLEDGE_OF_MEMORY: Operation[models.MemoryKnowledge] = Operation(
    "knowledge.ofMemory",
    "GET",
    "/memories/{id}/facts",
    {200: models.MemoryKnowledge},
    reads=True,
)
CLUSTERS_CREATE: Operation[models.Cluster] = Operation(
    "clusters.create",
    "POST",
    "/clusters",
    {201: models.Cluster},
    idempotent=True,
)
CLUSTERS_LIST: Operation[models.ClusterWithMorePage] = Operation(
    "clusters.list",
    "GET",
    "/clusters",
    {200: models.ClusterWithMorePage},
    reads=True,
)
CLUSTERS_GET: Operation[models.ClusterDetail] = Operation(
    "clusters.get",
    "GET",
    "/clusters/{clusterId}",
    {200: models.ClusterDetail},
    reads=True,
)
CLUSTERS_UPDATE: Operation[models.Cluster] = Operation(
    "clusters.update",
    "PATCH",
    "/clusters/{clusterId}",
    {200: models.Cluster},
)
CLUSTERS_REMOVE: Operation[None] = Operation(
    "clusters.remove",
    "DELETE",
    "/clusters/{clusterId}",
    {204: None},
)
CLUSTERS_MERGE: Operation[models.Cluster] = Operation(
    "clusters.merge",
    "POST",
    "/clusters/{clusterId}/merge",
    {200: models.Cluster},
    idempotent=True,
)
CLUSTERS_MEMORIES: Operation[models.ClusteredMemoryPage] = Operation(
    "clusters.memories",
    "GET",
    "/clusters/{clusterId}/memories",
    {200: models.ClusteredMemoryPage},
    reads=True,
)
CLUSTERS_ASSOCIATE: Operation[models.ClustersAssociateResponse] = Operation(
    "clusters.associate",
    "POST",
    "/memories/{id}/clusters",
    {201: models.ClustersAssociateResponse},
    idempotent=True,
)
CLUSTERS_OF_MEMORY: Operation[models.ClusterOfMemoryPage] = Operation(
    "clusters.ofMemory",
    "GET",
    "/memories/{id}/clusters",
    {200: models.ClusterOfMemoryPage},
    reads=True,
)
CLUSTERS_DISSOCIATE: Operation[None] = Operation(
    "clusters.dissociate",
    "DELETE",
    "/memories/{id}/clusters/{clusterId}",
    {204: None},
)
CLUSTERS_STATS: Operation[models.ClusterStats] = Operation(
    "clusters.stats",
    "GET",
    "/clusters/stats",
    {200: models.ClusterStats},
    reads=True,
)
CLUSTERS_QUALITY: Operation[models.ClustersQualityResponse] = Operation(
    "clusters.quality",
    "GET",
    "/clusters/{clusterId}/quality",
    {200: models.ClustersQualityResponse},
    reads=True,
)
CLUSTERS_TOPICS: Operation[models.ClustersTopicsResponse] = Operation(
    "clusters.topics",
    "GET",
    "/clusters/{clusterId}/topics",
    {200: models.ClustersTopicsResponse},
    reads=True,
)
CLUSTERS_REFRESH_METRICS: Operation[models.QueuedClusterJob] = Operation(
    "clusters.refreshMetrics",
    "POST",
    "/clusters/{clusterId}/refresh-metrics",
    {202: models.QueuedClusterJob},
    idempotent=True,
)
CLUSTERS_RECOMPUTE_CENTROID: Operation[models.QueuedClusterJob] = Operation(
    "clusters.recomputeCentroid",
    "POST",
    "/clusters/{clusterId}/recompute-centroid",
    {202: models.QueuedClusterJob},
    idempotent=True,
)
CLUSTERS_MAP: Operation[models.ClusterMap] = Operation(
    "clusters.map",
    "GET",
    "/clusters/map",
    {200: models.ClusterMap},
    reads=True,
)
CLUSTERS_FULL: Operation[models.QueuedClusterRun] = Operation(
    "clusters.full",
    "POST",
    "/clusters/full",
    {202: models.QueuedClusterRun},
    idempotent=True,
)
CLUSTERS_INCREMENTAL: Operation[models.QueuedClusterRun] = Operation(
    "clusters.incremental",
    "POST",
    "/clusters/incremental",
    {202: models.QueuedClusterRun},
    idempotent=True,
)
CLUSTERS_STATUS: Operation[models.ClustersStatusResponse] = Operation(
    "clusters.status",
    "GET",
    "/clusters/status",
    {200: models.ClustersStatusResponse},
    reads=True,
)
CLUSTERS_RUNS: Operation[models.ClusterRunPage] = Operation(
    "clusters.runs",
    "GET",
    "/clusters/runs",
    {200: models.ClusterRunPage},
    reads=True,
)
CLUSTERS_CONFIG: Operation[models.ClusterConfig] = Operation(
    "clusters.config",
    "GET",
    "/clusters/config",
    {200: models.ClusterConfig},
    reads=True,
)
CLUSTERS_CONFIGURE: Operation[models.ClusterConfig] = Operation(
    "clusters.configure",
    "POST",
    "/clusters/config",
    {200: models.ClusterConfig},
)
SEARCH_GET: Operation[models.SearchResponse] = Operation(
    "search.get",
    "GET",
    "/search",
    {200: models.SearchResponse},
    reads=True,
)
SEARCH_POST: Operation[models.SearchResponse] = Operation(
    "search.post",
    "POST",
    "/search",
    {200: models.SearchResponse},
    reads=True,
)
SEARCH_RECALL: Operation[models.RecallAnswer] = Operation(
    "search.recall",
    "POST",
    "/recall",
    {200: models.RecallAnswer},
    reads=True,
)
SEARCH_BATCH: Operation[models.SearchBatchResponse] = Operation(
    "search.batch",
    "POST",
    "/search/batch",
    {200: models.SearchBatchResponse},
    reads=True,
)
SEARCH_GLOBAL: Operation[models.SearchGlobalResponse] = Operation(
    "search.global",
    "GET",
    "/search/global",
    {200: models.SearchGlobalResponse},
    reads=True,
)
SEARCH_TOPIC: Operation[models.SearchTopicResponse] = Operation(
    "search.topic",
    "GET",
    "/search/topic",
    {200: models.SearchTopicResponse},
    reads=True,
)
SEARCH_AGGREGATE: Operation[models.SearchAggregateResponse] = Operation(
    "search.aggregate",
    "GET",
    "/search/aggregate",
    {200: models.SearchAggregateResponse},
    reads=True,
)
SEARCH_SIMILAR: Operation[models.SearchSimilarResponse] = Operation(
    "search.similar",
    "GET",
    "/search/similar/{memoryId}",
    {200: models.SearchSimilarResponse},
    reads=True,
)
SEARCH_LIST_PRESETS: Operation[models.SearchPresetPage] = Operation(
    "search.listPresets",
    "GET",
    "/search/pipelines",
    {200: models.SearchPresetPage},
    reads=True,
)
SEARCH_GET_PRESET: Operation[models.SearchPreset] = Operation(
    "search.getPreset",
    "GET",
    "/search/pipelines/{name}",
    {200: models.SearchPreset},
    reads=True,
)
SEARCH_PUT_PRESET: Operation[models.SearchPreset] = Operation(
    "search.putPreset",
    "PUT",
    "/search/pipelines/{name}",
    {200: models.SearchPreset, 201: models.SearchPreset},
)
SEARCH_REMOVE_PRESET: Operation[None] = Operation(
    "search.removePreset",
    "DELETE",
    "/search/pipelines/{name}",
    {204: None},
)
SPACES_CREATE: Operation[models.Space] = Operation(
    "spaces.create",
    "POST",
    "/spaces",
    {201: models.Space},
    idempotent=True,
)
SPACES_LIST: Operation[models.SpacePage] = Operation(
    "spaces.list",
    "GET",
    "/spaces",
    {200: models.SpacePage},
    reads=True,
)
SPACES_GET: Operation[models.Space] = Operation(
    "spaces.get",
    "GET",
    "/spaces/{id}",
    {200: models.Space},
    reads=True,
)
SPACES_UPDATE: Operation[models.Space] = Operation(
    "spaces.update",
    "PATCH",
    "/spaces/{id}",
    {200: models.Space},
)
SPACES_REMOVE: Operation[None] = Operation("spaces.remove", "DELETE", "/spaces/{id}", {204: None})
CLI_SESSIONS_CREATE: Operation[models.CliSession] = Operation(
    "cliSessions.create",
    "POST",
    "/cli-sessions",
    {201: models.CliSession},
    idempotent=True,
)
CLI_SESSIONS_LIST: Operation[models.CliSessionPage] = Operation(
    "cliSessions.list",
    "GET",
    "/cli-sessions",
    {200: models.CliSessionPage},
    reads=True,
)
CLI_SESSIONS_ACTIVE: Operation[models.CliSessionsActiveResponse] = Operation(
    "cliSessions.active",
    "GET",
    "/cli-sessions/active",
    {200: models.CliSessionsActiveResponse},
    reads=True,
)
CLI_SESSIONS_STATS: Operation[models.CliSessionStats] = Operation(
    "cliSessions.stats",
    "GET",
    "/cli-sessions/stats",
    {200: models.CliSessionStats},
    reads=True,
)
CLI_SESSIONS_GET: Operation[models.CliSession] = Operation(
    "cliSessions.get",
    "GET",
    "/cli-sessions/{id}",
    {200: models.CliSession},
    reads=True,
)
CLI_SESSIONS_UPDATE: Operation[models.CliSession] = Operation(
    "cliSessions.update",
    "PATCH",
    "/cli-sessions/{id}",
    {200: models.CliSession},
)
CLI_SESSIONS_REMOVE: Operation[None] = Operation(
    "cliSessions.remove",
    "DELETE",
    "/cli-sessions/{id}",
    {204: None},
)
CLI_SESSIONS_PAUSE: Operation[models.CliSession] = Operation(
    "cliSessions.pause",
    "POST",
    "/cli-sessions/{id}/pause",
    {200: models.CliSession},
)
CLI_SESSIONS_RESUME: Operation[models.CliSession] = Operation(
    "cliSessions.resume",
    "POST",
    "/cli-sessions/{id}/resume",
    {200: models.CliSession},
)
CLI_SESSIONS_COMPLETE: Operation[models.CliSession] = Operation(
    "cliSessions.complete",
    "POST",
    "/cli-sessions/{id}/complete",
    {200: models.CliSession},
)
CLI_SESSIONS_ARCHIVE: Operation[models.CliSession] = Operation(
    "cliSessions.archive",
    "POST",
    "/cli-sessions/{id}/archive",
    {200: models.CliSession},
)
CLI_SESSIONS_MEMORIES: Operation[models.CliSessionsMemoriesPage] = Operation(
    "cliSessions.memories",
    "GET",
    "/cli-sessions/{id}/memories",
    {200: models.CliSessionsMemoriesPage},
    reads=True,
)
CLI_SESSIONS_POST_MESSAGES: Operation[models.CliSessionsPostMessagesResponse] = Operation(
    "cliSessions.postMessages",
    "POST",
    "/cli-sessions/{id}/messages",
    {201: models.CliSessionsPostMessagesResponse},
    idempotent=True,
)
SESSIONS_LIST: Operation[models.ActivationSessionPage] = Operation(
    "sessions.list",
    "GET",
    "/sessions",
    {200: models.ActivationSessionPage},
    reads=True,
)
SESSIONS_ACTIVE: Operation[models.ActivationSessionPage] = Operation(
    "sessions.active",
    "GET",
    "/sessions/active",
    {200: models.ActivationSessionPage},
    reads=True,
)
SESSIONS_GET: Operation[models.ActivationSessionDetail] = Operation(
    "sessions.get",
    "GET",
    "/sessions/{id}",
    {200: models.ActivationSessionDetail},
    reads=True,
)
SESSIONS_MEMORIES: Operation[models.CliSessionsMemoriesPage] = Operation(
    "sessions.memories",
    "GET",
    "/sessions/{id}/memories",
    {200: models.CliSessionsMemoriesPage},
    reads=True,
)
SESSIONS_EXPORT: Operation[models.ActivationExport | str] = Operation(
    "sessions.export",
    "GET",
    "/sessions/{id}/export",
    {200: models.ActivationExport},
    reads=True,
    has_text=True,
)
SESSIONS_REPORT: Operation[models.ActivationReport] = Operation(
    "sessions.report",
    "GET",
    "/sessions/{id}/report",
    {200: models.ActivationReport},
    reads=True,
)
ACCOUNT_GET: Operation[models.Account] = Operation(
    "account.get",
    "GET",
    "/account",
    {200: models.Account},
    reads=True,
)
ACCOUNT_UPDATE: Operation[models.Account] = Operation(
    "account.update",
    "PATCH",
    "/account",
    {200: models.Account},
)
ACCOUNT_AUDIT: Operation[models.AuditEntryPage] = Operation(
    "account.audit",
    "GET",
    "/account/audit",
    {200: models.AuditEntryPage},
    reads=True,
)
AUTH_CREATE_TOKEN: Operation[models.IssuedSessionToken] = Operation(
    "auth.createToken",
    "POST",
    "/auth/tokens",
    {201: models.IssuedSessionToken},
    idempotent=True,
)
AUTH_RENEW_TOKEN: Operation[models.IssuedSessionToken] = Operation(
    "auth.renewToken",
    "POST",
    "/auth/tokens/renew",
    {200: models.IssuedSessionToken},
)
AUTH_LIST_TOKENS: Operation[models.SessionTokenPage] = Operation(
    "auth.listTokens",
    "GET",
    "/auth/tokens",
    {200: models.SessionTokenPage},
    reads=True,
)
AUTH_REVOKE_TOKEN: Operation[None] = Operation(
    "auth.revokeToken",
    "DELETE",
    "/auth/tokens/{id}",
    {204: None},
)
KEYS_CREATE: Operation[models.IssuedApiKey] = Operation(
    "keys.create",
    "POST",
    "/api-keys",
    {201: models.IssuedApiKey},
    idempotent=True,
)
KEYS_LIST: Operation[models.ApiKeyPage] = Operation(
    "keys.list",
    "GET",
    "/api-keys",
    {200: models.ApiKeyPage},
    reads=True,
)
KEYS_REVOKE: Operation[None] = Operation("keys.revoke", "DELETE", "/api-keys/{id}", {204: None})
KEYS_ROTATE: Operation[models.IssuedApiKey] = Operation(
    "keys.rotate",
    "POST",
    "/api-keys/{id}/rotate",
    {200: models.IssuedApiKey},
)
GRANTS_LIST: Operation[models.OAuthGrantPage] = Operation(
    "grants.list",
    "GET",
    "/oauth/grants",
    {200: models.OAuthGrantPage},
    reads=True,
)
GRANTS_REVOKE: Operation[None] = Operation(
    "grants.revoke",
    "DELETE",
    "/oauth/grants/{id}",
    {204: None},
)
ADMIN_CREATE_ACCOUNT: Operation[models.AccountState] = Operation(
    "admin.createAccount",
    "POST",
    "/admin/accounts",
    {201: models.AccountState},
    idempotent=True,
)
ADMIN_LIST_ACCOUNTS: Operation[models.AccountStatePage] = Operation(
    "admin.listAccounts",
    "GET",
    "/admin/accounts",
    {200: models.AccountStatePage},
    reads=True,
)
ADMIN_GET_ACCOUNT: Operation[models.AccountState] = Operation(
    "admin.getAccount",
    "GET",
    "/admin/accounts/{id}",
    {200: models.AccountState},
    reads=True,
)
ADMIN_UPDATE_ACCOUNT: Operation[models.AccountState] = Operation(
    "admin.updateAccount",
    "PATCH",
    "/admin/accounts/{id}",
    {200: models.AccountState},
)
ADMIN_DELETE_ACCOUNT: Operation[None] = Operation(
    "admin.deleteAccount",
    "DELETE",
    "/admin/accounts/{id}",
    {204: None},
)
ADMIN_CREATE_KEY: Operation[models.IssuedApiKey] = Operation(
    "admin.createKey",
    "POST",
    "/admin/accounts/{id}/keys",
    {201: models.IssuedApiKey},
    idempotent=True,
)
ADMIN_START_VERIFICATION: Operation[models.StartedJob] = Operation(
    "admin.startVerification",
    "POST",
    "/admin/verifications",
    {202: models.StartedJob},
    idempotent=True,
)
ADMIN_GET_VERIFICATION: Operation[models.Verification] = Operation(
    "admin.getVerification",
    "GET",
    "/admin/verifications/{id}",
    {200: models.Verification},
    reads=True,
)
ADMIN_BACKUP: Operation[Any] = Operation(
    "admin.backup",
    "GET",
    "/admin/backup",
    {},
    reads=True,
    is_binary=True,
)
ADMIN_GET_DIAGNOSIS: Operation[models.Diagnosis] = Operation(
    "admin.getDiagnosis",
    "GET",
    "/admin/diagnosis",
    {200: models.Diagnosis},
    reads=True,
)
ADMIN_ACKNOWLEDGE_FINDINGS: Operation[models.Diagnosis] = Operation(
    "admin.acknowledgeFindings",
    "POST",
    "/admin/diagnosis/acknowledge",
    {200: models.Diagnosis},
)
ADMIN_START_REEMBEDDING: Operation[models.StartedJob] = Operation(
    "admin.startReembedding",
    "POST",
    "/admin/reembeddings",
    {202: models.StartedJob},
    idempotent=True,
)
ADMIN_GET_REEMBEDDING: Operation[models.Reembedding] = Operation(
    "admin.getReembedding",
    "GET",
    "/admin/reembeddings/{id}",
    {200: models.Reembedding},
    reads=True,
)
ADMIN_LIST_MODELS: Operation[models.EmbeddingModels] = Operation(
    "admin.listModels",
    "GET",
    "/admin/models",
    {200: models.EmbeddingModels},
    reads=True,
)
ADMIN_REMOVE_MODEL: Operation[models.AdminRemoveModelResponse] = Operation(
    "admin.removeModel",
    "DELETE",
    "/admin/models/{name}",
    {200: models.AdminRemoveModelResponse},
)
ADMIN_START_MODEL_TEST: Operation[models.StartedJob] = Operation(
    "admin.startModelTest",
    "POST",
    "/admin/model-tests",
    {202: models.StartedJob},
    idempotent=True,
)
ADMIN_GET_MODEL_TEST: Operation[models.ModelTest] = Operation(
    "admin.getModelTest",
    "GET",
    "/admin/model-tests/{id}",
    {200: models.ModelTest},
    reads=True,
)
ADMIN_PAUSE_DELIVERIES: Operation[models.DeliveryState] = Operation(
    "admin.pauseDeliveries",
    "POST",
    "/admin/deliveries/pause",
    {200: models.DeliveryState},
)
ADMIN_RESUME_DELIVERIES: Operation[models.DeliveryState] = Operation(
    "admin.resumeDeliveries",
    "POST",
    "/admin/deliveries/resume",
    {200: models.DeliveryState},
)
ADMIN_LIST_ERASURES: Operation[models.ErasurePage] = Operation(
    "admin.listErasures",
    "GET",
    "/admin/erasures",
    {200: models.ErasurePage},
    reads=True,
)
ADMIN_GET_ERASURE: Operation[models.ErasureReport] = Operation(
    "admin.getErasure",
    "GET",
    "/admin/erasures/{id}",
    {200: models.ErasureReport},
    reads=True,
)
ADMIN_LIST_JOBS: Operation[models.OperatorJobPage] = Operation(
    "admin.listJobs",
    "GET",
    "/admin/jobs",
    {200: models.OperatorJobPage},
    reads=True,
)
ADMIN_RETRY_JOB: Operation[models.OperatorJob] = Operation(
    "admin.retryJob",
    "POST",
    "/admin/jobs/{id}/retry",
    {202: models.OperatorJob},
    idempotent=True,
)
ADMIN_LIST_QUEUES: Operation[models.AdminListQueuesResponse] = Operation(
    "admin.listQueues",
    "GET",
    "/admin/queues",
    {200: models.AdminListQueuesResponse},
    reads=True,
)
ADMIN_PAUSE_QUEUE: Operation[models.AdminPauseQueueResponse] = Operation(
    "admin.pauseQueue",
    "POST",
    "/admin/queues/{name}/pause",
    {200: models.AdminPauseQueueResponse},
)
ADMIN_RESUME_QUEUE: Operation[models.AdminPauseQueueResponse] = Operation(
    "admin.resumeQueue",
    "POST",
    "/admin/queues/{name}/resume",
    {200: models.AdminPauseQueueResponse},
)
ADMIN_EXPORT: Operation[Any] = Operation(
    "admin.export",
    "GET",
    "/admin/export",
    {},
    reads=True,
    is_binary=True,
)
ADMIN_IMPORT: Operation[models.QueuedImport] = Operation(
    "admin.import",
    "POST",
    "/admin/import",
    {202: models.QueuedImport},
    headers={"content-type": "application/gzip"},
)
ADMIN_GET_IMPORT: Operation[models.Import] = Operation(
    "admin.getImport",
    "GET",
    "/admin/imports/{id}",
    {200: models.Import},
    reads=True,
)
TRANSFERS_EXPORT: Operation[Any] = Operation(
    "transfers.export",
    "GET",
    "/export",
    {},
    reads=True,
    is_binary=True,
)
TRANSFERS_IMPORT: Operation[models.QueuedImport] = Operation(
    "transfers.import",
    "POST",
    "/import",
    {202: models.QueuedImport},
    headers={"content-type": "application/gzip"},
)
TRANSFERS_GET_IMPORT: Operation[models.Import] = Operation(
    "transfers.getImport",
    "GET",
    "/imports/{id}",
    {200: models.Import},
    reads=True,
)
EMAIL_GET_ADDRESS: Operation[models.EmailAddress] = Operation(
    "email.getAddress",
    "GET",
    "/email/address",
    {200: models.EmailAddress},
    reads=True,
)
EMAIL_CREATE_ADDRESS: Operation[models.EmailAddress] = Operation(
    "email.createAddress",
    "POST",
    "/email/address",
    {201: models.EmailAddress},
    idempotent=True,
)
EMAIL_ROTATE_ADDRESS: Operation[models.EmailRotateAddressResponse] = Operation(
    "email.rotateAddress",
    "POST",
    "/email/address/rotate",
    {201: models.EmailRotateAddressResponse},
    idempotent=True,
)
EMAIL_LIST_ADDRESSES: Operation[models.EmailAddressPage] = Operation(
    "email.listAddresses",
    "GET",
    "/email/addresses",
    {200: models.EmailAddressPage},
    reads=True,
)
EMAIL_DEACTIVATE_ADDRESS: Operation[None] = Operation(
    "email.deactivateAddress",
    "DELETE",
    "/email/address",
    {204: None},
)
EMAIL_LIST_HISTORY: Operation[models.MailPage] = Operation(
    "email.listHistory",
    "GET",
    "/email/history",
    {200: models.MailPage},
    reads=True,
)
EMAIL_GET_HISTORY: Operation[models.Mail] = Operation(
    "email.getHistory",
    "GET",
    "/email/history/{id}",
    {200: models.Mail},
    reads=True,
)
EMAIL_LIST_ATTACHMENTS: Operation[models.AttachmentPage] = Operation(
    "email.listAttachments",
    "GET",
    "/email/history/{id}/attachments",
    {200: models.AttachmentPage},
    reads=True,
)
EMAIL_GET_ATTACHMENT: Operation[models.Attachment] = Operation(
    "email.getAttachment",
    "GET",
    "/email/attachments/{id}",
    {200: models.Attachment},
    reads=True,
)
EMAIL_DOWNLOAD_ATTACHMENT: Operation[models.EmailDownloadAttachmentResponse] = Operation(
    "email.downloadAttachment",
    "GET",
    "/email/attachments/{id}/download",
    {200: models.EmailDownloadAttachmentResponse},
    reads=True,
)
EMAIL_ATTACHMENT_CONTENT: Operation[Any] = Operation(
    "email.attachmentContent",
    "GET",
    "/email/attachments/{id}/content",
    {},
    reads=True,
    is_binary=True,
)
EMAIL_REMOVE_ATTACHMENT: Operation[None] = Operation(
    "email.removeAttachment",
    "DELETE",
    "/email/attachments/{id}",
    {204: None},
)
EMAIL_LIST_SENDERS: Operation[models.SenderRulePage] = Operation(
    "email.listSenders",
    "GET",
    "/email/senders",
    {200: models.SenderRulePage},
    reads=True,
)
EMAIL_ADD_SENDER: Operation[models.SenderRule] = Operation(
    "email.addSender",
    "POST",
    "/email/senders",
    {201: models.SenderRule},
    idempotent=True,
)
EMAIL_CHECK_SENDER: Operation[models.EmailCheckSenderResponse] = Operation(
    "email.checkSender",
    "POST",
    "/email/senders/check",
    {200: models.EmailCheckSenderResponse},
    reads=True,
)
EMAIL_REMOVE_SENDER: Operation[None] = Operation(
    "email.removeSender",
    "DELETE",
    "/email/senders/{pattern}",
    {204: None},
)
EMAIL_INBOUND: Operation[models.EmailInboundResponse] = Operation(
    "email.inbound",
    "POST",
    "/email/inbound",
    {202: models.EmailInboundResponse},
    headers={"content-type": "message/rfc822"},
)
EMAIL_LIST_REACTIONS: Operation[models.ReactionPage] = Operation(
    "email.listReactions",
    "GET",
    "/email/reactions",
    {200: models.ReactionPage},
    reads=True,
)
EMAIL_CREATE_REACTION: Operation[models.Reaction] = Operation(
    "email.createReaction",
    "POST",
    "/email/reactions",
    {201: models.Reaction},
    idempotent=True,
)
EMAIL_UPDATE_REACTION: Operation[models.Reaction] = Operation(
    "email.updateReaction",
    "PATCH",
    "/email/reactions/{id}",
    {200: models.Reaction},
)
EMAIL_REMOVE_REACTION: Operation[None] = Operation(
    "email.removeReaction",
    "DELETE",
    "/email/reactions/{id}",
    {204: None},
)
EMAIL_LIST_DIGESTS: Operation[models.DigestPage] = Operation(
    "email.listDigests",
    "GET",
    "/email/digests",
    {200: models.DigestPage},
    reads=True,
)
EMAIL_CREATE_DIGEST: Operation[models.Digest] = Operation(
    "email.createDigest",
    "POST",
    "/email/digests",
    {201: models.Digest},
    idempotent=True,
)
EMAIL_UPDATE_DIGEST: Operation[models.Digest] = Operation(
    "email.updateDigest",
    "PATCH",
    "/email/digests/{id}",
    {200: models.Digest},
)
EMAIL_REMOVE_DIGEST: Operation[None] = Operation(
    "email.removeDigest",
    "DELETE",
    "/email/digests/{id}",
    {204: None},
)
EMAIL_SEND_DIGEST: Operation[models.StartedJob] = Operation(
    "email.sendDigest",
    "POST",
    "/email/digests/{id}/send",
    {202: models.StartedJob},
    idempotent=True,
)
EMAIL_LIST_OUTBOUND: Operation[models.OutboundMailPage] = Operation(
    "email.listOutbound",
    "GET",
    "/email/outbound",
    {200: models.OutboundMailPage},
    reads=True,
)
EMAIL_RETRY_OUTBOUND: Operation[models.OutboundMail] = Operation(
    "email.retryOutbound",
    "POST",
    "/email/outbound/{id}/retry",
    {202: models.OutboundMail},
    idempotent=True,
)
EMAIL_LIST_SUPPRESSIONS: Operation[models.SuppressionPage] = Operation(
    "email.listSuppressions",
    "GET",
    "/email/suppressions",
    {200: models.SuppressionPage},
    reads=True,
)
EMAIL_REMOVE_SUPPRESSION: Operation[None] = Operation(
    "email.removeSuppression",
    "DELETE",
    "/email/suppressions/{email}",
    {204: None},
)
EMAIL_UNSUBSCRIBE_PAGE: Operation[Any] = Operation(
    "email.unsubscribePage",
    "GET",
    "/email/unsubscribe",
    {},
    reads=True,
    is_binary=True,
)
EMAIL_UNSUBSCRIBE: Operation[Any] = Operation(
    "email.unsubscribe",
    "POST",
    "/email/unsubscribe",
    {},
    headers={"content-type": "application/x-www-form-urlencoded"},
    is_binary=True,
)
WEBHOOKS_LIST: Operation[models.WebhookPage] = Operation(
    "webhooks.list",
    "GET",
    "/webhooks",
    {200: models.WebhookPage},
    reads=True,
)
WEBHOOKS_CREATE: Operation[models.Webhook] = Operation(
    "webhooks.create",
    "POST",
    "/webhooks",
    {201: models.Webhook},
    idempotent=True,
)
WEBHOOKS_STATS: Operation[models.WebhooksStatsResponse] = Operation(
    "webhooks.stats",
    "GET",
    "/webhooks/stats",
    {200: models.WebhooksStatsResponse},
    reads=True,
)
WEBHOOKS_EVENT_TYPES: Operation[models.WebhooksEventTypesResponse] = Operation(
    "webhooks.eventTypes",
    "GET",
    "/webhooks/event-types",
    {200: models.WebhooksEventTypesResponse},
    reads=True,
)
WEBHOOKS_BULK_CREATE: Operation[models.WebhooksBulkCreateResponse] = Operation(
    "webhooks.bulkCreate",
    "POST",
    "/webhooks/bulk",
    {201: models.WebhooksBulkCreateResponse},
    idempotent=True,
)
WEBHOOKS_BULK_DELETE: Operation[models.WebhooksBulkDeleteResponse] = Operation(
    "webhooks.bulkDelete",
    "POST",
    "/webhooks/bulk/delete",
    {200: models.WebhooksBulkDeleteResponse},
)
WEBHOOKS_GET: Operation[models.Webhook] = Operation(
    "webhooks.get",
    "GET",
    "/webhooks/{webhookId}",
    {200: models.Webhook},
    reads=True,
)
WEBHOOKS_UPDATE: Operation[models.Webhook] = Operation(
    "webhooks.update",
    "PATCH",
    "/webhooks/{webhookId}",
    {200: models.Webhook},
)
WEBHOOKS_REMOVE: Operation[None] = Operation(
    "webhooks.remove",
    "DELETE",
    "/webhooks/{webhookId}",
    {204: None},
)
WEBHOOKS_TEST: Operation[models.WebhooksTestResponse] = Operation(
    "webhooks.test",
    "POST",
    "/webhooks/{webhookId}/test",
    {200: models.WebhooksTestResponse},
)
WEBHOOKS_LIST_DELIVERIES: Operation[models.WebhookDeliveryPage] = Operation(
    "webhooks.listDeliveries",
    "GET",
    "/webhooks/{webhookId}/deliveries",
    {200: models.WebhookDeliveryPage},
    reads=True,
)
WEBHOOKS_GET_DELIVERY: Operation[models.WebhookDelivery] = Operation(
    "webhooks.getDelivery",
    "GET",
    "/webhooks/{webhookId}/deliveries/{deliveryId}",
    {200: models.WebhookDelivery},
    reads=True,
)
WEBHOOKS_RETRY_DELIVERY: Operation[models.WebhooksRetryDeliveryResponse] = Operation(
    "webhooks.retryDelivery",
    "POST",
    "/webhooks/{webhookId}/deliveries/{deliveryId}/retry",
    {200: models.WebhooksRetryDeliveryResponse},
)
WEBHOOKS_REPLAY: Operation[models.StartedJob] = Operation(
    "webhooks.replay",
    "POST",
    "/webhooks/{webhookId}/replay",
    {202: models.StartedJob},
    idempotent=True,
)
OPERATIONS_HEALTH: Operation[models.Health] = Operation(
    "operations.health",
    "GET",
    "/health",
    {200: models.Health, 503: models.Health},
    reads=True,
)
OPERATIONS_READY: Operation[models.Readiness] = Operation(
    "operations.ready",
    "GET",
    "/ready",
    {200: models.Readiness, 503: models.Readiness},
    reads=True,
)
OPERATIONS_LIVEZ: Operation[models.OperationsLivezResponse] = Operation(
    "operations.livez",
    "GET",
    "/livez",
    {200: models.OperationsLivezResponse},
    reads=True,
)
OPERATIONS_READYZ: Operation[models.OperationsReadyzResponse] = Operation(
    "operations.readyz",
    "GET",
    "/readyz",
    {200: models.OperationsReadyzResponse, 503: models.OperationsReadyzResponse},
    reads=True,
)
OPERATIONS_METRICS: Operation[Any] = Operation(
    "operations.metrics",
    "GET",
    "/metrics",
    {},
    reads=True,
    is_binary=True,
)
OPERATIONS_OPENAPI: Operation[dict[str, Any]] = Operation(
    "operations.openapi",
    "GET",
    "/openapi.json",
    {200: dict[str, Any]},
    reads=True,
)
JOBS_LIST: Operation[models.JobPage] = Operation(
    "jobs.list",
    "GET",
    "/jobs",
    {200: models.JobPage},
    reads=True,
)
JOBS_GET: Operation[models.Job] = Operation(
    "jobs.get",
    "GET",
    "/jobs/{id}",
    {200: models.Job},
    reads=True,
)
JOBS_CANCEL: Operation[models.Job] = Operation(
    "jobs.cancel",
    "POST",
    "/jobs/{id}/cancel",
    {202: models.Job},
    idempotent=True,
)
JOBS_RETRY: Operation[models.Job] = Operation(
    "jobs.retry",
    "POST",
    "/jobs/{id}/retry",
    {202: models.Job},
    idempotent=True,
)
EVENTS_LIST: Operation[models.EventPage] = Operation(
    "events.list",
    "GET",
    "/events",
    {200: models.EventPage},
    reads=True,
)
EVENTS_STREAM: Operation[None] = Operation("events.stream", "GET", "/events/stream", {}, reads=True)
#: By operation id.
OPERATIONS: dict[str, Operation[Any]] = {
    "memories.create": MEMORIES_CREATE,
    "memories.list": MEMORIES_LIST,
    "memories.facets": MEMORIES_FACETS,
    "memories.get": MEMORIES_GET,
    "memories.update": MEMORIES_UPDATE,
    "memories.remove": MEMORIES_REMOVE,
    "memories.restore": MEMORIES_RESTORE,
    "memories.pin": MEMORIES_PIN,
    "memories.unpin": MEMORIES_UNPIN,
    "memories.protect": MEMORIES_PROTECT,
    "memories.verify": MEMORIES_VERIFY,
    "memories.feedback": MEMORIES_FEEDBACK,
    "memories.bulkCreate": MEMORIES_BULK_CREATE,
    "memories.bulkUpdate": MEMORIES_BULK_UPDATE,
    "memories.bulkDelete": MEMORIES_BULK_DELETE,
    "memories.bulkTags": MEMORIES_BULK_TAGS,
    "memories.fromMessages": MEMORIES_FROM_MESSAGES,
    "memories.erase": MEMORIES_ERASE,
    "memories.startChange": MEMORIES_START_CHANGE,
    "memories.getChange": MEMORIES_GET_CHANGE,
    "memories.undoChange": MEMORIES_UNDO_CHANGE,
    "memories.suggestions": MEMORIES_SUGGESTIONS,
    "memories.acceptSuggestion": MEMORIES_ACCEPT_SUGGESTION,
    "memories.dismissSuggestion": MEMORIES_DISMISS_SUGGESTION,
    "memories.topics": MEMORIES_TOPICS,
    "memories.enrich": MEMORIES_ENRICH,
    "memories.quality": MEMORIES_QUALITY,
    "media.stream": MEDIA_STREAM,
    "media.link": MEDIA_LINK,
    "media.recordingMetadata": MEDIA_RECORDING_METADATA,
    "media.transcript": MEDIA_TRANSCRIPT,
    "media.transcribe": MEDIA_TRANSCRIBE,
    "media.video": MEDIA_VIDEO,
    "media.thumbnail": MEDIA_THUMBNAIL,
    "media.metadata": MEDIA_METADATA,
    "media.videoTranscript": MEDIA_VIDEO_TRANSCRIPT,
    "media.videoTranscribe": MEDIA_VIDEO_TRANSCRIBE,
    "media.interpret": MEDIA_INTERPRET,
    "media.interpretation": MEDIA_INTERPRETATION,
    "media.clip": MEDIA_CLIP,
    "media.createUpload": MEDIA_CREATE_UPLOAD,
    "media.getUpload": MEDIA_GET_UPLOAD,
    "media.appendUpload": MEDIA_APPEND_UPLOAD,
    "media.removeUpload": MEDIA_REMOVE_UPLOAD,
    "relationships.create": RELATIONSHIPS_CREATE,
    "relationships.batch": RELATIONSHIPS_BATCH,
    "relationships.list": RELATIONSHIPS_LIST,
    "relationships.related": RELATIONSHIPS_RELATED,
    "relationships.update": RELATIONSHIPS_UPDATE,
    "relationships.remove": RELATIONSHIPS_REMOVE,
    "relationships.weaken": RELATIONSHIPS_WEAKEN,
    "relationships.reinforce": RELATIONSHIPS_REINFORCE,
    "knowledge.entities": KNOWLEDGE_ENTITIES,
    "knowledge.count": KNOWLEDGE_COUNT,
    "knowledge.atTime": KNOWLEDGE_AT_TIME,
    "knowledge.get": KNOWLEDGE_GET,
    "knowledge.timeline": KNOWLEDGE_TIMELINE,
    "knowledge.relationships": KNOWLEDGE_RELATIONSHIPS,
    "knowledge.facts": KNOWLEDGE_FACTS,
    "knowledge.create": KNOWLEDGE_CREATE,
    "knowledge.update": KNOWLEDGE_UPDATE,
    "knowledge.createFact": KNOWLEDGE_CREATE_FACT,
    "knowledge.removeFact": KNOWLEDGE_REMOVE_FACT,
    "knowledge.extract": KNOWLEDGE_EXTRACT,
    "knowledge.merge": KNOWLEDGE_MERGE,
    "knowledge.mergeEntities": KNOWLEDGE_MERGE_ENTITIES,
    "knowledge.subgraph": KNOWLEDGE_SUBGRAPH,
    "knowledge.path": KNOWLEDGE_PATH,
    "knowledge.neighbourhood": KNOWLEDGE_NEIGHBOURHOOD,
    "knowledge.ofMemory": KNOWLEDGE_OF_MEMORY,
    "clusters.create": CLUSTERS_CREATE,
    "clusters.list": CLUSTERS_LIST,
    "clusters.get": CLUSTERS_GET,
    "clusters.update": CLUSTERS_UPDATE,
    "clusters.remove": CLUSTERS_REMOVE,
    "clusters.merge": CLUSTERS_MERGE,
    "clusters.memories": CLUSTERS_MEMORIES,
    "clusters.associate": CLUSTERS_ASSOCIATE,
    "clusters.ofMemory": CLUSTERS_OF_MEMORY,
    "clusters.dissociate": CLUSTERS_DISSOCIATE,
    "clusters.stats": CLUSTERS_STATS,
    "clusters.quality": CLUSTERS_QUALITY,
    "clusters.topics": CLUSTERS_TOPICS,
    "clusters.refreshMetrics": CLUSTERS_REFRESH_METRICS,
    "clusters.recomputeCentroid": CLUSTERS_RECOMPUTE_CENTROID,
    "clusters.map": CLUSTERS_MAP,
    "clusters.full": CLUSTERS_FULL,
    "clusters.incremental": CLUSTERS_INCREMENTAL,
    "clusters.status": CLUSTERS_STATUS,
    "clusters.runs": CLUSTERS_RUNS,
    "clusters.config": CLUSTERS_CONFIG,
    "clusters.configure": CLUSTERS_CONFIGURE,
    "search.get": SEARCH_GET,
    "search.post": SEARCH_POST,
    "search.recall": SEARCH_RECALL,
    "search.batch": SEARCH_BATCH,
    "search.global": SEARCH_GLOBAL,
    "search.topic": SEARCH_TOPIC,
    "search.aggregate": SEARCH_AGGREGATE,
    "search.similar": SEARCH_SIMILAR,
    "search.listPresets": SEARCH_LIST_PRESETS,
    "search.getPreset": SEARCH_GET_PRESET,
    "search.putPreset": SEARCH_PUT_PRESET,
    "search.removePreset": SEARCH_REMOVE_PRESET,
    "spaces.create": SPACES_CREATE,
    "spaces.list": SPACES_LIST,
    "spaces.get": SPACES_GET,
    "spaces.update": SPACES_UPDATE,
    "spaces.remove": SPACES_REMOVE,
    "cliSessions.create": CLI_SESSIONS_CREATE,
    "cliSessions.list": CLI_SESSIONS_LIST,
    "cliSessions.active": CLI_SESSIONS_ACTIVE,
    "cliSessions.stats": CLI_SESSIONS_STATS,
    "cliSessions.get": CLI_SESSIONS_GET,
    "cliSessions.update": CLI_SESSIONS_UPDATE,
    "cliSessions.remove": CLI_SESSIONS_REMOVE,
    "cliSessions.pause": CLI_SESSIONS_PAUSE,
    "cliSessions.resume": CLI_SESSIONS_RESUME,
    "cliSessions.complete": CLI_SESSIONS_COMPLETE,
    "cliSessions.archive": CLI_SESSIONS_ARCHIVE,
    "cliSessions.memories": CLI_SESSIONS_MEMORIES,
    "cliSessions.postMessages": CLI_SESSIONS_POST_MESSAGES,
    "sessions.list": SESSIONS_LIST,
    "sessions.active": SESSIONS_ACTIVE,
    "sessions.get": SESSIONS_GET,
    "sessions.memories": SESSIONS_MEMORIES,
    "sessions.export": SESSIONS_EXPORT,
    "sessions.report": SESSIONS_REPORT,
    "account.get": ACCOUNT_GET,
    "account.update": ACCOUNT_UPDATE,
    "account.audit": ACCOUNT_AUDIT,
    "auth.createToken": AUTH_CREATE_TOKEN,
    "auth.renewToken": AUTH_RENEW_TOKEN,
    "auth.listTokens": AUTH_LIST_TOKENS,
    "auth.revokeToken": AUTH_REVOKE_TOKEN,
    "keys.create": KEYS_CREATE,
    "keys.list": KEYS_LIST,
    "keys.revoke": KEYS_REVOKE,
    "keys.rotate": KEYS_ROTATE,
    "grants.list": GRANTS_LIST,
    "grants.revoke": GRANTS_REVOKE,
    "admin.createAccount": ADMIN_CREATE_ACCOUNT,
    "admin.listAccounts": ADMIN_LIST_ACCOUNTS,
    "admin.getAccount": ADMIN_GET_ACCOUNT,
    "admin.updateAccount": ADMIN_UPDATE_ACCOUNT,
    "admin.deleteAccount": ADMIN_DELETE_ACCOUNT,
    "admin.createKey": ADMIN_CREATE_KEY,
    "admin.startVerification": ADMIN_START_VERIFICATION,
    "admin.getVerification": ADMIN_GET_VERIFICATION,
    "admin.backup": ADMIN_BACKUP,
    "admin.getDiagnosis": ADMIN_GET_DIAGNOSIS,
    "admin.acknowledgeFindings": ADMIN_ACKNOWLEDGE_FINDINGS,
    "admin.startReembedding": ADMIN_START_REEMBEDDING,
    "admin.getReembedding": ADMIN_GET_REEMBEDDING,
    "admin.listModels": ADMIN_LIST_MODELS,
    "admin.removeModel": ADMIN_REMOVE_MODEL,
    "admin.startModelTest": ADMIN_START_MODEL_TEST,
    "admin.getModelTest": ADMIN_GET_MODEL_TEST,
    "admin.pauseDeliveries": ADMIN_PAUSE_DELIVERIES,
    "admin.resumeDeliveries": ADMIN_RESUME_DELIVERIES,
    "admin.listErasures": ADMIN_LIST_ERASURES,
    "admin.getErasure": ADMIN_GET_ERASURE,
    "admin.listJobs": ADMIN_LIST_JOBS,
    "admin.retryJob": ADMIN_RETRY_JOB,
    "admin.listQueues": ADMIN_LIST_QUEUES,
    "admin.pauseQueue": ADMIN_PAUSE_QUEUE,
    "admin.resumeQueue": ADMIN_RESUME_QUEUE,
    "admin.export": ADMIN_EXPORT,
    "admin.import": ADMIN_IMPORT,
    "admin.getImport": ADMIN_GET_IMPORT,
    "transfers.export": TRANSFERS_EXPORT,
    "transfers.import": TRANSFERS_IMPORT,
    "transfers.getImport": TRANSFERS_GET_IMPORT,
    "email.getAddress": EMAIL_GET_ADDRESS,
    "email.createAddress": EMAIL_CREATE_ADDRESS,
    "email.rotateAddress": EMAIL_ROTATE_ADDRESS,
    "email.listAddresses": EMAIL_LIST_ADDRESSES,
    "email.deactivateAddress": EMAIL_DEACTIVATE_ADDRESS,
    "email.listHistory": EMAIL_LIST_HISTORY,
    "email.getHistory": EMAIL_GET_HISTORY,
    "email.listAttachments": EMAIL_LIST_ATTACHMENTS,
    "email.getAttachment": EMAIL_GET_ATTACHMENT,
    "email.downloadAttachment": EMAIL_DOWNLOAD_ATTACHMENT,
    "email.attachmentContent": EMAIL_ATTACHMENT_CONTENT,
    "email.removeAttachment": EMAIL_REMOVE_ATTACHMENT,
    "email.listSenders": EMAIL_LIST_SENDERS,
    "email.addSender": EMAIL_ADD_SENDER,
    "email.checkSender": EMAIL_CHECK_SENDER,
    "email.removeSender": EMAIL_REMOVE_SENDER,
    "email.inbound": EMAIL_INBOUND,
    "email.listReactions": EMAIL_LIST_REACTIONS,
    "email.createReaction": EMAIL_CREATE_REACTION,
    "email.updateReaction": EMAIL_UPDATE_REACTION,
    "email.removeReaction": EMAIL_REMOVE_REACTION,
    "email.listDigests": EMAIL_LIST_DIGESTS,
    "email.createDigest": EMAIL_CREATE_DIGEST,
    "email.updateDigest": EMAIL_UPDATE_DIGEST,
    "email.removeDigest": EMAIL_REMOVE_DIGEST,
    "email.sendDigest": EMAIL_SEND_DIGEST,
    "email.listOutbound": EMAIL_LIST_OUTBOUND,
    "email.retryOutbound": EMAIL_RETRY_OUTBOUND,
    "email.listSuppressions": EMAIL_LIST_SUPPRESSIONS,
    "email.removeSuppression": EMAIL_REMOVE_SUPPRESSION,
    "email.unsubscribePage": EMAIL_UNSUBSCRIBE_PAGE,
    "email.unsubscribe": EMAIL_UNSUBSCRIBE,
    "webhooks.list": WEBHOOKS_LIST,
    "webhooks.create": WEBHOOKS_CREATE,
    "webhooks.stats": WEBHOOKS_STATS,
    "webhooks.eventTypes": WEBHOOKS_EVENT_TYPES,
    "webhooks.bulkCreate": WEBHOOKS_BULK_CREATE,
    "webhooks.bulkDelete": WEBHOOKS_BULK_DELETE,
    "webhooks.get": WEBHOOKS_GET,
    "webhooks.update": WEBHOOKS_UPDATE,
    "webhooks.remove": WEBHOOKS_REMOVE,
    "webhooks.test": WEBHOOKS_TEST,
    "webhooks.listDeliveries": WEBHOOKS_LIST_DELIVERIES,
    "webhooks.getDelivery": WEBHOOKS_GET_DELIVERY,
    "webhooks.retryDelivery": WEBHOOKS_RETRY_DELIVERY,
    "webhooks.replay": WEBHOOKS_REPLAY,
    "operations.health": OPERATIONS_HEALTH,
    "operations.ready": OPERATIONS_READY,
    "operations.livez": OPERATIONS_LIVEZ,
    "operations.readyz": OPERATIONS_READYZ,
    "operations.metrics": OPERATIONS_METRICS,
    "operations.openapi": OPERATIONS_OPENAPI,
    "jobs.list": JOBS_LIST,
    "jobs.get": JOBS_GET,
    "jobs.cancel": JOBS_CANCEL,
    "jobs.retry": JOBS_RETRY,
    "events.list": EVENTS_LIST,
    "events.stream": EVENTS_STREAM,
}
