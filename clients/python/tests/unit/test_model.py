from __future__ import annotations

import copy
import pickle
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from mneme import Model
from mneme._follow import decode_event
from mneme._model import decode
from mneme.models import (
    AudioSegmentResult,
    ErasedEvent,
    KnowledgePathResponse,
    MemoryCreatedEvent,
    MemoryExpiredEvent,
    Memory,
    SearchBatchResponse,
    SearchResponse,
    SearchResult,
)

from .conftest import ID, memory


def event(type: str, data: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "id": ID,
        "created_at": "2026-03-04T05:06:07.890Z",
        "space_id": None,
        "type": type,
        "data": data,
        "previous_data": None,
        "changes": None,
        **fields,
    }


def test_fields_are_attributes_with_the_types_of_the_annotations() -> None:
    found = Memory(memory(occurred_at="0001-01-01T00:00:00.000Z"))
    assert found.content == "Ana prefers tea over coffee."
    assert found.created_at == datetime(2026, 3, 4, 5, 6, 7, 890_000, tzinfo=timezone.utc)
    assert found.occurred_at == datetime(1, 1, 1, tzinfo=timezone.utc)
    assert found.tags == ["taste"]
    assert found.metadata == {"source": "chat"}
    assert found.space_id is None


def test_a_field_of_a_newer_service_is_an_attribute_with_its_json_value() -> None:
    found: Any = Memory(memory(mood={"tone": "calm"}))
    assert found.mood == {"tone": "calm"}
    assert found.to_dict()["mood"] == {"tone": "calm"}


def test_a_field_of_a_newer_service_replaces_no_method() -> None:
    found: Any = Memory(memory(to_dict="taken", class_="kept"))
    assert found.to_dict()["to_dict"] == "taken"
    assert found.to_dict_ == "taken"


def test_values_that_do_not_fit_stay_as_they_are() -> None:
    found: Any = Memory(memory(created_at="once upon a time", tags=None))
    assert found.created_at == "once upon a time"
    assert found.tags is None


def test_a_missing_field_is_none_if_it_is_optional_and_an_error_if_not() -> None:
    response = SearchResponse({"results": [], "facets": {"memories": 0, "audio_segments": 0}})
    assert response.why is None
    lacking = Memory({"id": ID})
    with pytest.raises(AttributeError, match="Memory has no field content in this response"):
        lacking.content


def test_a_keyword_gets_an_underscore() -> None:
    found = KnowledgePathResponse({"from": ID, "to": ID, "length": 0, "nodes": [], "edges": []})
    assert found.from_ == ID
    assert found.to_dict()["from"] == ID


def test_objects_are_read_only_and_equal_by_content() -> None:
    found = Memory(memory())
    with pytest.raises(AttributeError, match="read-only"):
        found.content = "changed"
    with pytest.raises(AttributeError, match="read-only"):
        del found.content
    assert found == Memory(memory())
    assert found != Memory(memory(priority=6))
    assert repr(found).startswith(f"Memory(id='{ID}', content='Ana prefers tea over coffee.'")


def test_objects_can_be_copied_and_pickled() -> None:
    found = Memory(memory())
    assert copy.deepcopy(found) == found
    assert pickle.loads(pickle.dumps(found)).created_at == found.created_at


def test_an_event_has_the_class_of_its_type() -> None:
    found = decode_event(event("memory.created", memory()))
    assert isinstance(found, MemoryCreatedEvent)
    assert found.data.created_at.utcoffset() == timedelta(0)
    assert found.webhook_id is None


@pytest.mark.parametrize(
    ("type", "data", "expected"),
    [
        ("memory.expired", {"id": ID}, MemoryExpiredEvent),
        ("memory.expired", {"id": ID, "erased": True}, ErasedEvent),
        ("memory.created", {"id": ID, "erased": True}, ErasedEvent),
        ("memory.created", {"erased": True}, ErasedEvent),
        ("memory.created", memory(more=1), MemoryCreatedEvent),
    ],
)
def test_an_erased_event_is_told_from_a_whole_one(
    type: str, data: dict[str, Any], expected: type[Model]
) -> None:
    assert isinstance(decode_event(event(type, data)), expected)


def test_an_object_that_no_class_describes_is_a_model() -> None:
    found = decode_event(event("planet.discovered", {"name": "Vulcan"}))
    assert type(found) is Model
    assert found.to_dict()["data"] == {"name": "Vulcan"}


def test_unions_within_lists_are_told_apart() -> None:
    results = [
        {**memory(), "type": "memory", "score": 0.5, "highlight": "", "passage": None},
        {
            "type": "audio_segment", "id": ID, "score": 0.4, "audio_file_id": ID, "text": "",
            "modality": "speech", "highlight": "", "start_time": 1, "end_time": 2, "speaker": None,
            "clip_url": "", "space_id": None, "session_id": None,
            "created_at": "2026-03-04T05:06:07.890Z",
        },
    ]  # fmt: skip
    position = {"limit": 20, "total": 2, "offset": 0, "has_more": False, "next_cursor": None}
    facets = {"memories": 1, "audio_segments": 1}
    body = {"results": results, "facets": facets, "pagination": position}
    found = decode(SearchResponse, body)
    assert [type(result) for result in found.results] == [SearchResult, AudioSegmentResult]
    failed = {"query": None, "error": {"code": "bad_request", "message": ""}}
    batch = SearchBatchResponse({"results": [{**body, "query": "tea"}, failed]})
    assert [type(result).__name__ for result in batch.results] == [
        "BatchSearchResult",
        "FailedBatchSearch",
    ]
