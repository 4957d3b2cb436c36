"""Records with exact paths, stored as memories, in the same form as the adapters of the TypeScript
SDK: metadata.record is the encoded path, by which a record is found, and a tag for each folder
finds what is below it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from ._client import Mneme
from .errors import MnemeError
from .models import Memory, SearchResult

Folder = tuple[str, ...]

_PAGE_MAX: Final = 100
_TAG_CHARACTERS_MAX: Final = 255
_FILTER_CHARACTERS_MAX: Final = 1_000
_QUERY_OFFSET_MAX: Final = 10_000
_OWNER_NAMES: Final = ("user_id", "agent_id", "run_id")


@dataclass(frozen=True)
class RecordPath:
    """Folders from the root, and a key within the last one."""

    folder: Folder
    key: str


@dataclass(frozen=True)
class StoredRecord:
    """A memory with a path. The next write removes its copies, of concurrent creates."""

    path: RecordPath
    memory: Memory
    copies: tuple[Memory, ...] = ()


@dataclass(frozen=True)
class RankedRecord:
    path: RecordPath
    result: SearchResult


@dataclass(frozen=True)
class RecordValue:
    """The text that a search compares, and further metadata of the adapter."""

    content: str
    extra: Mapping[str, Any]


class RecordStore:
    """The records of one collection, apart from all other memories.

    `scope` names the owner and the space: user_id, agent_id, run_id, space_id or space.
    """

    def __init__(self, client: Mneme, collection: str, scope: Mapping[str, str]) -> None:
        self._client = client
        self._collection = collection
        # Without a space a request would find the memories of all spaces.
        self._scope: Mapping[str, Any] = (
            scope if "space" in scope else {"space_id": "default", **scope}
        )

    def find(self, path: RecordPath) -> StoredRecord | None:
        page = self._client.memories.list(
            **self._scope,
            metadata={"record": self._encode_path(path)},
            sort="created_at",
            order="asc",
            limit=_PAGE_MAX,
        )
        found = [each for each in page.data if self._path_of(each) == path]
        return StoredRecord(path, found[0], tuple(found[1:])) if found else None

    def list(self, folder: Folder) -> Iterator[StoredRecord]:
        """Every record in a folder or below it, in the order of creation."""
        seen: set[RecordPath] = set()
        pages = self._client.memories.list(
            **self._scope,
            tags=[self._encode_folder(folder)],
            sort="created_at",
            order="asc",
            limit=_PAGE_MAX,
        )
        for memory in pages:
            path = self._path_of(memory)
            if path is not None and _is_below(folder, path) and path not in seen:
                seen.add(path)
                yield StoredRecord(path, memory)

    def search(self, folder: Folder, q: str) -> Iterator[RankedRecord]:
        """Records in a folder or below it, the best match of the query first."""
        seen: set[RecordPath] = set()
        for offset in range(0, _QUERY_OFFSET_MAX + 1, _PAGE_MAX):
            results = self._client.search.post(
                **self._scope,
                q=q,
                tags=[self._encode_folder(folder)],
                include=["memories"],
                threshold=0,
                offset=offset,
                limit=_PAGE_MAX,
            ).results
            for result in results:
                if not isinstance(result, SearchResult):
                    continue
                path = self._path_of(result)
                if path is not None and _is_below(folder, path) and path not in seen:
                    seen.add(path)
                    yield RankedRecord(path, result)
            if len(results) < _PAGE_MAX:
                return

    def read(self, id_: str) -> Memory | None:
        """The memory of a record; None if it was deleted in the meantime."""
        try:
            return self._client.memories.get(id_)
        except MnemeError as error:
            if error.code == "memory_not_found":
                return None
            raise

    def create(self, records: Sequence[tuple[RecordPath, RecordValue]]) -> None:
        """Stores new records, up to 100 of them together or not at all."""
        for start in range(0, len(records), _PAGE_MAX):
            chunk = records[start : start + _PAGE_MAX]
            memories: Any = [self._to_memory(path, value) for path, value in chunk]
            self._client.memories.bulk_create(memories=memories, atomic=True)

    def replace(self, record: StoredRecord, value: RecordValue) -> None:
        """Replaces the value of a record, which keeps its time of creation."""
        former = record.memory.metadata
        changed = self._to_memory(record.path, value)
        removed: dict[str, Any] = {n: None for n in former if n not in changed["metadata"]}
        metadata = {
            **removed,
            **changed["metadata"],
            # An equal value is a write, too, and gets a new updated_at.
            "writes": int(former.get("writes") or 0) + 1,
        }
        self._client.memories.update(
            record.memory.id, content=changed["content"], tags=changed["tags"], metadata=metadata
        )
        self._remove_memories(record.copies)

    def remove(self, record: StoredRecord) -> None:
        self._remove_memories([*record.copies, record.memory])

    def _remove_memories(self, memories: Iterable[Memory]) -> None:
        for memory in memories:
            try:
                self._client.memories.remove(memory.id)
            except MnemeError as error:
                # Another process was first.
                if error.code != "memory_not_found":
                    raise

    def _to_memory(self, path: RecordPath, value: RecordValue) -> dict[str, Any]:
        depths = range(len(path.folder) + 1)
        return {
            **self._scope,
            "content": value.content,
            "tags": [self._encode_folder(path.folder[:depth]) for depth in depths],
            "metadata": {
                **value.extra,
                "record": self._encode_path(path),
                "folder": list(path.folder),
                "key": path.key,
            },
            "allow_duplicate": True,
            "detect_updates": "off",
        }

    def _path_of(self, memory: Memory | SearchResult) -> RecordPath | None:
        """None if the owner is another, or if another program has changed the metadata."""
        if any(getattr(memory, name) != self._scope.get(name) for name in _OWNER_NAMES):
            return None
        folder, key = memory.metadata.get("folder"), memory.metadata.get("key")
        if not isinstance(folder, list) or not isinstance(key, str):
            return None
        return RecordPath(tuple(folder), key) if all(isinstance(f, str) for f in folder) else None

    def _encode_folder(self, folder: Folder) -> str:
        return _shorten(f"{self._collection}:{_join(folder)}", _TAG_CHARACTERS_MAX)

    def _encode_path(self, path: RecordPath) -> str:
        encoded = f"{self._collection}:{_join(path.folder)}:{_encode(path.key)}"
        return _shorten(encoded, _FILTER_CHARACTERS_MAX)


def compact_json(value: Any) -> str:
    """JSON as JavaScript writes it: short, with escapes for what is no valid text.

    Raises ValueError for numbers that JSON does not have.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    is_text = not any("\ud800" <= character <= "\udfff" for character in text)
    return text if is_text else json.dumps(value, separators=(",", ":"), allow_nan=False)


def _join(folder: Folder) -> str:
    return "/".join(_encode(label) for label in folder)


def _encode(label: str) -> str:
    """Like encodeURIComponent: without the separators / : and ,"""
    return quote(label, safe="!'()*")


def _shorten(text: str, characters_max: int) -> str:
    """The text, or its digest if it is longer than the API accepts."""
    if len(text) <= characters_max:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{text[: text.index(':')]}:sha256:{digest}"


def _is_below(above: Folder, path: RecordPath) -> bool:
    return path.folder[: len(above)] == above
