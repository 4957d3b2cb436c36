"""Methods: operations.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._async import AsyncTransport
from .._not_given import NOT_GIVEN
from .._operations import OPERATIONS_HEALTH, OPERATIONS_OPENAPI, OPERATIONS_READY
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Health, Readiness


class OperationsResource:
    """Check the health and readiness of the service, and download this document. These routes
    require no API key.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def health(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Health:
        """Read the health of the service."""
        return self._transport.call(OPERATIONS_HEALTH, extra_headers=extra_headers, timeout=timeout)

    def ready(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Readiness:
        """Check whether a load balancer can send requests."""
        return self._transport.call(OPERATIONS_READY, extra_headers=extra_headers, timeout=timeout)

    def openapi(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Read this contract as OpenAPI 3.1."""
        return self._transport.call(
            OPERATIONS_OPENAPI,
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncOperationsResource:
    """Check the health and readiness of the service, and download this document. These routes
    require no API key.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def health(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Health:
        """Read the health of the service."""
        return await self._transport.call(
            OPERATIONS_HEALTH,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def ready(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Readiness:
        """Check whether a load balancer can send requests."""
        return await self._transport.call(
            OPERATIONS_READY,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def openapi(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Read this contract as OpenAPI 3.1."""
        return await self._transport.call(
            OPERATIONS_OPENAPI,
            extra_headers=extra_headers,
            timeout=timeout,
        )
