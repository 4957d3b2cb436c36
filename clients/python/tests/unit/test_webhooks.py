from __future__ import annotations

import hashlib
import hmac
import json
from base64 import b64encode
from datetime import datetime, timezone
from typing import Any

import pytest

from mneme import Model, WebhookError, WebhookTestEvent, models, verify_webhook

from .conftest import ID, memory

SECRET = "a-secret-of-this-test-9f2c"
NOW = datetime(2026, 3, 4, 5, 6, 7, 890_000, tzinfo=timezone.utc)
SECONDS = 1_772_600_767
EVENT = {
    "id": ID,
    "type": "memory.created",
    "created_at": "2026-03-04T05:06:07.890Z",
    "space_id": None,
    "data": memory(content="Grüße 🎉"),
    "previous_data": None,
    "changes": None,
    "webhook_id": ID,
}
BODY = json.dumps(EVENT, ensure_ascii=False)

Headers = dict[str, Any]


def digest(text: str, key: str = SECRET) -> hmac.HMAC:
    return hmac.new(key.encode(), text.encode(), hashlib.sha256)


def timestamped(body: str = BODY, time: int = SECONDS, *keys: str) -> Headers:
    digests = [digest(f"{time}.{body}", key).hexdigest() for key in keys or (SECRET,)]
    return {"x-webhook-signature": ",".join([f"t={time}", *(f"v1={one}" for one in digests)])}


def plain(body: str = BODY, time: int = SECONDS) -> Headers:
    return {
        "x-webhook-timestamp": str(time),
        "x-webhook-signature": digest(f"{time}.{body}").hexdigest(),
    }


def standard(body: str = BODY, time: int = SECONDS, *keys: str) -> Headers:
    digests = [digest(f"d1.{time}.{body}", key).digest() for key in keys or (SECRET,)]
    return {
        "webhook-id": "d1",
        "webhook-timestamp": str(time),
        "webhook-signature": " ".join(f"v1,{b64encode(one).decode()}" for one in digests),
    }


forms: dict[str, Any] = {"timestamped": timestamped, "plain": plain, "standard": standard}


def verdict(headers: Headers | list[Any], body: str | bytes = BODY, **options: Any) -> Any:
    """The event, or why it is refused."""
    if not (options.keys() & {"secret", "secrets"}):
        options["secret"] = SECRET
    options.setdefault("now", NOW)
    try:
        return verify_webhook(body, headers, **options)
    except WebhookError as error:
        return error.reason


@pytest.fixture(params=forms)
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_delivery_is_the_event_that_was_sent(form: str) -> None:
    headers = forms[form]()
    bodies: list[str | bytes] = [BODY, BODY.encode()]
    for body in bodies:
        event = verdict(headers, body, standard=form == "standard")
        assert isinstance(event, models.MemoryCreatedEvent)
        assert event.data.content == "Grüße 🎉"
        assert event.webhook_id == ID


def test_headers_are_of_any_kind_and_case(form: str) -> None:
    headers = forms[form]()
    kinds: list[Any] = [
        {name.upper(): value for name, value in headers.items()},
        {name: [value] for name, value in headers.items()},
        list(headers.items()),
        [(name.encode(), value.encode()) for name, value in headers.items()],
    ]
    for kind in kinds:
        assert isinstance(verdict(kind, standard=form == "standard"), models.MemoryCreatedEvent)


@pytest.mark.parametrize(
    ("seconds", "is_accepted"), [(-301, False), (-300, True), (300, True), (302, False)]
)
def test_a_delivery_is_accepted_within_five_minutes(
    form: str, seconds: int, is_accepted: bool
) -> None:
    headers = forms[form](BODY, SECONDS + seconds)
    now = datetime.fromtimestamp(SECONDS, timezone.utc)
    found = verdict(headers, now=now, standard=form == "standard")
    assert (found == "stale") is not is_accepted
    assert isinstance(found, Model) is is_accepted


def test_the_tolerance_can_be_set() -> None:
    headers = timestamped(BODY, SECONDS - 20)
    assert verdict(headers, tolerance_seconds=10) == "stale"
    assert verdict(headers, tolerance_seconds=float("nan")) == "stale"


def test_either_secret_of_a_rotation_is_accepted() -> None:
    for sign, is_standard in ((forms["timestamped"], False), (forms["standard"], True)):
        both = sign(BODY, SECONDS, "new", SECRET)
        assert isinstance(verdict(both, standard=is_standard), models.MemoryCreatedEvent)
        new = sign(BODY, SECONDS, "new")
        assert verdict(new, standard=is_standard) == "mismatch"
        accepted = verdict(new, secrets=["old", "new"], standard=is_standard)
        assert isinstance(accepted, models.MemoryCreatedEvent)


@pytest.mark.parametrize("options", [{"secrets": []}, {"secret": ""}, {"secrets": ["a", ""]}])
def test_a_missing_secret_is_a_type_error(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="requires secret"):
        verify_webhook(BODY, timestamped(), now=NOW, **options)


good = digest(f"{SECONDS}.{BODY}").hexdigest()
refusals: dict[str, tuple[Headers | list[Any], str]] = {
    "nothing": ({}, "missing_header"),
    "empty": ({"x-webhook-signature": ""}, "missing_header"),
    "none": ({"x-webhook-signature": None}, "missing_header"),
    "no time": ({"x-webhook-signature": good}, "missing_header"),
    "two headers": ([*timestamped().items(), *timestamped().items()], "malformed"),
    "no v1": ({"x-webhook-signature": f"t={SECONDS}"}, "malformed"),
    "no t": ({"x-webhook-signature": f"v1={good}"}, "malformed"),
    "two t": ({"x-webhook-signature": f"t={SECONDS},t=1,v1={good}"}, "malformed"),
    "nine": ({"x-webhook-signature": f"t={SECONDS}" + f",v1={good}" * 9}, "malformed"),
    "short": ({"x-webhook-signature": f"t={SECONDS},v1=ab"}, "malformed"),
    "upper case": ({"x-webhook-signature": f"t={SECONDS},v1={good.upper()}"}, "malformed"),
    "newline": ({"x-webhook-signature": f"t={SECONDS},v1={good}\n"}, "malformed"),
    "no number": ({"x-webhook-signature": f"t=x,v1={good}"}, "malformed"),
    "other digits": ({"x-webhook-signature": f"t=١,v1={good}"}, "malformed"),
    "another body": (timestamped("{}"), "mismatch"),
    "another time": ({"x-webhook-signature": f"t={SECONDS - 1},v1={good}"}, "mismatch"),
}


@pytest.mark.parametrize("name", refusals)
def test_what_is_not_signed_is_refused(name: str) -> None:
    headers, reason = refusals[name]
    assert verdict(headers) == reason


def test_the_standard_signature_covers_the_id_of_the_delivery() -> None:
    assert verdict({**standard(), "webhook-id": "d2"}, standard=True) == "mismatch"
    other = {**standard(), "webhook-signature": "v1a,AAAA"}
    assert verdict(other, standard=True) == "malformed"
    short = {**standard(), "webhook-signature": "v1,AAAA"}
    assert verdict(short, standard=True) == "malformed"
    assert verdict(timestamped(), standard=True) == "missing_header"


@pytest.mark.parametrize("body", ["no json", "[]", "\ud800".encode("utf-8", "surrogatepass")])
def test_a_signed_body_that_is_not_an_object_is_refused(body: str | bytes) -> None:
    data = body.encode() if isinstance(body, str) else body
    signed = f"{SECONDS}.".encode() + data
    text = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert verdict({"x-webhook-signature": f"t={SECONDS},v1={text}"}, data) == "malformed"


def test_the_wrapped_form_gives_the_same_event() -> None:
    body = json.dumps({**EVENT, "data": {"memory": EVENT["data"]}})
    event = verdict(timestamped(body), body)
    assert isinstance(event, models.MemoryCreatedEvent)
    assert event.data.content == "Grüße 🎉"


def test_a_test_delivery_has_a_class() -> None:
    data = {"webhook_id": ID, "message": "Hello", "test": True}
    body = json.dumps(
        {
            "id": "t",
            "type": "webhook.test",
            "event": "webhook.test",
            "created_at": "2026-03-04T05:06:07.890Z",
            "webhook_id": ID,
            "data": data,
        }
    )
    event = verdict(timestamped(body), body)
    assert isinstance(event, WebhookTestEvent)
    assert event.data.message == "Hello"


def test_an_event_of_a_newer_service_is_a_model() -> None:
    body = json.dumps({"type": "planet.discovered", "data": {"planet": {"name": "Vulcan"}}})
    event = verdict(timestamped(body), body)
    assert type(event) is Model
    assert event.to_dict()["data"] == {"name": "Vulcan"}
