"""Objects of responses: auth.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .._model import Model
from .._paginate import Page
from ..types import GrantableScope
from .knowledge import OffsetPagination


class IssuedSessionToken(Model):
    id: str
    api_key_id: str
    """The API key that created the token."""
    key_id: str
    """Alias of api_key_id."""
    user_id: str | None
    """The user whose memories alone the token sees and writes."""
    created_at: datetime
    expires_at: datetime
    renewable_until: datetime | None
    """Until when the token can be renewed; null: it cannot."""
    single_use: bool
    """Only good for one renewal."""
    scopes: list[GrantableScope] | None
    """The scopes of its key that the token is limited to; null: all of them."""
    token: str
    token_type: Literal["Bearer"]


class SessionToken(Model):
    id: str
    api_key_id: str
    """The API key that created the token."""
    key_id: str
    """Alias of api_key_id."""
    user_id: str | None
    """The user whose memories alone the token sees and writes."""
    created_at: datetime
    expires_at: datetime
    renewable_until: datetime | None
    """Until when the token can be renewed; null: it cannot."""
    single_use: bool
    """Only good for one renewal."""
    scopes: list[GrantableScope] | None
    """The scopes of its key that the token is limited to; null: all of them."""


class SessionTokenPage(Page[SessionToken]):
    _record_field = "data"

    data: list[SessionToken]
    pagination: OffsetPagination
