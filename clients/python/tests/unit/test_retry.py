from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from mneme import MnemeConnectionError, MnemeError, MnemeTimeoutError

from .conftest import ID, Scripted, Script, error, memory

Method = Callable[[Any], Any]

calls: dict[str, Method] = {
    "a read": lambda client: client.memories.get(ID),
    "a POST that reads": lambda client: client.search.post(q="tea"),
    "a POST with a key": lambda client: client.memories.create(content="Tea"),
    "a POST without a key": lambda client: client.memories.pin(ID),
    "a PATCH": lambda client: client.memories.update(ID, priority=1),
    "a PATCH with If-Match": lambda client: client.memories.update(ID, if_match='"1"'),
}


def once(failure: Any) -> Script:
    """Fails once, then succeeds."""
    found = {"results": [], "facets": {"memories": 0, "audio_segments": 0}}
    return lambda request, index: failure if index == 0 else {**memory(), **found}


def lost(kind: type[httpx.TransportError] = httpx.ReadError) -> httpx.TransportError:
    return kind("lost")


failures: dict[str, tuple[Any, set[str]]] = {
    "429": (error(429, "rate_limit_exceeded"), set(calls)),
    "503": (error(503, "service_unavailable"), set(calls)),
    "409 in progress": (error(409, "idempotency_in_progress"), set(calls)),
    "409": (error(409, "conflict"), set()),
    "500": (error(500, "internal_error"), {"a read", "a POST that reads"}),
    "502": (error(502, "bad"), set(calls) - {"a POST without a key", "a PATCH with If-Match"}),
    "408": (error(408, "bad"), set(calls) - {"a POST without a key", "a PATCH with If-Match"}),
    "504": (error(504, "bad"), set(calls) - {"a POST without a key", "a PATCH with If-Match"}),
    "lost": (lost(), set(calls) - {"a POST without a key", "a PATCH with If-Match"}),
    "silence": (
        lost(httpx.ReadTimeout),
        set(calls) - {"a POST without a key", "a PATCH with If-Match"},
    ),
    "refused": (lost(httpx.ConnectError), set(calls)),
    "no room": (lost(httpx.PoolTimeout), set(calls)),
    "invalid": (lost(httpx.LocalProtocolError), set()),
}


@pytest.mark.parametrize("name", calls)
@pytest.mark.parametrize("failure", failures)
def test_what_is_retried(scripted: Scripted, name: str, failure: str) -> None:
    raised, retried = failures[failure]
    client = scripted.client(once(raised))
    if name in retried:
        calls[name](client)
        assert len(scripted.requests) == 2
        assert scripted.requests[0].headers == scripted.requests[1].headers
        assert scripted.bodies[0] == scripted.bodies[1]
    else:
        with pytest.raises((MnemeError, MnemeConnectionError, MnemeTimeoutError)):
            calls[name](client)
        assert len(scripted.requests) == 1


def test_delays_double_and_end(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: error(503, "service_unavailable"))
    with pytest.raises(MnemeError) as caught:
        client.memories.get(ID)
    assert caught.value.code == "service_unavailable"
    assert scripted.waits == pytest.approx([0.1, 0.2, 0.4])


def test_retries_can_be_turned_off(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: lost(), max_retries=0)
    with pytest.raises(MnemeConnectionError):
        client.memories.get(ID)
    assert len(scripted.requests) == 1


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({"retry-after": "7"}, [7]),
        ({"retry-after": "60"}, [60]),
        ({"retry-after": "61"}, []),
        (
            {
                "retry-after": "Wed, 04 Mar 2026 05:06:27 GMT",
                "date": "Wed, 04 Mar 2026 05:06:07 GMT",
            },
            [20],
        ),
        ({"retry-after": "soon"}, [0.1]),
    ],
)
def test_retry_after_is_followed_up_to_a_minute(
    scripted: Scripted, headers: dict[str, str], waits: list[float]
) -> None:
    client = scripted.client(once(error(429, "rate_limit_exceeded", headers)))
    if waits:
        client.memories.get(ID)
    else:
        with pytest.raises(MnemeError):
            client.memories.get(ID)
    assert scripted.waits == pytest.approx(waits)


def test_a_lost_connection_and_a_timeout_have_classes(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: lost(), max_retries=0)
    with pytest.raises(MnemeConnectionError, match="http://mneme.test/v1/search: lost") as caught:
        client.search.get(q="secret")
    assert "secret" not in str(caught.value)
    assert isinstance(caught.value, ConnectionError)
    assert isinstance(caught.value.__cause__, httpx.ReadError)
    client = scripted.client(lambda *_: lost(httpx.ReadTimeout), max_retries=0)
    with pytest.raises(MnemeTimeoutError) as late:
        client.memories.get(ID)
    assert isinstance(late.value, TimeoutError)


def test_hooks_see_every_attempt(scripted: Scripted) -> None:
    seen: list[str] = []
    client = scripted.client(
        once(error(503, "service_unavailable")),
        on_request=lambda request: seen.append(request.method),
        on_response=lambda response: seen.append(str(response.status_code)),
    )
    client.memories.get(ID)
    assert seen == ["GET", "503", "GET", "200"]


def test_a_declared_503_is_a_result(scripted: Scripted) -> None:
    down = {"status": "unavailable", "uptime": 1, "version": "", "timestamp": "", "checks": {}}
    client = scripted.client(lambda *_: httpx.Response(503, json=down))
    assert client.operations.health().status == "unavailable"
    assert len(scripted.requests) == 1


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>", headers={"content-type": "text/html"}),
        httpx.Response(200, text="<html>", headers={"content-type": "application/json"}),
        httpx.Response(200, json=[]),
        httpx.Response(200),
    ],
)
def test_a_success_that_is_not_json_is_from_elsewhere(
    scripted: Scripted, response: httpx.Response
) -> None:
    client = scripted.client(lambda *_: response)
    with pytest.raises(MnemeError, match="is not from a Mneme service: check the URL"):
        client.memories.get(ID)


def test_a_redirect_is_an_error(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: httpx.Response(302, headers={"location": "/"}))
    with pytest.raises(MnemeError, match="responded with status 302"):
        client.admin.backup()
    with pytest.raises(MnemeError, match="responded with status 302"):
        client.memories.get(ID)
