"""Methods: memories.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from .._async import AsyncTransport
from .._body import FileContent
from .._json import json_body, metadata_query
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    MEMORIES_ACCEPT_SUGGESTION,
    MEMORIES_BULK_CREATE,
    MEMORIES_BULK_DELETE,
    MEMORIES_BULK_TAGS,
    MEMORIES_BULK_UPDATE,
    MEMORIES_CREATE,
    MEMORIES_DISMISS_SUGGESTION,
    MEMORIES_ENRICH,
    MEMORIES_ERASE,
    MEMORIES_FACETS,
    MEMORIES_FEEDBACK,
    MEMORIES_FROM_MESSAGES,
    MEMORIES_GET,
    MEMORIES_GET_CHANGE,
    MEMORIES_LIST,
    MEMORIES_PIN,
    MEMORIES_PROTECT,
    MEMORIES_QUALITY,
    MEMORIES_REMOVE,
    MEMORIES_RESTORE,
    MEMORIES_START_CHANGE,
    MEMORIES_SUGGESTIONS,
    MEMORIES_TOPICS,
    MEMORIES_UNDO_CHANGE,
    MEMORIES_UNPIN,
    MEMORIES_UPDATE,
    MEMORIES_VERIFY,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from .._upload import (
    CompletedUpload,
    PART_BYTES_DEFAULT,
    PartsUpload,
    Progress,
    form_arguments,
    upload_in_parts,
    upload_in_parts_async,
)
from ..models import (
    BulkChange,
    BulkChangeCount,
    CreatedMemory,
    EraseDryRun,
    Feedback,
    MemoriesBulkCreateResponse,
    MemoriesBulkDeleteResponse,
    MemoriesBulkUpdateResponse,
    MemoriesEnrichResponse,
    MemoriesFromMessagesResponse,
    MemoriesQualityResponse,
    MemoriesTopicsResponse,
    Memory,
    MemoryFacets,
    MemoryPage,
    QueuedEnrichment,
    QueuedErasure,
    UpdateSuggestion,
    UpdateSuggestionList,
)
from ..types import (
    BulkAction,
    BulkChangeFilter,
    ContentType,
    ConversationMessage,
    CreateMemory,
    CreatedContentType,
    EraseFilter,
    MemoriesBulkUpdateSet,
    MemorySort,
)


class MemoriesResource:
    """Store, read, change and delete memories, one at a time or up to 100 in one request. Also
    topics, summaries and quality scores of single memories.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        content: str,
        content_type: CreatedContentType | None = None,
        type: CreatedContentType | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
        session_id: str | None = None,
        is_pinned: bool | None = None,
        protection_level: Literal["none", "soft", "hard"] | None = None,
        occurred_at: datetime | str | None = None,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        embedding: Sequence[float] | None = None,
        supersedes: Sequence[str] | None = None,
        detect_updates: Literal["off", "suggest", "apply"] | None = None,
        allow_duplicate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CreatedMemory:
        """Store a memory.

        When the 201 arrives, the memory is durable, embedded and searchable. A form with a file
        creates a memory of the type that its bytes show: text or Markdown becomes the content;
        audio and video can be played and are transcribed. Other files are 400.

        Args:
            type: Alias of content_type.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            expires_at: When the memory is to be forgotten, in the future. Default: the creation
                plus memory_lifetime_days of its space; None: never. A hard-protected memory never
                expires.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            detect_updates: Whether older memories of the same owner and space that this one may
                outdate are looked for. suggest: they are suggested; apply: those with a confidence
                of 0.9 or more are superseded at once. Default: the account setting detect_updates;
                off for turns of a conversation: with metadata.role, or with a session and a
                speaker.
            allow_duplicate: Skips the duplicate check, as for chat messages.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "content": content,
                    "content_type": content_type,
                    "type": type,
                    "space": space,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "tags": tags,
                    "metadata": metadata,
                    "priority": priority,
                    "session_id": session_id,
                    "is_pinned": is_pinned,
                    "protection_level": protection_level,
                    "occurred_at": occurred_at,
                    "embedding": embedding,
                    "supersedes": supersedes,
                    "detect_updates": detect_updates,
                    "allow_duplicate": allow_duplicate,
                },
                {"space_id": space_id, "expires_at": expires_at},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def upload(
        self,
        file: FileContent,
        *,
        filename: str | None = None,
        title: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
        session_id: str | None = None,
        is_pinned: bool | None = None,
        protection_level: Literal["none", "soft", "hard"] | None = None,
        occurred_at: datetime | str | None = None,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        supersedes: Sequence[str] | None = None,
        detect_updates: Literal["off", "suggest", "apply"] | None = None,
        allow_duplicate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CreatedMemory:
        """Store a text, audio or video file; the service detects the type from its bytes.

        Paths, bytes and files that can seek are sent again on a retry; other content is sent once.

        Args:
            file: A path, bytes, a file in binary mode, or for `upload` an iterable of bytes.
            filename: Its name; default: that of the path or of the file.
            title: The content of an audio or video memory until its transcript is available.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            expires_at: When the memory is to be forgotten, in the future. Default: the creation
                plus memory_lifetime_days of its space; None: never. A hard-protected memory never
                expires.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            detect_updates: Whether older memories of the same owner and space that this one may
                outdate are looked for. suggest: they are suggested; apply: those with a confidence
                of 0.9 or more are superseded at once. Default: the account setting detect_updates;
                off for turns of a conversation: with metadata.role, or with a session and a
                speaker.
            allow_duplicate: Accepts a file that is already stored.
        """
        fields = json_body(
            {
                "title": title,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "tags": tags,
                "metadata": metadata,
                "priority": priority,
                "session_id": session_id,
                "is_pinned": is_pinned,
                "protection_level": protection_level,
                "occurred_at": occurred_at,
                "supersedes": supersedes,
                "detect_updates": detect_updates,
                "allow_duplicate": allow_duplicate,
            },
            {"space_id": space_id, "expires_at": expires_at},
        )
        form = form_arguments(file, filename, fields, idempotency_key)
        return self._transport.call(
            MEMORIES_CREATE, **form, extra_headers=extra_headers, timeout=timeout
        )

    def upload_in_parts(
        self,
        file: FileContent,
        *,
        filename: str | None = None,
        upload_id: str | None = None,
        on_progress: Progress | None = None,
        part_bytes: int = PART_BYTES_DEFAULT,
        title: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
        session_id: str | None = None,
        is_pinned: bool | None = None,
        protection_level: Literal["none", "soft", "hard"] | None = None,
        occurred_at: datetime | str | None = None,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        supersedes: Sequence[str] | None = None,
        detect_updates: Literal["off", "suggest", "apply"] | None = None,
        allow_duplicate: bool | None = None,
    ) -> CompletedUpload:
        """Store a file like `upload`, in parts that resume after a lost connection.

        Args:
            file: A path, bytes, a file in binary mode, or for `upload` an iterable of bytes.
            filename: Its name; default: that of the path or of the file.
            upload_id: The id of an interrupted upload of the same file to resume.
            on_progress: Called when the upload starts or resumes, and after each progress.
            part_bytes: Bytes of one request.
            title: The content of an audio or video memory until its transcript is available.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            expires_at: When the memory is to be forgotten, in the future. Default: the creation
                plus memory_lifetime_days of its space; None: never. A hard-protected memory never
                expires.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            detect_updates: Whether older memories of the same owner and space that this one may
                outdate are looked for. suggest: they are suggested; apply: those with a confidence
                of 0.9 or more are superseded at once. Default: the account setting detect_updates;
                off for turns of a conversation: with metadata.role, or with a session and a
                speaker.
            allow_duplicate: Accepts a file that is already stored.
        """
        fields = json_body(
            {
                "title": title,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "tags": tags,
                "metadata": metadata,
                "priority": priority,
                "session_id": session_id,
                "is_pinned": is_pinned,
                "protection_level": protection_level,
                "occurred_at": occurred_at,
                "supersedes": supersedes,
                "detect_updates": detect_updates,
                "allow_duplicate": allow_duplicate,
            },
            {"space_id": space_id, "expires_at": expires_at},
        )
        parts = PartsUpload(file, filename, fields, upload_id, on_progress, part_bytes)
        return upload_in_parts(self._transport, parts)

    def list(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        ids: Sequence[str] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        updated_after: datetime | str | None = None,
        updated_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        min_quality: float | None = None,
        is_pinned: bool | None = None,
        pinned: bool | None = None,
        protected: bool | None = None,
        outdated: bool | None = None,
        include_deleted: bool | None = None,
        sort: MemorySort | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoryPage:
        """List memories, newest first unless sort and order tell otherwise.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            tags: Memories with all of these tags.
            tags_any: Memories with one of these tags.
            pinned: Alias of is_pinned.
            outdated: Only memories that another memory supersedes or whose facts have all ended, or
                only the others.
            sort: occurred_at: the time of the content, else of the creation. salience: as it is
                when the first page is read, of at most 100,000 memories; the cursor is valid for 10
                minutes.
            metadata: Only memories whose metadata has these values.
        """
        return self._transport.call(
            MEMORIES_LIST,
            query={
                "space_id": space_id,
                "space": space,
                "ids": ids,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_id": session_id,
                "tags": tags,
                "tags_any": tags_any,
                "content_type": content_type,
                "created_after": created_after,
                "created_before": created_before,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "min_priority": min_priority,
                "min_quality": min_quality,
                "is_pinned": is_pinned,
                "pinned": pinned,
                "protected": protected,
                "outdated": outdated,
                "include_deleted": include_deleted,
                "sort": sort,
                "order": order,
                "limit": limit,
                "cursor": cursor,
                **metadata_query(metadata),
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def facets(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        ids: Sequence[str] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        updated_after: datetime | str | None = None,
        updated_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        min_quality: float | None = None,
        is_pinned: bool | None = None,
        pinned: bool | None = None,
        protected: bool | None = None,
        outdated: bool | None = None,
        include_deleted: bool | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoryFacets:
        """Count memories by the values of the filters of the list.

        Takes the filters of the list. Each count is how many memories the list would have with that
        value, and with the other filters as they are.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            tags: Memories with all of these tags.
            tags_any: Memories with one of these tags.
            pinned: Alias of is_pinned.
            outdated: Only memories that another memory supersedes or whose facts have all ended, or
                only the others.
            metadata: Only memories whose metadata has these values.
        """
        return self._transport.call(
            MEMORIES_FACETS,
            query={
                "space_id": space_id,
                "space": space,
                "ids": ids,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_id": session_id,
                "tags": tags,
                "tags_any": tags_any,
                "content_type": content_type,
                "created_after": created_after,
                "created_before": created_before,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "min_priority": min_priority,
                "min_quality": min_quality,
                "is_pinned": is_pinned,
                "pinned": pinned,
                "protected": protected,
                "outdated": outdated,
                "include_deleted": include_deleted,
                **metadata_query(metadata),
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Read a memory, including a soft-deleted one.

        Args:
            if_none_match: Responds with 304 if the ETag still matches.
        """
        return self._transport.call(
            MEMORIES_GET,
            path={"id": id},
            headers={"If-None-Match": if_none_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update(
        self,
        id: str,
        *,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        priority: int | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        session_id: str | None | NotGiven = NOT_GIVEN,
        occurred_at: datetime | str | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        supersedes: Sequence[str] | None = None,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Change a memory; new content is embedded again.

        metadata is merged (RFC 7396: null removes a key); tags are replaced.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_UPDATE,
            path={"id": id},
            query={"confirm": confirm},
            headers={"If-Match": if_match},
            body=json_body(
                {
                    "content": content,
                    "metadata": metadata,
                    "tags": tags,
                    "priority": priority,
                    "space": space,
                    "supersedes": supersedes,
                },
                {
                    "space_id": space_id,
                    "session_id": session_id,
                    "occurred_at": occurred_at,
                    "expires_at": expires_at,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove(
        self,
        id: str,
        *,
        soft: bool | None = None,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory | None:
        """Delete a memory, softly or permanently.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_REMOVE,
            path={"id": id},
            query={"soft": soft, "confirm": confirm},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def restore(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Restore a soft-deleted memory.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_RESTORE,
            path={"id": id},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def pin(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Pin a memory: exempt it from decay.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_PIN,
            path={"id": id},
            query={"confirm": confirm},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def unpin(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Unpin a memory: it decays again.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_UNPIN,
            path={"id": id},
            query={"confirm": confirm},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def protect(
        self,
        id: str,
        *,
        protection_level: Literal["none", "soft", "hard"],
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Set the protection level of a memory.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_PROTECT,
            path={"id": id},
            headers={"If-Match": if_match},
            body=json_body({"protection_level": protection_level}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def verify(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Record that a memory was verified.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            MEMORIES_VERIFY,
            path={"id": id},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def feedback(
        self,
        id: str,
        *,
        helpful: bool,
        query: str | None = None,
        comment: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Feedback:
        """Submit feedback on a memory, which adjusts its salience.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_FEEDBACK,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"helpful": helpful, "query": query, "comment": comment}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def bulk_create(
        self,
        *,
        memories: Sequence[CreateMemory],
        atomic: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkCreateResponse:
        """Store up to 100 memories.

        Each item is stored or rejected separately; atomic=true stores all or none. Requests with
        more than 49,152 characters of content are committed in several transactions. If such a
        request is interrupted, repeat it with the same Idempotency-Key: the server continues after
        the items that are stored.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_BULK_CREATE,
            query={"atomic": atomic},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"memories": memories}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def bulk_update(
        self,
        *,
        ids: Sequence[str],
        set: MemoriesBulkUpdateSet,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkUpdateResponse:
        """Set fields on up to 100 memories."""
        return self._transport.call(
            MEMORIES_BULK_UPDATE,
            query={"confirm": confirm},
            body=json_body({"ids": ids, "set": set}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def bulk_delete(
        self,
        *,
        ids: Sequence[str],
        soft: bool | None = None,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkDeleteResponse:
        """Delete up to 100 memories."""
        return self._transport.call(
            MEMORIES_BULK_DELETE,
            query={"confirm": confirm},
            body=json_body({"ids": ids, "soft": soft}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def bulk_tags(
        self,
        *,
        ids: Sequence[str],
        add: Sequence[str] | None = None,
        remove: Sequence[str] | None = None,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkUpdateResponse:
        """Add and remove tags on up to 100 memories."""
        return self._transport.call(
            MEMORIES_BULK_TAGS,
            query={"confirm": confirm},
            body=json_body({"ids": ids, "add": add, "remove": remove}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def from_messages(
        self,
        *,
        messages: Sequence[ConversationMessage],
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        derive: Literal["new", "none", "all"] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesFromMessagesResponse:
        """Store the turns of a conversation and what they say that lasts.

        Each message becomes a memory with metadata.role and metadata.speaker. Facts, preferences,
        decisions and plans that users state become memories of their own, tagged with the kind and
        linked to their turns; built-in rules find them (in English), or the configured language
        model. Everything is stored in one transaction. A message that is stored already (same
        owner, space, session, role, name, content and occurred_at) is not stored again, so a
        request may be repeated, and may contain earlier messages of the conversation.

        Args:
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            session_id: The session that the turns join; derived memories belong to no session.
            space_id: Default: the space of the session, else the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            derive: new: from messages that are not stored yet. none: the turns are only stored.
                all: also from those that are stored already, as after none; what was erased
                returns.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_FROM_MESSAGES,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "messages": messages,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "session_id": session_id,
                    "space": space,
                    "derive": derive,
                },
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def erase(
        self,
        *,
        filter: EraseFilter,
        dry_run: bool | None = None,
        token: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EraseDryRun | QueuedErasure:
        """Erase all memories that match a filter, in two steps.

        With dry_run it changes nothing and answers 200 with the count and a token, which is valid
        for 10 minutes. With that token and the same filter it answers 202, and a job erases the
        memories for good, soft-deleted ones too, with all that is derived from them. Hard-protected
        memories stay. If the filter has only user_id, agent_id and run_id, the received mails of
        this owner are erased, too, with their attachments and replies, and so are unfinished
        uploads. 409 if more matches than the dry run counted. The result of the job is a receipt:
        `erased`, `hard_protected`, `mails` and `uploads`.

        Args:
            token: Of the dry run.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_ERASE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"filter": filter, "dry_run": dry_run, "token": token}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def start_change(
        self,
        *,
        filter: BulkChangeFilter,
        action: BulkAction,
        count_only: bool | None = None,
        confirm: bool | None = None,
        expected_count: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> BulkChangeCount | BulkChange:
        """Change all memories that match a filter, as a job.

        Tags, moves, pins, protects, deletes or restores them in small steps. With count_only it
        changes nothing and answers 200 with the count. Memories that were stored after the request
        stay as they are. Each changed memory publishes its own event, and each step one
        memory.bulk_* with its ids.

        Args:
            confirm: Also changes soft-protected memories.
            expected_count: The count that was shown: 409 if more memories match by now.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_START_CHANGE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "filter": filter,
                    "action": action,
                    "count_only": count_only,
                    "confirm": confirm,
                    "expected_count": expected_count,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_change(
        self,
        change_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> BulkChange:
        """Read the progress and the result of a bulk change.

        A change is kept for 30 days. One that failed for good keeps what it has changed; a retry of
        its job (POST /jobs/:id/retry) goes on.
        """
        return self._transport.call(
            MEMORIES_GET_CHANGE,
            path={"changeId": change_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def undo_change(
        self,
        change_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> BulkChange:
        """Undo a bulk change, as a job.

        Within 24 hours after it completed. Restores the changed field of each memory, unless
        somebody has changed that field since; left_count says how many were left alone. After an
        undo that failed, another one restores the rest.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            MEMORIES_UNDO_CHANGE,
            path={"changeId": change_id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def suggestions(
        self,
        id: str,
        *,
        status: Literal["open", "accepted", "dismissed", "applied"] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> UpdateSuggestionList:
        """List memories that this one may outdate, and those that may outdate it.

        The most probable first, at most 100. They are found in the background, seconds after a
        memory was stored or changed, by its text and by the facts that it ends. Open ones are shown
        while no other memory supersedes the older one.
        """
        return self._transport.call(
            MEMORIES_SUGGESTIONS,
            path={"id": id},
            query={"status": status},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def accept_suggestion(
        self,
        id: str,
        older_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> UpdateSuggestion:
        """Accept a suggestion: the newer memory supersedes the older one.

        Creates the supersedes relationship, if it is not there; to undo it, delete that
        relationship. A dismissed suggestion can be accepted, too.

        Args:
            id: The newer memory.
            older_id: The older memory.
        """
        return self._transport.call(
            MEMORIES_ACCEPT_SUGGESTION,
            path={"id": id, "olderId": older_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def dismiss_suggestion(
        self,
        id: str,
        older_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> UpdateSuggestion:
        """Dismiss a suggestion, which is not made again.

        409 conflict while the newer memory supersedes the older one: delete that relationship
        first.

        Args:
            id: The newer memory.
            older_id: The older memory.
        """
        return self._transport.call(
            MEMORIES_DISMISS_SUGGESTION,
            path={"id": id, "olderId": older_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def topics(
        self,
        id: str,
        *,
        refresh: bool | None = None,
        min_relevance: float | None = None,
        categories: Sequence[Literal["concept", "entity", "action", "attribute"]] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesTopicsResponse:
        """Read the topics of a memory.

        Cached until the content changes; refresh=true computes them again.

        Args:
            categories: Only topics of these categories, separated by commas.
        """
        return self._transport.call(
            MEMORIES_TOPICS,
            path={"id": id},
            query={
                "refresh": refresh,
                "min_relevance": min_relevance,
                "categories": categories,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def enrich(
        self,
        id: str,
        *,
        operations: Sequence[Literal["topics", "summary", "entities", "quality"]],
        idempotency_key: str | None = None,
        prefer: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesEnrichResponse | QueuedEnrichment:
        """Create topics, a summary, entities or a quality score of a memory.

        Waits for up to 30 s. A longer enrichment, or one with `Prefer: respond-async`, continues as
        a job (202). Results for the same content and model are reused. Completion emits
        memory.updated with changes ["enrichment"].

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
            prefer: `respond-async`: responds with 202 immediately and runs as a job.
        """
        return self._transport.call(
            MEMORIES_ENRICH,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json_body({"operations": operations}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def quality(
        self,
        id: str,
        *,
        refresh: bool | None = None,
        recalculate: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesQualityResponse:
        """Read the quality score of a memory.

        The score is the weighted mean of specificity (0.3), clarity (0.25), actionability (0.2) and
        uniqueness (0.25). recalculate=true computes it again.

        Args:
            recalculate: Alias of refresh.
        """
        return self._transport.call(
            MEMORIES_QUALITY,
            path={"id": id},
            query={"refresh": refresh, "recalculate": recalculate},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncMemoriesResource:
    """Store, read, change and delete memories, one at a time or up to 100 in one request. Also
    topics, summaries and quality scores of single memories.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        content: str,
        content_type: CreatedContentType | None = None,
        type: CreatedContentType | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
        session_id: str | None = None,
        is_pinned: bool | None = None,
        protection_level: Literal["none", "soft", "hard"] | None = None,
        occurred_at: datetime | str | None = None,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        embedding: Sequence[float] | None = None,
        supersedes: Sequence[str] | None = None,
        detect_updates: Literal["off", "suggest", "apply"] | None = None,
        allow_duplicate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CreatedMemory:
        """Store a memory.

        When the 201 arrives, the memory is durable, embedded and searchable. A form with a file
        creates a memory of the type that its bytes show: text or Markdown becomes the content;
        audio and video can be played and are transcribed. Other files are 400.

        Args:
            type: Alias of content_type.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            expires_at: When the memory is to be forgotten, in the future. Default: the creation
                plus memory_lifetime_days of its space; None: never. A hard-protected memory never
                expires.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            detect_updates: Whether older memories of the same owner and space that this one may
                outdate are looked for. suggest: they are suggested; apply: those with a confidence
                of 0.9 or more are superseded at once. Default: the account setting detect_updates;
                off for turns of a conversation: with metadata.role, or with a session and a
                speaker.
            allow_duplicate: Skips the duplicate check, as for chat messages.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "content": content,
                    "content_type": content_type,
                    "type": type,
                    "space": space,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "tags": tags,
                    "metadata": metadata,
                    "priority": priority,
                    "session_id": session_id,
                    "is_pinned": is_pinned,
                    "protection_level": protection_level,
                    "occurred_at": occurred_at,
                    "embedding": embedding,
                    "supersedes": supersedes,
                    "detect_updates": detect_updates,
                    "allow_duplicate": allow_duplicate,
                },
                {"space_id": space_id, "expires_at": expires_at},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def upload(
        self,
        file: FileContent,
        *,
        filename: str | None = None,
        title: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
        session_id: str | None = None,
        is_pinned: bool | None = None,
        protection_level: Literal["none", "soft", "hard"] | None = None,
        occurred_at: datetime | str | None = None,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        supersedes: Sequence[str] | None = None,
        detect_updates: Literal["off", "suggest", "apply"] | None = None,
        allow_duplicate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CreatedMemory:
        """Store a text, audio or video file; the service detects the type from its bytes.

        Paths, bytes and files that can seek are sent again on a retry; other content is sent once.

        Args:
            file: A path, bytes, a file in binary mode, or for `upload` an iterable of bytes.
            filename: Its name; default: that of the path or of the file.
            title: The content of an audio or video memory until its transcript is available.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            expires_at: When the memory is to be forgotten, in the future. Default: the creation
                plus memory_lifetime_days of its space; None: never. A hard-protected memory never
                expires.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            detect_updates: Whether older memories of the same owner and space that this one may
                outdate are looked for. suggest: they are suggested; apply: those with a confidence
                of 0.9 or more are superseded at once. Default: the account setting detect_updates;
                off for turns of a conversation: with metadata.role, or with a session and a
                speaker.
            allow_duplicate: Accepts a file that is already stored.
        """
        fields = json_body(
            {
                "title": title,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "tags": tags,
                "metadata": metadata,
                "priority": priority,
                "session_id": session_id,
                "is_pinned": is_pinned,
                "protection_level": protection_level,
                "occurred_at": occurred_at,
                "supersedes": supersedes,
                "detect_updates": detect_updates,
                "allow_duplicate": allow_duplicate,
            },
            {"space_id": space_id, "expires_at": expires_at},
        )
        form = form_arguments(file, filename, fields, idempotency_key)
        return await self._transport.call(
            MEMORIES_CREATE, **form, extra_headers=extra_headers, timeout=timeout
        )

    async def upload_in_parts(
        self,
        file: FileContent,
        *,
        filename: str | None = None,
        upload_id: str | None = None,
        on_progress: Progress | None = None,
        part_bytes: int = PART_BYTES_DEFAULT,
        title: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
        session_id: str | None = None,
        is_pinned: bool | None = None,
        protection_level: Literal["none", "soft", "hard"] | None = None,
        occurred_at: datetime | str | None = None,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        supersedes: Sequence[str] | None = None,
        detect_updates: Literal["off", "suggest", "apply"] | None = None,
        allow_duplicate: bool | None = None,
    ) -> CompletedUpload:
        """Store a file like `upload`, in parts that resume after a lost connection.

        Args:
            file: A path, bytes, a file in binary mode, or for `upload` an iterable of bytes.
            filename: Its name; default: that of the path or of the file.
            upload_id: The id of an interrupted upload of the same file to resume.
            on_progress: Called when the upload starts or resumes, and after each progress.
            part_bytes: Bytes of one request.
            title: The content of an audio or video memory until its transcript is available.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            expires_at: When the memory is to be forgotten, in the future. Default: the creation
                plus memory_lifetime_days of its space; None: never. A hard-protected memory never
                expires.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            detect_updates: Whether older memories of the same owner and space that this one may
                outdate are looked for. suggest: they are suggested; apply: those with a confidence
                of 0.9 or more are superseded at once. Default: the account setting detect_updates;
                off for turns of a conversation: with metadata.role, or with a session and a
                speaker.
            allow_duplicate: Accepts a file that is already stored.
        """
        fields = json_body(
            {
                "title": title,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "tags": tags,
                "metadata": metadata,
                "priority": priority,
                "session_id": session_id,
                "is_pinned": is_pinned,
                "protection_level": protection_level,
                "occurred_at": occurred_at,
                "supersedes": supersedes,
                "detect_updates": detect_updates,
                "allow_duplicate": allow_duplicate,
            },
            {"space_id": space_id, "expires_at": expires_at},
        )
        parts = PartsUpload(file, filename, fields, upload_id, on_progress, part_bytes)
        return await upload_in_parts_async(self._transport, parts)

    def list(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        ids: Sequence[str] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        updated_after: datetime | str | None = None,
        updated_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        min_quality: float | None = None,
        is_pinned: bool | None = None,
        pinned: bool | None = None,
        protected: bool | None = None,
        outdated: bool | None = None,
        include_deleted: bool | None = None,
        sort: MemorySort | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[MemoryPage, Memory]:
        """List memories, newest first unless sort and order tell otherwise.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            tags: Memories with all of these tags.
            tags_any: Memories with one of these tags.
            pinned: Alias of is_pinned.
            outdated: Only memories that another memory supersedes or whose facts have all ended, or
                only the others.
            sort: occurred_at: the time of the content, else of the creation. salience: as it is
                when the first page is read, of at most 100,000 memories; the cursor is valid for 10
                minutes.
            metadata: Only memories whose metadata has these values.
        """
        return self._transport.pages(
            MEMORIES_LIST,
            query={
                "space_id": space_id,
                "space": space,
                "ids": ids,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_id": session_id,
                "tags": tags,
                "tags_any": tags_any,
                "content_type": content_type,
                "created_after": created_after,
                "created_before": created_before,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "min_priority": min_priority,
                "min_quality": min_quality,
                "is_pinned": is_pinned,
                "pinned": pinned,
                "protected": protected,
                "outdated": outdated,
                "include_deleted": include_deleted,
                "sort": sort,
                "order": order,
                "limit": limit,
                "cursor": cursor,
                **metadata_query(metadata),
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def facets(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        ids: Sequence[str] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        updated_after: datetime | str | None = None,
        updated_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        min_quality: float | None = None,
        is_pinned: bool | None = None,
        pinned: bool | None = None,
        protected: bool | None = None,
        outdated: bool | None = None,
        include_deleted: bool | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoryFacets:
        """Count memories by the values of the filters of the list.

        Takes the filters of the list. Each count is how many memories the list would have with that
        value, and with the other filters as they are.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            tags: Memories with all of these tags.
            tags_any: Memories with one of these tags.
            pinned: Alias of is_pinned.
            outdated: Only memories that another memory supersedes or whose facts have all ended, or
                only the others.
            metadata: Only memories whose metadata has these values.
        """
        return await self._transport.call(
            MEMORIES_FACETS,
            query={
                "space_id": space_id,
                "space": space,
                "ids": ids,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_id": session_id,
                "tags": tags,
                "tags_any": tags_any,
                "content_type": content_type,
                "created_after": created_after,
                "created_before": created_before,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "min_priority": min_priority,
                "min_quality": min_quality,
                "is_pinned": is_pinned,
                "pinned": pinned,
                "protected": protected,
                "outdated": outdated,
                "include_deleted": include_deleted,
                **metadata_query(metadata),
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get(
        self,
        id: str,
        *,
        if_none_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Read a memory, including a soft-deleted one.

        Args:
            if_none_match: Responds with 304 if the ETag still matches.
        """
        return await self._transport.call(
            MEMORIES_GET,
            path={"id": id},
            headers={"If-None-Match": if_none_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update(
        self,
        id: str,
        *,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        priority: int | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        session_id: str | None | NotGiven = NOT_GIVEN,
        occurred_at: datetime | str | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        supersedes: Sequence[str] | None = None,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Change a memory; new content is embedded again.

        metadata is merged (RFC 7396: null removes a key); tags are replaced.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            supersedes: Ids of older memories that this one replaces: each gets a `supersedes`
                relationship from it, or nothing is stored.
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_UPDATE,
            path={"id": id},
            query={"confirm": confirm},
            headers={"If-Match": if_match},
            body=json_body(
                {
                    "content": content,
                    "metadata": metadata,
                    "tags": tags,
                    "priority": priority,
                    "space": space,
                    "supersedes": supersedes,
                },
                {
                    "space_id": space_id,
                    "session_id": session_id,
                    "occurred_at": occurred_at,
                    "expires_at": expires_at,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove(
        self,
        id: str,
        *,
        soft: bool | None = None,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory | None:
        """Delete a memory, softly or permanently.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_REMOVE,
            path={"id": id},
            query={"soft": soft, "confirm": confirm},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def restore(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Restore a soft-deleted memory.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_RESTORE,
            path={"id": id},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def pin(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Pin a memory: exempt it from decay.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_PIN,
            path={"id": id},
            query={"confirm": confirm},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def unpin(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Unpin a memory: it decays again.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_UNPIN,
            path={"id": id},
            query={"confirm": confirm},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def protect(
        self,
        id: str,
        *,
        protection_level: Literal["none", "soft", "hard"],
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Set the protection level of a memory.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_PROTECT,
            path={"id": id},
            headers={"If-Match": if_match},
            body=json_body({"protection_level": protection_level}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def verify(
        self,
        id: str,
        *,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Memory:
        """Record that a memory was verified.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            MEMORIES_VERIFY,
            path={"id": id},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def feedback(
        self,
        id: str,
        *,
        helpful: bool,
        query: str | None = None,
        comment: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Feedback:
        """Submit feedback on a memory, which adjusts its salience.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_FEEDBACK,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"helpful": helpful, "query": query, "comment": comment}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def bulk_create(
        self,
        *,
        memories: Sequence[CreateMemory],
        atomic: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkCreateResponse:
        """Store up to 100 memories.

        Each item is stored or rejected separately; atomic=true stores all or none. Requests with
        more than 49,152 characters of content are committed in several transactions. If such a
        request is interrupted, repeat it with the same Idempotency-Key: the server continues after
        the items that are stored.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_BULK_CREATE,
            query={"atomic": atomic},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"memories": memories}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def bulk_update(
        self,
        *,
        ids: Sequence[str],
        set: MemoriesBulkUpdateSet,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkUpdateResponse:
        """Set fields on up to 100 memories."""
        return await self._transport.call(
            MEMORIES_BULK_UPDATE,
            query={"confirm": confirm},
            body=json_body({"ids": ids, "set": set}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def bulk_delete(
        self,
        *,
        ids: Sequence[str],
        soft: bool | None = None,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkDeleteResponse:
        """Delete up to 100 memories."""
        return await self._transport.call(
            MEMORIES_BULK_DELETE,
            query={"confirm": confirm},
            body=json_body({"ids": ids, "soft": soft}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def bulk_tags(
        self,
        *,
        ids: Sequence[str],
        add: Sequence[str] | None = None,
        remove: Sequence[str] | None = None,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesBulkUpdateResponse:
        """Add and remove tags on up to 100 memories."""
        return await self._transport.call(
            MEMORIES_BULK_TAGS,
            query={"confirm": confirm},
            body=json_body({"ids": ids, "add": add, "remove": remove}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def from_messages(
        self,
        *,
        messages: Sequence[ConversationMessage],
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        derive: Literal["new", "none", "all"] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesFromMessagesResponse:
        """Store the turns of a conversation and what they say that lasts.

        Each message becomes a memory with metadata.role and metadata.speaker. Facts, preferences,
        decisions and plans that users state become memories of their own, tagged with the kind and
        linked to their turns; built-in rules find them (in English), or the configured language
        model. Everything is stored in one transaction. A message that is stored already (same
        owner, space, session, role, name, content and occurred_at) is not stored again, so a
        request may be repeated, and may contain earlier messages of the conversation.

        Args:
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            session_id: The session that the turns join; derived memories belong to no session.
            space_id: Default: the space of the session, else the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            derive: new: from messages that are not stored yet. none: the turns are only stored.
                all: also from those that are stored already, as after none; what was erased
                returns.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_FROM_MESSAGES,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "messages": messages,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "session_id": session_id,
                    "space": space,
                    "derive": derive,
                },
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def erase(
        self,
        *,
        filter: EraseFilter,
        dry_run: bool | None = None,
        token: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EraseDryRun | QueuedErasure:
        """Erase all memories that match a filter, in two steps.

        With dry_run it changes nothing and answers 200 with the count and a token, which is valid
        for 10 minutes. With that token and the same filter it answers 202, and a job erases the
        memories for good, soft-deleted ones too, with all that is derived from them. Hard-protected
        memories stay. If the filter has only user_id, agent_id and run_id, the received mails of
        this owner are erased, too, with their attachments and replies, and so are unfinished
        uploads. 409 if more matches than the dry run counted. The result of the job is a receipt:
        `erased`, `hard_protected`, `mails` and `uploads`.

        Args:
            token: Of the dry run.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_ERASE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"filter": filter, "dry_run": dry_run, "token": token}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def start_change(
        self,
        *,
        filter: BulkChangeFilter,
        action: BulkAction,
        count_only: bool | None = None,
        confirm: bool | None = None,
        expected_count: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> BulkChangeCount | BulkChange:
        """Change all memories that match a filter, as a job.

        Tags, moves, pins, protects, deletes or restores them in small steps. With count_only it
        changes nothing and answers 200 with the count. Memories that were stored after the request
        stay as they are. Each changed memory publishes its own event, and each step one
        memory.bulk_* with its ids.

        Args:
            confirm: Also changes soft-protected memories.
            expected_count: The count that was shown: 409 if more memories match by now.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_START_CHANGE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "filter": filter,
                    "action": action,
                    "count_only": count_only,
                    "confirm": confirm,
                    "expected_count": expected_count,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_change(
        self,
        change_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> BulkChange:
        """Read the progress and the result of a bulk change.

        A change is kept for 30 days. One that failed for good keeps what it has changed; a retry of
        its job (POST /jobs/:id/retry) goes on.
        """
        return await self._transport.call(
            MEMORIES_GET_CHANGE,
            path={"changeId": change_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def undo_change(
        self,
        change_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> BulkChange:
        """Undo a bulk change, as a job.

        Within 24 hours after it completed. Restores the changed field of each memory, unless
        somebody has changed that field since; left_count says how many were left alone. After an
        undo that failed, another one restores the rest.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            MEMORIES_UNDO_CHANGE,
            path={"changeId": change_id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def suggestions(
        self,
        id: str,
        *,
        status: Literal["open", "accepted", "dismissed", "applied"] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> UpdateSuggestionList:
        """List memories that this one may outdate, and those that may outdate it.

        The most probable first, at most 100. They are found in the background, seconds after a
        memory was stored or changed, by its text and by the facts that it ends. Open ones are shown
        while no other memory supersedes the older one.
        """
        return await self._transport.call(
            MEMORIES_SUGGESTIONS,
            path={"id": id},
            query={"status": status},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def accept_suggestion(
        self,
        id: str,
        older_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> UpdateSuggestion:
        """Accept a suggestion: the newer memory supersedes the older one.

        Creates the supersedes relationship, if it is not there; to undo it, delete that
        relationship. A dismissed suggestion can be accepted, too.

        Args:
            id: The newer memory.
            older_id: The older memory.
        """
        return await self._transport.call(
            MEMORIES_ACCEPT_SUGGESTION,
            path={"id": id, "olderId": older_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def dismiss_suggestion(
        self,
        id: str,
        older_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> UpdateSuggestion:
        """Dismiss a suggestion, which is not made again.

        409 conflict while the newer memory supersedes the older one: delete that relationship
        first.

        Args:
            id: The newer memory.
            older_id: The older memory.
        """
        return await self._transport.call(
            MEMORIES_DISMISS_SUGGESTION,
            path={"id": id, "olderId": older_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def topics(
        self,
        id: str,
        *,
        refresh: bool | None = None,
        min_relevance: float | None = None,
        categories: Sequence[Literal["concept", "entity", "action", "attribute"]] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesTopicsResponse:
        """Read the topics of a memory.

        Cached until the content changes; refresh=true computes them again.

        Args:
            categories: Only topics of these categories, separated by commas.
        """
        return await self._transport.call(
            MEMORIES_TOPICS,
            path={"id": id},
            query={
                "refresh": refresh,
                "min_relevance": min_relevance,
                "categories": categories,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def enrich(
        self,
        id: str,
        *,
        operations: Sequence[Literal["topics", "summary", "entities", "quality"]],
        idempotency_key: str | None = None,
        prefer: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesEnrichResponse | QueuedEnrichment:
        """Create topics, a summary, entities or a quality score of a memory.

        Waits for up to 30 s. A longer enrichment, or one with `Prefer: respond-async`, continues as
        a job (202). Results for the same content and model are reused. Completion emits
        memory.updated with changes ["enrichment"].

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
            prefer: `respond-async`: responds with 202 immediately and runs as a job.
        """
        return await self._transport.call(
            MEMORIES_ENRICH,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json_body({"operations": operations}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def quality(
        self,
        id: str,
        *,
        refresh: bool | None = None,
        recalculate: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoriesQualityResponse:
        """Read the quality score of a memory.

        The score is the weighted mean of specificity (0.3), clarity (0.25), actionability (0.2) and
        uniqueness (0.25). recalculate=true computes it again.

        Args:
            recalculate: Alias of refresh.
        """
        return await self._transport.call(
            MEMORIES_QUALITY,
            path={"id": id},
            query={"refresh": refresh, "recalculate": recalculate},
            extra_headers=extra_headers,
            timeout=timeout,
        )
