from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, cast

import anyio
import httpx
import pytest
from anyio.abc import BlockingPortal

from mneme import AsyncMneme, Mneme
from mneme._retry import Runtime

from ..blocking import Blocking

Script = Callable[[httpx.Request, int], Any]
ID = "019b8d1c-3a46-7fa7-8162-7d8e9fa0b1c2"


class Scripted:
    """A client whose requests a function answers, and whose delays are skipped."""

    def __init__(self, kind: str, portal: BlockingPortal) -> None:
        self._kind = kind
        self._portal = portal
        self.requests: list[httpx.Request] = []
        self.bodies: list[bytes] = []
        #: Delays before retries, in seconds.
        self.waits: list[float] = []

    def client(self, script: Script, **options: Any) -> Any:
        def answer(request: httpx.Request, body: bytes) -> httpx.Response:
            self.requests.append(request)
            self.bodies.append(body)
            result = script(request, len(self.requests) - 1)
            if isinstance(result, Exception):
                raise result
            return fresh(result) if isinstance(result, httpx.Response) else fresh_json(result)

        async def answer_async(request: httpx.Request) -> httpx.Response:
            return answer(request, await request.aread())

        async def sleep_async(seconds: float) -> None:
            self.waits.append(seconds)
            await anyio.sleep(0)

        uuids = (f"uuid-{number}" for number in itertools.count())
        runtime = Runtime(self.waits.append, sleep_async, lambda: 0.5, lambda: next(uuids))
        settings: dict[str, Any] = {"url": "http://mneme.test", "api_key": "mnk_test", **options}
        if self._kind == "Mneme":
            transport = httpx.MockTransport(lambda request: answer(request, request.read()))
            http = httpx.Client(transport=transport)
            return Mneme(http_client=http, _runtime=runtime, **settings)
        http_async = httpx.AsyncClient(transport=httpx.MockTransport(cast(Any, answer_async)))
        client = AsyncMneme(http_client=http_async, _runtime=runtime, **settings)
        return Blocking(client, self._portal)


@pytest.fixture
def scripted(kind: str, portal: BlockingPortal) -> Iterator[Scripted]:
    yield Scripted(kind, portal)


def fresh(response: httpx.Response) -> httpx.Response:
    """A copy, since a response can be read once; a stream is used as it is."""
    try:
        content = response.content
    except httpx.ResponseNotRead:
        return response
    return httpx.Response(response.status_code, headers=response.headers, content=content)


def fresh_json(body: Any) -> httpx.Response:
    return httpx.Response(200, json=body)


def memory(**fields: Any) -> dict[str, Any]:
    """A memory as the service sends it."""
    return {
        "id": ID,
        "content": "Ana prefers tea over coffee.",
        "content_type": "text",
        "space_id": None,
        "user_id": None,
        "agent_id": None,
        "run_id": None,
        "session_id": None,
        "tags": ["taste"],
        "metadata": {"source": "chat"},
        "priority": 5,
        "salience": 0.5,
        "is_pinned": False,
        "is_deleted": False,
        "protection_level": "none",
        "quality_score": None,
        "occurred_at": None,
        "expires_at": None,
        "verified_at": None,
        "deleted_at": None,
        "created_at": "2026-03-04T05:06:07.890Z",
        "updated_at": "2026-03-04T05:06:07.890Z",
        "outdated_by": None,
        **fields,
    }


def error(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    """An error response in the nested format."""
    body = {"error": {"code": code, "message": f"Says {code}.", "request_id": "req_1", **more}}
    return httpx.Response(status, json=body, headers=headers)
