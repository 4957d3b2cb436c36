"""URLs of the service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from ._json import encode_query

DEFAULT_URL = "http://127.0.0.1:7077"


def normalize_base_url(url: str) -> str:
    """Removes trailing slashes and /v1. Raises ValueError for an invalid URL."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"Invalid URL: {url}")
    return re.sub(r"/v1$", "", url.rstrip("/"))


def build_url(base: str, path: str, query: Mapping[str, Any]) -> str:
    """A path that starts with a slash is below /v1; anything else is a complete URL."""
    target = f"{base}/v1{path}" if path.startswith("/") else path
    text = encode_query(query)
    return f"{target}?{text}" if text else target


def fill_path(path: str, params: Mapping[str, Any]) -> str:
    """Fills in and encodes the `{name}` parts of a path.

    Raises ValueError for a value that would change the path: URLs resolve "." and ".." however
    they are encoded.
    """

    def segment(match: re.Match[str]) -> str:
        value = str(params[match[1]])
        if value in ("", ".", ".."):
            raise ValueError(f'{match[1]}: "{value}" is not a valid path segment')
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", segment, path)


def is_same_origin(one: str, other: str) -> bool:
    def origin(url: str) -> tuple[str, str | None, int | None]:
        parts = urlsplit(url)
        default = {"http": 80, "https": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname, parts.port or default

    return origin(one) == origin(other)
