"""The interface of langgraph.store.base, as far as mneme.langgraph and its tests use it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

Namespace = tuple[str, ...]


@dataclass
class Item:
    value: dict[str, Any]
    key: str
    namespace: Namespace
    created_at: datetime
    updated_at: datetime


@dataclass
class SearchItem(Item):
    score: float | None = None


class GetOp(NamedTuple):
    namespace: Namespace
    key: str
    refresh_ttl: bool = True


class SearchOp(NamedTuple):
    namespace_prefix: Namespace
    filter: dict[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    query: str | None = None
    refresh_ttl: bool = True


class MatchCondition(NamedTuple):
    match_type: str
    path: Namespace


class ListNamespacesOp(NamedTuple):
    match_conditions: tuple[MatchCondition, ...] | None = None
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


class PutOp(NamedTuple):
    namespace: Namespace
    key: str
    value: dict[str, Any] | None
    # With the type of the field, NamedTuple keeps the method of tuples from being hidden.
    index: Any = None  # type: ignore[assignment]
    ttl: float | None = None


class BaseStore:
    __slots__ = ("__weakref__",)

    def batch(self, ops: Any) -> list[Any]:
        raise NotImplementedError

    def get(self, namespace: Namespace, key: str) -> Any:
        return self.batch([GetOp(namespace, key)])[0]

    def put(self, namespace: Namespace, key: str, value: Any, index: Any = None) -> None:
        self.batch([PutOp(namespace, key, value, index)])

    def delete(self, namespace: Namespace, key: str) -> None:
        self.batch([PutOp(namespace, key, None)])

    def search(self, namespace_prefix: Namespace, /, **options: Any) -> Any:
        return self.batch([SearchOp(namespace_prefix, **options)])[0]

    def list_namespaces(
        self,
        *,
        prefix: Namespace | None = None,
        suffix: Namespace | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> Any:
        conditions = [
            *([MatchCondition("prefix", prefix)] if prefix else []),
            *([MatchCondition("suffix", suffix)] if suffix else []),
        ]
        return self.batch([ListNamespacesOp(tuple(conditions), max_depth, limit, offset)])[0]
