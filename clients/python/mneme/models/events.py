"""Objects of responses: events.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Union

from .._model import Model
from .._paginate import Page
from ..types import (
    ClusterUpdatedEventChange,
    EntityType,
    EventType,
    ImportCountsKind,
    MemoryAccessedEventDataVia,
    MemoryUpdatedEventChange,
    RelationshipUpdatedEventChange,
    SpaceUpdatedEventChange,
)
from .admin import ImportCounts
from .clusters import Cluster
from .memories import CursorPagination, Feedback, Memory
from .relationships import Relationship
from .search import Space


class MemoryCreatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.created"]
    data: Memory
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryUpdatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.updated"]
    data: Memory
    previous_data: Memory
    changes: list[MemoryUpdatedEventChange]
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryDeletedEventData(Model):
    id: str
    soft: bool
    """True: the memory can be restored."""
    client: str | None = None
    """The program that sent the request, where it came through MCP."""


class MemoryDeletedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.deleted"]
    data: MemoryDeletedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryRestoredEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.restored"]
    data: Memory
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryAccessedEventData(Model):
    ids: list[str]
    via: MemoryAccessedEventDataVia
    query: str | None = None
    """The query of a search that was restricted to the space of the event."""
    topic: str | None = None
    client: str | None = None
    """The program that sent the request, where it came through MCP."""
    memory_id: str | None = None
    """The memory of a similarity search, in the event of its own space."""


class MemoryAccessedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.accessed"]
    data: MemoryAccessedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryReinforcedEventData(Model):
    id: str
    priority: int


class MemoryReinforcedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.reinforced"]
    data: MemoryReinforcedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryVerifiedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.verified"]
    data: Memory
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemorySupersededEventData(Model):
    id: str
    superseded_by: str


class MemorySupersededEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.superseded"]
    data: MemorySupersededEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryUpdateSuggestedEventData(Model):
    newer_id: str
    older_id: str
    confidence: float
    """The estimated probability that the newer memory outdates the older one."""
    reason: Literal["ended", "replaced", "corrected", "other_value"]
    """ended: what the older memory says has ended; replaced: something else has taken its place;
    corrected: it was wrong; other_value: the newer memory states something else of the same.
    """


class MemoryUpdateSuggestedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.update_suggested"]
    data: MemoryUpdateSuggestedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryExpiredEventData(Model):
    id: str


class MemoryExpiredEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.expired"]
    data: MemoryExpiredEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryBulkCreatedEventData(Model):
    ids: list[str]
    count: int


class MemoryBulkCreatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.bulk_created"]
    data: MemoryBulkCreatedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryBulkUpdatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.bulk_updated"]
    data: MemoryBulkCreatedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryBulkDeletedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.bulk_deleted"]
    data: MemoryBulkCreatedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class MemoryBulkTagsUpdatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["memory.bulk_tags_updated"]
    data: MemoryBulkCreatedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class RelationshipCreatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["relationship.created"]
    data: Relationship
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class RelationshipUpdatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["relationship.updated"]
    data: Relationship
    previous_data: Relationship
    changes: list[RelationshipUpdatedEventChange]
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class RelationshipDeletedEventData(Model):
    id: str
    source_id: str
    target_id: str
    relationship_type: str
    type: str


class RelationshipDeletedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["relationship.deleted"]
    data: RelationshipDeletedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ClusterCreatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["cluster.created"]
    data: Cluster
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ClusterUpdatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["cluster.updated"]
    data: Cluster
    previous_data: Cluster
    changes: list[ClusterUpdatedEventChange]
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ClusterDeletedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["cluster.deleted"]
    data: MemoryExpiredEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ClusterMemoryAddedEventData(Model):
    cluster_id: str
    memory_id: str
    confidence: float


class ClusterMemoryAddedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["cluster.memory_added"]
    data: ClusterMemoryAddedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ClusterMemoryRemovedEventData(Model):
    cluster_id: str
    memory_id: str


class ClusterMemoryRemovedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["cluster.memory_removed"]
    data: ClusterMemoryRemovedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ClusterMergedEventData(Model):
    id: str
    name: str
    description: str | None
    space_id: str | None
    cluster_type: Literal["manual", "hdbscan", "bertopic", "community"]
    color: str | None
    metadata: dict[str, Any]
    memory_count: int
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    topic_label: str | None
    topic_keywords: list[str] | None
    centroid_available: bool
    created_at: datetime
    updated_at: datetime
    source_ids: list[str]


class ClusterMergedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["cluster.merged"]
    data: ClusterMergedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class SpaceCreatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["space.created"]
    data: Space
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class SpaceUpdatedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["space.updated"]
    data: Space
    previous_data: Space
    changes: list[SpaceUpdatedEventChange]
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class SpaceDeletedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["space.deleted"]
    data: MemoryExpiredEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class FeedbackSubmittedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["feedback.submitted"]
    data: Feedback
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class AudioUploadedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["audio.uploaded"]
    data: Memory
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class AudioTranscribedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["audio.transcribed"]
    data: Memory
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ImportBatchStoredEventData(Model):
    import_id: str
    kind: ImportCountsKind
    created: int
    updated: int


class ImportBatchStoredEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["import.batch_stored"]
    data: ImportBatchStoredEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ImportCompletedEventData(Model):
    import_id: str
    records: list[ImportCounts]


class ImportCompletedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["import.completed"]
    data: ImportCompletedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class EntityExtractedEventDataEntity(Model):
    id: str
    name: str
    type: EntityType


class EntityExtractedEventData(Model):
    memory_id: str
    entities: list[EntityExtractedEventDataEntity]


class EntityExtractedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: Literal["entity.extracted"]
    data: EntityExtractedEventData
    previous_data: None
    changes: None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class ErasedEventData(Model):
    id: str | None = None
    memory_id: str | None = None
    source_id: str | None = None
    target_id: str | None = None
    cluster_id: str | None = None
    session_id: str | None = None
    ids: list[str] | None = None
    """What a search found."""
    erased: Literal[True]


class ErasedEvent(Model):
    id: str
    created_at: datetime
    space_id: str | None
    type: EventType
    data: ErasedEventData
    previous_data: None
    changes: list[str] | None
    webhook_id: str | None = None
    """The webhook; only in deliveries."""


class EventPage(Page["Event | ErasedEvent"]):
    _record_field = "data"

    data: list[Event | ErasedEvent]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: CursorPagination


Event = Union[
    MemoryCreatedEvent,
    MemoryUpdatedEvent,
    MemoryDeletedEvent,
    MemoryRestoredEvent,
    MemoryAccessedEvent,
    MemoryReinforcedEvent,
    MemoryVerifiedEvent,
    MemorySupersededEvent,
    MemoryUpdateSuggestedEvent,
    MemoryExpiredEvent,
    MemoryBulkCreatedEvent,
    MemoryBulkUpdatedEvent,
    MemoryBulkDeletedEvent,
    MemoryBulkTagsUpdatedEvent,
    RelationshipCreatedEvent,
    RelationshipUpdatedEvent,
    RelationshipDeletedEvent,
    ClusterCreatedEvent,
    ClusterUpdatedEvent,
    ClusterDeletedEvent,
    ClusterMemoryAddedEvent,
    ClusterMemoryRemovedEvent,
    ClusterMergedEvent,
    SpaceCreatedEvent,
    SpaceUpdatedEvent,
    SpaceDeletedEvent,
    FeedbackSubmittedEvent,
    AudioUploadedEvent,
    AudioTranscribedEvent,
    ImportBatchStoredEvent,
    ImportCompletedEvent,
    EntityExtractedEvent,
]
