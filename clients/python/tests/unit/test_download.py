from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from mneme import errors

from .conftest import ID, Scripted, error

content = bytes(range(256)) * 1_000


def test_a_binary_response_is_read_in_chunks(scripted: Scripted, tmp_path: Path) -> None:
    response = httpx.Response(200, content=content, headers={"content-type": "audio/mp4"})
    client = scripted.client(lambda *_: response)
    assert client.media.stream(ID).read() == content
    assert b"".join(client.media.stream(ID).iter_bytes()) == content
    client.media.stream(ID).save(tmp_path / "a.m4a")
    assert (tmp_path / "a.m4a").read_bytes() == content
    assert scripted.requests[0].headers["accept"] == "*/*"


def test_a_range_is_requested_and_named(scripted: Scripted) -> None:
    headers = {"content-range": "bytes 0-3/9", "etag": '"1"'}
    client = scripted.client(lambda *_: httpx.Response(206, content=b"abcd", headers=headers))
    part = client.media.stream(ID, range="bytes=0-3")
    assert (part.status, part.headers["content-range"]) == (206, "bytes 0-3/9")
    part.close()
    assert scripted.requests[0].headers["range"] == "bytes=0-3"


def test_an_unchanged_file_is_no_error(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: httpx.Response(304))
    unchanged = client.media.thumbnail(ID, if_none_match='"1"')
    assert (unchanged.status, unchanged.read()) == (304, b"")


def test_an_error_is_raised_and_retried(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: error(503, "service_unavailable"))
    with pytest.raises(errors.ServiceUnavailableError):
        client.media.stream(ID)
    assert len(scripted.requests) == 4
