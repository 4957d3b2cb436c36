from __future__ import annotations

import json
from typing import Any

import pytest
from anyio.abc import BlockingPortal

from mneme.tools import TOOL_DEFINITIONS, AsyncMemoryTools, MemoryTools

from ..blocking import Blocking


class Tools:
    """MemoryTools or AsyncMemoryTools, by the kind of the client."""

    def __init__(self, client: Any, portal: BlockingPortal, **scope: str) -> None:
        self._portal = portal
        is_async = isinstance(client, Blocking)
        self._tools: Any = (
            AsyncMemoryTools(client._target, **scope) if is_async else MemoryTools(client, **scope)
        )

    def call(self, name: str, arguments: Any) -> str:
        if isinstance(self._tools, AsyncMemoryTools):
            return self._portal.call(self._tools.call, name, arguments)
        return str(self._tools.call(name, arguments))


def test_a_model_remembers_recalls_and_forgets(mneme: Any, portal: BlockingPortal) -> None:
    tools = Tools(mneme, portal, user_id="ana")
    content = "The spare key is under the blue pot."
    stored = json.loads(tools.call("remember", {"content": content, "tags": "home"}))
    again = json.loads(tools.call("remember", json.dumps({"content": content})))
    assert (stored["existed"], again) == (False, {"id": stored["id"], "existed": True})
    memory = mneme.memories.get(stored["id"])
    assert (memory.user_id, memory.tags) == ("ana", ["home"])

    query = {"query": "where is the spare key?", "max_tokens": 200}
    assert content in tools.call("recall", query)
    assert Tools(mneme, portal, user_id="ben").call("recall", query) == "No memory matches."

    other = mneme.memories.create(content="Of Ben.", user_id="ben")
    ids = [stored["id"], other.id, "no-id"]
    answer = json.loads(tools.call("forget", {"ids": ids}))
    assert answer == {"forgotten": [stored["id"]], "kept": [other.id, "no-id"]}
    assert mneme.memories.get(stored["id"]).is_deleted
    assert tools.call("recall", query) == "No memory matches."


def test_calls_that_are_no_tool_are_refused(mneme: Any, portal: BlockingPortal) -> None:
    tools = Tools(mneme, portal)
    with pytest.raises(ValueError, match="the tools are recall, remember, forget"):
        tools.call("erase", {})
    with pytest.raises(ValueError, match="recall needs query"):
        tools.call("recall", {})
    with pytest.raises(ValueError, match="must be an object"):
        tools.call("recall", "[]")


def test_each_definition_has_a_schema() -> None:
    for tool in TOOL_DEFINITIONS:
        assert set(tool) == {"name", "description", "input_schema"}
        assert set(tool["input_schema"]["required"]) <= set(tool["input_schema"]["properties"])
