"""Operations of the API, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import httpx

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Operation(Generic[T_co]):
    """One row of the contract; T is what its method returns."""

    id: str
    method: str
    path: str
    #: The type of the body by status; None for an empty body.
    responses: Mapping[int, Any]
    #: It only reads, whatever its method: it can be repeated after any failure.
    reads: bool = False
    #: It accepts an Idempotency-Key: the client sends one, so that retries are safe.
    idempotent: bool = False
    #: Headers that each request sends.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: A success can also be text.
    has_text: bool = False
    #: A success is binary.
    is_binary: bool = False


@dataclass(frozen=True)
class FullResponse(Generic[T]):
    """The result of a method with the status and the headers of its response, such as ETag."""

    status: int
    headers: httpx.Headers
    body: T
