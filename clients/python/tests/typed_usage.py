"""What a type checker has to accept and, in lines with `type: ignore`, to refuse. Never run."""

from __future__ import annotations

from datetime import datetime

from mneme import AsyncMneme, FullResponse, Mneme, NotGiven, verify_webhook
from mneme.errors import MemoryNotFoundError
from mneme.models import (
    CreatedMemory,
    EraseDryRun,
    ErasedEvent,
    Memory,
    MemoryPage,
    QueuedErasure,
    SearchResult,
)
from mneme.types import CreateMemory


def sync(client: Mneme) -> None:
    created: CreatedMemory = client.memories.create(content="Tea", occurred_at=datetime.now())
    created.contents  # type: ignore
    client.memories.create(contents="Tea")  # type: ignore
    client.memories.create(content="Tea", priority="high")  # type: ignore
    client.memories.update(created.id, expires_at=None)
    several: list[CreateMemory] = [{"content": "Tea"}, {"content": "Coffee", "tags": ["x"]}]
    client.memories.bulk_create(memories=several)
    client.memories.bulk_create(memories=[{"contents": "Tea"}])  # type: ignore
    client.memories.list(sort="colour")  # type: ignore
    for memory in client.memories.list(tags=["x"]):
        moment: datetime = memory.created_at
        print(moment)
    page: MemoryPage = client.memories.list()
    first: Memory = page.records[0]
    full: FullResponse[Memory] = client.raw(client.memories.get, first.id)
    client.raw(client.memories.get, first.id, colour="red")  # type: ignore
    print(full.headers["etag"])


def narrowing(client: Mneme, id: str) -> None:
    erased = client.memories.erase(filter={"tags": ["x"]}, dry_run=True)
    erased.count  # type: ignore
    if isinstance(erased, EraseDryRun):
        token: str = erased.token
        print(token)
    else:
        queued: QueuedErasure = erased
        print(queued.job_id)
    removed = client.memories.remove(id)
    if removed is not None:
        print(removed.deleted_at)
    for result in client.search.get(q="tea").results:
        if result.type == "memory":
            found: SearchResult = result
            print(found.content)
        else:
            print(result.start_time)
    for followed in client.events.follow(type="memory.created"):
        event = followed.event
        if isinstance(event, ErasedEvent):
            continue
        if event.type == "memory.created":
            content: str = event.data.content
            print(content)
        if event.type == "memory.deleted":
            event.data.content  # type: ignore
    delivered = verify_webhook(b"", {}, secret="x")
    if not isinstance(delivered, ErasedEvent) and delivered.type == "webhook.test":
        message: str = delivered.data.message
        print(message)


async def asynchronous(client: AsyncMneme, id: str) -> None:
    memory: Memory = await client.memories.get(id)
    client.memories.get(id).content  # type: ignore
    async for one in client.memories.list():
        memory = one
    page: MemoryPage = await client.memories.list()
    full: FullResponse[Memory] = await client.raw(client.memories.get, id)
    async with await client.media.stream(id) as download:
        async for chunk in download.iter_bytes():
            size: int = len(chunk)
            print(size)
    async for followed in client.events.follow():
        print(followed.cursor)
    print(page.has_more, full.status, memory)


def handled(client: Mneme, space_id: str | None | NotGiven) -> None:
    try:
        client.memories.create(content="Tea", space_id=space_id)
    except MemoryNotFoundError as error:
        print(error.code, error.fields["content"].message)
