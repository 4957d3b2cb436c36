"""Methods: sessions.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from .._async import AsyncTransport
from .._not_given import NOT_GIVEN
from .._operations import (
    SESSIONS_ACTIVE,
    SESSIONS_EXPORT,
    SESSIONS_GET,
    SESSIONS_LIST,
    SESSIONS_MEMORIES,
    SESSIONS_REPORT,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    ActivationExport,
    ActivationReport,
    ActivationSession,
    ActivationSessionDetail,
    ActivationSessionPage,
    CliSessionsMemoriesPage,
    Memory,
)


class SessionsResource:
    """Read which memories were found together by searches with the same session key. The service
    opens and closes these activation sessions automatically.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        is_closed: bool | None = None,
        since: datetime | str | None = None,
        sort: Literal["started_at", "last_activity_at"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ActivationSessionPage:
        """List activation sessions.

        An activation session groups the memories that were found together. It starts when a search
        or recall has session=<key>, and closes after 30 minutes without access.

        Args:
            since: Only sessions whose started_at is not earlier.
        """
        return self._transport.call(
            SESSIONS_LIST,
            query={
                "is_closed": is_closed,
                "since": since,
                "sort": sort,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def active(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ActivationSessionPage:
        """List open activation sessions, the most recently used first."""
        return self._transport.call(
            SESSIONS_ACTIVE,
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
    ) -> ActivationSessionDetail:
        """Read an activation session."""
        return self._transport.call(
            SESSIONS_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def memories(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionsMemoriesPage:
        """List the memories of an activation session in the order of first access.

        Also requires the scope memories:read.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            SESSIONS_MEMORIES,
            path={"id": id},
            query={
                "limit": limit,
                "offset": offset,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def export(
        self,
        id: str,
        *,
        format: Literal["markdown", "json", "csv", "html"] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ActivationExport | str:
        """Export an activation session as markdown, json, csv or html.

        In the json format, `create` of each memory is a body for POST /memories/bulk. Posting them
        100 at a time (at most 64 MiB) to an empty space restores all memories with every field of a
        create; only the vectors are computed again. Chat messages, and repeated contents after the
        first, have allow_duplicate. The csv has a record for each memory, with the relationships
        that start at it, and no formulas; the html needs no network. The export is streamed and has
        no size limit; memories that are deleted before they are sent are omitted. Also requires the
        scope memories:read.
        """
        return self._transport.call(
            SESSIONS_EXPORT,
            path={"id": id},
            query={"format": format},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def report(
        self,
        id: str,
        *,
        include_relationships: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ActivationReport:
        """Report on an activation session.

        The report is streamed and has no size limit; memories that are deleted before they are sent
        are omitted. Also requires the scope memories:read.
        """
        return self._transport.call(
            SESSIONS_REPORT,
            path={"id": id},
            query={"include_relationships": include_relationships},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncSessionsResource:
    """Read which memories were found together by searches with the same session key. The service
    opens and closes these activation sessions automatically.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        is_closed: bool | None = None,
        since: datetime | str | None = None,
        sort: Literal["started_at", "last_activity_at"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ActivationSessionPage, ActivationSession]:
        """List activation sessions.

        An activation session groups the memories that were found together. It starts when a search
        or recall has session=<key>, and closes after 30 minutes without access.

        Args:
            since: Only sessions whose started_at is not earlier.
        """
        return self._transport.pages(
            SESSIONS_LIST,
            query={
                "is_closed": is_closed,
                "since": since,
                "sort": sort,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def active(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ActivationSessionPage, ActivationSession]:
        """List open activation sessions, the most recently used first."""
        return self._transport.pages(
            SESSIONS_ACTIVE,
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
    ) -> ActivationSessionDetail:
        """Read an activation session."""
        return await self._transport.call(
            SESSIONS_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def memories(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[CliSessionsMemoriesPage, Memory]:
        """List the memories of an activation session in the order of first access.

        Also requires the scope memories:read.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            SESSIONS_MEMORIES,
            path={"id": id},
            query={
                "limit": limit,
                "offset": offset,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def export(
        self,
        id: str,
        *,
        format: Literal["markdown", "json", "csv", "html"] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ActivationExport | str:
        """Export an activation session as markdown, json, csv or html.

        In the json format, `create` of each memory is a body for POST /memories/bulk. Posting them
        100 at a time (at most 64 MiB) to an empty space restores all memories with every field of a
        create; only the vectors are computed again. Chat messages, and repeated contents after the
        first, have allow_duplicate. The csv has a record for each memory, with the relationships
        that start at it, and no formulas; the html needs no network. The export is streamed and has
        no size limit; memories that are deleted before they are sent are omitted. Also requires the
        scope memories:read.
        """
        return await self._transport.call(
            SESSIONS_EXPORT,
            path={"id": id},
            query={"format": format},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def report(
        self,
        id: str,
        *,
        include_relationships: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ActivationReport:
        """Report on an activation session.

        The report is streamed and has no size limit; memories that are deleted before they are sent
        are omitted. Also requires the scope memories:read.
        """
        return await self._transport.call(
            SESSIONS_REPORT,
            path={"id": id},
            query={"include_relationships": include_relationships},
            extra_headers=extra_headers,
            timeout=timeout,
        )
