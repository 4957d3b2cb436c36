"""Objects of responses: sessions.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import ContentType, EntityType
from .knowledge import OffsetPagination
from .memories import MemoryFacetsTag
from .relationships import Relationship


class ActivationSession(Model):
    id: str
    session_key: str
    started_at: datetime
    last_active_at: datetime
    last_activity_at: datetime
    """Alias of last_active_at."""
    memory_count: int
    is_closed: bool
    api_key_id: str | None


class ActivationSessionPage(Page[ActivationSession]):
    _record_field = "data"

    data: list[ActivationSession]
    pagination: OffsetPagination


class ActivationSessionDetail(Model):
    id: str
    session_key: str
    started_at: datetime
    last_active_at: datetime
    last_activity_at: datetime
    """Alias of last_active_at."""
    memory_count: int
    is_closed: bool
    api_key_id: str | None
    memory_ids: list[str]
    """In the order of first access."""


class ActivationExportMemory(Model):
    id: str
    content: str
    content_type: ContentType
    space_id: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    session_id: str | None
    tags: list[str]
    metadata: dict[str, Any]
    priority: int
    salience: float | None
    is_pinned: bool
    is_deleted: bool
    protection_level: Literal["none", "soft", "hard"]
    quality_score: float | None
    occurred_at: datetime | None
    expires_at: datetime | None
    """From then on the memory is hidden; it is erased within the hour. null: never."""
    verified_at: datetime | None
    deleted_at: datetime | None
    created_at: datetime
    updated_at: datetime
    outdated_by: str | None
    """The newest of the memories at the ends of what supersedes it, directly or over several, or
    says that all its facts have ended; null: it is current.
    """
    create: dict[str, Any]


class ActivationExport(Model):
    session: ActivationSessionDetail
    memories: list[ActivationExportMemory]
    relationships: list[Relationship]


class ActivationReportMemory(Model):
    id: str
    content: str
    content_type: ContentType
    space_id: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    session_id: str | None
    tags: list[str]
    metadata: dict[str, Any]
    priority: int
    salience: float | None
    is_pinned: bool
    is_deleted: bool
    protection_level: Literal["none", "soft", "hard"]
    quality_score: float | None
    occurred_at: datetime | None
    expires_at: datetime | None
    """From then on the memory is hidden; it is erased within the hour. null: never."""
    verified_at: datetime | None
    deleted_at: datetime | None
    created_at: datetime
    updated_at: datetime
    outdated_by: str | None
    """The newest of the memories at the ends of what supersedes it, directly or over several, or
    says that all its facts have ended; null: it is current.
    """
    access_count: int
    first_accessed_at: datetime


class ActivationReportEntity(Model):
    id: str
    name: str
    type: EntityType
    memory_count: int


class ActivationReportTimeline(Model):
    at: datetime
    memory_id: str


class ActivationReport(Model):
    session: ActivationSessionDetail
    memories: list[ActivationReportMemory]
    relationships: list[Relationship]
    top_tags: list[MemoryFacetsTag]
    entities: list[ActivationReportEntity]
    """The entities that most of its memories mention, at most 20."""
    timeline: list[ActivationReportTimeline]
