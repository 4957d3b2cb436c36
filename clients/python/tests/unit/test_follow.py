from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Any

import httpx
import pytest

from mneme import MnemeConnectionError, errors
from mneme.models import MemoryReinforcedEvent

from .conftest import ID, Scripted, Script, error


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in the given chunks; the last one can be an error."""

    def __init__(self, chunks: list[Any]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk


def message(number: int) -> bytes:
    event = {
        "id": ID,
        "created_at": "2026-03-04T05:06:07.890Z",
        "space_id": None,
        "type": "memory.reinforced",
        "data": {"id": f"é\u2028{number}", "priority": number},
        "previous_data": None,
        "changes": None,
    }
    text = json.dumps(event, ensure_ascii=False)
    return f"id: c{number}\nevent: memory.reinforced\ndata: {text}\n\n".encode()


def stream(*chunks: Any) -> httpx.Response:
    headers = {"content-type": "text/event-stream; charset=utf-8"}
    return httpx.Response(200, stream=Chunks(list(chunks)), headers=headers)


def answers(*responses: Any) -> Script:
    return lambda request, index: responses[index]


def priorities(followed: Any, count: int) -> list[int]:
    return [one.event.data.priority for one in islice(followed, count)]


def test_events_arrive_however_they_are_cut(scripted: Scripted) -> None:
    data = b": hello\nretry: 5000\n\n" + message(1) + message(2)
    cut = [data[start : start + 3] for start in range(0, len(data), 3)]
    client = scripted.client(answers(stream(*cut)))
    found = list(islice(client.events.follow(type="memory.reinforced"), 2))
    assert [(one.cursor, one.event.data.id) for one in found] == [
        ("c1", "é\u20281"),
        ("c2", "é\u20282"),
    ]
    assert isinstance(found[0].event, MemoryReinforcedEvent)
    [request] = scripted.requests
    assert dict(request.url.params) == {"type": "memory.reinforced"}
    assert "last-event-id" not in request.headers


def test_positions_are_reported_after_their_events_and_in_silences(scripted: Scripted) -> None:
    silence = b"id: c9\n\n"
    client = scripted.client(answers(stream(b"id: c0\n\n", message(1), silence, message(2))))
    seen: list[str] = []
    for one in islice(client.events.follow(on_cursor=seen.append), 2):
        seen.append(f"event {one.cursor}")
    assert seen == ["c0", "event c1", "c1", "c9", "event c2"]


def test_following_continues_after_an_interruption(scripted: Scripted) -> None:
    client = scripted.client(
        answers(
            stream(message(1), message(2)[:20]),
            httpx.ConnectError("refused"),
            error(503, "service_unavailable", {"retry-after": "9"}),
            stream(message(2), httpx.ReadTimeout("silence")),
            stream(message(3)),
        )
    )
    assert priorities(client.events.follow(cursor="c0"), 3) == [1, 2, 3]
    sent = [request.headers.get("last-event-id") for request in scripted.requests]
    assert sent == ["c0", "c1", "c1", "c1", "c2"]
    # A stream that ends: at least a second with jitter; a failure: backoff, or Retry-After.
    assert scripted.waits == pytest.approx([0.75, 0.1, 9, 0.1])


def test_the_service_chooses_the_delay(scripted: Scripted) -> None:
    client = scripted.client(answers(stream(b"retry: 8000\n\n"), stream(message(1))))
    assert priorities(client.events.follow(), 1) == [1]
    assert scripted.waits == [6]


def test_what_a_retry_cannot_fix_is_raised(scripted: Scripted) -> None:
    client = scripted.client(answers(stream(message(1)), error(401, "revoked_api_key")))
    followed = client.events.follow()
    assert priorities(followed, 1) == [1]
    with pytest.raises(errors.RevokedApiKeyError):
        next(followed)


def test_a_service_that_is_not_there_is_raised(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: httpx.ConnectError("refused"))
    with pytest.raises(MnemeConnectionError):
        next(client.events.follow())
    assert len(scripted.requests) == 4


def test_a_page_of_another_service_is_no_stream(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: httpx.Response(200, text="<html>"))
    with pytest.raises(errors.MnemeError, match="not from a Mneme service"):
        next(client.events.follow())


def test_stream_reads_one_connection(scripted: Scripted) -> None:
    client = scripted.client(answers(stream(message(1), message(2))))
    assert priorities(client.events.stream(last_event_id="c0"), 9) == [1, 2]
    [request] = scripted.requests
    assert request.headers["last-event-id"] == "c0"


def test_stream_raises_a_lost_connection(scripted: Scripted) -> None:
    client = scripted.client(answers(stream(message(1), httpx.ReadError("lost"))))
    followed = client.events.stream()
    assert priorities(followed, 1) == [1]
    with pytest.raises(MnemeConnectionError):
        next(followed)
