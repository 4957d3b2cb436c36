"""Verification of webhook deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import b64decode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, Union

from ._model import Model, decode
from .models import ErasedEvent, Event

TOLERANCE_SECONDS_DEFAULT = 300
#: The service sends at most two: the second with the previous secret.
SIGNATURES_MAX = 8

WebhookErrorReason = Literal["missing_header", "malformed", "stale", "mismatch"]


class WebhookTestData(Model):
    """The data of a test delivery."""

    webhook_id: str
    message: str
    test: Literal[True]
    event_type: str | None = None


class WebhookTestEvent(Model):
    """The event that POST /webhooks/{webhookId}/test sends."""

    id: str
    type: Literal["webhook.test"]
    event: Literal["webhook.test"]
    created_at: datetime
    webhook_id: str
    data: WebhookTestData


#: The event of a delivery, in either payload form; `type` discriminates.
WebhookEvent = Union[Event, ErasedEvent, WebhookTestEvent]

#: A mapping, or the pairs of a WSGI or ASGI server, of text or bytes.
WebhookHeaders = Union[Mapping[str, Any], Iterable["tuple[str | bytes, str | bytes]"]]


class WebhookError(Exception):
    """The delivery is not authentic or not valid."""

    def __init__(self, reason: WebhookErrorReason, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookErrorReason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.reason, str(self)))


def verify_webhook(
    body: bytes | str,
    headers: WebhookHeaders,
    *,
    secret: str | None = None,
    secrets: Sequence[str] = (),
    tolerance_seconds: float = TOLERANCE_SECONDS_DEFAULT,
    now: datetime | None = None,
    standard: bool = False,
) -> WebhookEvent:
    """Verifies the signature and the age of a delivery and returns its event.

    Args:
        body: The raw body: serializing parsed JSON again can change it.
        headers: The headers of the request.
        secret: The secret of the webhook.
        secrets: More secrets, for rotating the secret without downtime.
        tolerance_seconds: Maximum difference between the time of signing and `now`.
        now: The time, with a time zone; default: the clock.
        standard: Verifies the header webhook-signature of Standard Webhooks, which also covers the
            id of the delivery, instead of x-webhook-signature.

    Raises:
        WebhookError: The delivery is not authentic or not valid.
        TypeError: There is no secret.
    """
    keys = [*([] if secret is None else [secret]), *secrets]
    if not keys or "" in keys:
        raise TypeError("verify_webhook requires secret or secrets")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signature = _read_standard(headers) if standard else _read_signature(headers)
    moment = datetime.now(timezone.utc) if now is None else now
    # Negated, so that NaN as the tolerance rejects the delivery.
    if not abs(moment.timestamp() - int(signature.time)) <= tolerance_seconds:
        raise WebhookError(
            "stale", f"The timestamp differs from now by more than {tolerance_seconds} s"
        )
    if not _is_signed_by(keys, signature, signature.prefix + content):
        raise WebhookError("mismatch", "The signature does not match the body")
    return _parse(content)


@dataclass(frozen=True)
class _Signature:
    #: Unix seconds, as text.
    time: str
    digests: list[bytes]
    #: What is signed before the body.
    prefix: bytes


def _is_signed_by(keys: Iterable[str], signature: _Signature, signed: bytes) -> bool:
    """Constant-time for each pair."""
    found = False
    for key in keys:
        expected = hmac.new(key.encode(), signed, hashlib.sha256).digest()
        for digest in signature.digests:
            found = hmac.compare_digest(expected, digest) or found
    return found


def _read_signature(headers: WebhookHeaders) -> _Signature:
    text = _header(headers, "x-webhook-signature")
    if "=" not in text:
        time = _time(_header(headers, "x-webhook-timestamp"))
        return _Signature(time, [_hex_digest(text)], f"{time}.".encode())
    parts = [part.partition("=") for part in text.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    digests = [value for name, _, value in parts if name == "v1"]
    if len(times) != 1:
        raise _malformed("one t=")
    if not 1 <= len(digests) <= SIGNATURES_MAX:
        raise _malformed("v1=")
    time = _time(times[0])
    return _Signature(time, [_hex_digest(digest) for digest in digests], f"{time}.".encode())


def _read_standard(headers: WebhookHeaders) -> _Signature:
    """https://www.standardwebhooks.com: `v1,<base64>` for each secret, separated by spaces."""
    message_id = _header(headers, "webhook-id")
    time = _time(_header(headers, "webhook-timestamp"))
    parts = [part.partition(",") for part in _header(headers, "webhook-signature").split(" ")]
    digests = [value for version, _, value in parts if version == "v1"]
    if not 1 <= len(digests) <= SIGNATURES_MAX:
        raise _malformed("v1,")
    prefix = f"{message_id}.{time}.".encode()
    return _Signature(time, [_base64_digest(digest) for digest in digests], prefix)


def _header(headers: WebhookHeaders, name: str) -> str:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    values: list[str] = []
    for key, value in pairs:
        if _text(key).lower() != name or value is None:
            continue
        items = value if isinstance(value, (list, tuple)) else [value]
        values.extend(_text(item) for item in items)
    if len(values) > 1:
        raise _malformed(f"one {name}")
    if not values or not values[0]:
        raise WebhookError("missing_header", f"The header {name} is missing")
    return values[0]


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _malformed(what: str) -> WebhookError:
    return WebhookError("malformed", f"The signature must have {what}")


def _time(text: str) -> str:
    if re.fullmatch(r"[0-9]{1,15}", text):
        return text
    raise _malformed("its time in Unix seconds")


def _hex_digest(text: str) -> bytes:
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise _malformed("64 hexadecimal digits in lower case")
    return bytes.fromhex(text)


def _base64_digest(text: str) -> bytes:
    if not re.fullmatch(r"[0-9A-Za-z+/]{43}=", text):
        raise _malformed("32 bytes in base64")
    return b64decode(text)


def _parse(content: bytes) -> WebhookEvent:
    try:
        data = json.loads(content.decode())
    except ValueError as error:
        raise WebhookError("malformed", "The signed body is not valid JSON") from error
    if not isinstance(data, dict):
        raise WebhookError("malformed", "The signed body is not a JSON object")
    event: WebhookEvent = decode(WebhookEvent, _unwrapped(data))
    return event


def _unwrapped(payload: dict[str, Any]) -> dict[str, Any]:
    """The form `object` of a payload: in the form `wrapped`, data is below the name of its area."""
    area = str(payload.get("type", "")).split(".")[0]
    data = payload.get("data")
    if isinstance(data, dict) and list(data) == [area] and isinstance(data[area], dict):
        return {**payload, "data": data[area]}
    return payload
