"""A store of LangGraph on Mneme. Install it with `mneme[langgraph]`.

An item is a memory whose content is its JSON, or the fields that are indexed. `MnemeStore` of the
TypeScript SDK reads and writes the same items.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import anyio.to_thread

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        PutOp,
        SearchItem,
        SearchOp,
    )
    from langgraph.store.base.embed import get_text_at_path
except ImportError as error:
    raise ImportError(
        'mneme.langgraph needs langgraph: install "mneme[langgraph]" or langgraph.'
    ) from error

from ._client import Mneme
from ._records import RankedRecord, RecordPath, RecordStore, RecordValue, StoredRecord, compact_json
from .models import Memory, SearchResult

__all__ = ["MnemeStore"]

_QUERY_CHARACTERS_MAX: Final = 1_000
# What remains of the 16 KiB of metadata beside the path of an item.
_METADATA_VALUE_BYTES_MAX: Final = 12_000


class MnemeStore(BaseStore):
    """Items of LangGraph as memories: `builder.compile(store=MnemeStore(client, space="agents"))`.

    A batch reads before it writes, as InMemoryStore does. Items do not expire: `ttl` is refused.

    Args:
        client: Also serves the asynchronous methods, which run in a thread.
        user_id: The owner of the items, as agent_id and run_id; None: they have none.
        space_id: The space of the items; None: the account level. A space of its own keeps them
            apart from other memories.
        space: Name of the space, instead of space_id.
        index: Paths of the fields that searches compare with a query; "$" is the whole value.
    """

    __slots__ = ("_index", "_records")

    def __init__(
        self,
        client: Mneme,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        space_id: str | None = None,
        space: str | None = None,
        index: Sequence[str] = ("$",),
    ) -> None:
        if isinstance(index, str):
            raise TypeError("index is a list of paths, not a text.")
        scope = {
            "user_id": user_id,
            "agent_id": agent_id,
            "run_id": run_id,
            "space_id": space_id,
            "space": space,
        }
        given = {name: value for name, value in scope.items() if value is not None}
        self._records = RecordStore(client, "langgraph", given)
        self._index = list(index)

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Run operations; the result of each, in their order.

        Raises MnemeError for what the service rejects, ValueError for values that are no JSON.
        """
        operations = list(ops)
        results = [self._read(operation) for operation in operations]
        self._write([operation for operation in operations if isinstance(operation, PutOp)])
        return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Like batch, in a thread."""
        return await anyio.to_thread.run_sync(self.batch, list(ops))

    def _read(self, operation: Any) -> Any:
        if isinstance(operation, GetOp):
            record = self._records.find(RecordPath(tuple(operation.namespace), operation.key))
            return None if record is None else Item(**_item_fields(record.path, record.memory))
        if isinstance(operation, SearchOp):
            return self._search(operation)
        if isinstance(operation, ListNamespacesOp):
            return self._list_namespaces(operation)
        if isinstance(operation, PutOp):
            return None
        raise ValueError(f"Unknown operation: {type(operation).__name__}.")

    def _search(self, operation: SearchOp) -> list[SearchItem]:
        """With a query, ranked items are first, and those that are not indexed follow."""
        end = operation.offset + operation.limit
        items: list[SearchItem] = []
        for place, hit in enumerate(self._hits(operation)):
            if place >= end:
                break
            if place < operation.offset:
                continue
            if isinstance(hit, StoredRecord):
                items.append(SearchItem(**_item_fields(hit.path, hit.memory)))
                continue
            # A result of a search has no time of update.
            memory = self._records.read(hit.result.id)
            if memory is not None:
                fields = _item_fields(hit.path, memory)
                items.append(SearchItem(**fields, score=hit.result.score))
        return items

    def _hits(self, operation: SearchOp) -> Iterator[RankedRecord | StoredRecord]:
        folder = tuple(operation.namespace_prefix)
        q = _to_query(operation.query or "")
        if q:
            for ranked in self._records.search(folder, q):
                is_indexed = ranked.result.metadata.get("indexed") is not False
                if is_indexed and _matches(_to_value(ranked.result), operation.filter):
                    yield ranked
        for record in self._records.list(folder):
            if q and record.memory.metadata.get("indexed") is not False:
                continue
            if _matches(_to_value(record.memory), operation.filter):
                yield record

    def _list_namespaces(self, operation: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = operation.match_conditions or ()
        found = {
            record.path.folder[: operation.max_depth]
            for record in self._records.list(_common_prefix(conditions))
            if all(_matches_condition(record.path.folder, each) for each in conditions)
        }
        return sorted(found)[operation.offset : operation.offset + operation.limit]

    def _write(self, operations: Sequence[PutOp]) -> None:
        """The last of several writes to an item counts."""
        last = {RecordPath(tuple(each.namespace), each.key): each for each in operations}
        # Before anything is written: a value that is no JSON fails the whole batch.
        values = {
            path: None if each.value is None else self._to_record_value(each.value, each.index)
            for path, each in last.items()
        }
        created: list[tuple[RecordPath, RecordValue]] = []
        for path, value in values.items():
            record = self._records.find(path)
            if value is None:
                if record is not None:
                    self._records.remove(record)
            elif record is not None:
                self._records.replace(record, value)
            else:
                created.append((path, value))
        self._records.create(created)

    def _to_record_value(self, value: Mapping[str, Any], index: Any) -> RecordValue:
        """Content is what a search compares; a value that is more than that is in the metadata."""
        text = compact_json(value)
        fields = self._index if index is None else index or []
        texts = [found for field in fields for found in _texts_at(value, field, text)]
        if not texts:
            return RecordValue(text, {"indexed": False})
        content = "\n".join(texts).replace("\0", "")
        content = content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        is_separate = content != text and content.strip() != ""
        fits = len(text.encode()) <= _METADATA_VALUE_BYTES_MAX
        if is_separate and fits:
            return RecordValue(content, {"value": text})
        return RecordValue(text, {})


def _texts_at(value: Mapping[str, Any], path: str, whole: str) -> list[str]:
    return [whole] if path == "$" else [str(text) for text in get_text_at_path(value, path)]


def _to_query(text: str) -> str:
    """The beginning and the end of a text that is longer than a query may be."""
    well_formed = text.replace("\0", "").encode("utf-8", "replace").decode().strip()
    if len(well_formed) <= _QUERY_CHARACTERS_MAX:
        return well_formed
    half = (_QUERY_CHARACTERS_MAX - 1) // 2
    return f"{well_formed[:half]} {well_formed[-half:]}"


def _to_value(memory: Memory | SearchResult) -> dict[str, Any]:
    stored = memory.metadata.get("value")
    value: dict[str, Any] = json.loads(stored if isinstance(stored, str) else memory.content)
    return value


def _item_fields(path: RecordPath, memory: Memory) -> dict[str, Any]:
    return {
        "namespace": path.folder,
        "key": path.key,
        "value": _to_value(memory),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


def _common_prefix(conditions: Iterable[MatchCondition]) -> tuple[str, ...]:
    """The longest prefix without wildcards that all found namespaces have."""
    longest: tuple[str, ...] = ()
    for condition in conditions:
        path = tuple(condition.path)
        exact = path[: path.index("*")] if "*" in path else path
        if condition.match_type == "prefix" and len(exact) > len(longest):
            longest = exact
    return longest


def _matches_condition(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    if len(path) > len(namespace):
        return False
    start = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    labels = namespace[start:]
    return all(wanted in ("*", label) for wanted, label in zip(path, labels, strict=False))


def _matches(value: Mapping[str, Any], required: Mapping[str, Any] | None) -> bool:
    return all(_compare(value.get(name), each) for name, each in (required or {}).items())


def _compare(value: Any, required: Any) -> bool:
    """As InMemoryStore compares: operators, nested objects, lists item by item."""
    if isinstance(required, Mapping):
        if any(name.startswith("$") for name in required):
            return all(_apply(value, name, operand) for name, operand in required.items())
        return isinstance(value, Mapping) and all(
            _compare(value.get(name), each) for name, each in required.items()
        )
    if isinstance(required, (list, tuple)):
        return (
            isinstance(value, (list, tuple))
            and len(value) == len(required)
            and all(map(_compare, value, required))
        )
    return bool(value == required)


def _apply(value: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return bool(value == operand)
    if operator == "$ne":
        return bool(value != operand)
    if operator == "$gt":
        return float(value) > float(operand)
    if operator == "$gte":
        return float(value) >= float(operand)
    if operator == "$lt":
        return float(value) < float(operand)
    if operator == "$lte":
        return float(value) <= float(operand)
    raise ValueError(f"Unsupported operator: {operator}")
