"""Parts of requests, and values that fields can have.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

CreatedContentType = Literal[
    "text",
    "markdown",
    "url",
    "audio",
    "image",
]
ContentType = Literal[
    "text",
    "markdown",
    "url",
    "audio",
    "image",
    "video",
]
MemorySort = Literal[
    "created_at",
    "updated_at",
    "occurred_at",
    "priority",
    "salience",
]
BulkActionType = Literal[
    "tag",
    "move",
    "pin",
    "unpin",
    "protect",
    "delete",
    "restore",
]
BulkChangeStatus = Literal[
    "queued",
    "running",
    "completed",
    "undoing",
    "undone",
    "failed",
]
EntityType = Literal[
    "person",
    "organization",
    "location",
    "product",
    "concept",
    "event",
    "skill",
    "date",
]
TimelineEntryKind = Literal[
    "entity_created",
    "fact_added",
    "fact_invalidated",
    "merged",
    "renamed",
]
KnowledgeNeighbourhoodNodeType = Literal[
    "memory",
    "person",
    "organization",
    "location",
    "product",
    "concept",
    "event",
    "skill",
    "date",
]
ClusterSort = Literal[
    "name",
    "created_at",
    "updated_at",
    "memory_count",
    "silhouette_score",
]
ClustersGetSort = Literal[
    "added_at",
    "confidence",
    "created_at",
    "updated_at",
]
JobStatus = Literal[
    "queued",
    "running",
    "completed",
    "failed",
    "cancelled",
]
ResultPlacementReason = Literal[
    "ranked",
    "below_threshold",
    "filtered",
    "no_match",
    "not_found",
]
RewriteReportStatus = Literal[
    "applied",
    "no_rewrites",
    "timeout",
    "failed",
    "paused",
    "not_configured",
]
RerankReportStatus = Literal[
    "applied",
    "not_needed",
    "timeout",
    "failed",
    "paused",
    "not_configured",
]
SearchRecallFormat = Literal[
    "text",
    "markdown",
    "json",
    "xml",
    "lines",
]
SearchGrouping = Literal[
    "tags",
    "clusters",
    "content_type",
    "priority",
    "time_bucket",
]
RetentionPolicy = Literal[
    "permanent",
    "temporary",
    "auto_delete",
    "on_completion",
]
CliSessionsListSort = Literal[
    "created_at",
    "updated_at",
    "last_active_at",
    "name",
]
AccountAuditAction = Literal[
    "account.created",
    "account.updated",
    "account.deleted",
    "key.created",
    "key.rotated",
    "key.revoked",
    "token.revoked",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "deliveries.paused",
    "deliveries.resumed",
    "queue.paused",
    "queue.resumed",
    "mcp.remembered",
    "mcp.forgotten",
    "grant.created",
    "grant.revoked",
]
GrantableScope = Literal[
    "memories:read",
    "memories:write",
    "sessions:read",
    "sessions:write",
    "relationships:read",
    "relationships:write",
    "knowledge:read",
    "knowledge:write",
    "search:read",
    "search:write",
    "clusters:read",
    "clusters:write",
    "email:read",
    "email:write",
    "webhooks:read",
    "webhooks:write",
    "spaces:read",
    "spaces:write",
    "admin",
]
Scope = Literal[
    "memories:read",
    "memories:write",
    "sessions:read",
    "sessions:write",
    "relationships:read",
    "relationships:write",
    "knowledge:read",
    "knowledge:write",
    "search:read",
    "search:write",
    "clusters:read",
    "clusters:write",
    "email:read",
    "email:write",
    "webhooks:read",
    "webhooks:write",
    "spaces:read",
    "spaces:write",
    "admin",
    "operator",
]
DiagnosisFindingKind = Literal[
    "missing_tail",
    "older_copy",
    "failover",
    "failover_missing_tail",
    "other_cluster",
    "damaged_page",
    "invalid_setting",
    "unknown_setting",
    "readable_secret",
    "unusable_folder",
    "foreign_folder",
    "unfinished_files",
    "missing_file",
    "disk_full",
    "disk_low",
    "unusable_database",
    "database_in_use",
    "newer_schema",
    "changed_migration",
    "unreachable_blobs",
    "jobs_due",
    "jobs_failed",
    "jobs_abandoned",
    "backup_failed",
    "backup_missing",
    "check_failed",
]
ErasureKind = Literal[
    "memory",
    "session",
    "space",
    "account",
    "relationship",
    "cluster",
    "mail",
    "attachment",
    "upload",
    "sender_rule",
    "reaction",
    "digest",
    "webhook",
]
ImportCountsKind = Literal[
    "spaces",
    "sessions",
    "memories",
    "relationships",
    "entities",
    "mentions",
    "assertions",
    "clusters",
    "cluster_members",
    "media",
    "tombstones",
    "transcripts",
    "interpretations",
    "segments",
]
ImportReasonReason = Literal[
    "newer_in_account",
    "erased_in_account",
    "deletion_not_applied",
    "duplicate",
    "expired",
    "protected",
    "content_too_large",
    "quota_exceeded",
    "daily_limit_exceeded",
    "space_missing",
    "memory_missing",
    "entity_missing",
    "cluster_missing",
    "file_missing",
    "file_too_large",
    "file_invalid",
    "limit_exceeded",
]
MailStatus = Literal[
    "received",
    "processing",
    "completed",
    "failed",
    "rejected",
    "rate_limited",
]
ParsedIntentCommand = Literal[
    "store",
    "search",
    "recall",
    "forget",
    "help",
    "stop",
]
OutboundMailStatus = Literal[
    "queued",
    "sending",
    "sent",
    "failed",
    "bounced",
]
EventType = Literal[
    "memory.created",
    "memory.updated",
    "memory.deleted",
    "memory.restored",
    "memory.accessed",
    "memory.reinforced",
    "memory.verified",
    "memory.superseded",
    "memory.update_suggested",
    "memory.expired",
    "memory.bulk_created",
    "memory.bulk_updated",
    "memory.bulk_deleted",
    "memory.bulk_tags_updated",
    "relationship.created",
    "relationship.updated",
    "relationship.deleted",
    "cluster.created",
    "cluster.updated",
    "cluster.deleted",
    "cluster.memory_added",
    "cluster.memory_removed",
    "cluster.merged",
    "space.created",
    "space.updated",
    "space.deleted",
    "feedback.submitted",
    "audio.uploaded",
    "audio.transcribed",
    "import.batch_stored",
    "import.completed",
    "entity.extracted",
]
MemoryUpdatedEventChange = Literal[
    "content",
    "metadata",
    "tags",
    "priority",
    "space_id",
    "session_id",
    "occurred_at",
    "expires_at",
    "is_pinned",
    "protection_level",
    "enrichment",
]
MemoryAccessedEventDataVia = Literal[
    "get",
    "search",
    "recall",
    "similar",
    "topic",
    "aggregate",
    "global",
]
RelationshipUpdatedEventChange = Literal[
    "weight",
    "description",
    "metadata",
    "usage_count",
    "last_reinforced_at",
]
ClusterUpdatedEventChange = Literal[
    "name",
    "description",
    "color",
    "metadata",
    "cluster_type",
    "memory_count",
    "silhouette_score",
    "dbcv_score",
    "cohesion_score",
    "topic_label",
    "topic_keywords",
    "centroid_available",
]
SpaceUpdatedEventChange = Literal[
    "name",
    "description",
    "metadata",
    "memory_lifetime_days",
]


class _CreateMemory(TypedDict):
    content: str


class CreateMemory(_CreateMemory, total=False):
    content_type: CreatedContentType
    type: CreatedContentType
    """Alias of content_type."""
    space_id: str | None
    """Space id; null or "default" means the account level."""
    space: str
    """Name of the space, exactly as stored, instead of space_id."""
    user_id: str
    """The end user whom the memory belongs to."""
    agent_id: str
    """The agent whom the memory belongs to."""
    run_id: str
    """The run or conversation that it belongs to."""
    tags: Sequence[str]
    metadata: Mapping[str, Any]
    priority: int
    session_id: str
    is_pinned: bool
    protection_level: Literal["none", "soft", "hard"]
    occurred_at: datetime | str
    expires_at: datetime | str | None
    """When the memory is to be forgotten, in the future. Default: the creation plus
    memory_lifetime_days of its space; null: never. A hard-protected memory never expires.
    """
    embedding: Sequence[float]
    supersedes: Sequence[str]
    """Ids of older memories that this one replaces: each gets a `supersedes` relationship from it,
    or nothing is stored.
    """
    detect_updates: Literal["off", "suggest", "apply"]
    """Whether older memories of the same owner and space that this one may outdate are looked for.
    suggest: they are suggested; apply: those with a confidence of 0.9 or more are superseded at
    once. Default: the account setting detect_updates; off for turns of a conversation: with
    metadata.role, or with a session and a speaker.
    """
    allow_duplicate: bool
    """Skips the duplicate check, as for chat messages."""


class MemoriesBulkUpdateSet(TypedDict, total=False):
    tags: Sequence[str]
    priority: int
    metadata: Mapping[str, Any]
    space_id: str | None
    """Space id; null or "default" means the account level."""
    space: str
    """Name of the space, exactly as stored, instead of space_id."""


class _ConversationMessage(TypedDict):
    role: str
    content: str


class ConversationMessage(_ConversationMessage, total=False):
    name: str
    occurred_at: datetime | str
    """When the message was sent."""


class EraseFilter(TypedDict, total=False):
    user_id: str
    """Only memories of this user."""
    agent_id: str
    """Only memories of this agent."""
    run_id: str
    """Only memories of this run."""
    session_id: str
    tags: Sequence[str]
    """Memories with all of these tags."""
    tags_any: Sequence[str]
    """Memories with one of these tags."""
    content_type: ContentType
    created_after: datetime | str
    created_before: datetime | str
    updated_after: datetime | str
    updated_before: datetime | str
    occurred_after: datetime | str
    occurred_before: datetime | str
    min_priority: int
    min_quality: float
    is_pinned: bool
    pinned: bool
    """Alias of is_pinned."""
    protected: bool
    outdated: bool
    """Only memories that another memory supersedes or whose facts have all ended, or only the
    others.
    """
    ids: Sequence[str]
    space_id: str | None
    """Space id; null or "default" means the account level."""
    space: str
    """Name of the space, exactly as stored, instead of space_id."""
    metadata: Mapping[str, str]
    """Values of top-level keys, compared as text."""


class BulkChangeFilter(TypedDict, total=False):
    user_id: str
    """Only memories of this user."""
    agent_id: str
    """Only memories of this agent."""
    run_id: str
    """Only memories of this run."""
    session_id: str
    tags: Sequence[str]
    """Memories with all of these tags."""
    tags_any: Sequence[str]
    """Memories with one of these tags."""
    content_type: ContentType
    created_after: datetime | str
    created_before: datetime | str
    updated_after: datetime | str
    updated_before: datetime | str
    occurred_after: datetime | str
    occurred_before: datetime | str
    min_priority: int
    min_quality: float
    is_pinned: bool
    pinned: bool
    """Alias of is_pinned."""
    protected: bool
    outdated: bool
    """Only memories that another memory supersedes or whose facts have all ended, or only the
    others.
    """
    ids: Sequence[str]
    space_id: str | None
    """Space id; null or "default" means the account level."""
    space: str
    """Name of the space, exactly as stored, instead of space_id."""
    metadata: Mapping[str, str]
    """Values of top-level keys, compared as text."""


class _BulkAction(TypedDict):
    type: BulkActionType
    """`delete` hides the memories, and `restore` takes deleted ones that match; all others change
    active memories.
    """


class BulkAction(_BulkAction, total=False):
    add: Sequence[str]
    """Of `tag`."""
    remove: Sequence[str]
    """Of `tag`."""
    space_id: str | None
    """Of `move`: the target."""
    space: str
    """Name of the space, exactly as stored, instead of space_id."""
    protection_level: Literal["none", "soft", "hard"]
    """Of `protect`."""


class _BatchRelationship(TypedDict):
    source_id: str
    target_id: str


class BatchRelationship(_BatchRelationship, total=False):
    relationship_type: str
    type: str
    """Alias of relationship_type."""
    description: str | None
    weight: float
    """Default: 1."""
    strength: float
    """Alias of weight."""
    decay_rate: float
    """Ratio of the weight that decays per day."""
    rules: Mapping[str, Any]
    metadata: Mapping[str, Any]
    bidirectional: bool
    """Also creates the inverse relationship, with the inverse type."""


class _SearchRequest(TypedDict):
    q: str


class SearchRequest(_SearchRequest, total=False):
    include: Sequence[Literal["memories", "audio"]]
    user_id: str
    """Only memories of this user."""
    agent_id: str
    """Only memories of this agent."""
    run_id: str
    """Only memories of this run."""
    tags: Sequence[str]
    tags_any: Sequence[str]
    content_type: ContentType
    created_after: datetime | str
    created_before: datetime | str
    occurred_after: datetime | str
    occurred_before: datetime | str
    min_priority: int
    limit: int
    offset: int
    threshold: float
    """Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the page."""
    explain: bool
    """Adds why_matched to each result: what each feature adds to its score."""
    why: str
    """A memory whose place is explained in `why`, also where it is no result."""
    as_of: datetime | str
    """Asks for what held at this time: what was superseded later stands before what supersedes it,
    and memories of a later time rank behind. The time of a memory is its occurred_at, else its
    created_at.
    """
    rewrite: bool
    """Searches also with up to three texts that the language model of the service makes of the
    query: the same question in other words, or the questions that it consists of. `rewrite` of the
    response says whether it did; without a model, or if it fails, the results are those of the
    query alone.
    """
    rerank: bool
    """Whether the reranker of the service reorders the best results; by default if there is one.
    `rerank` of the response says whether it did.
    """
    pipeline: str
    """precise, balanced, broad, or a preset of the account. Unknown names are rejected."""
    session_key: str
    """Adds the memories that are found to the activation session with this key."""
    session: str
    """Alias of session_key."""
    include_superseded: bool
    """false: omits memories that another memory supersedes; what supersedes them takes their place.
    """
    space_id: str | None
    """Space id; null or "default" means the account level."""
    space: str
    """Name of the space, exactly as stored, instead of space_id."""
    metadata: Mapping[str, str | float | bool]


class _ChatMessage(TypedDict):
    role: str
    content: str


class ChatMessage(_ChatMessage, total=False):
    name: str
    occurred_at: datetime | str
    """When the message was sent."""
    created_at: datetime | str
    """Alias of occurred_at."""
    user_id: str
    """The end user whom the memory belongs to."""
    agent_id: str
    """The agent whom the memory belongs to."""
    run_id: str
    """The run or conversation that it belongs to."""


class AccountUpdateSettingsEmail(TypedDict, total=False):
    accept_unknown: Literal["store", "reject"] | None


class AccountUpdateSettings(TypedDict, total=False):
    daily_memory_limit: int | None
    enforce_endpoint_limits: bool | None
    allow_custom_relationship_types: bool | None
    detect_updates: Literal["off", "suggest", "apply"] | None
    email: AccountUpdateSettingsEmail | None


class TriggerConditions(TypedDict, total=False):
    tags: Sequence[str]
    content_contains: str
    contentContains: str
    """Alias of content_contains."""


class WebhookFilters(TypedDict, total=False):
    tags: Sequence[str]
    content_type: Sequence[ContentType]
    min_priority: int
    metadata: Mapping[str, Any]
    space_ids: Sequence[str]


class _CreateWebhook(TypedDict):
    url: str
    events: Sequence[str]
    """Event types, `<area>.*`, or `*` for all."""


class CreateWebhook(_CreateWebhook, total=False):
    name: str
    """Default: the host of the URL."""
    description: str | None
    secret: str
    """Default: 32 random bytes, generated by the service."""
    space_id: str | None
    """Only events of this space; null or "default": events of all spaces that the key can access.
    """
    space: str
    """Name of the space, exactly as stored, instead of space_id."""
    headers: Mapping[str, str]
    """Headers added to each delivery; they cannot replace the headers of the service."""
    filters: WebhookFilters
    max_retries: int
    retry_delay_seconds: int
    retry_schedule: Literal["standard", "short"]
    payload_form: Literal["object", "wrapped"]
    signature_form: Literal["timestamped", "hex"]
    is_active: bool
    enabled: bool
    """Alias of is_active."""
    status: Literal["active", "paused"]
    """Alias of is_active."""
