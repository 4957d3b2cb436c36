"""Methods: jobs.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._async import AsyncTransport
from .._not_given import NOT_GIVEN
from .._operations import JOBS_CANCEL, JOBS_GET
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Job


class JobsResource:
    """Track background jobs, such as an enrichment or a clustering run."""

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Job:
        """Read a job of the account."""
        return self._transport.call(
            JOBS_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Job:
        """Cancel a queued or running clustering run.

        The previous clusters stay unchanged. Other kinds of jobs cannot be cancelled.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            JOBS_CANCEL,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncJobsResource:
    """Track background jobs, such as an enrichment or a clustering run."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Job:
        """Read a job of the account."""
        return await self._transport.call(
            JOBS_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Job:
        """Cancel a queued or running clustering run.

        The previous clusters stay unchanged. Other kinds of jobs cannot be cancelled.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            JOBS_CANCEL,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )
