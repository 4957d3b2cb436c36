from __future__ import annotations

import pickle
from typing import Any

import httpx
import pytest

from mneme import FieldError, MnemeError, errors

from .conftest import ID, Scripted, error

field = {"code": "invalid_range", "message": "must be at most 100", "received": 500, "max": 100}
fields = {"fields": {"limit": field}}

formats: dict[str, Any] = {
    "nested": {
        "error": {"code": "validation_error", "message": "No.", "request_id": "a", "details": fields}
    },
    "flat": {"error": "validation_error", "message": "No.", "details": fields},
    "status": {"statusCode": 422, "code": "validation_error", "error": "Unprocessable",
               "message": "No.", "details": fields},
    "problem": {"type": "about:blank", "title": "x", "status": 422, "detail": "No.",
                "code": "validation_error", "fields": fields["fields"]},
}  # fmt: skip


def raised(scripted: Scripted, response: httpx.Response) -> MnemeError:
    client = scripted.client(lambda *_: response, max_retries=0)
    with pytest.raises(MnemeError) as caught:
        client.memories.get(ID)
    return caught.value


@pytest.mark.parametrize("form", formats)
def test_every_format_is_read(scripted: Scripted, form: str) -> None:
    headers = {"x-request-id": "req_7", "content-type": "application/problem+json"}
    response = httpx.Response(422, json=formats[form], headers=headers)
    found = raised(scripted, response)
    assert type(found) is errors.ValidationError
    assert isinstance(found, errors.UnprocessableContentError)
    assert (found.status, found.code, found.message) == (422, "validation_error", "No.")
    assert found.fields == {
        "limit": FieldError("invalid_range", "must be at most 100", 500, None, 100)
    }
    assert found.request_id == "req_7"
    assert str(found) == "No. (validation_error, status 422)"


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (404, "memory_not_found", errors.MemoryNotFoundError),
        (404, "not_found", errors.NotFoundError),
        (409, "conflict", errors.ConflictError),
        (429, "quota_exceeded", errors.QuotaExceededError),
        (404, "planet_not_found", errors.NotFoundError),
        (418, "teapot", MnemeError),
        (507, "full", errors.ServerError),
    ],
)
def test_a_code_has_a_class(
    scripted: Scripted, status: int, code: str, expected: type[MnemeError]
) -> None:
    assert type(raised(scripted, error(status, code))) is expected


def test_classes_derive_from_that_of_their_status() -> None:
    assert issubclass(errors.MemoryNotFoundError, errors.NotFoundError)
    assert issubclass(errors.DuplicateMemoryError, errors.ConflictError)
    assert issubclass(errors.ServiceUnavailableError, errors.ServerError)
    assert all(issubclass(one, MnemeError) for one in errors.CLASS_OF_CODE.values())


def test_a_response_without_a_code_is_named_by_its_status(scripted: Scripted) -> None:
    found = raised(scripted, httpx.Response(502, text="Bad Gateway"))
    assert (found.code, found.message) == ("http_502", "The service responded with status 502.")
    assert (found.fields, found.details, found.request_id) == ({}, {}, None)


def test_retry_after_is_in_seconds(scripted: Scripted) -> None:
    headers = {"retry-after": "3600"}
    assert raised(scripted, error(429, "quota_exceeded", headers)).retry_after == 3600
    assert raised(scripted, error(429, "quota_exceeded")).retry_after is None


def test_errors_can_be_pickled(scripted: Scripted) -> None:
    found = pickle.loads(pickle.dumps(raised(scripted, error(404, "memory_not_found"))))
    assert type(found) is errors.MemoryNotFoundError
    assert (found.code, str(found)) == (
        "memory_not_found",
        "Says memory_not_found. (memory_not_found, status 404)",
    )
