"""Objects of responses: operations.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .._model import Model
from .admin import DiagnosisCheck


class Health(Model):
    status: Literal["ok", "degraded", "unavailable"]
    uptime: int
    """Seconds since the process started."""
    version: str
    timestamp: datetime
    checks: dict[str, DiagnosisCheck]


class Readiness(Model):
    ready: bool


class OperationsLivezResponse(Model):
    alive: Literal[True]


class OperationsReadyzResponseCheck(Model):
    ok: bool
    detail: str | None = None
    wait_ms: int | None = None
    """Milliseconds until the database responded, with its queue."""


class OperationsReadyzResponse(Model):
    ready: bool
    checks: dict[str, OperationsReadyzResponseCheck]
