"""Streams of events: server-sent events, continued after an interruption."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from ._async import AsyncTransport
from ._errors import MnemeError
from ._model import decode
from ._operations import EVENTS_STREAM
from ._retry import backoff_seconds
from ._sync import SyncTransport
from ._transport import Settings, as_connection_error, as_error, authorization, read_body
from ._url import build_url
from .models import ErasedEvent, Event

#: Three missed heartbeats: the connection is considered lost.
SILENCE_SECONDS = 45.0
CONNECT_SECONDS = 10.0
RETRY_SECONDS_MIN = 1.0

#: Receives positions of the stream.
OnCursor = Callable[[str], None]


@dataclass(frozen=True)
class FollowedEvent:
    """An event with its position in the stream."""

    event: Event | ErasedEvent
    #: Store it after handling the event: a later `follow` continues after it.
    cursor: str


class SseParser:
    """Splits a stream into the fields of its messages. The service writes a field on one line."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""

    def feed(self, chunk: bytes) -> Iterator[dict[str, str]]:
        self._text += self._decoder.decode(chunk)
        *messages, self._text = self._text.split("\n\n")
        for message in messages:
            yield dict(_field(line) for line in message.split("\n"))


def _field(line: str) -> tuple[str, str]:
    # A comment has no name.
    name, _, value = line.partition(":")
    return name, value.lstrip(" ")


class EventReader:
    """Position of a reader, over all its connections."""

    def __init__(
        self,
        settings: Settings,
        query: Mapping[str, Any],
        cursor: str | None,
        on_cursor: OnCursor | None = None,
    ) -> None:
        self._settings = settings
        self._query = query
        self._cursor = cursor
        self._on_cursor = on_cursor
        #: Delay before reconnecting that the service requested.
        self._retry_seconds = 0.0
        self._has_connected = False
        self._attempt = 0
        self._parser = SseParser()

    def request(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        url = build_url(self._settings.base_url, EVENTS_STREAM.path, self._query)
        headers = {"accept": "text/event-stream", **authorization(self._settings, url)}
        if self._cursor is not None:
            headers["last-event-id"] = self._cursor
        timeout = httpx.Timeout(CONNECT_SECONDS, read=SILENCE_SECONDS)
        return http.build_request("GET", url, headers=headers, timeout=timeout)

    def accepts(self, response: httpx.Response) -> bool:
        """Whether the response is a stream; if it is, reading begins."""
        media_type = response.headers.get("content-type", "")
        if response.status_code != 200 or not media_type.startswith("text/event-stream"):
            return False
        self._has_connected = True
        self._attempt = 0
        self._parser = SseParser()
        return True

    def events(self, chunk: bytes) -> Iterator[FollowedEvent]:
        for fields in self._parser.feed(chunk):
            if fields.get("retry", "").isdigit():
                self._retry_seconds = int(fields["retry"]) / 1_000
            self._cursor = fields.get("id", self._cursor)
            if "data" in fields and self._cursor is not None:
                yield FollowedEvent(decode_event(json.loads(fields["data"])), self._cursor)
            if "id" in fields and self._on_cursor is not None:
                self._on_cursor(fields["id"])

    def delay_after_end(self) -> float:
        """The service ends streams regularly, for many clients: jitter spreads the reconnects."""
        base = max(self._retry_seconds, RETRY_SECONDS_MIN)
        return base * (0.5 + self._settings.runtime.random() / 2)

    def delay_after_error(self, error: MnemeError | httpx.RequestError) -> float:
        """Seconds to wait before reconnecting. Raises the error if a retry cannot fix it."""
        is_final = not self._has_connected and self._attempt >= self._settings.retries
        delay = backoff_seconds(self._settings.runtime, self._attempt)
        self._attempt += 1
        if isinstance(error, httpx.RequestError):
            if is_final:
                raise as_connection_error(error, self._settings.base_url) from error
            return delay
        if is_final or not (error.status == 429 or error.status >= 500):
            raise error
        return delay if error.retry_after is None else error.retry_after


def decode_event(data: Any) -> Any:
    """An object of the class of the event's type."""
    return decode(Event | ErasedEvent, data)


def stream_events(
    transport: SyncTransport, query: Mapping[str, Any], cursor: str | None
) -> Iterator[FollowedEvent]:
    """The events of one connection."""
    reader = EventReader(transport.settings, query, cursor)
    try:
        yield from _read_once(transport, reader)
    except httpx.RequestError as error:
        raise as_connection_error(error, transport.settings.base_url) from error


def follow_events(
    transport: SyncTransport,
    query: Mapping[str, Any],
    cursor: str | None,
    on_cursor: OnCursor | None = None,
) -> Iterator[FollowedEvent]:
    """The events of as many connections as needed."""
    reader = EventReader(transport.settings, query, cursor, on_cursor)
    while True:
        try:
            yield from _read_once(transport, reader)
            delay = reader.delay_after_end()
        except (MnemeError, httpx.RequestError) as error:
            delay = reader.delay_after_error(error)
        transport.settings.runtime.sleep(delay)


def _read_once(transport: SyncTransport, reader: EventReader) -> Iterator[FollowedEvent]:
    response = transport.open(reader.request(transport.http))
    try:
        if not reader.accepts(response):
            response.read()
            raise as_error(response, read_body(response))
        for chunk in response.iter_bytes():
            yield from reader.events(chunk)
    finally:
        response.close()


async def stream_events_async(
    transport: AsyncTransport, query: Mapping[str, Any], cursor: str | None
) -> AsyncIterator[FollowedEvent]:
    """The events of one connection."""
    reader = EventReader(transport.settings, query, cursor)
    try:
        async for event in _read_once_async(transport, reader):
            yield event
    except httpx.RequestError as error:
        raise as_connection_error(error, transport.settings.base_url) from error


async def follow_events_async(
    transport: AsyncTransport,
    query: Mapping[str, Any],
    cursor: str | None,
    on_cursor: OnCursor | None = None,
) -> AsyncIterator[FollowedEvent]:
    """The events of as many connections as needed."""
    reader = EventReader(transport.settings, query, cursor, on_cursor)
    while True:
        try:
            async for event in _read_once_async(transport, reader):
                yield event
            delay = reader.delay_after_end()
        except (MnemeError, httpx.RequestError) as error:
            delay = reader.delay_after_error(error)
        await transport.settings.runtime.async_sleep(delay)


async def _read_once_async(
    transport: AsyncTransport, reader: EventReader
) -> AsyncIterator[FollowedEvent]:
    response = await transport.open(reader.request(transport.http))
    try:
        if not reader.accepts(response):
            await response.aread()
            raise as_error(response, read_body(response))
        async for chunk in response.aiter_bytes():
            for event in reader.events(chunk):
                yield event
    finally:
        await response.aclose()
