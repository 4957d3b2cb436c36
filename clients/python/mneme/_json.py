"""Values of requests, as JSON, query and headers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import quote

from ._model import Model
from ._not_given import NotGiven


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not sent."""
    return {name: value for name, value in values.items() if not isinstance(value, NotGiven)}


def json_body(
    fields: Mapping[str, Any], nullable: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The body of a request: None is omitted, but sent as null for fields that can be null."""
    plain = {name: value for name, value in fields.items() if value is not None}
    return {**plain, **given(nullable or {})}


def metadata_query(filters: Mapping[str, str] | None) -> dict[str, str]:
    """Filters by metadata, as `metadata.<key>`."""
    return {f"metadata.{name}": value for name, value in (filters or {}).items()}


def to_json(value: Any) -> Any:
    """Converts models, mappings, sequences and times to what JSON has."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, date):
        return format_time(value)
    if isinstance(value, Mapping):
        return {str(name): to_json(item) for name, item in given(value).items()}
    if isinstance(value, (Sequence, set, frozenset)) and not isinstance(value, (bytes, bytearray)):
        return [to_json(item) for item in value]
    # Ids as uuid.UUID and the like.
    return str(value)


def encode_json(value: Any) -> bytes:
    return json.dumps(to_json(value), ensure_ascii=False, allow_nan=False).encode()


def format_time(value: date) -> str:
    """Raises ValueError for a time without a zone: the API cannot know which one it is in."""
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise ValueError(f"{value!r} has no time zone: pass for example tzinfo=timezone.utc")
    return value.isoformat()


def encode_query(query: Mapping[str, Any]) -> str:
    """A query string. Lists are comma-separated; None and empty lists are omitted."""
    pairs = [(name, query_text(name, value)) for name, value in given(query).items()]
    return "&".join(
        f"{quote(name, safe='')}={quote(text, safe='')}" for name, text in pairs if text is not None
    )


def query_text(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, (str, date)) or not isinstance(value, Iterable):
        return to_text(value)
    items = [to_text(item) for item in value]
    if any("," in item for item in items):
        raise ValueError(f"{name}: a query item cannot contain a comma; use a method with a body")
    return ",".join(items) if items else None


def to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return format_time(value) if isinstance(value, date) else str(value)


def text_fields(fields: Mapping[str, Any]) -> dict[str, str]:
    """Fields as text, for a form or for tus metadata; lists and objects as JSON."""
    values = {name: to_json(value) for name, value in given(fields).items()}
    return {
        name: json.dumps(value, ensure_ascii=False)
        if value is None or isinstance(value, (dict, list))
        else to_text(value)
        for name, value in values.items()
    }
