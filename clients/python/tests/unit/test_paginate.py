from __future__ import annotations

from typing import Any

import httpx
import pytest

from ..blocking import first_page
from .conftest import ID, Scripted, memory


def query(request: httpx.Request) -> dict[str, str]:
    return dict(request.url.params)


def numbered(first: int, count: int) -> list[dict[str, Any]]:
    return [memory(priority=number) for number in range(first, first + count)]


def by_cursor(request: httpx.Request, index: int) -> Any:
    more = index < 2
    return {
        "data": numbered(index * 2, 2),
        "has_more": more,
        "next_cursor": f"c{index + 1}" if more else None,
    }


def by_offset(request: httpx.Request, index: int) -> Any:
    offset = int(query(request).get("offset", 0))
    pagination = {"total": 5, "limit": 2, "offset": offset, "has_more": offset < 3}
    return {"data": numbered(offset, 2), "pagination": pagination}


def by_total(request: httpx.Request, index: int) -> Any:
    offset = int(query(request).get("offset", 0))
    entries = [{"at": "", "kind": "merged", "detail": str(offset + number)} for number in range(2)]
    return {"entity_id": ID, "entries": entries, "total": 6}


def test_a_list_iterates_over_its_pages_by_cursor(scripted: Scripted) -> None:
    client = scripted.client(by_cursor)
    found = [one.priority for one in client.memories.list(limit=2, pinned=True)]
    assert found == [0, 1, 2, 3, 4, 5]
    first, *others = [query(request) for request in scripted.requests]
    assert first == {"limit": "2", "pinned": "true"}
    assert [one["cursor"] for one in others] == ["c1", "c2"]
    assert all({**one, "cursor": ""} == {**first, "cursor": ""} for one in others)


def test_a_list_follows_the_cursor_of_the_envelope_without_its_first_offset(
    scripted: Scripted,
) -> None:
    def answer(request: httpx.Request, index: int) -> Any:
        pagination = {"limit": 1, "total": 2, "offset": 1 - index}
        position = {"has_more": index == 0, "next_cursor": "c" if index == 0 else None}
        return {"data": numbered(index, 1), "pagination": {**pagination, **position}}

    client = scripted.client(answer)
    assert [one.priority for one in client.cli_sessions.memories(ID, offset=1, limit=1)] == [0, 1]
    [first, second] = [query(request) for request in scripted.requests]
    assert (first.get("offset"), first.get("cursor")) == ("1", None)
    assert (second.get("offset"), second.get("cursor")) == (None, "c")


def test_a_list_without_a_cursor_follows_the_envelope_by_its_limit(scripted: Scripted) -> None:
    def answer(request: httpx.Request, index: int) -> Any:
        pagination = {"limit": 2, "total": 3, "offset": 2 * index}
        position = {"has_more": index == 0, "next_cursor": None}
        # A memory of the first page was deleted meanwhile.
        return {"data": numbered(index, 1), "pagination": {**pagination, **position}}

    assert [one.priority for one in scripted.client(answer).cli_sessions.memories(ID)] == [0, 1]
    assert [query(request).get("offset") for request in scripted.requests] == [None, "2"]


def test_a_list_iterates_by_offset_from_where_it_starts(scripted: Scripted) -> None:
    client = scripted.client(by_offset)
    assert [one.priority for one in client.cli_sessions.memories(ID, offset=1)] == [1, 2, 3, 4]
    assert [query(request)["offset"] for request in scripted.requests] == ["1", "3"]


def test_a_list_iterates_by_its_total(scripted: Scripted) -> None:
    client = scripted.client(by_total)
    found = [entry.detail for entry in client.knowledge.timeline(ID, offset=2)]
    assert found == ["2", "3", "4", "5"]


def test_pages_are_read_on_demand(scripted: Scripted) -> None:
    iterator = iter(scripted.client(by_cursor).memories.list())
    assert [next(iterator).priority for _ in range(3)] == [0, 1, 2]
    assert len(scripted.requests) == 2


def test_pages_can_be_iterated(scripted: Scripted) -> None:
    pages = scripted.client(by_cursor).memories.list().pages()
    assert [[one.priority for one in page.records] for page in pages] == [[0, 1], [2, 3], [4, 5]]


def test_a_list_is_its_first_page(scripted: Scripted) -> None:
    page = first_page(scripted.client(by_cursor).memories.list())
    assert [one.priority for one in page.data] == [0, 1]
    assert (page.has_more, page.next_cursor) == (True, "c1")
    assert len(scripted.requests) == 1


def test_a_page_that_was_awaited_does_not_pretend_to_be_whole(scripted: Scripted) -> None:
    page = first_page(scripted.client(by_cursor).memories.list())
    if type(scripted.client(by_cursor)).__name__ == "Mneme":
        assert len(list(page)) == 6
        return
    with pytest.raises(TypeError, match="iterate over the result of the method of AsyncMneme"):
        list(page)


def test_a_cursor_that_repeats_is_an_error(scripted: Scripted) -> None:
    same = {"data": numbered(0, 1), "has_more": True, "next_cursor": "same"}
    with pytest.raises(RuntimeError, match="same cursor twice"):
        list(scripted.client(lambda *_: same).memories.list())
