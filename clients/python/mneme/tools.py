"""Tools with which a model recalls, stores and deletes memories, for any framework.

TOOL_DEFINITIONS has a name, a description and a JSON Schema for each; MemoryTools and
AsyncMemoryTools run what the model calls, and return text for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from ._client import AsyncMneme, Mneme
from .errors import MnemeError
from .models import Memory

__all__ = ["TOOL_DEFINITIONS", "AsyncMemoryTools", "MemoryTools"]

_QUERY_CHARACTERS_MAX: Final = 1_000
_KEPT: Final = {
    "memory_not_found",
    "memory_protected",
    "confirmation_required",
    "validation_error",
}

TOOL_DEFINITIONS: Final[list[dict[str, Any]]] = [
    {
        "name": "recall",
        "description": "Recall what is stored in long-term memory: facts, preferences, decisions "
        "and events of earlier conversations. Call it before you answer what depends on them.",
        "input_schema": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "What to look for, as a question or keywords.",
                },
                "max_tokens": {
                    "type": "integer",
                    "minimum": 100,
                    "description": "Maximum length of the answer; default: 1500.",
                },
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    },
    {
        "name": "remember",
        "description": "Store something that is worth knowing in later conversations: one "
        "self-contained statement, with names instead of pronouns.",
        "input_schema": {
            "type": "object",
            "properties": {
                "content": {"type": "string", "description": "The statement."},
                "tags": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Short labels.",
                },
            },
            "required": ["content"],
            "additionalProperties": False,
        },
    },
    {
        "name": "forget",
        "description": "Delete memories that the user wants to be forgotten, by their ids from "
        "recall.",
        "input_schema": {
            "type": "object",
            "properties": {
                "ids": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            },
            "required": ["ids"],
            "additionalProperties": False,
        },
    },
]


class _Scope:
    """The owner and the space of the memories; None: any owner, the account level."""

    def __init__(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        space_id: str | None = None,
    ) -> None:
        owner = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        self._owner = {name: value for name, value in owner.items() if value is not None}
        self._space_id = space_id

    @property
    def _fields(self) -> dict[str, Any]:
        space = {} if self._space_id is None else {"space_id": self._space_id}
        return {**self._owner, **space}

    def _contains(self, memory: Memory) -> bool:
        has_owner = all(getattr(memory, name) == value for name, value in self._owner.items())
        return has_owner and self._space_id in (None, memory.space_id)


class MemoryTools(_Scope):
    """Runs the tools: `MemoryTools(client, user_id="ana").call(name, arguments)`."""

    def __init__(self, client: Mneme, **scope: str | None) -> None:
        super().__init__(**scope)
        self._client = client

    def call(self, name: str, arguments: Mapping[str, Any] | str) -> str:
        """Return the answer for the model. `arguments` may be JSON, as some models send it.

        Raises ValueError for a name that is no tool and for missing arguments, MnemeError for
        what the service rejects.
        """
        given = _parse(name, arguments)
        if name == "recall":
            recalled = self._client.search.recall(**self._fields, **_recall_fields(given))
            return recalled.context or "No memory matches."
        if name == "remember":
            try:
                created = self._client.memories.create(**self._fields, **_remember_fields(given))
                return _remembered(created.id, existed=False)
            except MnemeError as error:
                return _existing(error)
        kept: list[str] = []
        forgotten: list[str] = []
        for id_ in _ids(given):
            (forgotten if self._forget(id_) else kept).append(id_)
        return json.dumps({"forgotten": forgotten, "kept": kept})

    def _forget(self, id_: str) -> bool:
        try:
            if not self._contains(self._client.memories.get(id_)):
                return False
            self._client.memories.remove(id_, soft=True)
            return True
        except MnemeError as error:
            if error.code in _KEPT:
                return False
            raise


class AsyncMemoryTools(_Scope):
    """Like MemoryTools, with AsyncMneme."""

    def __init__(self, client: AsyncMneme, **scope: str | None) -> None:
        super().__init__(**scope)
        self._client = client

    async def call(self, name: str, arguments: Mapping[str, Any] | str) -> str:
        """Return the answer for the model. `arguments` may be JSON, as some models send it.

        Raises ValueError for a name that is no tool and for missing arguments, MnemeError for
        what the service rejects.
        """
        given = _parse(name, arguments)
        if name == "recall":
            recalled = await self._client.search.recall(**self._fields, **_recall_fields(given))
            return recalled.context or "No memory matches."
        if name == "remember":
            try:
                fields = {**self._fields, **_remember_fields(given)}
                created = await self._client.memories.create(**fields)
                return _remembered(created.id, existed=False)
            except MnemeError as error:
                return _existing(error)
        kept: list[str] = []
        forgotten: list[str] = []
        for id_ in _ids(given):
            (forgotten if await self._forget(id_) else kept).append(id_)
        return json.dumps({"forgotten": forgotten, "kept": kept})

    async def _forget(self, id_: str) -> bool:
        try:
            if not self._contains(await self._client.memories.get(id_)):
                return False
            await self._client.memories.remove(id_, soft=True)
            return True
        except MnemeError as error:
            if error.code in _KEPT:
                return False
            raise


def _parse(name: str, arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    definition = next((one for one in TOOL_DEFINITIONS if one["name"] == name), None)
    if definition is None:
        names = ", ".join(one["name"] for one in TOOL_DEFINITIONS)
        raise ValueError(f"No tool is named {name}: the tools are {names}.")
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    if not isinstance(given, Mapping):
        raise ValueError(f"The arguments of {name} must be an object.")
    for required in definition["input_schema"]["required"]:
        if not given.get(required):
            raise ValueError(f"{name} needs {required}.")
    return given


def _recall_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "q": str(given["query"])[:_QUERY_CHARACTERS_MAX],
        "max_tokens": int(given.get("max_tokens") or 1_500),
        "format": "lines",
    }


def _remember_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": str(given["content"]), "tags": _texts(given.get("tags") or [])}


def _ids(given: Mapping[str, Any]) -> Iterable[str]:
    return dict.fromkeys(_texts(given["ids"]))


def _texts(value: Any) -> list[str]:
    """Some models send a single text instead of a list."""
    return [value] if isinstance(value, str) else [str(one) for one in value]


def _remembered(id_: str, *, existed: bool) -> str:
    return json.dumps({"id": id_, "existed": existed})


def _existing(error: MnemeError) -> str:
    """The answer to a duplicate; raises all other errors."""
    if error.code != "duplicate_memory":
        raise error
    return _remembered(str(error.details["memory_id"]), existed=True)
