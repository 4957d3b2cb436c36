from __future__ import annotations

import io
from base64 import b64decode
from pathlib import Path
from typing import Any

import httpx
import pytest

from mneme import MnemeConnectionError, MnemeError

from .conftest import ID, Scripted, error, memory


def state(length: int, offset: int = 0, memory_id: str | None = None) -> dict[str, Any]:
    return {
        "id": ID,
        "length": length,
        "offset": offset,
        "filename": "a.txt",
        "user_id": None,
        "agent_id": None,
        "run_id": None,
        "memory_id": memory_id,
        "created_at": "2026-03-04T05:06:07.890Z",
        "expires_at": "2026-03-05T05:06:07.890Z",
    }


def appended(offset: int, memory_id: str | None = None) -> httpx.Response:
    headers = {"upload-offset": str(offset)}
    if memory_id:
        headers["x-mneme-memory-id"] = memory_id
    return httpx.Response(204, headers=headers)


class Pipe(io.RawIOBase):
    """A file that cannot seek."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(size)


def contents(folder: Path) -> dict[str, Any]:
    """The same bytes in every form, each with how often it can be sent."""
    path = folder / "a.txt"
    path.write_bytes(b"skip me" + b"line\r\n")
    opened = path.open("rb")
    opened.seek(7)
    whole = folder / "whole.txt"
    whole.write_bytes(b"line\r\n")
    return {
        "bytes": (b"line\r\n", 4),
        "str": (str(whole), 4),
        "path": (whole, 4),
        "file": (opened, 4),
        "memory": (io.BytesIO(b"line\r\n"), 4),
        "pipe": (Pipe(b"line\r\n"), 1),
        "iterable": ([b"line", b"\r\n"], 1),
    }


@pytest.mark.parametrize("form", ["bytes", "str", "path", "file", "memory", "pipe", "iterable"])
def test_a_file_is_sent_as_a_form(scripted: Scripted, tmp_path: Path, form: str) -> None:
    content, attempts = contents(tmp_path)[form]
    client = scripted.client(lambda *_: error(503, "service_unavailable"))
    with pytest.raises(MnemeError):
        client.memories.upload(
            content, filename='a "b".txt', tags=["x", "é"], space_id=None, priority=3
        )
    assert len(scripted.requests) == attempts
    for request, body in zip(scripted.requests, scripted.bodies, strict=True):
        boundary = request.headers["content-type"].split("boundary=")[1]
        part = f'--{boundary}\r\nContent-Disposition: form-data; name="'
        expected = (
            f'{part}tags"\r\n\r\n["x", "é"]\r\n{part}priority"\r\n\r\n3\r\n'
            f'{part}space_id"\r\n\r\nnull\r\n'
            f'{part}file"; filename="a %22b%22.txt"\r\n'
            f"Content-Type: application/octet-stream\r\n\r\nline\r\n\r\n--{boundary}--\r\n"
        )
        assert body.decode() == expected
        assert request.headers["idempotency-key"] == "uuid-0"
        has_length = attempts > 1
        assert request.headers.get("content-length") == (str(len(body)) if has_length else None)


def test_a_file_has_the_name_of_its_path(scripted: Scripted, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(b"# Notes")
    client = scripted.client(lambda *_: memory(possible_updates=[]))
    client.memories.upload(path)
    with path.open("rb") as file:
        client.memories.upload(file)
    assert all(b'filename="notes.md"' in body for body in scripted.bodies)
    with pytest.raises(TypeError, match="filename is required"):
        client.memories.upload(b"# Notes")


def test_a_file_in_text_mode_is_refused(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: memory())
    with pytest.raises(TypeError, match="text mode"):
        client.memories.upload(io.StringIO("text"), filename="a.txt")


def test_an_upload_in_parts_resumes_after_lost_connections(scripted: Scripted) -> None:
    answers: list[Any] = [
        httpx.Response(201, json=state(10)),
        appended(4),
        httpx.ReadError("lost"),
        state(10, 6),
        error(409, "conflict"),
        state(10, 6),
        appended(10, ID),
    ]
    seen: list[int] = []
    client = scripted.client(lambda request, index: answers[index])
    completed = client.memories.upload_in_parts(
        io.BytesIO(b"0123456789"),
        filename="a.txt",
        part_bytes=4,
        on_progress=lambda upload: seen.append(upload.offset),
        tags=["x"],
        detect_updates="off",
    )
    assert (completed.memory_id, completed.offset) == (ID, 10)
    assert seen == [0, 4, 6, 10]
    create, *others = scripted.requests
    metadata = dict(pair.split(" ") for pair in create.headers["upload-metadata"].split(","))
    assert {name: b64decode(text).decode() for name, text in metadata.items()} == {
        "filename": "a.txt",
        "tags": '["x"]',
        "detect_updates": "off",
    }
    assert create.headers["upload-length"] == "10"
    sent = [
        (request.method, request.headers.get("upload-offset"), body)
        for request, body in zip(others, scripted.bodies[1:], strict=True)
    ]
    assert sent == [
        ("PATCH", "0", b"0123"),
        ("PATCH", "4", b"4567"),
        ("GET", None, b""),
        ("PATCH", "6", b"6789"),
        ("GET", None, b""),
        ("PATCH", "6", b"6789"),
    ]
    assert scripted.waits == pytest.approx([0.1, 0.1])


def test_an_upload_can_be_resumed_by_its_id(scripted: Scripted, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"0123456789")
    answers = [state(10, 6), appended(10, ID)]
    client = scripted.client(lambda request, index: answers[index])
    assert client.memories.upload_in_parts(path, upload_id=ID).memory_id == ID
    assert scripted.bodies[1] == b"6789"


def test_an_open_file_is_sent_from_where_it_is(scripted: Scripted) -> None:
    file = io.BytesIO(b"skip me0123456789")
    file.seek(7)
    answers = [httpx.Response(201, json=state(10)), appended(6), appended(10, ID)]
    client = scripted.client(lambda request, index: answers[index])
    client.memories.upload_in_parts(file, filename="a.txt", part_bytes=6)
    assert scripted.bodies[1:] == [b"012345", b"6789"]


def test_an_upload_without_progress_ends(scripted: Scripted) -> None:
    def script(request: httpx.Request, index: int) -> Any:
        if request.method == "PATCH":
            return httpx.ReadError("lost")
        return httpx.Response(201 if request.method == "POST" else 200, json=state(3))

    client = scripted.client(script)
    with pytest.raises(MnemeConnectionError):
        client.memories.upload_in_parts(b"abc", filename="a.txt")
    assert [request.method for request in scripted.requests].count("PATCH") == 4


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        (error(413, "payload_too_large"), MnemeError),
        (appended(0), RuntimeError),
    ],
)
def test_what_cannot_be_resumed_is_raised(
    scripted: Scripted, answer: httpx.Response, raised: type[Exception]
) -> None:
    answers = [httpx.Response(201, json=state(3)), answer]
    client = scripted.client(lambda request, index: answers[index])
    with pytest.raises(raised):
        client.memories.upload_in_parts(b"abc", filename="a.txt")
    assert len(scripted.requests) == 2


def test_an_upload_of_nothing_or_of_another_length_is_refused(scripted: Scripted) -> None:
    client = scripted.client(lambda *_: state(4))
    with pytest.raises(ValueError, match="The file is empty"):
        client.memories.upload_in_parts(b"", filename="a.txt")
    with pytest.raises(ValueError, match="length of 4 bytes, but the file has 3"):
        client.memories.upload_in_parts(b"abc", filename="a.txt", upload_id=ID)
    with pytest.raises(TypeError, match="a file that can seek"):
        client.memories.upload_in_parts(Pipe(b"abc"), filename="a.txt")
