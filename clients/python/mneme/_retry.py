"""Which requests are repeated, and when."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import httpx

from ._errors import retry_after_seconds

BACKOFF_SECONDS_MIN = 0.2
BACKOFF_SECONDS_MAX = 10.0
#: Waits for rate limit windows of a minute; a monthly quota error is raised immediately.
RETRY_AFTER_SECONDS_MAX = 60.0

#: Nothing was sent: a retry is always safe.
UNSENT_ERRORS = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
#: The request itself is not valid.
FINAL_ERRORS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.TooManyRedirects)


@dataclass(frozen=True)
class Runtime:
    """Dependencies of a client on time and chance; tests replace them."""

    sleep: Callable[[float], None] = time.sleep
    async_sleep: Callable[[float], Awaitable[object]] = field(default=anyio.sleep)
    #: A number in [0, 1), for jitter.
    random: Callable[[], float] = random.random
    uuid: Callable[[], str] = field(default=lambda: str(uuid.uuid4()))


@dataclass(frozen=True)
class RetryPolicy:
    """Which failures of a request can be retried."""

    #: Attempts after the first.
    retries: int
    #: The request is idempotent: retry even if it may have taken effect.
    after_connection_loss: bool
    #: The request only reads: retry after a 500, which a write would likely repeat.
    after_server_error: bool


def backoff_seconds(runtime: Runtime, attempt: int) -> float:
    """Doubles with each attempt, with full jitter.

    Brooker, "Exponential Backoff And Jitter", 2015.
    """
    return runtime.random() * min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS_MIN * 2.0**attempt)


def delay_after_error(
    policy: RetryPolicy, runtime: Runtime, attempt: int, error: httpx.RequestError
) -> float | None:
    """Seconds to wait before the next attempt; None if the error is final."""
    if attempt >= policy.retries or isinstance(error, FINAL_ERRORS):
        return None
    if policy.after_connection_loss or isinstance(error, UNSENT_ERRORS):
        return backoff_seconds(runtime, attempt)
    return None


def delay_after_response(
    policy: RetryPolicy, runtime: Runtime, attempt: int, response: httpx.Response, code: str
) -> float | None:
    """Seconds to wait before the next attempt; None if the error response is final."""
    if attempt >= policy.retries or not should_retry(policy, response.status_code, code):
        return None
    delay = retry_after_seconds(response)
    if delay is None:
        return backoff_seconds(runtime, attempt)
    return delay if delay <= RETRY_AFTER_SECONDS_MAX else None


def should_retry(policy: RetryPolicy, status: int, code: str) -> bool:
    # 429 and 503 precede any effect. idempotency_in_progress: an earlier attempt timed out here
    # but still runs on the service; its outcome will be replayed.
    if status in (429, 503) or (status == 409 and code == "idempotency_in_progress"):
        return True
    if status == 500:
        return policy.after_server_error
    return status in (408, 502, 504) and policy.after_connection_loss
