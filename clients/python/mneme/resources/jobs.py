"""Methods: jobs.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._async import AsyncTransport
from .._not_given import NOT_GIVEN
from .._operations import JOBS_CANCEL, JOBS_GET, JOBS_LIST, JOBS_RETRY
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Job, JobPage
from ..types import JobStatus


class JobsResource:
    """Track background jobs, such as an enrichment or a clustering run."""

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: JobStatus | None = None,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> JobPage:
        """List the jobs of the account, newest first.

        A key that is limited to spaces sees jobs of such keys and those about its spaces: its pages
        may have fewer jobs than `limit`. Jobs are kept for a week after their end.

        Args:
            kind: The kind of the jobs, such as `memories.erase`.
        """
        return self._transport.call(
            JOBS_LIST,
            query={"status": status, "kind": kind, "limit": limit, "cursor": cursor},
            extra_headers=extra_headers,
            timeout=timeout,
        )

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

    def retry(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Job:
        """Run a failed job again.

        The job gets the whole series of attempts again and keeps its id. 409 `conflict` for a job
        that has not failed, and for kinds that a request of their own begins again: the message
        names it.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            JOBS_RETRY,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncJobsResource:
    """Track background jobs, such as an enrichment or a clustering run."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: JobStatus | None = None,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[JobPage, Job]:
        """List the jobs of the account, newest first.

        A key that is limited to spaces sees jobs of such keys and those about its spaces: its pages
        may have fewer jobs than `limit`. Jobs are kept for a week after their end.

        Args:
            kind: The kind of the jobs, such as `memories.erase`.
        """
        return self._transport.pages(
            JOBS_LIST,
            query={"status": status, "kind": kind, "limit": limit, "cursor": cursor},
            extra_headers=extra_headers,
            timeout=timeout,
        )

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

    async def retry(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Job:
        """Run a failed job again.

        The job gets the whole series of attempts again and keeps its id. 409 `conflict` for a job
        that has not failed, and for kinds that a request of their own begins again: the message
        names it.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            JOBS_RETRY,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )
