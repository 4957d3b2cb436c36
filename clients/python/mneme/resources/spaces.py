"""Methods: spaces.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import SPACES_CREATE, SPACES_GET, SPACES_LIST, SPACES_REMOVE, SPACES_UPDATE
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Space, SpacePage


class SpacesResource:
    """Divide the memories of an account into named spaces. An API key can be limited to some of
    them.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        memory_lifetime_days: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Space:
        """Create a space.

        Args:
            memory_lifetime_days: Days after its creation when a new memory of the space expires, if
                its create has no expires_at. Memories that are stored already keep theirs.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            SPACES_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "metadata": metadata},
                {"description": description, "memory_lifetime_days": memory_lifetime_days},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SpacePage:
        """List spaces, by name."""
        return self._transport.call(
            SPACES_LIST,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Space:
        """Read a space."""
        return self._transport.call(
            SPACES_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update(
        self,
        id: str,
        *,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        memory_lifetime_days: int | None | NotGiven = NOT_GIVEN,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Space:
        """Change a space.

        Args:
            metadata: Merged into the stored value (RFC 7396); None removes a key.
            memory_lifetime_days: Days after its creation when a new memory of the space expires, if
                its create has no expires_at. Memories that are stored already keep theirs.
        """
        return self._transport.call(
            SPACES_UPDATE,
            path={"id": id},
            body=json_body(
                {"name": name, "metadata": metadata},
                {"description": description, "memory_lifetime_days": memory_lifetime_days},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete an empty space."""
        return self._transport.call(
            SPACES_REMOVE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncSpacesResource:
    """Divide the memories of an account into named spaces. An API key can be limited to some of
    them.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        memory_lifetime_days: int | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Space:
        """Create a space.

        Args:
            memory_lifetime_days: Days after its creation when a new memory of the space expires, if
                its create has no expires_at. Memories that are stored already keep theirs.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            SPACES_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "metadata": metadata},
                {"description": description, "memory_lifetime_days": memory_lifetime_days},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[SpacePage, Space]:
        """List spaces, by name."""
        return self._transport.pages(
            SPACES_LIST,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Space:
        """Read a space."""
        return await self._transport.call(
            SPACES_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update(
        self,
        id: str,
        *,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        memory_lifetime_days: int | None | NotGiven = NOT_GIVEN,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Space:
        """Change a space.

        Args:
            metadata: Merged into the stored value (RFC 7396); None removes a key.
            memory_lifetime_days: Days after its creation when a new memory of the space expires, if
                its create has no expires_at. Memories that are stored already keep theirs.
        """
        return await self._transport.call(
            SPACES_UPDATE,
            path={"id": id},
            body=json_body(
                {"name": name, "metadata": metadata},
                {"description": description, "memory_lifetime_days": memory_lifetime_days},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete an empty space."""
        return await self._transport.call(
            SPACES_REMOVE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
