"""Objects of responses: keys.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime

from .._model import Model
from .._paginate import Page
from ..types import Scope
from .knowledge import OffsetPagination


class IssuedApiKey(Model):
    id: str
    name: str
    prefix: str
    """The first characters of the key, which are not secret."""
    scopes: list[Scope]
    space_ids: list[str] | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime
    key: str


class ApiKey(Model):
    id: str
    name: str
    prefix: str
    """The first characters of the key, which are not secret."""
    scopes: list[Scope]
    space_ids: list[str] | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


class ApiKeyPage(Page[ApiKey]):
    _record_field = "data"

    data: list[ApiKey]
    pagination: OffsetPagination
