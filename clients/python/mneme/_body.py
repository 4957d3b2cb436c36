"""Bodies of requests that are files: sent in chunks, and again on a retry if that is possible."""

from __future__ import annotations

import io
import os
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any, BinaryIO, TypeGuard, Union

from ._json import text_fields

CHUNK_BYTES = 65_536
#: Slower than any connection that is practical for an upload.
UPLOAD_BYTES_PER_SECOND_MIN = 65_536

#: A path, bytes, a binary file that is open, or an iterable of bytes.
FileContent = Union[str, PathLike[str], bytes, BinaryIO, Iterable[bytes]]


@dataclass(frozen=True)
class Body:
    """A body in chunks."""

    #: Starts from the beginning; called again for a retry.
    chunks: Callable[[], Iterator[bytes]]
    #: Bytes; None if unknown.
    length: int | None
    #: Whether `chunks` can be called again.
    is_repeatable: bool

    def async_chunks(self) -> AsyncIterator[bytes]:
        return _async_iterator(self.chunks())


async def _async_iterator(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def upload_seconds(length: int) -> float:
    """Maximum duration of an upload of so many bytes."""
    return length / UPLOAD_BYTES_PER_SECOND_MIN


def body_of(content: FileContent) -> Body:
    """A body of the content. Paths and files that can seek are read again on a retry."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        data = bytes(content)
        return Body(lambda: iter((data,)), len(data), True)
    if isinstance(content, (str, PathLike)):
        path = os.fspath(content)
        return Body(lambda: _read_path(path), os.path.getsize(path), True)
    if is_file(content):
        return _file_body(content)
    chunks = content
    return Body(lambda: iter(chunks), None, False)


def _file_body(file: BinaryIO) -> Body:
    if not is_seekable(file):
        return Body(lambda: _read_chunks(file), None, False)
    start = file.tell()
    length = file.seek(0, os.SEEK_END) - start
    file.seek(start)

    def chunks() -> Iterator[bytes]:
        file.seek(start)
        return _read_chunks(file)

    return Body(chunks, length, True)


def is_file(content: object) -> TypeGuard[BinaryIO]:
    return hasattr(content, "read")


def is_seekable(file: BinaryIO) -> bool:
    seekable = getattr(file, "seekable", None)
    return bool(seekable and seekable())


def _read_path(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from _read_chunks(file)


def _read_chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        if isinstance(chunk, str):
            raise TypeError("The file is open in text mode: open it with mode 'rb'")
        yield chunk


def multipart_body(
    fields: Mapping[str, Any], content: FileContent, filename: str
) -> tuple[str, Body]:
    """The media type and the body of a form: its fields, then the file."""
    boundary = secrets.token_hex(16)
    texts = "".join(
        f"{_part(boundary, name)}\r\n{text}\r\n" for name, text in text_fields(fields).items()
    )
    escaped = re.sub(r'["\r\n]', lambda match: f"%{ord(match[0]):02X}", filename)
    file_part = _part(boundary, "file", f'; filename="{escaped}"')
    head = f"{texts}{file_part}Content-Type: application/octet-stream\r\n\r\n".encode()
    tail = f"\r\n--{boundary}--\r\n".encode()
    file = body_of(content)

    def chunks() -> Iterator[bytes]:
        yield head
        yield from file.chunks()
        yield tail

    length = None if file.length is None else len(head) + file.length + len(tail)
    media_type = f"multipart/form-data; boundary={boundary}"
    return media_type, Body(chunks, length, file.is_repeatable)


def _part(boundary: str, name: str, more: str = "") -> str:
    return f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n'


def filename_of(content: FileContent, filename: str | None) -> str:
    """The name of the file: as given, or that of the path or of the open file."""
    if filename is not None:
        return filename
    if isinstance(content, (str, PathLike)):
        return os.path.basename(os.fspath(content))
    name = getattr(content, "name", None)
    if isinstance(name, str) and name:
        return os.path.basename(name)
    raise TypeError("filename is required for content that has no name of its own")


@contextmanager
def seekable_file(content: FileContent) -> Iterator[tuple[BinaryIO, int, int]]:
    """A file that can be read from any offset, where it starts, and its length."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        data = bytes(content)
        yield io.BytesIO(data), 0, len(data)
        return
    if isinstance(content, (str, PathLike)):
        path = os.fspath(content)
        with open(path, "rb") as file:
            yield file, 0, os.path.getsize(path)
        return
    if not is_file(content) or not is_seekable(content):
        raise TypeError("An upload in parts requires a path, bytes, or a file that can seek")
    start = content.tell()
    yield content, start, content.seek(0, os.SEEK_END) - start
