"""Both clients with one interface, so that each test covers both."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from anyio.abc import BlockingPortal

from mneme import AsyncDownload, AsyncPages


class Blocking:
    """An object of AsyncMneme whose coroutines and iterators block."""

    def __init__(self, target: Any, portal: BlockingPortal) -> None:
        self._target = target
        self._portal = portal

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if not callable(value):
            return Blocking(value, self._portal) if hasattr(value, "_transport") else value

        def call(*args: Any, **kwargs: Any) -> Any:
            return self._run(value, [getattr(arg, "original", arg) for arg in args], kwargs)

        call.original = value  # type: ignore[attr-defined]
        return call

    def _run(self, method: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        async def run() -> Any:
            result = method(*args, **kwargs)
            is_coroutine = inspect.isawaitable(result) and not isinstance(result, AsyncPages)
            return await result if is_coroutine else result

        return self._wrapped(self._portal.call(run))

    def _wrapped(self, result: Any) -> Any:
        if isinstance(result, AsyncPages):
            return BlockingPages(result, self._portal)
        if isinstance(result, AsyncDownload):
            return Blocking(result, self._portal)
        return blocking_iterator(result, self._portal) if hasattr(result, "__anext__") else result


class BlockingPages:
    def __init__(self, pages: AsyncPages[Any, Any], portal: BlockingPortal) -> None:
        self._pages = pages
        self._portal = portal

    def __iter__(self) -> Iterator[Any]:
        return blocking_iterator(self._pages.__aiter__(), self._portal)

    def pages(self) -> Iterator[Any]:
        return blocking_iterator(self._pages.pages(), self._portal)

    def first(self) -> Any:
        async def read() -> Any:
            return await self._pages

        return self._portal.call(read)


def blocking_iterator(source: Any, portal: BlockingPortal) -> Iterator[Any]:
    try:
        while True:
            try:
                yield portal.call(source.__anext__)
            except StopAsyncIteration:
                return
    finally:
        if hasattr(source, "aclose"):
            portal.call(source.aclose)


def first_page(result: Any) -> Any:
    """The first page of a list, from either client."""
    return result.first() if isinstance(result, BlockingPages) else result
