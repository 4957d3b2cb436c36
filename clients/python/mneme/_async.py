"""Sends the calls of AsyncMneme."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar, cast

import httpx

from ._body import Body
from ._download import AsyncDownload
from ._json import given
from ._not_given import NOT_GIVEN
from ._operation import Operation
from ._paginate import AsyncPages, Page
from ._transport import (
    NOTHING,
    Attempts,
    Call,
    CallInput,
    OptionalTimeout,
    Outcome,
    RequestHook,
    ResponseHook,
    Settings,
    capture,
    prepare,
)

T = TypeVar("T")
P = TypeVar("P", bound=Page[Any])


class AsyncTransport:
    def __init__(
        self,
        settings: Settings,
        http: httpx.AsyncClient,
        on_request: RequestHook | None,
        on_response: ResponseHook | None,
    ) -> None:
        self.settings = settings
        self.http = http
        self._on_request = on_request
        self._on_response = on_response

    async def call(
        self,
        operation: Operation[T],
        *,
        path: Mapping[str, Any] = NOTHING,
        query: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str | None] = NOTHING,
        body: Mapping[str, Any] | None = None,
        content: Body | None = None,
        extra_headers: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
    ) -> T:
        """Sends a call and returns what its method returns."""
        sent = CallInput(path, query, headers, body, content, extra_headers, timeout)
        response, outcome = await self.send(prepare(self.settings, operation, sent))
        capture(response)
        return cast("T", AsyncDownload(response) if operation.is_binary else outcome.body)

    def pages(
        self,
        operation: Operation[P],
        *,
        path: Mapping[str, Any] = NOTHING,
        query: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str | None] = NOTHING,
        extra_headers: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
    ) -> AsyncPages[P, Any]:
        """The list that a call returns; nothing is sent before it is awaited or iterated."""

        def read(position: Mapping[str, Any]) -> Awaitable[P]:
            return self.call(
                operation,
                path=path,
                query={**query, **position},
                headers=headers,
                extra_headers=extra_headers,
                timeout=timeout,
            )

        return AsyncPages(read, int(given(query).get("offset") or 0))

    async def download(self, operation: Operation[Any], **arguments: Any) -> AsyncDownload:
        """Sends a call whose response is binary, and leaves its body unread."""
        return cast(AsyncDownload, await self.call(operation, **arguments))

    async def send(self, call: Call[Any]) -> tuple[httpx.Response, Outcome]:
        """Sends a call with retries."""
        attempts = Attempts(call, self.settings)
        while True:
            try:
                response = await self._send_once(call)
            except httpx.RequestError as error:
                delay = attempts.after_error(error)
            else:
                outcome = attempts.after_response(response)
                if isinstance(outcome, Outcome):
                    return response, outcome
                delay = outcome
            await self.settings.runtime.async_sleep(delay)

    async def _send_once(self, call: Call[Any]) -> httpx.Response:
        response = await self.open(self._build(call))
        if not call.leaves_unread(response.status_code):
            try:
                await response.aread()
            finally:
                await response.aclose()
        return response

    def _build(self, call: Call[Any]) -> httpx.Request:
        content = call.content
        headers = call.headers
        if isinstance(content, Body) and content.length is not None:
            headers = {**headers, "content-length": str(content.length)}
        return self.http.build_request(
            call.operation.method,
            call.url,
            headers=headers,
            content=content.async_chunks() if isinstance(content, Body) else content,
            timeout=call.timeout,
        )

    async def open(self, request: httpx.Request) -> httpx.Response:
        """Sends one request and leaves the body of the response unread."""
        await _run_hook(self._on_request, request)
        response = await self.http.send(request, stream=True)
        await _run_hook(self._on_response, response)
        return response


async def _run_hook(hook: Any, argument: object) -> None:
    """Hooks are functions or coroutine functions."""
    result = None if hook is None else hook(argument)
    if inspect.isawaitable(result):
        await result
