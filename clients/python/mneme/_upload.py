"""Resumable uploads (tus 1.0.0), in parts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar, Union

import httpx

from ._async import AsyncTransport
from ._body import Body, FileContent, filename_of, multipart_body, seekable_file, upload_seconds
from ._errors import MnemeConnectionError, MnemeError, MnemeTimeoutError
from ._json import text_fields
from ._operation import FullResponse, Operation
from ._operations import MEDIA_APPEND_UPLOAD, MEDIA_CREATE_UPLOAD, MEDIA_GET_UPLOAD
from ._retry import backoff_seconds
from ._sync import SyncTransport
from ._transport import Settings, Timeout, captured_response, full_response
from .models import Upload

PART_BYTES_DEFAULT = 16 * 2**20

T = TypeVar("T")
Progress = Callable[[Upload], object]


class CompletedUpload(Upload):
    """An upload whose file has become a memory."""

    memory_id: str


@dataclass(frozen=True)
class Send:
    """A call that an upload makes."""

    operation: Operation[Any]
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Sleep:
    seconds: float


Step = Union[Send, Sleep]
#: Yields what to do and receives the responses, so that both clients share it.
Steps = Generator[Step, Any, CompletedUpload]


@dataclass(frozen=True)
class PartsUpload:
    """A file to send in parts."""

    content: FileContent
    filename: str | None
    fields: Mapping[str, Any]
    #: Id of an interrupted upload of the same file.
    upload_id: str | None
    on_progress: Progress | None
    part_bytes: int


def upload_in_parts(transport: SyncTransport, upload: PartsUpload) -> CompletedUpload:
    steps = upload_steps(transport.settings, upload)
    step = next(steps)
    while True:
        try:
            if isinstance(step, Sleep):
                transport.settings.runtime.sleep(step.seconds)
                step = steps.send(None)
                continue
            received: list[httpx.Response] = []
            token = captured_response.set(received)
            try:
                body = transport.call(step.operation, **step.arguments)
            except (MnemeError, OSError) as error:
                step = steps.throw(error)
                continue
            finally:
                captured_response.reset(token)
            step = steps.send(full_response(received, body))
        except StopIteration as done:
            return _completed(done.value)


async def upload_in_parts_async(transport: AsyncTransport, upload: PartsUpload) -> CompletedUpload:
    steps = upload_steps(transport.settings, upload)
    step = next(steps)
    while True:
        try:
            if isinstance(step, Sleep):
                await transport.settings.runtime.async_sleep(step.seconds)
                step = steps.send(None)
                continue
            received: list[httpx.Response] = []
            token = captured_response.set(received)
            try:
                body = await transport.call(step.operation, **step.arguments)
            except (MnemeError, OSError) as error:
                step = steps.throw(error)
                continue
            finally:
                captured_response.reset(token)
            step = steps.send(full_response(received, body))
        except StopIteration as done:
            return _completed(done.value)


def _completed(value: Any) -> CompletedUpload:
    assert isinstance(value, CompletedUpload)
    return value


def upload_steps(settings: Settings, upload: PartsUpload) -> Steps:
    """Sends a file part by part.

    After a lost connection it reads the offset of the upload and resumes there; it stops after
    `max_retries` failures without progress. Raises ValueError for an empty file, and if the upload
    to resume has another length.
    """
    name = filename_of(upload.content, upload.filename)
    with seekable_file(upload.content) as (file, start, length):
        if length == 0:
            raise ValueError("The file is empty: an empty file creates no memory.")
        state = yield from _begin(upload, name, length)
        if state.length != length:
            raise ValueError(
                f"The upload has a length of {state.length} bytes, but the file has {length}."
            )
        _report(upload, state)
        failures = 0
        while state.memory_id is None:
            offset = state.offset
            try:
                state = yield from _send_part(settings, upload, state, _Source(file, start, length))
            except (MnemeError, OSError) as error:
                if failures >= settings.retries or not _can_resume(error):
                    raise
                yield Sleep(backoff_seconds(settings.runtime, failures))
                failures += 1
                state = yield from _read_upload(state.id)
            if state.offset > offset:
                failures = 0
            if state.offset > offset or state.memory_id is not None:
                _report(upload, state)
        return CompletedUpload(state.to_dict())


@dataclass(frozen=True)
class _Source:
    file: BinaryIO
    start: int
    length: int

    def part(self, offset: int, end: int) -> bytes:
        self.file.seek(self.start + offset)
        return self.file.read(end - offset)


def _begin(upload: PartsUpload, name: str, length: int) -> Generator[Step, Any, Upload]:
    if upload.upload_id is not None:
        return (yield from _read_upload(upload.upload_id))
    metadata = {"filename": name, **text_fields(upload.fields)}
    headers = {"upload-length": str(length), "upload-metadata": encode_metadata(metadata)}
    response: FullResponse[Upload] = yield Send(MEDIA_CREATE_UPLOAD, {"headers": headers})
    return response.body


def _read_upload(upload_id: str) -> Generator[Step, Any, Upload]:
    response: FullResponse[Upload] = yield Send(MEDIA_GET_UPLOAD, {"path": {"id": upload_id}})
    return response.body


def _send_part(
    settings: Settings, upload: PartsUpload, state: Upload, source: _Source
) -> Generator[Step, Any, Upload]:
    offset = state.offset
    end = min(offset + upload.part_bytes, source.length)
    part = source.part(offset, end)
    # With the last part the service assembles the file before it responds.
    assembly = upload_seconds(source.length) if end == source.length else 0.0
    response: FullResponse[None] = yield Send(
        MEDIA_APPEND_UPLOAD,
        {
            "path": {"id": state.id},
            "headers": {"upload-offset": str(offset)},
            "content": Body(lambda: iter((part,)), len(part), True),
            "timeout": with_more_time(settings.timeout, assembly),
        },
    )
    memory_id = response.headers.get("x-mneme-memory-id")
    new_offset = int(response.headers.get("upload-offset", "0"))
    if new_offset <= offset and memory_id is None:
        raise RuntimeError("The upload made no progress.")
    return Upload({**state.to_dict(), "offset": new_offset, "memory_id": memory_id})


def with_more_time(timeout: Timeout, seconds: float) -> Timeout:
    if timeout is None or isinstance(timeout, httpx.Timeout):
        return timeout
    return timeout + seconds


def _can_resume(error: Exception) -> bool:
    """Whether bytes may have arrived, or another request is still in progress."""
    if isinstance(error, MnemeError):
        return error.status in (409, 500, 502, 504)
    return isinstance(error, (MnemeConnectionError, MnemeTimeoutError))


def _report(upload: PartsUpload, state: Upload) -> None:
    if upload.on_progress is not None:
        upload.on_progress(state)


def encode_metadata(texts: Mapping[str, str]) -> str:
    """Encodes UTF-8 texts as `name base64,name base64`."""
    return ",".join(
        f"{name} {b64encode(text.encode()).decode('ascii')}" for name, text in texts.items()
    )


def form_arguments(
    content: FileContent,
    filename: str | None,
    fields: Mapping[str, Any],
    idempotency_key: str | None,
) -> dict[str, Any]:
    """The arguments of a call that sends a file and its fields as a form."""
    media_type, body = multipart_body(fields, content, filename_of(content, filename))
    headers = {"content-type": media_type, "idempotency-key": idempotency_key}
    return {"content": body, "headers": headers}
