"""Objects of responses: jobs.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import JobStatus
from .memories import CursorPagination


class Job(Model):
    id: str
    kind: str
    status: JobStatus
    progress: float
    attempt_count: int
    attempts: int
    """Alias of attempt_count."""
    waiting_reason: Literal["no_worker", "queue_paused"] | None
    """Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
    all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits for
    its turn, runs or has ended.
    """
    error: str | None
    result: dict[str, Any] | None
    """What a completed job reports, such as the receipt of an erasure."""
    created_at: datetime
    finished_at: datetime | None


class JobPage(Page[Job]):
    _record_field = "data"

    data: list[Job]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: CursorPagination
