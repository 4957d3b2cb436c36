"""The clients."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ParamSpec, TypeVar

import httpx

from ._async import AsyncTransport
from ._json import encode_json
from ._not_given import NOT_GIVEN, NotGiven
from ._operation import FullResponse
from ._retry import Runtime
from ._sync import SyncTransport
from ._transport import (
    NOTHING,
    OptionalTimeout,
    RequestHook,
    ResponseHook,
    Settings,
    Timeout,
    authorization,
    captured_response,
    full_response,
)
from ._url import DEFAULT_URL, build_url
from ._version import __version__
from .resources import AsyncResources, Resources

P = ParamSpec("P")
T = TypeVar("T")

#: Timeout of one attempt in seconds: a response can wait 30 s for its result.
TIMEOUT_DEFAULT = 40.0
RETRIES_DEFAULT = 3
USER_AGENT = f"mneme-python/{__version__}"


def read_settings(
    url: str | None, api_key: str | None, timeout: Timeout, retries: int, runtime: Runtime | None
) -> Settings:
    """An empty variable counts as unset."""
    return Settings.create(
        url or os.environ.get("MNEME_URL") or DEFAULT_URL,
        api_key or os.environ.get("MNEME_API_KEY"),
        timeout,
        retries,
        runtime or Runtime(),
    )


class Mneme(Resources):
    """A client of a Mneme service, safe to share between threads.

    Args:
        url: URL of the service, with or without /v1; default: MNEME_URL or http://127.0.0.1:7077.
        api_key: An API key or a session token; default: MNEME_API_KEY.
        timeout: Seconds without a byte after which an attempt fails, or the timeouts of httpx.
        max_retries: Attempts after the first.
        http_client: A client of httpx with your own proxies, certificates or event hooks. You
            close it.
        on_request: Called with each request that is sent, also for a retry.
        on_response: Called with each response, before its body is read.

    Raises:
        ValueError: The URL or the key is not valid.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        api_key: str | None = None,
        timeout: Timeout = TIMEOUT_DEFAULT,
        max_retries: int = RETRIES_DEFAULT,
        http_client: httpx.Client | None = None,
        on_request: RequestHook | None = None,
        on_response: ResponseHook | None = None,
        _runtime: Runtime | None = None,
    ) -> None:
        settings = read_settings(url, api_key, timeout, max_retries, _runtime)
        self._is_owner = http_client is None
        http = http_client or httpx.Client(headers={"user-agent": USER_AGENT})
        self._transport = SyncTransport(settings, http, on_request, on_response)
        super().__init__(self._transport)

    def __enter__(self) -> Mneme:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        if self._is_owner:
            self._transport.http.close()

    def raw(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> FullResponse[T]:
        """Calls a method of this client and returns its result with status and headers."""
        received: list[httpx.Response] = []
        token = captured_response.set(received)
        try:
            return full_response(received, method(*args, **kwargs))
        finally:
            captured_response.reset(token)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str] = NOTHING,
        body: Any = None,
        timeout: OptionalTimeout = NOT_GIVEN,
    ) -> httpx.Response:
        """Sends one request unchanged: no retries, no error for any status.

        `path` is below /v1 if it starts with a slash, else a complete URL. bytes and str are sent
        as they are, any other body as JSON.
        """
        settings = self._transport.settings
        arguments = request_arguments(settings, path, query, headers, body, timeout)
        request = self._transport.http.build_request(method, **arguments)
        response = self._transport.open(request)
        try:
            response.read()
        finally:
            response.close()
        return response


class AsyncMneme(AsyncResources):
    """A client of a Mneme service for asyncio and trio.

    Args:
        url: URL of the service, with or without /v1; default: MNEME_URL or http://127.0.0.1:7077.
        api_key: An API key or a session token; default: MNEME_API_KEY.
        timeout: Seconds without a byte after which an attempt fails, or the timeouts of httpx.
        max_retries: Attempts after the first.
        http_client: A client of httpx with your own proxies, certificates or event hooks. You
            close it.
        on_request: Called with each request that is sent, also for a retry; may be async.
        on_response: Called with each response, before its body is read; may be async.

    Raises:
        ValueError: The URL or the key is not valid.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        api_key: str | None = None,
        timeout: Timeout = TIMEOUT_DEFAULT,
        max_retries: int = RETRIES_DEFAULT,
        http_client: httpx.AsyncClient | None = None,
        on_request: RequestHook | None = None,
        on_response: ResponseHook | None = None,
        _runtime: Runtime | None = None,
    ) -> None:
        settings = read_settings(url, api_key, timeout, max_retries, _runtime)
        self._is_owner = http_client is None
        http = http_client or httpx.AsyncClient(headers={"user-agent": USER_AGENT})
        self._transport = AsyncTransport(settings, http, on_request, on_response)
        super().__init__(self._transport)

    async def __aenter__(self) -> AsyncMneme:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        if self._is_owner:
            await self._transport.http.aclose()

    async def raw(
        self, method: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> FullResponse[T]:
        """Calls a method of this client and returns its result with status and headers."""
        received: list[httpx.Response] = []
        token = captured_response.set(received)
        try:
            return full_response(received, await method(*args, **kwargs))
        finally:
            captured_response.reset(token)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str] = NOTHING,
        body: Any = None,
        timeout: OptionalTimeout = NOT_GIVEN,
    ) -> httpx.Response:
        """Sends one request unchanged: no retries, no error for any status.

        `path` is below /v1 if it starts with a slash, else a complete URL. bytes and str are sent
        as they are, any other body as JSON.
        """
        settings = self._transport.settings
        arguments = request_arguments(settings, path, query, headers, body, timeout)
        request = self._transport.http.build_request(method, **arguments)
        response = await self._transport.open(request)
        try:
            await response.aread()
        finally:
            await response.aclose()
        return response


def request_arguments(
    settings: Settings,
    path: str,
    query: Mapping[str, Any],
    headers: Mapping[str, str],
    body: Any,
    timeout: OptionalTimeout,
) -> dict[str, Any]:
    url = build_url(settings.base_url, path, query)
    is_encoded = body is None or isinstance(body, (bytes, str))
    content_type = {} if body is None else {"content-type": "application/json"}
    named = {name.lower(): value for name, value in headers.items()}
    return {
        "url": url,
        "headers": {**content_type, **authorization(settings, url), **named},
        "content": body if is_encoded else encode_json(body),
        "timeout": settings.timeout if isinstance(timeout, NotGiven) else timeout,
    }
