"""Objects of responses: relationships.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .._model import Model
from .memories import FailedItem, Memory, OnePagePagination


class CreatedRelationshipInverseRelationship(Model):
    id: str
    source_id: str
    target_id: str
    type: str
    strength: float


class CreatedRelationship(Model):
    id: str
    source_id: str
    target_id: str
    relationship_type: str
    type: str
    """Alias of relationship_type."""
    description: str | None
    weight: float
    """After decay."""
    strength: float
    """The weight, capped at 1."""
    usage_count: int
    reinforcement_count: int
    """Alias of usage_count."""
    last_reinforced_at: datetime | None
    decay_rate: float
    rules: dict[str, Any]
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    inverse_relationship: CreatedRelationshipInverseRelationship | None = None
    """The inverse relationship that a bidirectional create added."""


class RelationshipsBatchResponse(Model):
    succeeded: list[CreatedRelationship]
    failed: list[FailedItem]


class Relationship(Model):
    id: str
    source_id: str
    target_id: str
    relationship_type: str
    type: str
    """Alias of relationship_type."""
    description: str | None
    weight: float
    """After decay."""
    strength: float
    """The weight, capped at 1."""
    usage_count: int
    reinforcement_count: int
    """Alias of usage_count."""
    last_reinforced_at: datetime | None
    decay_rate: float
    rules: dict[str, Any]
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime


class RelationshipsListResponse(Model):
    memory_id: str
    outgoing: list[Relationship] | None = None
    incoming: list[Relationship] | None = None
    total: int
    """Alias of pagination.total."""
    data: list[Relationship]
    pagination: OnePagePagination


class RelatedMemory(Model):
    memory: Memory
    hops: int
    """Number of relationships on the shortest path."""
    depth: int
    """Alias of hops."""
    path: list[str]
    """Ids of the relationships on the best path, in order."""
    score: float
    """Product of the strengths along the path."""


class RelationshipsRelatedResponse(Model):
    memory_id: str
    hops: int
    depth: int
    """Alias of hops."""
    memories: list[RelatedMemory]
    """Alias of data."""
    relationships: list[Relationship]
    """Every relationship that a path contains, once."""
    truncated: bool
    """Whether more memories are reachable than are listed."""
    data: list[RelatedMemory]
    pagination: OnePagePagination
