"""Binary responses, which are read in chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from os import PathLike
from typing import Union

import httpx

#: Where a download is written.
Target = Union[str, PathLike[str]]


class BaseDownload:
    """An open response: read all of it, or close it."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    @property
    def status(self) -> int:
        """200, 206 for a range, or 304 if the ETag still matches."""
        return self._response.status_code

    @property
    def headers(self) -> httpx.Headers:
        return self._response.headers

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.status} {self.headers.get('content-type', '')}>"


class Download(BaseDownload):
    """A binary response of Mneme. Use it in a with statement, or call one of read and save."""

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._response.close()

    def iter_bytes(self) -> Iterator[bytes]:
        with self:
            yield from self._response.iter_bytes()

    def read(self) -> bytes:
        return b"".join(self.iter_bytes())

    def save(self, path: Target) -> None:
        """Writes the content to a file."""
        with open(path, "wb") as file:
            for chunk in self.iter_bytes():
                file.write(chunk)


class AsyncDownload(BaseDownload):
    """A binary response of AsyncMneme. Use it in async with, or await one of read and save."""

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._response.aclose()

    async def iter_bytes(self) -> AsyncIterator[bytes]:
        async with self:
            async for chunk in self._response.aiter_bytes():
                yield chunk

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self.iter_bytes()])

    async def save(self, path: Target) -> None:
        """Writes the content to a file."""
        with open(path, "wb") as file:
            async for chunk in self.iter_bytes():
                file.write(chunk)
