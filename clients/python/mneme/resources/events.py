"""Methods: events.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping

from .._async import AsyncTransport
from .._follow import (
    FollowedEvent,
    OnCursor,
    follow_events,
    follow_events_async,
    stream_events,
    stream_events_async,
)
from .._not_given import NOT_GIVEN
from .._operations import EVENTS_LIST
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import ErasedEvent, Event, EventPage
from ..types import EventType


class EventsResource:
    """Read the events of the account in order of commit. List past events, or receive new ones as a
    stream of server-sent events.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        type: EventType | None = None,
        memory_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EventPage:
        """List events in order of commit, oldest first, for 30 days.

        To follow new events, store next_cursor and repeat the request with it. With an owner as
        filter, and for a token of one user: only events all of whose memories have this owner. Also
        requires the scope memories:read.

        Args:
            memory_id: Only events about this memory: those with its id in `data.id` or
                `data.memory_id`. Bulk requests and searches, which list many memories, are not
                included.
            user_id: Only events about memories of this user.
            agent_id: Only events about memories of this agent.
            run_id: Only events about memories of this run.
        """
        return self._transport.call(
            EVENTS_LIST,
            query={
                "type": type,
                "memory_id": memory_id,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "cursor": cursor,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def stream(
        self,
        *,
        type: EventType | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        cursor: str | None = None,
        last_event_id: str | None = None,
    ) -> Iterator[FollowedEvent]:
        """Stream events as server-sent events.

        The events of one connection, until the service ends it; `follow` reconnects.

        Args:
            user_id: Only events about memories of this user.
            agent_id: Only events about memories of this agent.
            run_id: Only events about memories of this run.
            cursor: The cursor to continue after; default: only new events.
            last_event_id: The same, as the header Last-Event-ID.
        """
        query = {"type": type, "user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return stream_events(self._transport, query, last_event_id or cursor)

    def follow(
        self,
        *,
        type: EventType | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        cursor: str | None = None,
        on_cursor: OnCursor | None = None,
    ) -> Iterator[FollowedEvent]:
        """Iterate over new events, each once and in order of commit; reconnects as often as needed.

        Raises errors that a retry cannot fix (400, 401, 403), and, before the first successful
        connection, the error of the last attempt.

        Args:
            user_id: Only events about memories of this user.
            agent_id: Only events about memories of this agent.
            run_id: Only events about memories of this run.
            cursor: The cursor to continue after; default: only new events.
            on_cursor: Called with each position of the stream after the events up to it were
                handled: at the start and in silences, too, when no event has one. A later `follow`
                continues after it.
        """
        query = {"type": type, "user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return follow_events(self._transport, query, cursor, on_cursor)


class AsyncEventsResource:
    """Read the events of the account in order of commit. List past events, or receive new ones as a
    stream of server-sent events.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        type: EventType | None = None,
        memory_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[EventPage, Event | ErasedEvent]:
        """List events in order of commit, oldest first, for 30 days.

        To follow new events, store next_cursor and repeat the request with it. With an owner as
        filter, and for a token of one user: only events all of whose memories have this owner. Also
        requires the scope memories:read.

        Args:
            memory_id: Only events about this memory: those with its id in `data.id` or
                `data.memory_id`. Bulk requests and searches, which list many memories, are not
                included.
            user_id: Only events about memories of this user.
            agent_id: Only events about memories of this agent.
            run_id: Only events about memories of this run.
        """
        return self._transport.pages(
            EVENTS_LIST,
            query={
                "type": type,
                "memory_id": memory_id,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "cursor": cursor,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def stream(
        self,
        *,
        type: EventType | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        cursor: str | None = None,
        last_event_id: str | None = None,
    ) -> AsyncIterator[FollowedEvent]:
        """Stream events as server-sent events.

        The events of one connection, until the service ends it; `follow` reconnects.

        Args:
            user_id: Only events about memories of this user.
            agent_id: Only events about memories of this agent.
            run_id: Only events about memories of this run.
            cursor: The cursor to continue after; default: only new events.
            last_event_id: The same, as the header Last-Event-ID.
        """
        query = {"type": type, "user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return stream_events_async(self._transport, query, last_event_id or cursor)

    def follow(
        self,
        *,
        type: EventType | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        cursor: str | None = None,
        on_cursor: OnCursor | None = None,
    ) -> AsyncIterator[FollowedEvent]:
        """Iterate over new events, each once and in order of commit; reconnects as often as needed.

        Raises errors that a retry cannot fix (400, 401, 403), and, before the first successful
        connection, the error of the last attempt.

        Args:
            user_id: Only events about memories of this user.
            agent_id: Only events about memories of this agent.
            run_id: Only events about memories of this run.
            cursor: The cursor to continue after; default: only new events.
            on_cursor: Called with each position of the stream after the events up to it were
                handled: at the start and in silences, too, when no event has one. A later `follow`
                continues after it.
        """
        query = {"type": type, "user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return follow_events_async(self._transport, query, cursor, on_cursor)
