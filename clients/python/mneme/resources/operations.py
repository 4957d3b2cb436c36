"""Methods: operations.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._async import AsyncTransport
from .._download import AsyncDownload, Download
from .._not_given import NOT_GIVEN
from .._operations import (
    OPERATIONS_HEALTH,
    OPERATIONS_LIVEZ,
    OPERATIONS_METRICS,
    OPERATIONS_OPENAPI,
    OPERATIONS_READY,
    OPERATIONS_READYZ,
)
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Health, OperationsLivezResponse, OperationsReadyzResponse, Readiness


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
        """Read the health of the service.

        `checks.deliveries` and `checks.queues` also report what an operator has paused, since when,
        and how to resume it. A pause does not change `status`. `checks.workers`, of servers with
        `MNEME_JOBS=off`, fails while no process runs jobs.
        """
        return self._transport.call(OPERATIONS_HEALTH, extra_headers=extra_headers, timeout=timeout)

    def ready(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Readiness:
        """Check whether a load balancer can send requests."""
        return self._transport.call(OPERATIONS_READY, extra_headers=extra_headers, timeout=timeout)

    def livez(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperationsLivezResponse:
        """Check whether the process responds.

        Never uses the database: a supervisor that restarts the process when this fails does not
        restart it because of an outage elsewhere.
        """
        return self._transport.call(OPERATIONS_LIVEZ, extra_headers=extra_headers, timeout=timeout)

    def readyz(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperationsReadyzResponse:
        """Check whether the service can serve requests, with reasons.

        Checks that the database responds within five seconds, that its schema is the one of this
        version, and that the process is not about to stop.
        """
        return self._transport.call(OPERATIONS_READYZ, extra_headers=extra_headers, timeout=timeout)

    def metrics(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Read metrics in the text format of Prometheus.

        Metrics contain no texts, and no names or ids of accounts and users. MNEME_METRICS_PORT
        serves the same on a port of its own, without a key.
        """
        return self._transport.download(
            OPERATIONS_METRICS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

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
        """Read the health of the service.

        `checks.deliveries` and `checks.queues` also report what an operator has paused, since when,
        and how to resume it. A pause does not change `status`. `checks.workers`, of servers with
        `MNEME_JOBS=off`, fails while no process runs jobs.
        """
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

    async def livez(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperationsLivezResponse:
        """Check whether the process responds.

        Never uses the database: a supervisor that restarts the process when this fails does not
        restart it because of an outage elsewhere.
        """
        return await self._transport.call(
            OPERATIONS_LIVEZ,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def readyz(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperationsReadyzResponse:
        """Check whether the service can serve requests, with reasons.

        Checks that the database responds within five seconds, that its schema is the one of this
        version, and that the process is not about to stop.
        """
        return await self._transport.call(
            OPERATIONS_READYZ,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def metrics(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Read metrics in the text format of Prometheus.

        Metrics contain no texts, and no names or ids of accounts and users. MNEME_METRICS_PORT
        serves the same on a port of its own, without a key.
        """
        return await self._transport.download(
            OPERATIONS_METRICS,
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
