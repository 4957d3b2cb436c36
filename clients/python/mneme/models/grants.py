"""Objects of responses: grants.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime

from .._model import Model
from .._paginate import Page
from .knowledge import OffsetPagination


class OAuthGrant(Model):
    id: str
    client_id: str
    """The URL of the client’s metadata, or the id of a client that registered itself."""
    client_name: str | None
    """As the client calls itself."""
    api_key_id: str
    """The API key that the person signed in with."""
    key_id: str
    """Alias of api_key_id."""
    resource: str
    """The URL of the MCP server that its tokens are for."""
    scopes: list[str]
    space_ids: list[str] | None
    """null: all spaces."""
    user_id: str | None
    """The user whose memories alone the client sees and writes."""
    created_at: datetime
    expires_at: datetime
    """When the grant ends, unless the client refreshes its tokens before."""


class OAuthGrantPage(Page[OAuthGrant]):
    _record_field = "data"

    data: list[OAuthGrant]
    pagination: OffsetPagination
