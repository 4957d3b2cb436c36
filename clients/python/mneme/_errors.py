"""Errors of the client; those of single codes are in mneme.errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class MnemeConnectionError(ConnectionError):
    """No response: the connection failed. `__cause__` is the error of httpx."""


class MnemeTimeoutError(TimeoutError):
    """No response in time. `__cause__` is the error of httpx."""


@dataclass(frozen=True)
class FieldError:
    """An error of one field of a request."""

    code: str
    message: str
    #: The value that was sent, if it is short; the number of items of a list.
    received: Any = None
    #: Inclusive bounds of the value, its characters or its items.
    min: float | None = None
    max: float | None = None


class MnemeError(Exception):
    """An error response of the service, in any of its formats."""

    #: HTTP status of the response.
    status: int
    #: An error code of the API, or `http_<status>` if the response has none.
    code: str
    message: str
    #: Errors of single fields, by dotted path.
    fields: dict[str, FieldError]
    details: dict[str, Any]
    #: Id of the request in the log of the service.
    request_id: str | None
    #: Seconds until a retry is allowed; None if the response does not say.
    retry_after: float | None
    response: httpx.Response

    def __init__(self, response: httpx.Response, body: Any) -> None:
        parsed = parse_error(response, body)
        super().__init__(parsed.message)
        self.response = response
        self.status = response.status_code
        self.code = parsed.code
        self.message = parsed.message
        self.details = dict(parsed.details)
        self.fields = parsed.fields
        self.request_id = parsed.request_id
        self.retry_after = retry_after_seconds(response)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (type(self), self.args, {**self.__dict__, "response": None}))

    def __str__(self) -> str:
        return f"{self.message} ({self.code}, status {self.status})"


def _restore(cls: type[MnemeError], args: tuple[Any, ...], state: dict[str, Any]) -> MnemeError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class BadRequestError(MnemeError):
    """Status 400."""


class UnauthorizedError(MnemeError):
    """Status 401."""


class ForbiddenError(MnemeError):
    """Status 403."""


class NotFoundError(MnemeError):
    """Status 404."""


class ConflictError(MnemeError):
    """Status 409."""


class UnprocessableContentError(MnemeError):
    """Status 422."""


class TooManyRequestsError(MnemeError):
    """Status 429."""


class ServerError(MnemeError):
    """Status 500 and above."""


CLASS_OF_STATUS: Mapping[int, type[MnemeError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableContentError,
    429: TooManyRequestsError,
}


@dataclass(frozen=True)
class ParsedError:
    code: str
    message: str
    details: Mapping[str, Any]
    fields: dict[str, FieldError]
    request_id: str | None


def parse_error(response: httpx.Response, body: Any) -> ParsedError:
    """Reads the nested, flat, status and problem+json formats; other bodies give the status."""
    outer = _record(body)
    inner = _record(outer.get("error"))
    flat_code = None if "statusCode" in outer else _text(outer.get("error"))
    details = _record(inner["details"] if "details" in inner else outer.get("details"))
    fields = _record(details.get("fields") or outer.get("fields"))
    status = response.status_code
    return ParsedError(
        code=_text(inner.get("code"), outer.get("code"), flat_code) or f"http_{status}",
        message=_text(inner.get("message"), outer.get("detail"), outer.get("message"))
        or _status_message(status),
        details=details,
        fields={str(name): _field_error(_record(value)) for name, value in fields.items()},
        request_id=response.headers.get("x-request-id")
        or _text(inner.get("request_id"), outer.get("request_id")),
    )


def _record(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(*values: Any) -> str | None:
    return next((value for value in values if isinstance(value, str) and value), None)


def _field_error(data: Mapping[str, Any]) -> FieldError:
    return FieldError(
        code=str(data.get("code", "")),
        message=str(data.get("message", "")),
        received=data.get("received"),
        min=data.get("min"),
        max=data.get("max"),
    )


def _status_message(status: int) -> str:
    if 200 <= status < 300:
        return f"The response ({status}) is not from a Mneme service: check the URL."
    return f"The service responded with status {status}."


def retry_after_seconds(response: httpx.Response) -> float | None:
    """Retry-After in seconds; None if missing or unreadable.

    A date is compared to the Date header of the response, so that the clocks need not agree.
    """
    value = response.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
        now = parsedate_to_datetime(response.headers.get("date", ""))
        return float(max(0, math.ceil((until - now).total_seconds())))
    except (TypeError, ValueError, IndexError):
        return None
