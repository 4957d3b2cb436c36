"""Objects of responses: cli_sessions.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import RetentionPolicy
from .knowledge import OffsetPagination
from .memories import Memory, OnePagePagination


class CliSession(Model):
    id: str
    account_id: str
    created_by: str | None
    name: str
    type: Literal["conversation", "project", "task", "temporary"]
    status: Literal["active", "paused", "completed", "archived"]
    description: str | None
    tags: list[str]
    space_id: str | None
    origin_type: str | None
    retention_policy: RetentionPolicy
    retention_days: int | None
    is_private: bool
    summary: str | None
    message_count: int
    """Number of chat messages ever recorded."""
    memory_count: int
    """Number of memories in the session, without deleted ones."""
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    last_active_at: datetime
    paused_at: datetime | None
    completed_at: datetime | None
    archived_at: datetime | None


class CliSessionPage(Page[CliSession]):
    _record_field = "data"

    data: list[CliSession]
    pagination: OffsetPagination


class CliSessionsActiveResponse(Model):
    data: list[CliSession]
    count: int
    pagination: OnePagePagination


class CliSessionStatsByStatus(Model):
    active: int
    paused: int
    completed: int
    archived: int


class CliSessionStatsByType(Model):
    conversation: int
    project: int
    task: int
    temporary: int


class CliSessionStats(Model):
    total: int
    by_status: CliSessionStatsByStatus
    by_type: CliSessionStatsByType


class CliSessionsMemoriesPage(Page[Memory]):
    _record_field = "data"

    data: list[Memory]
    pagination: OffsetPagination


class CliSessionsPostMessagesResponse(Model):
    memories: list[Memory]
