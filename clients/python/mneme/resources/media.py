"""Methods: media.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .._async import AsyncTransport
from .._body import FileContent, body_of
from .._download import AsyncDownload, Download
from .._json import json_body
from .._not_given import NOT_GIVEN
from .._operations import (
    MEDIA_APPEND_UPLOAD,
    MEDIA_CLIP,
    MEDIA_CREATE_UPLOAD,
    MEDIA_GET_UPLOAD,
    MEDIA_INTERPRET,
    MEDIA_INTERPRETATION,
    MEDIA_LINK,
    MEDIA_METADATA,
    MEDIA_RECORDING_METADATA,
    MEDIA_REMOVE_UPLOAD,
    MEDIA_STREAM,
    MEDIA_THUMBNAIL,
    MEDIA_TRANSCRIBE,
    MEDIA_TRANSCRIPT,
    MEDIA_VIDEO,
    MEDIA_VIDEO_TRANSCRIBE,
    MEDIA_VIDEO_TRANSCRIPT,
)
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import MediaLink, MediaPending, Transcript, Upload, VideoInterpretation, VideoMetadata


class MediaResource:
    """Upload audio and video, play them, and read their transcripts and key frames. Large files can
    be uploaded in parts with the tus protocol.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def stream(
        self,
        id: str,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        range: str | None = None,
        if_range: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Play a recording, whole or in byte ranges.

        Args:
            if_match: ETags: responds with 412 if none matches.
            if_none_match: ETags: responds with 304 without a body if one matches.
            range: A single byte range, such as `bytes=0-499`. Several ranges return the whole
                content.
            if_range: An ETag: returns the range only if it matches, otherwise the whole content.
        """
        return self._transport.download(
            MEDIA_STREAM,
            path={"id": id},
            headers={
                "if-match": if_match,
                "if-none-match": if_none_match,
                "range": range,
                "if-range": if_range,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def link(
        self,
        id: str,
        *,
        expires_in: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaLink:
        """Create a temporary link that plays a recording without a key.

        For the `src` of an audio or video element, which sends no key. Anyone with the link can
        play the recording until it expires or the recording is deleted.
        """
        return self._transport.call(
            MEDIA_LINK,
            path={"id": id},
            query={"expires_in": expires_in},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def recording_metadata(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> VideoMetadata:
        """Read the metadata of an audio or video file.

        Same format as for a video; `video` is null without a picture track.
        """
        return self._transport.call(
            MEDIA_RECORDING_METADATA,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def transcript(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Transcript | MediaPending:
        """Read the transcript of a recording.

        Pending: 202. Failed: 503 with the reason, or the previous result; see its job.
        """
        return self._transport.call(
            MEDIA_TRANSCRIPT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def transcribe(
        self,
        id: str,
        *,
        language: str | None = None,
        prompt: str | None = None,
        provider: str | None = None,
        enable_speaker_diarization: bool | None = None,
        enableSpeakerDiarization: bool | None = None,
        enable_entity_detection: bool | None = None,
        enableEntityDetection: bool | None = None,
        enable_content_safety: bool | None = None,
        enableContentSafety: bool | None = None,
        enable_auto_chapters: bool | None = None,
        enableAutoChapters: bool | None = None,
        enable_auto_summarization: bool | None = None,
        enableAutoSummarization: bool | None = None,
        speakers_expected: int | None = None,
        speakersExpected: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaPending:
        """Transcribe a recording, again if necessary.

        An unknown or unconfigured provider is 400.

        Args:
            language: ISO code of the spoken language, as a hint.
            enableSpeakerDiarization: Alias of enable_speaker_diarization.
            enableEntityDetection: Alias of enable_entity_detection.
            enableContentSafety: Alias of enable_content_safety.
            enableAutoChapters: Alias of enable_auto_chapters.
            enableAutoSummarization: Alias of enable_auto_summarization.
            speakersExpected: Alias of speakers_expected.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEDIA_TRANSCRIBE,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "language": language,
                    "prompt": prompt,
                    "provider": provider,
                    "enable_speaker_diarization": enable_speaker_diarization,
                    "enableSpeakerDiarization": enableSpeakerDiarization,
                    "enable_entity_detection": enable_entity_detection,
                    "enableEntityDetection": enableEntityDetection,
                    "enable_content_safety": enable_content_safety,
                    "enableContentSafety": enableContentSafety,
                    "enable_auto_chapters": enable_auto_chapters,
                    "enableAutoChapters": enableAutoChapters,
                    "enable_auto_summarization": enable_auto_summarization,
                    "enableAutoSummarization": enableAutoSummarization,
                    "speakers_expected": speakers_expected,
                    "speakersExpected": speakersExpected,
                },
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def video(
        self,
        id: str,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        range: str | None = None,
        if_range: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Play a video, whole or in byte ranges.

        Args:
            if_match: ETags: responds with 412 if none matches.
            if_none_match: ETags: responds with 304 without a body if one matches.
            range: A single byte range, such as `bytes=0-499`. Several ranges return the whole
                content.
            if_range: An ETag: returns the range only if it matches, otherwise the whole content.
        """
        return self._transport.download(
            MEDIA_VIDEO,
            path={"id": id},
            headers={
                "if-match": if_match,
                "if-none-match": if_none_match,
                "range": range,
                "if-range": if_range,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def thumbnail(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Get the thumbnail of a video.

        404 not_found until it is created.

        Args:
            if_none_match: Responds with 304 if the ETag still matches.
        """
        return self._transport.download(
            MEDIA_THUMBNAIL,
            path={"id": id},
            headers={"If-None-Match": if_none_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def metadata(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> VideoMetadata:
        """Read the metadata of a video file."""
        return self._transport.call(
            MEDIA_METADATA,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def video_transcript(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Transcript | MediaPending:
        """Read the transcript of a video.

        Pending: 202. Failed: 503 with the reason, or the previous result; see its job.
        """
        return self._transport.call(
            MEDIA_VIDEO_TRANSCRIPT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def video_transcribe(
        self,
        id: str,
        *,
        language: str | None = None,
        prompt: str | None = None,
        provider: str | None = None,
        enable_speaker_diarization: bool | None = None,
        enableSpeakerDiarization: bool | None = None,
        enable_entity_detection: bool | None = None,
        enableEntityDetection: bool | None = None,
        enable_content_safety: bool | None = None,
        enableContentSafety: bool | None = None,
        enable_auto_chapters: bool | None = None,
        enableAutoChapters: bool | None = None,
        enable_auto_summarization: bool | None = None,
        enableAutoSummarization: bool | None = None,
        speakers_expected: int | None = None,
        speakersExpected: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaPending:
        """Transcribe the audio track of a video, again if necessary.

        Args:
            language: ISO code of the spoken language, as a hint.
            enableSpeakerDiarization: Alias of enable_speaker_diarization.
            enableEntityDetection: Alias of enable_entity_detection.
            enableContentSafety: Alias of enable_content_safety.
            enableAutoChapters: Alias of enable_auto_chapters.
            enableAutoSummarization: Alias of enable_auto_summarization.
            speakersExpected: Alias of speakers_expected.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEDIA_VIDEO_TRANSCRIBE,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "language": language,
                    "prompt": prompt,
                    "provider": provider,
                    "enable_speaker_diarization": enable_speaker_diarization,
                    "enableSpeakerDiarization": enableSpeakerDiarization,
                    "enable_entity_detection": enable_entity_detection,
                    "enableEntityDetection": enableEntityDetection,
                    "enable_content_safety": enable_content_safety,
                    "enableContentSafety": enableContentSafety,
                    "enable_auto_chapters": enable_auto_chapters,
                    "enableAutoChapters": enableAutoChapters,
                    "enable_auto_summarization": enable_auto_summarization,
                    "enableAutoSummarization": enableAutoSummarization,
                    "speakers_expected": speakers_expected,
                    "speakersExpected": speakersExpected,
                },
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def interpret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaPending:
        """Interpret key frames of a video.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEDIA_INTERPRET,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def interpretation(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> VideoInterpretation | MediaPending:
        """Read the interpretation of a video.

        Pending: 202. Failed: 503 with the reason, or the previous result; see its job. Never
        requested: 404 not_found.
        """
        return self._transport.call(
            MEDIA_INTERPRETATION,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def clip(
        self,
        id: str,
        *,
        expires: int,
        signature: str,
        start: float | None = None,
        end: float | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
        range: str | None = None,
        if_range: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Play a recording, or part of it, with a signed link.

        An expired or modified link is 403 insufficient_permissions.

        Args:
            start: Seconds from the start. Without start and end: the whole recording.
            if_match: ETags: responds with 412 if none matches.
            if_none_match: ETags: responds with 304 without a body if one matches.
            range: A single byte range, such as `bytes=0-499`. Several ranges return the whole
                content.
            if_range: An ETag: returns the range only if it matches, otherwise the whole content.
        """
        return self._transport.download(
            MEDIA_CLIP,
            path={"id": id},
            query={"start": start, "end": end, "expires": expires, "signature": signature},
            headers={
                "if-match": if_match,
                "if-none-match": if_none_match,
                "range": range,
                "if-range": if_range,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def create_upload(
        self,
        content: FileContent | None = None,
        *,
        idempotency_key: str | None = None,
        upload_length: str | None = None,
        upload_defer_length: Literal["1"] | None = None,
        upload_concat: str | None = None,
        upload_checksum: str | None = None,
        upload_metadata: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Upload:
        """Create a resumable upload (tus 1.0.0).

        Send the bytes with PATCH to the Location of the response, in one or more requests; HEAD
        reports how many have arrived. The body of this request can contain the first ones. A
        complete upload becomes a memory, like a form of POST /memories. If its content is already
        stored, the response has `Mneme-Duplicate: true`, and X-Mneme-Memory-Id is the id of the
        stored memory. OPTIONS lists the protocol extensions and the maximum size. An empty file
        creates no memory.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
            upload_length: Length of the whole file in bytes.
            upload_defer_length: Defers Upload-Length to a later PATCH.
            upload_concat: `partial` for a part of a concatenation, or `final;` and the URLs of the
                parts, separated by spaces, which become one file. A final upload has no length.
            upload_checksum: Hash of the bytes in this request. On a mismatch the server responds
                with 460 and discards them.
            upload_metadata: Pairs `name base64`, separated by commas: filename, and the fields of
                an upload (tags and metadata as JSON). Other names and empty values are ignored.
        """
        return self._transport.call(
            MEDIA_CREATE_UPLOAD,
            headers={
                "Idempotency-Key": idempotency_key,
                "upload-length": upload_length,
                "upload-defer-length": upload_defer_length,
                "upload-concat": upload_concat,
                "upload-checksum": upload_checksum,
                "upload-metadata": upload_metadata,
            },
            content=None if content is None else body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_upload(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Upload:
        """Read the state of an upload; HEAD returns it in Upload-Offset."""
        return self._transport.call(
            MEDIA_GET_UPLOAD,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def append_upload(
        self,
        id: str,
        content: FileContent,
        *,
        upload_offset: str,
        upload_length: str | None = None,
        upload_checksum: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Append bytes to an upload at its offset.

        Bytes that arrive before the connection breaks are stored. With the last byte the file
        becomes a memory; X-Mneme-Memory-Id is its id. If its content is already stored, it is the
        id of the stored memory, with `Mneme-Duplicate: true`.

        Args:
            upload_offset: Offset of the first byte in the whole file.
            upload_length: Length of the whole file in bytes, if the creation deferred it.
            upload_checksum: Hash of the bytes in this request. On a mismatch the server responds
                with 460 and discards them.
        """
        return self._transport.call(
            MEDIA_APPEND_UPLOAD,
            path={"id": id},
            headers={
                "upload-offset": upload_offset,
                "upload-length": upload_length,
                "upload-checksum": upload_checksum,
            },
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_upload(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Cancel an upload and delete its bytes.

        A memory that the upload became stays.
        """
        return self._transport.call(
            MEDIA_REMOVE_UPLOAD,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncMediaResource:
    """Upload audio and video, play them, and read their transcripts and key frames. Large files can
    be uploaded in parts with the tus protocol.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def stream(
        self,
        id: str,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        range: str | None = None,
        if_range: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Play a recording, whole or in byte ranges.

        Args:
            if_match: ETags: responds with 412 if none matches.
            if_none_match: ETags: responds with 304 without a body if one matches.
            range: A single byte range, such as `bytes=0-499`. Several ranges return the whole
                content.
            if_range: An ETag: returns the range only if it matches, otherwise the whole content.
        """
        return await self._transport.download(
            MEDIA_STREAM,
            path={"id": id},
            headers={
                "if-match": if_match,
                "if-none-match": if_none_match,
                "range": range,
                "if-range": if_range,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def link(
        self,
        id: str,
        *,
        expires_in: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaLink:
        """Create a temporary link that plays a recording without a key.

        For the `src` of an audio or video element, which sends no key. Anyone with the link can
        play the recording until it expires or the recording is deleted.
        """
        return await self._transport.call(
            MEDIA_LINK,
            path={"id": id},
            query={"expires_in": expires_in},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def recording_metadata(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> VideoMetadata:
        """Read the metadata of an audio or video file.

        Same format as for a video; `video` is null without a picture track.
        """
        return await self._transport.call(
            MEDIA_RECORDING_METADATA,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def transcript(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Transcript | MediaPending:
        """Read the transcript of a recording.

        Pending: 202. Failed: 503 with the reason, or the previous result; see its job.
        """
        return await self._transport.call(
            MEDIA_TRANSCRIPT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def transcribe(
        self,
        id: str,
        *,
        language: str | None = None,
        prompt: str | None = None,
        provider: str | None = None,
        enable_speaker_diarization: bool | None = None,
        enableSpeakerDiarization: bool | None = None,
        enable_entity_detection: bool | None = None,
        enableEntityDetection: bool | None = None,
        enable_content_safety: bool | None = None,
        enableContentSafety: bool | None = None,
        enable_auto_chapters: bool | None = None,
        enableAutoChapters: bool | None = None,
        enable_auto_summarization: bool | None = None,
        enableAutoSummarization: bool | None = None,
        speakers_expected: int | None = None,
        speakersExpected: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaPending:
        """Transcribe a recording, again if necessary.

        An unknown or unconfigured provider is 400.

        Args:
            language: ISO code of the spoken language, as a hint.
            enableSpeakerDiarization: Alias of enable_speaker_diarization.
            enableEntityDetection: Alias of enable_entity_detection.
            enableContentSafety: Alias of enable_content_safety.
            enableAutoChapters: Alias of enable_auto_chapters.
            enableAutoSummarization: Alias of enable_auto_summarization.
            speakersExpected: Alias of speakers_expected.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEDIA_TRANSCRIBE,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "language": language,
                    "prompt": prompt,
                    "provider": provider,
                    "enable_speaker_diarization": enable_speaker_diarization,
                    "enableSpeakerDiarization": enableSpeakerDiarization,
                    "enable_entity_detection": enable_entity_detection,
                    "enableEntityDetection": enableEntityDetection,
                    "enable_content_safety": enable_content_safety,
                    "enableContentSafety": enableContentSafety,
                    "enable_auto_chapters": enable_auto_chapters,
                    "enableAutoChapters": enableAutoChapters,
                    "enable_auto_summarization": enable_auto_summarization,
                    "enableAutoSummarization": enableAutoSummarization,
                    "speakers_expected": speakers_expected,
                    "speakersExpected": speakersExpected,
                },
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def video(
        self,
        id: str,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        range: str | None = None,
        if_range: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Play a video, whole or in byte ranges.

        Args:
            if_match: ETags: responds with 412 if none matches.
            if_none_match: ETags: responds with 304 without a body if one matches.
            range: A single byte range, such as `bytes=0-499`. Several ranges return the whole
                content.
            if_range: An ETag: returns the range only if it matches, otherwise the whole content.
        """
        return await self._transport.download(
            MEDIA_VIDEO,
            path={"id": id},
            headers={
                "if-match": if_match,
                "if-none-match": if_none_match,
                "range": range,
                "if-range": if_range,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def thumbnail(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Get the thumbnail of a video.

        404 not_found until it is created.

        Args:
            if_none_match: Responds with 304 if the ETag still matches.
        """
        return await self._transport.download(
            MEDIA_THUMBNAIL,
            path={"id": id},
            headers={"If-None-Match": if_none_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def metadata(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> VideoMetadata:
        """Read the metadata of a video file."""
        return await self._transport.call(
            MEDIA_METADATA,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def video_transcript(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Transcript | MediaPending:
        """Read the transcript of a video.

        Pending: 202. Failed: 503 with the reason, or the previous result; see its job.
        """
        return await self._transport.call(
            MEDIA_VIDEO_TRANSCRIPT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def video_transcribe(
        self,
        id: str,
        *,
        language: str | None = None,
        prompt: str | None = None,
        provider: str | None = None,
        enable_speaker_diarization: bool | None = None,
        enableSpeakerDiarization: bool | None = None,
        enable_entity_detection: bool | None = None,
        enableEntityDetection: bool | None = None,
        enable_content_safety: bool | None = None,
        enableContentSafety: bool | None = None,
        enable_auto_chapters: bool | None = None,
        enableAutoChapters: bool | None = None,
        enable_auto_summarization: bool | None = None,
        enableAutoSummarization: bool | None = None,
        speakers_expected: int | None = None,
        speakersExpected: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaPending:
        """Transcribe the audio track of a video, again if necessary.

        Args:
            language: ISO code of the spoken language, as a hint.
            enableSpeakerDiarization: Alias of enable_speaker_diarization.
            enableEntityDetection: Alias of enable_entity_detection.
            enableContentSafety: Alias of enable_content_safety.
            enableAutoChapters: Alias of enable_auto_chapters.
            enableAutoSummarization: Alias of enable_auto_summarization.
            speakersExpected: Alias of speakers_expected.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEDIA_VIDEO_TRANSCRIBE,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "language": language,
                    "prompt": prompt,
                    "provider": provider,
                    "enable_speaker_diarization": enable_speaker_diarization,
                    "enableSpeakerDiarization": enableSpeakerDiarization,
                    "enable_entity_detection": enable_entity_detection,
                    "enableEntityDetection": enableEntityDetection,
                    "enable_content_safety": enable_content_safety,
                    "enableContentSafety": enableContentSafety,
                    "enable_auto_chapters": enable_auto_chapters,
                    "enableAutoChapters": enableAutoChapters,
                    "enable_auto_summarization": enable_auto_summarization,
                    "enableAutoSummarization": enableAutoSummarization,
                    "speakers_expected": speakers_expected,
                    "speakersExpected": speakersExpected,
                },
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def interpret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MediaPending:
        """Interpret key frames of a video.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEDIA_INTERPRET,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def interpretation(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> VideoInterpretation | MediaPending:
        """Read the interpretation of a video.

        Pending: 202. Failed: 503 with the reason, or the previous result; see its job. Never
        requested: 404 not_found.
        """
        return await self._transport.call(
            MEDIA_INTERPRETATION,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def clip(
        self,
        id: str,
        *,
        expires: int,
        signature: str,
        start: float | None = None,
        end: float | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
        range: str | None = None,
        if_range: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Play a recording, or part of it, with a signed link.

        An expired or modified link is 403 insufficient_permissions.

        Args:
            start: Seconds from the start. Without start and end: the whole recording.
            if_match: ETags: responds with 412 if none matches.
            if_none_match: ETags: responds with 304 without a body if one matches.
            range: A single byte range, such as `bytes=0-499`. Several ranges return the whole
                content.
            if_range: An ETag: returns the range only if it matches, otherwise the whole content.
        """
        return await self._transport.download(
            MEDIA_CLIP,
            path={"id": id},
            query={"start": start, "end": end, "expires": expires, "signature": signature},
            headers={
                "if-match": if_match,
                "if-none-match": if_none_match,
                "range": range,
                "if-range": if_range,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create_upload(
        self,
        content: FileContent | None = None,
        *,
        idempotency_key: str | None = None,
        upload_length: str | None = None,
        upload_defer_length: Literal["1"] | None = None,
        upload_concat: str | None = None,
        upload_checksum: str | None = None,
        upload_metadata: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Upload:
        """Create a resumable upload (tus 1.0.0).

        Send the bytes with PATCH to the Location of the response, in one or more requests; HEAD
        reports how many have arrived. The body of this request can contain the first ones. A
        complete upload becomes a memory, like a form of POST /memories. If its content is already
        stored, the response has `Mneme-Duplicate: true`, and X-Mneme-Memory-Id is the id of the
        stored memory. OPTIONS lists the protocol extensions and the maximum size. An empty file
        creates no memory.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
            upload_length: Length of the whole file in bytes.
            upload_defer_length: Defers Upload-Length to a later PATCH.
            upload_concat: `partial` for a part of a concatenation, or `final;` and the URLs of the
                parts, separated by spaces, which become one file. A final upload has no length.
            upload_checksum: Hash of the bytes in this request. On a mismatch the server responds
                with 460 and discards them.
            upload_metadata: Pairs `name base64`, separated by commas: filename, and the fields of
                an upload (tags and metadata as JSON). Other names and empty values are ignored.
        """
        return await self._transport.call(
            MEDIA_CREATE_UPLOAD,
            headers={
                "Idempotency-Key": idempotency_key,
                "upload-length": upload_length,
                "upload-defer-length": upload_defer_length,
                "upload-concat": upload_concat,
                "upload-checksum": upload_checksum,
                "upload-metadata": upload_metadata,
            },
            content=None if content is None else body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_upload(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Upload:
        """Read the state of an upload; HEAD returns it in Upload-Offset."""
        return await self._transport.call(
            MEDIA_GET_UPLOAD,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def append_upload(
        self,
        id: str,
        content: FileContent,
        *,
        upload_offset: str,
        upload_length: str | None = None,
        upload_checksum: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Append bytes to an upload at its offset.

        Bytes that arrive before the connection breaks are stored. With the last byte the file
        becomes a memory; X-Mneme-Memory-Id is its id. If its content is already stored, it is the
        id of the stored memory, with `Mneme-Duplicate: true`.

        Args:
            upload_offset: Offset of the first byte in the whole file.
            upload_length: Length of the whole file in bytes, if the creation deferred it.
            upload_checksum: Hash of the bytes in this request. On a mismatch the server responds
                with 460 and discards them.
        """
        return await self._transport.call(
            MEDIA_APPEND_UPLOAD,
            path={"id": id},
            headers={
                "upload-offset": upload_offset,
                "upload-length": upload_length,
                "upload-checksum": upload_checksum,
            },
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_upload(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Cancel an upload and delete its bytes.

        A memory that the upload became stays.
        """
        return await self._transport.call(
            MEDIA_REMOVE_UPLOAD,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
