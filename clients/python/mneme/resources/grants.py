"""Methods: grants.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._async import AsyncTransport
from .._not_given import NOT_GIVEN
from .._operations import GRANTS_LIST, GRANTS_REVOKE
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import OAuthGrant, OAuthGrantPage


class GrantsResource:
    """List and revoke what people allowed OAuth clients, such as connectors of assistants."""

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OAuthGrantPage:
        """List what OAuth clients were allowed, newest first.

        A grant is what a person allowed a client on the consent page. A key that is limited to
        spaces sees only grants that have no more access than itself.
        """
        return self._transport.call(
            GRANTS_LIST,
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
        """Revoke a grant: the client loses its access.

        All its tokens end immediately.
        """
        return self._transport.call(
            GRANTS_REVOKE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncGrantsResource:
    """List and revoke what people allowed OAuth clients, such as connectors of assistants."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[OAuthGrantPage, OAuthGrant]:
        """List what OAuth clients were allowed, newest first.

        A grant is what a person allowed a client on the consent page. A key that is limited to
        spaces sees only grants that have no more access than itself.
        """
        return self._transport.pages(
            GRANTS_LIST,
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
        """Revoke a grant: the client loses its access.

        All its tokens end immediately.
        """
        return await self._transport.call(
            GRANTS_REVOKE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
