"""Methods: cli_sessions.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    CLI_SESSIONS_ACTIVE,
    CLI_SESSIONS_ARCHIVE,
    CLI_SESSIONS_COMPLETE,
    CLI_SESSIONS_CREATE,
    CLI_SESSIONS_GET,
    CLI_SESSIONS_LIST,
    CLI_SESSIONS_MEMORIES,
    CLI_SESSIONS_PAUSE,
    CLI_SESSIONS_POST_MESSAGES,
    CLI_SESSIONS_REMOVE,
    CLI_SESSIONS_RESUME,
    CLI_SESSIONS_STATS,
    CLI_SESSIONS_UPDATE,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    CliSession,
    CliSessionPage,
    CliSessionStats,
    CliSessionsActiveResponse,
    CliSessionsMemoriesPage,
    CliSessionsPostMessagesResponse,
    Memory,
)
from ..types import ChatMessage, CliSessionsListSort, RetentionPolicy


class CliSessionsResource:
    """Record work, such as a conversation in a terminal, as a session with messages. A session can
    be paused, resumed, completed and archived.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        type: Literal["conversation", "project", "task", "temporary"] | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        origin_type: str | None | NotGiven = NOT_GIVEN,
        tags: Sequence[str] | None = None,
        retention_policy: RetentionPolicy | None = None,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        is_private: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Create a session.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLI_SESSIONS_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "name": name,
                    "type": type,
                    "space": space,
                    "tags": tags,
                    "retention_policy": retention_policy,
                    "is_private": is_private,
                    "metadata": metadata,
                },
                {
                    "description": description,
                    "space_id": space_id,
                    "origin_type": origin_type,
                    "retention_days": retention_days,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        *,
        status: Literal["active", "paused", "completed", "archived"] | None = None,
        type: Literal["conversation", "project", "task", "temporary"] | None = None,
        space_id: str | None = None,
        space: str | None = None,
        origin_type: str | None = None,
        tags: Sequence[str] | None = None,
        q: str | None = None,
        search: str | None = None,
        include_archived: bool | None = None,
        sort: CliSessionsListSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionPage:
        """List sessions; archived ones only with include_archived.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            tags: Comma-separated; matches any of the tags.
            q: Text in the name or description, case-insensitive.
            search: Alias of q.
        """
        return self._transport.call(
            CLI_SESSIONS_LIST,
            query={
                "status": status,
                "type": type,
                "space_id": space_id,
                "space": space,
                "origin_type": origin_type,
                "tags": tags,
                "q": q,
                "search": search,
                "include_archived": include_archived,
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
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionsActiveResponse:
        """List active sessions, the most recently used first."""
        return self._transport.call(
            CLI_SESSIONS_ACTIVE,
            query={"limit": limit},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def stats(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionStats:
        """Count sessions by status and type."""
        return self._transport.call(
            CLI_SESSIONS_STATS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Read a session."""
        return self._transport.call(
            CLI_SESSIONS_GET,
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
        tags: Sequence[str] | None = None,
        retention_policy: RetentionPolicy | None = None,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        is_private: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        summary: str | None | NotGiven = NOT_GIVEN,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Change a session; only the summary of a completed one.

        metadata is merged (RFC 7396: null removes a key); tags are replaced.
        """
        return self._transport.call(
            CLI_SESSIONS_UPDATE,
            path={"id": id},
            body=json_body(
                {
                    "name": name,
                    "tags": tags,
                    "retention_policy": retention_policy,
                    "is_private": is_private,
                    "metadata": metadata,
                },
                {"description": description, "retention_days": retention_days, "summary": summary},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Permanently delete a session and its memories.

        A memory with soft protection requires confirm=true; a memory with hard protection blocks
        the deletion. Everything disappears from reads immediately; a job erases the data.
        """
        return self._transport.call(
            CLI_SESSIONS_REMOVE,
            path={"id": id},
            query={"confirm": confirm},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def pause(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Pause an active session: it accepts no new memories."""
        return self._transport.call(
            CLI_SESSIONS_PAUSE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def resume(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Resume a paused session."""
        return self._transport.call(
            CLI_SESSIONS_RESUME,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def complete(
        self,
        id: str,
        *,
        summary: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Complete an active or paused session: it becomes read-only."""
        return self._transport.call(
            CLI_SESSIONS_COMPLETE,
            path={"id": id},
            body=json_body({"summary": summary}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def archive(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Archive a completed session: lists omit it by default."""
        return self._transport.call(
            CLI_SESSIONS_ARCHIVE,
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
        """List the memories of a session in order.

        Also requires the scope memories:read.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            CLI_SESSIONS_MEMORIES,
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

    def post_messages(
        self,
        id: str,
        *,
        messages: Sequence[ChatMessage],
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionsPostMessagesResponse:
        """Store chat messages as memories of a session, all or none.

        The role, name and created_at of a message become metadata.role, metadata.speaker and
        occurred_at. Messages are exempt from the duplicate check.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLI_SESSIONS_POST_MESSAGES,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"messages": messages}),
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncCliSessionsResource:
    """Record work, such as a conversation in a terminal, as a session with messages. A session can
    be paused, resumed, completed and archived.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        type: Literal["conversation", "project", "task", "temporary"] | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        origin_type: str | None | NotGiven = NOT_GIVEN,
        tags: Sequence[str] | None = None,
        retention_policy: RetentionPolicy | None = None,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        is_private: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Create a session.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLI_SESSIONS_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "name": name,
                    "type": type,
                    "space": space,
                    "tags": tags,
                    "retention_policy": retention_policy,
                    "is_private": is_private,
                    "metadata": metadata,
                },
                {
                    "description": description,
                    "space_id": space_id,
                    "origin_type": origin_type,
                    "retention_days": retention_days,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        *,
        status: Literal["active", "paused", "completed", "archived"] | None = None,
        type: Literal["conversation", "project", "task", "temporary"] | None = None,
        space_id: str | None = None,
        space: str | None = None,
        origin_type: str | None = None,
        tags: Sequence[str] | None = None,
        q: str | None = None,
        search: str | None = None,
        include_archived: bool | None = None,
        sort: CliSessionsListSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[CliSessionPage, CliSession]:
        """List sessions; archived ones only with include_archived.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            tags: Comma-separated; matches any of the tags.
            q: Text in the name or description, case-insensitive.
            search: Alias of q.
        """
        return self._transport.pages(
            CLI_SESSIONS_LIST,
            query={
                "status": status,
                "type": type,
                "space_id": space_id,
                "space": space,
                "origin_type": origin_type,
                "tags": tags,
                "q": q,
                "search": search,
                "include_archived": include_archived,
                "sort": sort,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def active(
        self,
        *,
        limit: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionsActiveResponse:
        """List active sessions, the most recently used first."""
        return await self._transport.call(
            CLI_SESSIONS_ACTIVE,
            query={"limit": limit},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def stats(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionStats:
        """Count sessions by status and type."""
        return await self._transport.call(
            CLI_SESSIONS_STATS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Read a session."""
        return await self._transport.call(
            CLI_SESSIONS_GET,
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
        tags: Sequence[str] | None = None,
        retention_policy: RetentionPolicy | None = None,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        is_private: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        summary: str | None | NotGiven = NOT_GIVEN,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Change a session; only the summary of a completed one.

        metadata is merged (RFC 7396: null removes a key); tags are replaced.
        """
        return await self._transport.call(
            CLI_SESSIONS_UPDATE,
            path={"id": id},
            body=json_body(
                {
                    "name": name,
                    "tags": tags,
                    "retention_policy": retention_policy,
                    "is_private": is_private,
                    "metadata": metadata,
                },
                {"description": description, "retention_days": retention_days, "summary": summary},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Permanently delete a session and its memories.

        A memory with soft protection requires confirm=true; a memory with hard protection blocks
        the deletion. Everything disappears from reads immediately; a job erases the data.
        """
        return await self._transport.call(
            CLI_SESSIONS_REMOVE,
            path={"id": id},
            query={"confirm": confirm},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def pause(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Pause an active session: it accepts no new memories."""
        return await self._transport.call(
            CLI_SESSIONS_PAUSE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def resume(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Resume a paused session."""
        return await self._transport.call(
            CLI_SESSIONS_RESUME,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def complete(
        self,
        id: str,
        *,
        summary: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Complete an active or paused session: it becomes read-only."""
        return await self._transport.call(
            CLI_SESSIONS_COMPLETE,
            path={"id": id},
            body=json_body({"summary": summary}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def archive(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSession:
        """Archive a completed session: lists omit it by default."""
        return await self._transport.call(
            CLI_SESSIONS_ARCHIVE,
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
        """List the memories of a session in order.

        Also requires the scope memories:read.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            CLI_SESSIONS_MEMORIES,
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

    async def post_messages(
        self,
        id: str,
        *,
        messages: Sequence[ChatMessage],
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CliSessionsPostMessagesResponse:
        """Store chat messages as memories of a session, all or none.

        The role, name and created_at of a message become metadata.role, metadata.speaker and
        occurred_at. Messages are exempt from the duplicate check.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLI_SESSIONS_POST_MESSAGES,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"messages": messages}),
            extra_headers=extra_headers,
            timeout=timeout,
        )
