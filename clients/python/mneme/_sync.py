"""Sends the calls of Mneme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import httpx

from ._body import Body
from ._download import Download
from ._json import given
from ._not_given import NOT_GIVEN
from ._operation import Operation
from ._paginate import Page, attach_reader
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
D = TypeVar("D")


class SyncTransport:
    def __init__(
        self,
        settings: Settings,
        http: httpx.Client,
        on_request: RequestHook | None,
        on_response: ResponseHook | None,
    ) -> None:
        self.settings = settings
        self.http = http
        self._on_request = on_request
        self._on_response = on_response

    def call(
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
        response, outcome = self.send(prepare(self.settings, operation, sent))
        capture(response)
        if operation.is_binary:
            return cast("T", Download(response))
        if isinstance(outcome.body, Page):

            def read(position: Mapping[str, Any]) -> Any:
                return self.call(
                    operation,
                    path=path,
                    query={**query, **position},
                    headers=headers,
                    extra_headers=extra_headers,
                    timeout=timeout,
                )

            attach_reader(outcome.body, read, int(given(query).get("offset") or 0))
        return cast("T", outcome.body)

    def download(self, operation: Operation[Any], **arguments: Any) -> Download:
        """Sends a call whose response is binary, and leaves its body unread."""
        return cast(Download, self.call(operation, **arguments))

    def send(self, call: Call[Any]) -> tuple[httpx.Response, Outcome]:
        """Sends a call with retries."""
        attempts = Attempts(call, self.settings)
        while True:
            try:
                response = self._send_once(call)
            except httpx.RequestError as error:
                delay = attempts.after_error(error)
            else:
                outcome = attempts.after_response(response)
                if isinstance(outcome, Outcome):
                    return response, outcome
                delay = outcome
            self.settings.runtime.sleep(delay)

    def _send_once(self, call: Call[Any]) -> httpx.Response:
        response = self.open(self._build(call))
        if not call.leaves_unread(response.status_code):
            with closing(response):
                response.read()
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
            content=content.chunks() if isinstance(content, Body) else content,
            timeout=call.timeout,
        )

    def open(self, request: httpx.Request) -> httpx.Response:
        """Sends one request and leaves the body of the response unread."""
        if self._on_request is not None:
            self._on_request(request)
        response = self.http.send(request, stream=True)
        if self._on_response is not None:
            self._on_response(response)
        return response


@contextmanager
def closing(response: httpx.Response) -> Iterator[None]:
    try:
        yield
    finally:
        response.close()
