"""Objects of responses: knowledge.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .._model import Model
from .._paginate import Page
from ..types import EntityType, KnowledgeNeighbourhoodNodeType, TimelineEntryKind


class EntitySummary(Model):
    id: str
    name: str
    type: EntityType
    created_at: datetime


class OffsetPagination(Model):
    total: int
    limit: int
    offset: int
    has_more: bool
    next_cursor: None
    """The next page is at `offset` + `limit`."""


class EntitySummaryPage(Page[EntitySummary]):
    _record_field = "entities"

    total: int
    """Alias of pagination.total."""
    limit: int
    """Alias of pagination.limit."""
    offset: int
    """Alias of pagination.offset."""
    has_more: bool
    """Alias of pagination.has_more."""
    entities: list[EntitySummary]
    """Alias of data."""
    data: list[EntitySummary]
    pagination: OffsetPagination


class KnowledgeCountResponse(Model):
    countable_category: str
    count: int
    time_start: datetime | None
    time_end: datetime | None


class KnowledgeAtTimePage(Page[EntitySummary]):
    _record_field = "entities"

    as_of: datetime
    known_at: datetime
    entities: list[EntitySummary]
    """Alias of data."""
    total: int
    """Alias of pagination.total."""
    data: list[EntitySummary]
    pagination: OffsetPagination


class EntityDetailEntity(Model):
    id: str
    name: str
    type: EntityType
    created_at: datetime
    space_id: str | None
    aliases: list[str]
    updated_at: datetime
    relationship_count: int
    fact_count: int


class EntityRelationship(Model):
    id: str
    """The id of the underlying fact."""
    direction: Literal["outgoing", "incoming"]
    target_entity_id: str
    """The entity at the other end."""
    target_name: str
    target_type: EntityType
    relationship_type: str
    weight: float
    """The confidence of the fact."""
    valid_from: datetime | None
    valid_to: datetime | None


class Fact(Model):
    id: str
    subject_id: str
    subject_name: str
    predicate: str
    object_id: str | None
    object_value: str | None
    """The name of the object entity, or the value if there is no entity."""
    statement: str
    confidence: float
    source_memory_ids: list[str]
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    invalidated_at: datetime | None


class EntityDetail(Model):
    id: str
    name: str
    type: EntityType
    created_at: datetime
    space_id: str | None
    aliases: list[str]
    updated_at: datetime
    relationship_count: int
    fact_count: int
    entity: EntityDetailEntity
    """The same fields, nested."""
    merged_from: str | None = None
    """The requested id, if that entity was merged into this one."""
    relationships: list[EntityRelationship]
    facts: list[Fact]


class TimelineEntry(Model):
    at: datetime
    kind: TimelineEntryKind
    fact: Fact | None = None
    detail: str


class TimelineEntryPage(Page[TimelineEntry]):
    _record_field = "entries"

    entity_id: str
    entries: list[TimelineEntry]
    """Alias of data."""
    total: int
    """Alias of pagination.total."""
    data: list[TimelineEntry]
    pagination: OffsetPagination


class EntityRelationshipPage(Page[EntityRelationship]):
    _record_field = "relationships"

    entity_id: str
    relationships: list[EntityRelationship]
    """Alias of data."""
    total: int
    """Alias of pagination.total."""
    data: list[EntityRelationship]
    pagination: OffsetPagination


class FactPage(Page[Fact]):
    _record_field = "facts"

    entity_id: str
    facts: list[Fact]
    """Alias of data."""
    total: int
    """Alias of pagination.total."""
    data: list[Fact]
    pagination: OffsetPagination


class Entity(Model):
    id: str
    name: str
    type: EntityType
    created_at: datetime
    space_id: str | None
    aliases: list[str]
    updated_at: datetime


class ExtractedEntity(Model):
    id: str
    name: str
    type: EntityType
    created_at: datetime
    confidence: float


class KnowledgeExtractResponse(Model):
    memory_id: str
    model: str
    entities: list[ExtractedEntity]
    facts: list[Fact]


class KnowledgeMergeResponse(Model):
    merged: Literal[True]
    target_id: str
    source_id: str


class SubgraphNode(Model):
    id: str
    name: str
    type: EntityType
    created_at: datetime
    hops: int


class GraphEdge(Model):
    id: str
    """The id of the underlying fact."""
    source_id: str
    target_id: str
    relationship_type: str
    weight: float


class KnowledgeSubgraphResponse(Model):
    root: str
    nodes: list[SubgraphNode]
    edges: list[GraphEdge]
    """Edges between the nodes; empty if not requested."""
    truncated: bool
    """Whether more entities are reachable than are listed."""


class KnowledgePathResponse(Model):
    from_: str
    to: str
    length: int
    nodes: list[EntitySummary]
    """Entities along the path, from `from` to `to`."""
    edges: list[GraphEdge]


class NeighbourhoodNode(Model):
    id: str
    type: KnowledgeNeighbourhoodNodeType
    label: str
    """The name of an entity, or the first 200 characters of a memory."""
    hops: int
    """The distance from the centre."""
    hidden_neighbours: int
    """Neighbours that match the filters and are not in the response. Counted among the strongest
    edges of each kind: 500 of the centre, 100 of another node.
    """
    created_at: datetime


class NeighbourhoodEdge(Model):
    id: str | None
    """The id of the fact or of the relationship; null for a mention."""
    kind: Literal["mention", "fact", "relationship"]
    source_id: str
    target_id: str
    relationship_type: str
    weight: float
    """The confidence of a fact or a mention, or the strength of a relationship after decay."""
    valid_from: datetime | None
    valid_to: datetime | None


class Neighbourhood(Model):
    root: str
    """The id of the centre."""
    nodes: list[NeighbourhoodNode]
    """The centre first, then the nearest, the strongest of them first."""
    edges: list[NeighbourhoodEdge]
    truncated: bool
    """Whether nodes within `hops`, or edges between nodes, are left out."""


class MemoryKnowledge(Model):
    memory_id: str
    entities: list[ExtractedEntity]
    facts: list[Fact]
