"""Objects of responses: media.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .._model import Model


class MediaLink(Model):
    url: str
    """A URL for `src` that plays without a key, including byte ranges."""
    expires_at: datetime


class VideoMetadataVideo(Model):
    codec: str
    resolution: str
    """For example 1920x1080."""
    width: int
    height: int
    fps: float | None


class VideoMetadataAudio(Model):
    codec: str
    sample_rate: int | None
    channels: int | None


class VideoMetadataFormat(Model):
    name: str
    long_name: str | None
    bit_rate: int | None
    stream_count: int
    tags: dict[str, str]


class VideoMetadata(Model):
    filename: str | None
    mime_type: str
    file_size: int
    """Bytes."""
    duration: float | None
    """Seconds."""
    video: VideoMetadataVideo | None
    audio: VideoMetadataAudio | None
    format: VideoMetadataFormat


class TranscriptSegment(Model):
    id: str
    start: float
    """Seconds from the start."""
    end: float
    """Seconds from the start."""
    text: str
    speaker: str | None
    confidence: float | None


class TranscriptEntity(Model):
    name: str
    type: str
    confidence: float


class TranscriptChapter(Model):
    title: str
    start: float
    end: float
    summary: str


class Transcript(Model):
    memory_id: str
    full_transcript: str
    language: str | None
    language_confidence: float | None
    duration: float
    """Seconds."""
    provider: str
    segments: list[TranscriptSegment]
    entities: list[TranscriptEntity]
    chapters: list[TranscriptChapter]
    summary: str | None
    ignored_options: list[str]
    """Requested options that the provider does not support."""
    created_at: datetime


class MediaPending(Model):
    memory_id: str
    job_id: str
    status: Literal["queued", "processing"]


class VideoInterpretationFrame(Model):
    time: float
    """Seconds from the start."""
    description: str
    labels: list[str]


class VideoInterpretation(Model):
    memory_id: str
    model: str
    frames: list[VideoInterpretationFrame]
    summary: str
    created_at: datetime


class Upload(Model):
    id: str
    length: int | None
    """Length of the whole file in bytes; null: not known yet."""
    offset: int
    """Bytes received; continue from this offset."""
    filename: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    memory_id: str | None
    """The memory that the complete upload became."""
    created_at: datetime
    expires_at: datetime
