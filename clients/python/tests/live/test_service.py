from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from mneme import WebhookTestEvent, errors, verify_webhook
from mneme.models import (
    EraseDryRun,
    Memory,
    MemoryCreatedEvent,
    MemoryDeletedEvent,
    QueuedErasure,
    SearchResult,
)

from ..blocking import first_page

MISSING = "019b8d1c-3a46-7fa7-8162-7d8e9fa0b1c2"


def test_an_agent_stores_and_recalls(mneme: Any) -> None:
    before = datetime.now(timezone.utc) - timedelta(minutes=1)
    created = mneme.memories.create(
        content="Ana prefers tea over coffee.", tags=["taste"], metadata={"source": "chat"}
    )
    assert created.created_at > before
    assert created.possible_updates == []
    [result] = mneme.search.get(q="what does Ana drink?", tags=["taste"]).results
    assert isinstance(result, SearchResult)
    assert (result.id, result.metadata) == (created.id, {"source": "chat"})
    [same] = mneme.search.get(q="tea", metadata={"source": "chat"}).results
    assert same.id == created.id
    recalled = mneme.search.recall(query="what does Ana drink?", max_tokens=500)
    assert "tea" in recalled.context
    session = mneme.cli_sessions.create(name="Support chat")
    posted = mneme.cli_sessions.post_messages(
        session.id, messages=[{"role": "user", "content": "I live in Lisbon."}]
    )
    assert [memory.session_id for memory in posted.memories] == [session.id]


def test_lists_go_through_all_pages(mneme: Any) -> None:
    memories = [{"content": f"Invoice {number} is paid."} for number in range(7)]
    assert mneme.memories.bulk_create(memories=memories).created == 7
    listed = list(mneme.memories.list(limit=3, sort="created_at", order="asc"))
    assert [memory.content for memory in listed] == [one["content"] for one in memories]
    assert len(first_page(mneme.memories.list(limit=3)).data) == 3
    assert len([page.records for page in mneme.memories.list(limit=3).pages()]) == 3
    session = mneme.cli_sessions.create(name="Chat")
    messages = [{"role": "user", "content": f"Line {number}."} for number in range(5)]
    mneme.cli_sessions.post_messages(session.id, messages=messages)
    assert len(list(mneme.cli_sessions.memories(session.id, limit=2))) == 5
    for number in range(3):
        mneme.spaces.create(name=f"space {number}")
    assert [space.name for space in mneme.spaces.list(limit=2)] == ["space 0", "space 1", "space 2"]


def test_results_are_told_apart(mneme: Any) -> None:
    ids = [mneme.memories.create(content=f"Note {number}.").id for number in range(3)]
    removed = mneme.memories.remove(ids[0], soft=True)
    assert isinstance(removed, Memory)
    assert removed.is_deleted
    assert mneme.memories.remove(ids[1], soft=False) is None
    dry_run = mneme.memories.erase(filter={"ids": [ids[2]]}, dry_run=True)
    assert isinstance(dry_run, EraseDryRun)
    assert dry_run.count == 1
    queued = mneme.memories.erase(filter={"ids": [ids[2]]}, token=dry_run.token)
    assert isinstance(queued, QueuedErasure)
    assert mneme.jobs.get(queued.job_id).id == queued.job_id


def test_errors_have_classes_and_fields(mneme: Any) -> None:
    with pytest.raises(errors.MemoryNotFoundError) as missing:
        mneme.memories.get(MISSING)
    assert isinstance(missing.value, errors.NotFoundError)
    assert missing.value.request_id
    with pytest.raises(errors.ValidationError) as invalid:
        mneme.memories.create(content="", priority=11)
    assert set(invalid.value.fields) == {"content", "priority"}
    assert invalid.value.fields["priority"].max == 10
    mneme.memories.create(content="Tea")
    with pytest.raises(errors.DuplicateMemoryError):
        mneme.memories.create(content="Tea")
    # The flat format of webhooks has fewer codes.
    with pytest.raises(errors.NotFoundError):
        mneme.webhooks.get(MISSING)
    with pytest.raises(errors.InsufficientPermissionsError):
        list(mneme.admin.list_accounts())


def test_a_wrong_key_is_unauthorized(kind: str, portal: Any) -> None:
    from .conftest import client_of

    client = client_of(kind, portal, api_key="mnk_wrong")
    with pytest.raises(errors.InvalidApiKeyError):
        client.account.get()
    client.close()


def test_a_repeated_request_with_a_key_has_one_effect(mneme: Any) -> None:
    first = mneme.memories.create(content="Tea", idempotency_key="one")
    assert mneme.memories.create(content="Tea", idempotency_key="one").id == first.id


def test_a_change_can_depend_on_the_etag(mneme: Any) -> None:
    created = mneme.memories.create(content="Tea")
    full = mneme.raw(mneme.memories.get, created.id)
    etag = full.headers["etag"]
    assert full.status == 200
    changed = mneme.memories.update(created.id, priority=9, if_match=etag)
    assert changed.priority == 9
    with pytest.raises(errors.PreconditionFailedError):
        mneme.memories.update(created.id, priority=1, if_match=etag)


def test_files_become_memories(mneme: Any, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n\nThe battery of the car is dead.\n")
    whole = mneme.memories.upload(path, tags=["docs", "a,b"], metadata={"page": 1})
    assert (whole.content_type, whole.tags) == ("markdown", ["docs", "a,b"])
    assert whole.metadata["page"] == 1
    seen: list[int] = []
    text = "The tyres are new. " * 50
    completed = mneme.memories.upload_in_parts(
        text.encode(),
        filename="tyres.txt",
        part_bytes=300,
        user_id="ana",
        on_progress=lambda upload: seen.append(upload.offset),
    )
    assert seen == [0, 300, 600, 900, 950]
    stored = mneme.memories.get(completed.memory_id)
    assert stored.content.strip() == text.strip()
    assert stored.user_id == "ana"


def test_binary_and_text_responses_are_read(mneme: Any, operator: Any, tmp_path: Path) -> None:
    operator.admin.backup().save(tmp_path / "backup")
    assert (tmp_path / "backup").stat().st_size > 1_000
    mneme.memories.create(content="Ana prefers tea over coffee.")
    mneme.search.recall(query="tea", session="planning")
    [session] = mneme.sessions.list()
    assert isinstance(mneme.sessions.export(session.id, format="markdown"), str)
    exported = mneme.sessions.export(session.id, format="json")
    assert [memory.content for memory in exported.memories] == ["Ana prefers tea over coffee."]


def test_health_needs_no_key(mneme: Any) -> None:
    assert mneme.operations.health().status in ("ok", "degraded")
    assert mneme.operations.openapi()["openapi"] == "3.1.0"
    assert mneme.request("GET", "/health").status_code == 200


def test_events_are_followed(mneme: Any) -> None:
    one = mneme.memories.create(content="Tea")
    [first] = first_page(mneme.events.list(type="memory.created")).data
    start = first_page(mneme.events.list()).next_cursor
    mneme.memories.remove(one.id, soft=False)
    two = mneme.memories.create(content="Coffee")
    followed = list(islice(mneme.events.follow(cursor=start), 2))
    assert [type(one.event) for one in followed] == [MemoryDeletedEvent, MemoryCreatedEvent]
    assert followed[1].event.data.id == two.id
    [again] = islice(mneme.events.follow(cursor=followed[0].cursor), 1)
    assert again.event.id == followed[1].event.id
    [streamed] = islice(mneme.events.stream(last_event_id=followed[0].cursor), 1)
    assert streamed.cursor == followed[1].cursor
    assert first.id != followed[1].event.id


@contextmanager
def receiver() -> Iterator[tuple[str, Queue[tuple[Any, bytes]]]]:
    """An HTTP server that hands over the headers and the body of each delivery."""
    deliveries: Queue[tuple[Any, bytes]] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            deliveries.put((list(self.headers.items()), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """No line for each request."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", deliveries
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("payload_form", "signature_form"), [("object", "timestamped"), ("wrapped", "hex")]
)
def test_deliveries_are_verified(mneme: Any, payload_form: str, signature_form: str) -> None:
    with receiver() as (url, deliveries):
        webhook = mneme.webhooks.create(
            url=url,
            events=["memory.created"],
            payload_form=payload_form,
            signature_form=signature_form,
        )
        assert webhook.secret
        memory = mneme.memories.create(content="Ana prefers tea over coffee.")
        headers, body = deliveries.get(timeout=30)
        for standard in (False, True):
            event = verify_webhook(body, headers, secret=webhook.secret, standard=standard)
            assert isinstance(event, MemoryCreatedEvent)
            assert (event.data.id, event.webhook_id) == (memory.id, webhook.id)
        assert mneme.webhooks.test(webhook.id).success
        headers, body = deliveries.get(timeout=30)
        event = verify_webhook(body, headers, secrets=["old", webhook.secret])
        assert isinstance(event, WebhookTestEvent)


def test_a_secret_is_rotated_without_downtime(mneme: Any) -> None:
    with receiver() as (url, deliveries):
        webhook = mneme.webhooks.create(url=url, events=["memory.*"])
        mneme.webhooks.update(webhook.id, rotate_secret=True)
        mneme.memories.create(content="Ben rides a red bicycle.")
        headers, body = deliveries.get(timeout=30)
        for standard in (False, True):
            event = verify_webhook(body, headers, secret=webhook.secret, standard=standard)
            assert isinstance(event, MemoryCreatedEvent)
