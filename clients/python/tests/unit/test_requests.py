from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import httpx
import pytest

from mneme import AsyncMneme, Mneme

from .conftest import ID, Scripted, error, memory


def ok(request: httpx.Request, index: int) -> Any:
    return memory()


def empty_page(request: httpx.Request, index: int) -> Any:
    return {"data": [], "has_more": False, "next_cursor": None}


def test_a_method_sends_its_operation(scripted: Scripted) -> None:
    scripted.client(ok).memories.create(content="Tea", tags=["a,b", "c"], priority=0)
    [request], [body] = scripted.requests, scripted.bodies
    assert (request.method, str(request.url)) == ("POST", "http://mneme.test/v1/memories")
    assert json.loads(body) == {"content": "Tea", "tags": ["a,b", "c"], "priority": 0}
    assert request.headers["authorization"] == "Bearer mnk_test"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["idempotency-key"] == "uuid-0"


def test_none_is_not_sent_but_null_where_a_field_can_be_null(scripted: Scripted) -> None:
    client = scripted.client(ok)
    client.memories.update(ID, content=None, expires_at=None, tags=[])
    client.memories.update(ID)
    assert [json.loads(body) for body in scripted.bodies] == [{"expires_at": None, "tags": []}, {}]


def test_a_body_that_can_be_missing_is_missing_without_arguments(scripted: Scripted) -> None:
    answer = {"memory_id": ID, "job_id": ID, "status": "queued"}
    client = scripted.client(lambda *_: httpx.Response(202, json=answer))
    client.media.transcribe(ID)
    client.media.transcribe(ID, language="en")
    assert scripted.bodies == [b"", b'{"language": "en"}']
    assert "content-type" not in scripted.requests[0].headers


def test_times_and_ids_are_sent_as_text(scripted: Scripted) -> None:
    moment = datetime(2026, 3, 4, 5, 6, tzinfo=timezone(timedelta(hours=2)))
    client = scripted.client(ok)
    client.memories.create(content="Tea", occurred_at=moment, session_id=UUID(ID))
    assert json.loads(scripted.bodies[0])["occurred_at"] == "2026-03-04T05:06:00+02:00"
    assert json.loads(scripted.bodies[0])["session_id"] == ID
    with pytest.raises(ValueError, match="no time zone"):
        client.memories.create(content="Tea", occurred_at=datetime(2026, 3, 4))
    assert len(scripted.requests) == 1


def test_an_object_of_a_response_can_be_sent_again(scripted: Scripted) -> None:
    client = scripted.client(ok)
    found = client.memories.get(ID)
    client.memories.create(content="Tea", metadata={"copied": found})
    assert json.loads(scripted.bodies[1])["metadata"]["copied"]["id"] == ID


def test_a_query_has_lists_booleans_times_and_metadata(scripted: Scripted) -> None:
    moment = datetime(2026, 3, 4, tzinfo=timezone.utc)
    query = {"tags": ["red wine", "é"], "tags_any": [], "pinned": True, "created_after": moment}
    list(scripted.client(empty_page).memories.list(**query, metadata={"a b": "x&y"}))
    assert scripted.requests[0].url.query == (
        b"tags=red%20wine%2C%C3%A9&created_after=2026-03-04T00%3A00%3A00%2B00%3A00"
        b"&pinned=true&metadata.a%20b=x%26y"
    )


def test_an_item_with_a_comma_is_refused_in_a_query(scripted: Scripted) -> None:
    client = scripted.client(empty_page)
    with pytest.raises(ValueError, match="tags: a query item cannot contain a comma"):
        list(client.memories.list(tags=["a,b"]))


def test_a_keyword_of_python_has_an_underscore(scripted: Scripted) -> None:
    answer = {"from": ID, "to": ID, "length": 0, "nodes": [], "edges": []}
    scripted.client(lambda *_: answer).knowledge.path(from_=ID, to=ID, maxHops=3)
    assert scripted.requests[0].url.query == f"from={ID}&to={ID}&maxHops=3".encode()


def test_a_path_is_encoded(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: httpx.Response(204))
    client.email.remove_sender("a/b?@example.com")
    assert scripted.requests[0].url.raw_path == b"/v1/email/senders/a%2Fb%3F%40example.com"
    for value in ("", ".", ".."):
        with pytest.raises(ValueError, match="not a valid path segment"):
            client.memories.get(value)


def test_headers_of_an_operation_have_parameters(scripted: Scripted) -> None:
    client = scripted.client(ok)
    client.memories.update(ID, if_match='"1"', extra_headers={"X-Trace": "7"})
    client.memories.create(content="Tea", idempotency_key="my-key")
    first, second = scripted.requests
    assert (first.headers["if-match"], first.headers["x-trace"]) == ('"1"', "7")
    assert second.headers["idempotency-key"] == "my-key"


def test_the_protocol_of_uploads_is_sent_automatically(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: httpx.Response(204))
    client.media.append_upload(ID, b"abc", upload_offset="0")
    [request] = scripted.requests
    assert request.headers["tus-resumable"] == "1.0.0"
    assert request.headers["content-type"] == "application/offset+octet-stream"
    assert request.headers["content-length"] == "3"


@pytest.mark.parametrize("client", [Mneme, AsyncMneme])
def test_unknown_options_are_type_errors(client: Any) -> None:
    with pytest.raises(TypeError, match="apikey"):
        client(apikey="mnk_test")


def test_unknown_parameters_are_type_errors(scripted: Scripted) -> None:
    client = scripted.client(ok)
    with pytest.raises(TypeError, match="contents"):
        client.memories.create(contents="Tea")
    with pytest.raises(TypeError, match="content"):
        client.memories.create()
    assert scripted.requests == []


@pytest.mark.parametrize("client", [Mneme, AsyncMneme])
@pytest.mark.parametrize("url", ["mneme.test", "ftp://mneme.test", "http://", ""])
def test_an_invalid_url_is_refused(client: Any, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEME_URL", "nothing")
    with pytest.raises(ValueError, match="Invalid URL"):
        client(url=url)


@pytest.mark.parametrize("client", [Mneme, AsyncMneme])
def test_a_key_that_is_none_is_refused_without_showing_it(client: Any) -> None:
    with pytest.raises(ValueError, match="^api_key is not an API key") as caught:
        client(api_key="mnk_a\nhidden")
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://mneme.test/v1/", "http://mneme.test/v1/health"),
        ("http://mneme.test/memory", "http://mneme.test/memory/v1/health"),
        ("http://[::1]:7077", "http://[::1]:7077/v1/health"),
    ],
)
def test_a_url_can_end_with_v1_or_a_path(scripted: Scripted, url: str, expected: str) -> None:
    health = {"status": "ok", "uptime": 1, "version": "", "timestamp": "", "checks": {}}
    scripted.client(lambda *_: health, url=url).operations.health()
    assert str(scripted.requests[0].url) == expected


def test_settings_come_from_the_environment(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEME_URL", "http://memory.example")
    monkeypatch.setenv("MNEME_API_KEY", "mnk_env\n")
    scripted.client(ok, url=None, api_key=None).memories.get(ID)
    monkeypatch.setenv("MNEME_URL", "")
    monkeypatch.setenv("MNEME_API_KEY", "")
    scripted.client(ok, url=None, api_key=None).memories.get(ID)
    first, second = scripted.requests
    assert first.url.host == "memory.example"
    assert first.headers["authorization"] == "Bearer mnk_env"
    assert str(second.url).startswith("http://127.0.0.1:7077/v1/")
    assert "authorization" not in second.headers


def test_request_sends_the_key_to_its_own_service_only(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: error(418, "teapot"))
    assert client.request("GET", "/memories", query={"limit": 1}).status_code == 418
    client.request("POST", "http://elsewhere.test/v1/memories", body={"a": 1})
    first, second = scripted.requests
    assert str(first.url) == "http://mneme.test/v1/memories?limit=1"
    assert first.headers["authorization"] == "Bearer mnk_test"
    assert "authorization" not in second.headers
    assert scripted.bodies[1] == b'{"a": 1}'


def test_raw_has_status_and_headers(scripted: Scripted) -> None:
    def script(request: httpx.Request, index: int) -> httpx.Response:
        return httpx.Response(200, json=memory(), headers={"etag": '"7"'})

    client = scripted.client(script)
    full = client.raw(client.memories.get, ID)
    assert (full.status, full.headers["etag"], full.body.id) == (200, '"7"', ID)


def test_raw_works_with_lists(scripted: Scripted) -> None:
    client = scripted.client(empty_page)
    assert client.raw(client.memories.list, limit=1).body.data == []


def test_the_time_of_an_attempt_can_be_set(scripted: Scripted) -> None:
    client = scripted.client(ok, timeout=12)
    client.memories.get(ID)
    client.memories.get(ID, timeout=3)
    client.memories.get(ID, timeout=httpx.Timeout(5, read=7))
    client.memories.create(content="x" * 1_310_720)
    reads = [request.extensions["timeout"]["read"] for request in scripted.requests]
    # One second more for each 64 KiB of the body.
    assert reads == [12, 3, 7, pytest.approx(32, abs=0.1)]
