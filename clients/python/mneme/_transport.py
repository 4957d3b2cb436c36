"""Requests and responses over httpx, with retries."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union

import httpx

from ._body import Body, upload_seconds
from ._errors import MnemeConnectionError, MnemeError, MnemeTimeoutError
from ._json import encode_json
from ._model import Model, decode, is_model, recognized_fields
from ._not_given import NOT_GIVEN, NotGiven
from ._operation import FullResponse, Operation
from ._retry import RetryPolicy, Runtime, delay_after_error, delay_after_response
from ._url import build_url, fill_path, is_same_origin, normalize_base_url
from .errors import error_class_of

T = TypeVar("T")

NOTHING: Mapping[str, Any] = {}

#: Seconds, or the timeouts of httpx; None for no timeout.
Timeout = Union[float, httpx.Timeout, None]
OptionalTimeout = Union[float, httpx.Timeout, None, NotGiven]

logger = logging.getLogger("mneme")

#: Receives the response of the call in `raw`.
captured_response: ContextVar[list[httpx.Response] | None] = ContextVar(
    "captured_response", default=None
)


@dataclass(frozen=True)
class Settings:
    """What both clients have in common."""

    base_url: str
    api_key: str | None
    timeout: Timeout
    retries: int
    runtime: Runtime

    @classmethod
    def create(
        cls, url: str, api_key: str | None, timeout: Timeout, retries: int, runtime: Runtime
    ) -> Settings:
        key = (api_key or "").strip()
        # Other characters are invalid in an HTTP header and would fail later with an unclear error.
        if not re.fullmatch(r"[\x21-\x7e]*", key):
            raise ValueError("api_key is not an API key: it has characters other than ASCII")
        return cls(normalize_base_url(url), key or None, timeout, max(0, retries), runtime)


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request that can be sent repeatedly."""

    operation: Operation[T]
    url: str
    headers: dict[str, str]
    content: bytes | Body | None
    timeout: Timeout
    policy: RetryPolicy

    def leaves_unread(self, status: int) -> bool:
        """Whether the caller reads the body of the response."""
        return self.operation.is_binary and is_expected(self.operation, status, None)


@dataclass(frozen=True)
class CallInput:
    """The arguments of a method, by their place in the request."""

    path: Mapping[str, Any]
    query: Mapping[str, Any]
    headers: Mapping[str, str | None]
    #: A JSON body; None for no body.
    body: Mapping[str, Any] | None = None
    #: A binary body.
    content: Body | None = None
    extra_headers: Mapping[str, str] | None = None
    timeout: OptionalTimeout = NOT_GIVEN


def prepare(settings: Settings, operation: Operation[T], given: CallInput) -> Call[T]:
    """Builds the request. Raises ValueError for invalid arguments, before anything is sent."""
    url = build_url(settings.base_url, fill_path(operation.path, given.path), given.query)
    headers = {"accept": "*/*" if operation.is_binary else "application/json"}
    headers.update(authorization(settings, url))
    content: bytes | Body | None = given.content
    if content is None and given.body is not None:
        content = encode_json(given.body)
        headers["content-type"] = "application/json"
    if operation.idempotent:
        headers["idempotency-key"] = settings.runtime.uuid()
    named = {name: value for name, value in given.headers.items() if value is not None}
    for source in (operation.headers, named, given.extra_headers or {}):
        headers.update((name.lower(), value) for name, value in source.items())
    timeout = settings.timeout if isinstance(given.timeout, NotGiven) else given.timeout
    return Call(
        operation=operation,
        url=url,
        headers=headers,
        content=content,
        timeout=with_upload_time(timeout, content),
        policy=policy_of(settings, operation, headers, content),
    )


def authorization(settings: Settings, url: str) -> dict[str, str]:
    """The key is only sent to its own service, even if the URL is one of another host."""
    if settings.api_key is None or not is_same_origin(url, settings.base_url):
        return {}
    return {"authorization": f"Bearer {settings.api_key}"}


def with_upload_time(timeout: Timeout, content: bytes | Body | None) -> Timeout:
    """Adds the time in which the service processes a large body before it responds."""
    length = len(content) if isinstance(content, bytes) else content.length if content else 0
    if length is None:
        return None
    seconds = upload_seconds(length)
    if timeout is None or seconds < 1:
        return timeout
    base = timeout if isinstance(timeout, httpx.Timeout) else httpx.Timeout(timeout)
    return httpx.Timeout(
        connect=base.connect,
        write=base.write,
        pool=base.pool,
        read=None if base.read is None else base.read + seconds,
    )


def policy_of(
    settings: Settings,
    operation: Operation[Any],
    headers: Mapping[str, str],
    content: bytes | Body | None,
) -> RetryPolicy:
    """PUT, PATCH and DELETE are idempotent; a POST that only reads or has a key is, too.

    With If-Match or Upload-Offset, a retry would return 412 or 409 and hide that the first attempt
    took effect.
    """
    is_repeatable = not isinstance(content, Body) or content.is_repeatable
    is_idempotent = operation.reads or operation.method != "POST" or "idempotency-key" in headers
    is_conditional = "if-match" in headers or "upload-offset" in headers
    return RetryPolicy(
        retries=settings.retries if is_repeatable else 0,
        after_connection_loss=is_idempotent and not is_conditional,
        after_server_error=operation.reads,
    )


def read_body(response: httpx.Response) -> Any:
    """Parsed JSON, text for other text types, else bytes; None for an empty body."""
    content = response.content
    if not content:
        return None
    media_type = response.headers.get("content-type", "text/plain")
    if re.search(r"[/+]json", media_type):
        try:
            return json.loads(content)
        except ValueError:
            # A proxy wrote the response; the caller receives its text.
            return content.decode(errors="replace")
    if re.search(r"^text/|[/+]xml", media_type):
        return content.decode(errors="replace")
    return content


def is_expected(operation: Operation[Any], status: int, body: Any) -> bool:
    """A success of the declared shape, or another status with one, such as 503 of health."""
    is_success = 200 <= status < 300
    if operation.is_binary:
        return is_success or status == 304
    if operation.has_text and status == 200 and isinstance(body, str):
        return True
    shape: Any = operation.responses.get(status)
    if not is_success:
        return is_model(shape) and recognized_fields(shape, body) > 0
    return isinstance(body, Mapping) if shape is not None else True


def decode_body(operation: Operation[T], status: int, body: Any) -> Any:
    """Converts a body to the type of its status; text stays text."""
    if not isinstance(body, Mapping):
        return body
    return decode(operation.responses.get(status, Model), body)


def as_error(response: httpx.Response, body: Any) -> MnemeError:
    return error_class_of(response, body)(response, body)


def as_connection_error(error: httpx.RequestError, url: str) -> OSError:
    """Without the URL's query, which can contain content."""
    place = url.split("?")[0]
    reason = str(error) or type(error).__name__
    if isinstance(error, httpx.TimeoutException):
        return MnemeTimeoutError(f"No response in time from {place}: {reason}")
    return MnemeConnectionError(f"No response from {place}: {reason}")


@dataclass
class Attempts:
    """The attempts of one call: decides after each failure whether to repeat it."""

    call: Call[Any]
    settings: Settings
    attempt: int = 0

    def after_error(self, error: httpx.RequestError) -> float:
        """Seconds to wait. Raises MnemeConnectionError or MnemeTimeoutError if it is final."""
        policy, runtime = self.call.policy, self.settings.runtime
        delay = delay_after_error(policy, runtime, self.attempt, error)
        if delay is None:
            raise as_connection_error(error, self.call.url) from error
        return self._repeat(delay, type(error).__name__)

    def after_response(self, response: httpx.Response) -> Outcome | float:
        """The outcome, or seconds to wait. Raises MnemeError for a final error response."""
        operation, status = self.call.operation, response.status_code
        if operation.is_binary and is_expected(operation, status, None):
            return Outcome(None)
        body = read_body(response)
        if is_expected(operation, status, body):
            return Outcome(decode_body(operation, status, body))
        error = as_error(response, body)
        policy, runtime = self.call.policy, self.settings.runtime
        delay = delay_after_response(policy, runtime, self.attempt, response, error.code)
        if delay is None:
            raise error
        return self._repeat(delay, f"status {status}")

    def _repeat(self, delay: float, reason: str) -> float:
        self.attempt += 1
        logger.debug(
            "request retried operation=%s attempt=%d delay=%.3f reason=%s",
            self.call.operation.id,
            self.attempt,
            delay,
            reason,
        )
        return delay


@dataclass(frozen=True)
class Outcome:
    """A response that its operation declares."""

    body: Any


def capture(response: httpx.Response) -> None:
    received = captured_response.get()
    if received is not None:
        received.append(response)


def full_response(received: list[httpx.Response], body: T) -> FullResponse[T]:
    """Raises TypeError if the method sent no request, such as an iterator over events."""
    if not received:
        raise TypeError("raw requires a method that sends one request, such as memories.get")
    return FullResponse(received[-1].status_code, received[-1].headers, body)


RequestHook = Callable[[httpx.Request], object]
ResponseHook = Callable[[httpx.Response], object]
