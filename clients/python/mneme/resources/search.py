"""Methods: search.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from .._async import AsyncTransport
from .._json import json_body, metadata_query
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    SEARCH_AGGREGATE,
    SEARCH_BATCH,
    SEARCH_GET,
    SEARCH_GET_PRESET,
    SEARCH_GLOBAL,
    SEARCH_LIST_PRESETS,
    SEARCH_POST,
    SEARCH_PUT_PRESET,
    SEARCH_RECALL,
    SEARCH_REMOVE_PRESET,
    SEARCH_SIMILAR,
    SEARCH_TOPIC,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    RecallAnswer,
    SearchAggregateResponse,
    SearchBatchResponse,
    SearchGlobalResponse,
    SearchPreset,
    SearchPresetPage,
    SearchResponse,
    SearchSimilarResponse,
    SearchTopicResponse,
)
from ..types import ContentType, SearchGrouping, SearchRecallFormat, SearchRequest


class SearchResource:
    """Find memories by meaning, words and filters, and build a context for a prompt with /recall.
    Pipelines are named search settings; an account can define its own.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        q: str,
        include: Sequence[Literal["memories", "audio"]] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        threshold: float | None = None,
        explain: bool | None = None,
        why: str | None = None,
        as_of: datetime | str | None = None,
        rewrite: bool | None = None,
        rerank: bool | None = None,
        pipeline: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        include_superseded: bool | None = None,
        space_id: str | None = None,
        space: str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchResponse:
        """Search memories by meaning and words.

        Semantic and keyword relevance together rank the memories. A "quoted phrase" must occur in a
        result; -term excludes results with that term. metadata.<key>=value filters by metadata.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            threshold: Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the
                page.
            explain: Adds why_matched to each result: what each feature adds to its score.
            why: A memory whose place is explained in `why`, also where it is no result.
            as_of: Asks for what held at this time: what was superseded later stands before what
                supersedes it, and memories of a later time rank behind. The time of a memory is its
                occurred_at, else its created_at.
            rewrite: Searches also with up to three texts that the language model of the service
                makes of the query: the same question in other words, or the questions that it
                consists of. `rewrite` of the response says whether it did; without a model, or if
                it fails, the results are those of the query alone.
            rerank: Whether the reranker of the service reorders the best results; by default if
                there is one. `rerank` of the response says whether it did.
            pipeline: precise, balanced, broad, or a preset of the account. Unknown names are
                rejected.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
            include_superseded: false: omits memories that another memory supersedes; what
                supersedes them takes their place.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            metadata: Only memories whose metadata has these values.
        """
        return self._transport.call(
            SEARCH_GET,
            query={
                "q": q,
                "include": include,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "tags": tags,
                "tags_any": tags_any,
                "content_type": content_type,
                "created_after": created_after,
                "created_before": created_before,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "min_priority": min_priority,
                "limit": limit,
                "offset": offset,
                "threshold": threshold,
                "explain": explain,
                "why": why,
                "as_of": as_of,
                "rewrite": rewrite,
                "rerank": rerank,
                "pipeline": pipeline,
                "session_key": session_key,
                "session": session,
                "include_superseded": include_superseded,
                "space_id": space_id,
                "space": space,
                **metadata_query(metadata),
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def post(
        self,
        *,
        q: str,
        include: Sequence[Literal["memories", "audio"]] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        threshold: float | None = None,
        explain: bool | None = None,
        why: str | None = None,
        as_of: datetime | str | None = None,
        rewrite: bool | None = None,
        rerank: bool | None = None,
        pipeline: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        include_superseded: bool | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        metadata: Mapping[str, str | float | bool] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchResponse:
        """Search memories with a JSON body.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            threshold: Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the
                page.
            explain: Adds why_matched to each result: what each feature adds to its score.
            why: A memory whose place is explained in `why`, also where it is no result.
            as_of: Asks for what held at this time: what was superseded later stands before what
                supersedes it, and memories of a later time rank behind. The time of a memory is its
                occurred_at, else its created_at.
            rewrite: Searches also with up to three texts that the language model of the service
                makes of the query: the same question in other words, or the questions that it
                consists of. `rewrite` of the response says whether it did; without a model, or if
                it fails, the results are those of the query alone.
            rerank: Whether the reranker of the service reorders the best results; by default if
                there is one. `rerank` of the response says whether it did.
            pipeline: precise, balanced, broad, or a preset of the account. Unknown names are
                rejected.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
            include_superseded: false: omits memories that another memory supersedes; what
                supersedes them takes their place.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
        """
        return self._transport.call(
            SEARCH_POST,
            body=json_body(
                {
                    "q": q,
                    "include": include,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "tags": tags,
                    "tags_any": tags_any,
                    "content_type": content_type,
                    "created_after": created_after,
                    "created_before": created_before,
                    "occurred_after": occurred_after,
                    "occurred_before": occurred_before,
                    "min_priority": min_priority,
                    "limit": limit,
                    "offset": offset,
                    "threshold": threshold,
                    "explain": explain,
                    "why": why,
                    "as_of": as_of,
                    "rewrite": rewrite,
                    "rerank": rerank,
                    "pipeline": pipeline,
                    "session_key": session_key,
                    "session": session,
                    "include_superseded": include_superseded,
                    "space": space,
                    "metadata": metadata,
                },
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def recall(
        self,
        *,
        q: str | None = None,
        query: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        max_tokens: int | None = None,
        max_memories: int | None = None,
        as_of: datetime | str | None = None,
        rewrite: bool | None = None,
        rerank: bool | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        exclude_session_id: str | None = None,
        include_related: bool | None = None,
        threshold: float | None = None,
        format: SearchRecallFormat | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RecallAnswer:
        """Build a context for a prompt from relevant memories.

        Contains the most relevant memories first, then related ones, within max_tokens (o200k).
        Superseded memories are omitted; a question about the past keeps them, marked as outdated.
        Memories whose facts have ended are kept, marked as outdated.

        Args:
            query: Alias of q.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            tags: Only memories with all of these tags.
            as_of: Asks for what held at this time: what was superseded later stands before what
                supersedes it, and memories of a later time rank behind. The time of a memory is its
                occurred_at, else its created_at.
            rewrite: Searches also with up to three texts that the language model of the service
                makes of the query: the same question in other words, or the questions that it
                consists of. `rewrite` of the response says whether it did; without a model, or if
                it fails, the results are those of the query alone.
            rerank: Whether the reranker of the service reorders the best results; by default if
                there is one. `rerank` of the response says whether it did.
            occurred_after: Only memories of this time or later: of occurred_at, else of created_at.
            exclude_session_id: Memories of this session are left out, because the prompt has them
                already.
            threshold: Memories with a lower score are left out.
            format: How the context is written. json is one object: `memories` with id, date,
                session_id, role, speaker, outdated_by and content. xml has a `memory` element for
                each. lines has one line for each, the most relevant first and outdated ones last;
                the first one is shortened rather than left out.
        """
        return self._transport.call(
            SEARCH_RECALL,
            body=json_body(
                {
                    "q": q,
                    "query": query,
                    "session_key": session_key,
                    "session": session,
                    "space": space,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "tags": tags,
                    "max_tokens": max_tokens,
                    "max_memories": max_memories,
                    "as_of": as_of,
                    "rewrite": rewrite,
                    "rerank": rerank,
                    "occurred_after": occurred_after,
                    "occurred_before": occurred_before,
                    "exclude_session_id": exclude_session_id,
                    "include_related": include_related,
                    "threshold": threshold,
                    "format": format,
                },
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def batch(
        self,
        *,
        queries: Sequence[SearchRequest],
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchBatchResponse:
        """Run up to 20 searches, each separately.

        An invalid query returns an error at its position; the others run. Each successful query
        counts as one search. If the quota is exhausted between them, the remaining queries fail; if
        no query can run, the whole request fails.

        Args:
            session_key: Default session key for queries without one.
            session: Alias of session_key.
        """
        return self._transport.call(
            SEARCH_BATCH,
            body=json_body({"queries": queries, "session_key": session_key, "session": session}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def global_(
        self,
        *,
        q: str,
        types: Sequence[Literal["memory", "highlight", "cluster", "space"]] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchGlobalResponse:
        """Find memories, clusters and spaces by words.

        Keyword search only: nothing is embedded, and no search is counted. Quotes and -term work as
        in a search. The response has every group; groups that were not requested, or whose area the
        key cannot read, are empty.

        Args:
            types: The groups to search; default: all.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            limit: Maximum results in each group.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return self._transport.call(
            SEARCH_GLOBAL,
            query={
                "q": q,
                "types": types,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def topic(
        self,
        *,
        topic: str,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchTopicResponse:
        """List memories with exactly this tag.

        Ordered by priority, then newest first. Does not count as a search.

        Args:
            topic: A tag, exactly as stored.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return self._transport.call(
            SEARCH_TOPIC,
            query={
                "topic": topic,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def aggregate(
        self,
        *,
        group_by: SearchGrouping,
        q: str | None = None,
        query: str | None = None,
        bucket_size: Literal["day", "week", "month"] | None = None,
        threshold: float | None = None,
        limit: int | None = None,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchAggregateResponse:
        """Count search matches by tag, cluster, content type, priority or time.

        Counts all matches, not only the first results. A memory with several tags counts in each
        group. The time is occurred_at, or created_at without one.

        Args:
            query: Alias of q.
            bucket_size: Required for time_bucket. Buckets are in UTC; weeks start on Monday.
            limit: Maximum number of groups.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return self._transport.call(
            SEARCH_AGGREGATE,
            query={
                "q": q,
                "query": query,
                "group_by": group_by,
                "bucket_size": bucket_size,
                "threshold": threshold,
                "limit": limit,
                "space_id": space_id,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def similar(
        self,
        memory_id: str,
        *,
        limit: int | None = None,
        threshold: float | None = None,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchSimilarResponse:
        """List the memories with the most similar embeddings.

        Args:
            threshold: Minimum similarity.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return self._transport.call(
            SEARCH_SIMILAR,
            path={"memoryId": memory_id},
            query={
                "limit": limit,
                "threshold": threshold,
                "space_id": space_id,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_presets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchPresetPage:
        """List the pipelines of a search: the built-in ones, then the presets by name."""
        return self._transport.call(
            SEARCH_LIST_PRESETS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_preset(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchPreset:
        """Read a preset or built-in pipeline."""
        return self._transport.call(
            SEARCH_GET_PRESET,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def put_preset(
        self,
        name: str,
        *,
        limit: int | None = None,
        threshold: float | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchPreset:
        """Create or replace a preset.

        Searches of the account can use the name as `pipeline`; a limit or threshold in the search
        overrides that of the preset. A built-in name is 409 conflict. Keys that are limited to
        spaces are rejected.
        """
        return self._transport.call(
            SEARCH_PUT_PRESET,
            path={"name": name},
            body=json_body({"limit": limit, "threshold": threshold}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_preset(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a preset."""
        return self._transport.call(
            SEARCH_REMOVE_PRESET,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncSearchResource:
    """Find memories by meaning, words and filters, and build a context for a prompt with /recall.
    Pipelines are named search settings; an account can define its own.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        q: str,
        include: Sequence[Literal["memories", "audio"]] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        threshold: float | None = None,
        explain: bool | None = None,
        why: str | None = None,
        as_of: datetime | str | None = None,
        rewrite: bool | None = None,
        rerank: bool | None = None,
        pipeline: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        include_superseded: bool | None = None,
        space_id: str | None = None,
        space: str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchResponse:
        """Search memories by meaning and words.

        Semantic and keyword relevance together rank the memories. A "quoted phrase" must occur in a
        result; -term excludes results with that term. metadata.<key>=value filters by metadata.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            threshold: Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the
                page.
            explain: Adds why_matched to each result: what each feature adds to its score.
            why: A memory whose place is explained in `why`, also where it is no result.
            as_of: Asks for what held at this time: what was superseded later stands before what
                supersedes it, and memories of a later time rank behind. The time of a memory is its
                occurred_at, else its created_at.
            rewrite: Searches also with up to three texts that the language model of the service
                makes of the query: the same question in other words, or the questions that it
                consists of. `rewrite` of the response says whether it did; without a model, or if
                it fails, the results are those of the query alone.
            rerank: Whether the reranker of the service reorders the best results; by default if
                there is one. `rerank` of the response says whether it did.
            pipeline: precise, balanced, broad, or a preset of the account. Unknown names are
                rejected.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
            include_superseded: false: omits memories that another memory supersedes; what
                supersedes them takes their place.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            metadata: Only memories whose metadata has these values.
        """
        return await self._transport.call(
            SEARCH_GET,
            query={
                "q": q,
                "include": include,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "tags": tags,
                "tags_any": tags_any,
                "content_type": content_type,
                "created_after": created_after,
                "created_before": created_before,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "min_priority": min_priority,
                "limit": limit,
                "offset": offset,
                "threshold": threshold,
                "explain": explain,
                "why": why,
                "as_of": as_of,
                "rewrite": rewrite,
                "rerank": rerank,
                "pipeline": pipeline,
                "session_key": session_key,
                "session": session,
                "include_superseded": include_superseded,
                "space_id": space_id,
                "space": space,
                **metadata_query(metadata),
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def post(
        self,
        *,
        q: str,
        include: Sequence[Literal["memories", "audio"]] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        tags_any: Sequence[str] | None = None,
        content_type: ContentType | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        min_priority: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        threshold: float | None = None,
        explain: bool | None = None,
        why: str | None = None,
        as_of: datetime | str | None = None,
        rewrite: bool | None = None,
        rerank: bool | None = None,
        pipeline: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        include_superseded: bool | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        metadata: Mapping[str, str | float | bool] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchResponse:
        """Search memories with a JSON body.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            threshold: Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the
                page.
            explain: Adds why_matched to each result: what each feature adds to its score.
            why: A memory whose place is explained in `why`, also where it is no result.
            as_of: Asks for what held at this time: what was superseded later stands before what
                supersedes it, and memories of a later time rank behind. The time of a memory is its
                occurred_at, else its created_at.
            rewrite: Searches also with up to three texts that the language model of the service
                makes of the query: the same question in other words, or the questions that it
                consists of. `rewrite` of the response says whether it did; without a model, or if
                it fails, the results are those of the query alone.
            rerank: Whether the reranker of the service reorders the best results; by default if
                there is one. `rerank` of the response says whether it did.
            pipeline: precise, balanced, broad, or a preset of the account. Unknown names are
                rejected.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
            include_superseded: false: omits memories that another memory supersedes; what
                supersedes them takes their place.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
        """
        return await self._transport.call(
            SEARCH_POST,
            body=json_body(
                {
                    "q": q,
                    "include": include,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "tags": tags,
                    "tags_any": tags_any,
                    "content_type": content_type,
                    "created_after": created_after,
                    "created_before": created_before,
                    "occurred_after": occurred_after,
                    "occurred_before": occurred_before,
                    "min_priority": min_priority,
                    "limit": limit,
                    "offset": offset,
                    "threshold": threshold,
                    "explain": explain,
                    "why": why,
                    "as_of": as_of,
                    "rewrite": rewrite,
                    "rerank": rerank,
                    "pipeline": pipeline,
                    "session_key": session_key,
                    "session": session,
                    "include_superseded": include_superseded,
                    "space": space,
                    "metadata": metadata,
                },
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def recall(
        self,
        *,
        q: str | None = None,
        query: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        tags: Sequence[str] | None = None,
        max_tokens: int | None = None,
        max_memories: int | None = None,
        as_of: datetime | str | None = None,
        rewrite: bool | None = None,
        rerank: bool | None = None,
        occurred_after: datetime | str | None = None,
        occurred_before: datetime | str | None = None,
        exclude_session_id: str | None = None,
        include_related: bool | None = None,
        threshold: float | None = None,
        format: SearchRecallFormat | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RecallAnswer:
        """Build a context for a prompt from relevant memories.

        Contains the most relevant memories first, then related ones, within max_tokens (o200k).
        Superseded memories are omitted; a question about the past keeps them, marked as outdated.
        Memories whose facts have ended are kept, marked as outdated.

        Args:
            query: Alias of q.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            tags: Only memories with all of these tags.
            as_of: Asks for what held at this time: what was superseded later stands before what
                supersedes it, and memories of a later time rank behind. The time of a memory is its
                occurred_at, else its created_at.
            rewrite: Searches also with up to three texts that the language model of the service
                makes of the query: the same question in other words, or the questions that it
                consists of. `rewrite` of the response says whether it did; without a model, or if
                it fails, the results are those of the query alone.
            rerank: Whether the reranker of the service reorders the best results; by default if
                there is one. `rerank` of the response says whether it did.
            occurred_after: Only memories of this time or later: of occurred_at, else of created_at.
            exclude_session_id: Memories of this session are left out, because the prompt has them
                already.
            threshold: Memories with a lower score are left out.
            format: How the context is written. json is one object: `memories` with id, date,
                session_id, role, speaker, outdated_by and content. xml has a `memory` element for
                each. lines has one line for each, the most relevant first and outdated ones last;
                the first one is shortened rather than left out.
        """
        return await self._transport.call(
            SEARCH_RECALL,
            body=json_body(
                {
                    "q": q,
                    "query": query,
                    "session_key": session_key,
                    "session": session,
                    "space": space,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                    "tags": tags,
                    "max_tokens": max_tokens,
                    "max_memories": max_memories,
                    "as_of": as_of,
                    "rewrite": rewrite,
                    "rerank": rerank,
                    "occurred_after": occurred_after,
                    "occurred_before": occurred_before,
                    "exclude_session_id": exclude_session_id,
                    "include_related": include_related,
                    "threshold": threshold,
                    "format": format,
                },
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def batch(
        self,
        *,
        queries: Sequence[SearchRequest],
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchBatchResponse:
        """Run up to 20 searches, each separately.

        An invalid query returns an error at its position; the others run. Each successful query
        counts as one search. If the quota is exhausted between them, the remaining queries fail; if
        no query can run, the whole request fails.

        Args:
            session_key: Default session key for queries without one.
            session: Alias of session_key.
        """
        return await self._transport.call(
            SEARCH_BATCH,
            body=json_body({"queries": queries, "session_key": session_key, "session": session}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def global_(
        self,
        *,
        q: str,
        types: Sequence[Literal["memory", "highlight", "cluster", "space"]] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchGlobalResponse:
        """Find memories, clusters and spaces by words.

        Keyword search only: nothing is embedded, and no search is counted. Quotes and -term work as
        in a search. The response has every group; groups that were not requested, or whose area the
        key cannot read, are empty.

        Args:
            types: The groups to search; default: all.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            limit: Maximum results in each group.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return await self._transport.call(
            SEARCH_GLOBAL,
            query={
                "q": q,
                "types": types,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def topic(
        self,
        *,
        topic: str,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchTopicResponse:
        """List memories with exactly this tag.

        Ordered by priority, then newest first. Does not count as a search.

        Args:
            topic: A tag, exactly as stored.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return await self._transport.call(
            SEARCH_TOPIC,
            query={
                "topic": topic,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def aggregate(
        self,
        *,
        group_by: SearchGrouping,
        q: str | None = None,
        query: str | None = None,
        bucket_size: Literal["day", "week", "month"] | None = None,
        threshold: float | None = None,
        limit: int | None = None,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchAggregateResponse:
        """Count search matches by tag, cluster, content type, priority or time.

        Counts all matches, not only the first results. A memory with several tags counts in each
        group. The time is occurred_at, or created_at without one.

        Args:
            query: Alias of q.
            bucket_size: Required for time_bucket. Buckets are in UTC; weeks start on Monday.
            limit: Maximum number of groups.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return await self._transport.call(
            SEARCH_AGGREGATE,
            query={
                "q": q,
                "query": query,
                "group_by": group_by,
                "bucket_size": bucket_size,
                "threshold": threshold,
                "limit": limit,
                "space_id": space_id,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def similar(
        self,
        memory_id: str,
        *,
        limit: int | None = None,
        threshold: float | None = None,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_key: str | None = None,
        session: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchSimilarResponse:
        """List the memories with the most similar embeddings.

        Args:
            threshold: Minimum similarity.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            session_key: Adds the memories that are found to the activation session with this key.
            session: Alias of session_key.
        """
        return await self._transport.call(
            SEARCH_SIMILAR,
            path={"memoryId": memory_id},
            query={
                "limit": limit,
                "threshold": threshold,
                "space_id": space_id,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "session_key": session_key,
                "session": session,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_presets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[SearchPresetPage, SearchPreset]:
        """List the pipelines of a search: the built-in ones, then the presets by name."""
        return self._transport.pages(
            SEARCH_LIST_PRESETS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_preset(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchPreset:
        """Read a preset or built-in pipeline."""
        return await self._transport.call(
            SEARCH_GET_PRESET,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def put_preset(
        self,
        name: str,
        *,
        limit: int | None = None,
        threshold: float | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SearchPreset:
        """Create or replace a preset.

        Searches of the account can use the name as `pipeline`; a limit or threshold in the search
        overrides that of the preset. A built-in name is 409 conflict. Keys that are limited to
        spaces are rejected.
        """
        return await self._transport.call(
            SEARCH_PUT_PRESET,
            path={"name": name},
            body=json_body({"limit": limit, "threshold": threshold}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_preset(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a preset."""
        return await self._transport.call(
            SEARCH_REMOVE_PRESET,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )
