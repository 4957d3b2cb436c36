"""Lists in pages, which are read on demand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast

from ._model import Model

T = TypeVar("T")
P = TypeVar("P", bound="Page[Any]")
Position = Mapping[str, Any]


class Page(Model, Generic[T]):
    """A page of a list. In a for loop of Mneme it continues with the next pages."""

    #: The field that contains the records.
    _record_field: ClassVar[str]

    @property
    def records(self) -> list[T]:
        """The records of this page alone."""
        return cast("list[T]", getattr(self, self._record_field))

    def __iter__(self) -> Iterator[T]:
        """Every record of this page and of all that follow."""
        for page in self.pages():
            yield from page.records

    def pages(self: P) -> Iterator[P]:
        """This page and all that follow."""
        read: Callable[[Position], P] | None = self.__dict__.get("_read")
        if read is None:
            raise TypeError(
                "Only pages of Mneme continue in a for loop: iterate over the result of the method "
                "of AsyncMneme with async for, or over page.records"
            )
        return iterate_pages(self, self.__dict__.get("_start", 0), read)


def attach_reader(page: Page[Any], read: Callable[[Position], Any], start: int) -> None:
    """Lets a page continue; `start` is the offset of its first record."""
    page.__dict__["_read"] = read
    page.__dict__["_start"] = start


def iterate_pages(page: P, start: int, read: Callable[[Position], P]) -> Iterator[P]:
    walk = PageWalk(start)
    while True:
        yield page
        position = walk.next_position(page)
        if position is None:
            return
        page = read(position)


class AsyncPages(Generic[P, T]):
    """A list of AsyncMneme.

    `async for record in …` reads every record, and pages on demand; `async for page in ….pages()`
    reads every page; `await …` reads the first page only.
    """

    def __init__(self, read: Callable[[Position], Awaitable[P]], start: int) -> None:
        self._read = read
        self._start = start

    def __await__(self) -> Generator[Any, Any, P]:
        return self._read({}).__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for record in page.records:
                yield record

    async def pages(self) -> AsyncIterator[P]:
        walk = PageWalk(self._start)
        position: Position | None = {}
        while position is not None:
            page = await self._read(position)
            yield page
            position = walk.next_position(page)


class PageWalk:
    """Where the next page of a list begins."""

    def __init__(self, start: int) -> None:
        self._end = start
        self._cursor: object = None

    def next_position(self, page: Page[Any]) -> Position | None:
        """Query parameters of the next page; None after the last one.

        Raises RuntimeError if a page returns its own cursor as the next one.
        """
        data = page.to_dict()
        count = len(page.records)
        self._end += count
        pagination = data.get("pagination")
        if isinstance(pagination, Mapping) and "next_cursor" in pagination:
            return self._next_in_envelope(pagination, count)
        # An earlier service. Offset first: a page can have both, and the caller may have started
        # at an offset.
        if isinstance(pagination, Mapping):
            if not pagination.get("has_more") or count == 0:
                return None
            return {"offset": int(pagination.get("offset", 0)) + count}
        if "next_cursor" in data:
            cursor = data["next_cursor"]
            if not data.get("has_more") or cursor is None:
                return None
            return self._at_cursor(cursor)
        if self._end >= data.get("total", 0) or count == 0:
            return None
        return {"offset": self._end}

    def _next_in_envelope(self, pagination: Mapping[str, Any], count: int) -> Position | None:
        if not pagination.get("has_more"):
            return None
        cursor, offset = pagination["next_cursor"], pagination.get("offset")
        if cursor is not None:
            # The caller may have started at an offset, which no cursor takes.
            return {**self._at_cursor(cursor), "offset": None}
        if offset is None or count == 0:
            return None
        return {"offset": int(offset) + int(pagination.get("limit") or count)}

    def _at_cursor(self, cursor: object) -> Position:
        if cursor == self._cursor:
            raise RuntimeError("The list returned the same cursor twice.")
        self._cursor = cursor
        return {"cursor": cursor}
