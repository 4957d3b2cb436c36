"""Texts at the paths that the tests use: names with dots, and [*]."""

from __future__ import annotations

from typing import Any


def get_text_at_path(obj: Any, path: str) -> list[str]:
    found = [obj]
    for step in path.replace("[*]", ".*").split("."):
        if step == "*":
            found = [each for value in found if isinstance(value, list) for each in value]
        else:
            found = [value[step] for value in found if isinstance(value, dict) and step in value]
    return [str(value) for value in found if value is not None]
