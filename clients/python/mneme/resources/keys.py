"""Methods: keys.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import KEYS_CREATE, KEYS_LIST, KEYS_REVOKE, KEYS_ROTATE
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import ApiKey, ApiKeyPage, IssuedApiKey
from ..types import GrantableScope


class KeysResource:
    """Create, list, rotate and revoke the API keys of an account. Scopes and spaces limit what a
    key can do.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        scopes: Sequence[GrantableScope] | None = None,
        space_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedApiKey:
        """Create an API key; the secret is returned once.

        Without scopes the key gets every scope except operator. A key cannot grant permissions that
        it lacks.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            KEYS_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "scopes": scopes},
                {"space_ids": space_ids, "expires_at": expires_at},
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
    ) -> ApiKeyPage:
        """List the keys of the account.

        A key that is limited to spaces sees only keys that have no more access than itself.
        """
        return self._transport.call(
            KEYS_LIST,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def revoke(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Revoke a key."""
        return self._transport.call(
            KEYS_REVOKE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def rotate(
        self,
        id: str,
        *,
        grace_seconds: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedApiKey:
        """Rotate the secret of a key.

        The previous secret stays valid for grace_seconds (default 0).
        """
        return self._transport.call(
            KEYS_ROTATE,
            path={"id": id},
            body=json_body({"grace_seconds": grace_seconds}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncKeysResource:
    """Create, list, rotate and revoke the API keys of an account. Scopes and spaces limit what a
    key can do.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[GrantableScope] | None = None,
        space_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedApiKey:
        """Create an API key; the secret is returned once.

        Without scopes the key gets every scope except operator. A key cannot grant permissions that
        it lacks.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            KEYS_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "scopes": scopes},
                {"space_ids": space_ids, "expires_at": expires_at},
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
    ) -> AsyncPages[ApiKeyPage, ApiKey]:
        """List the keys of the account.

        A key that is limited to spaces sees only keys that have no more access than itself.
        """
        return self._transport.pages(
            KEYS_LIST,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def revoke(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Revoke a key."""
        return await self._transport.call(
            KEYS_REVOKE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def rotate(
        self,
        id: str,
        *,
        grace_seconds: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedApiKey:
        """Rotate the secret of a key.

        The previous secret stays valid for grace_seconds (default 0).
        """
        return await self._transport.call(
            KEYS_ROTATE,
            path={"id": id},
            body=json_body({"grace_seconds": grace_seconds}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )
