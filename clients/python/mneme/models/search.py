"""Objects of responses: search.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import (
    ContentType,
    RerankReportStatus,
    ResultPlacementReason,
    RewriteReportStatus,
    SearchGrouping,
)
from .knowledge import OffsetPagination
from .memories import ItemError, Memory, OnePagePagination


class ResultPassage(Model):
    start: int
    end: int
    text: str


class SearchResultWarning(Model):
    code: Literal["superseded"]
    superseded_by: str


class WhyMatched(Model):
    semantic_rank: int | None
    semantic_score: float | None
    keyword_rank: int | None
    keyword_score: float | None
    matched_terms: list[str]
    features: dict[str, float]
    """What each feature adds to the log-odds of the score; the sum is ln(score / (1 − score)).
    best_match: how near the first result is to the query; lead: its distance to the second;
    behind_first: the distance of another to the first; outdated: a newer memory follows, or it is
    later than as_of; no_match: the result only fills the page.
    """
    priority_boost: float
    salience_boost: float


class SearchResult(Model):
    type: Literal["memory"]
    id: str
    score: float
    content: str
    content_type: ContentType
    highlight: str
    """The passage of the content that matches best, shortened if it is long."""
    passage: ResultPassage | None
    """The passage of a long memory that answers best: its text is the content from start (included)
    to end (excluded), in UTF-16 code units. null: the memory is not divided into passages.
    """
    tags: list[str]
    metadata: dict[str, Any]
    space_id: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    session_id: str | None
    priority: int
    occurred_at: datetime | None
    created_at: datetime
    outdated_by: str | None
    """The newest of the memories at the ends of what supersedes it, directly or over several, or
    says that all its facts have ended; null: it is current.
    """
    warnings: list[SearchResultWarning] | None = None
    """Omitted if empty."""
    found_by: str | None = None
    """The rewritten text that found this result, if the query itself does not have it among its
    best results.
    """
    why_matched: WhyMatched | None = None


class AudioSegmentResult(Model):
    type: Literal["audio_segment"]
    id: str
    score: float
    audio_file_id: str
    """The memory that contains the recording."""
    modality: Literal["speech", "frame"]
    """speech: spoken words; frame: the content of a key frame."""
    text: str
    highlight: str
    """The part of the text that matches best."""
    start_time: float
    """Seconds from the start."""
    end_time: float
    """Seconds from the start."""
    speaker: str | None
    clip_url: str
    """Plays this time range without a key, for 15 minutes."""
    space_id: str | None
    session_id: str | None
    created_at: datetime
    found_by: str | None = None
    """The rewritten text that found this result, if the query itself does not have it among its
    best results.
    """
    why_matched: WhyMatched | None = None


class SearchFacets(Model):
    memories: int
    audio_segments: int


class ResultPlacementAhead(Model):
    id: str
    score: float
    differences: dict[str, float]


class ResultPlacement(Model):
    id: str
    rank: int | None
    """From 1 among all matches; null: no match."""
    score: float | None
    reason: ResultPlacementReason
    """filtered: excluded by a filter, an exclusion or a required phrase; no_match: shares no word
    with the query and is not near; not_found: not in the searched spaces.
    """
    why_matched: WhyMatched | None
    ahead: ResultPlacementAhead | None
    """The first match, and by how much each of its features exceeds that of this memory; null if
    there is no other.
    """


class RewriteReport(Model):
    status: RewriteReportStatus
    """no_rewrites: the model has none; timeout: it did not answer in time; failed: there was no
    usable answer; paused: it failed several times in a row and is not called for some seconds;
    not_configured: the service has no language model.
    """
    queries: list[str]
    """The texts, without the query itself."""
    model: str | None


class RerankReport(Model):
    status: RerankReportStatus
    """not_needed: fewer than two results could change places. The others are as in `rewrite`, and
    leave the order as it was.
    """
    model: str | None
    candidates: int
    """Number of results that the reranker compared."""


class SearchResponse(Model):
    results: list[SearchResult | AudioSegmentResult]
    """Alias of data."""
    facets: SearchFacets
    """Number of matches by kind; others that fill the page are not counted."""
    why: ResultPlacement | None = None
    """For requests with `why`: as the query alone ranks it."""
    rewrite: RewriteReport | None = None
    """For requests with `rewrite`."""
    rerank: RerankReport | None = None
    """For requests with `rerank`, and for all others if the service has a reranker."""
    pagination: OffsetPagination
    data: list[SearchResult | AudioSegmentResult]


class RecalledMemory(Model):
    id: str
    content: str
    content_type: ContentType
    space_id: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    session_id: str | None
    tags: list[str]
    metadata: dict[str, Any]
    priority: int
    salience: float | None
    is_pinned: bool
    is_deleted: bool
    protection_level: Literal["none", "soft", "hard"]
    quality_score: float | None
    occurred_at: datetime | None
    expires_at: datetime | None
    """From then on the memory is hidden; it is erased within the hour. null: never."""
    verified_at: datetime | None
    deleted_at: datetime | None
    created_at: datetime
    updated_at: datetime
    outdated_by: str | None
    """The newest of the memories at the ends of what supersedes it, directly or over several, or
    says that all its facts have ended; null: it is current.
    """
    score: float | None
    """As in search; null for a memory that was added through its relationships."""
    found_by: str | None = None
    """The rewritten text that found this result, if the query itself does not have it among its
    best results.
    """
    passage: ResultPassage | None
    """The passage of a long memory that answers best: its text is the content from start (included)
    to end (excluded), in UTF-16 code units. null: the memory is not divided into passages.
    """
    related_to: str | None
    """The memory whose relationship added this one."""


class RecallAnswerOmitted(Model):
    memory_id: str
    reason: Literal["budget", "score"]


class RecallAnswer(Model):
    context: str
    """Text for a prompt, in the requested format; each memory with its id, date, speaker and role.
    Memories of one conversation stand together, in its order, except in lines. Empty without
    memories.
    """
    memories: list[RecalledMemory]
    token_count: int
    """Length of the context in o200k tokens."""
    truncated: bool
    """Whether memories were shortened or omitted to fit the budget."""
    omitted: list[RecallAnswerOmitted]
    """Which of the best `max_memories` matches the context leaves out, and why: no tokens were left
    for it, or its score is below `threshold`.
    """
    rewrite: RewriteReport | None = None
    """For requests with `rewrite`."""
    rerank: RerankReport | None = None
    """For requests with `rerank`, and for all others if the service has a reranker."""


class BatchSearchResult(Model):
    results: list[SearchResult | AudioSegmentResult]
    facets: SearchFacets
    """Number of matches by kind; others that fill the page are not counted."""
    why: ResultPlacement | None = None
    """For requests with `why`: as the query alone ranks it."""
    rewrite: RewriteReport | None = None
    """For requests with `rewrite`."""
    rerank: RerankReport | None = None
    """For requests with `rerank`, and for all others if the service has a reranker."""
    pagination: OffsetPagination
    query: str


class FailedBatchSearch(Model):
    query: str | None
    """Null if `q` is not a valid text."""
    error: ItemError


class SearchBatchResponse(Model):
    results: list[BatchSearchResult | FailedBatchSearch]
    """One result for each query, in the same order."""


class Highlight(Model):
    memory_id: str
    snippet: str
    ranges: list[list[int]]
    """Matched terms, as [start, end) offsets into the snippet in UTF-16 code units."""


class Space(Model):
    id: str
    name: str
    description: str | None
    metadata: dict[str, Any]
    memory_lifetime_days: int | None
    created_at: datetime
    updated_at: datetime


class SearchGlobalResponseResults(Model):
    memory: list[SearchResult]
    highlight: list[Highlight]
    """One highlight for each matching memory."""
    cluster: list[dict[str, Any]]
    space: list[Space]


class SearchGlobalResponse(Model):
    query: str
    results: SearchGlobalResponseResults
    total: int
    """Number of all matches in the requested groups."""


class TopicMemory(Model):
    id: str
    content: str
    content_type: ContentType
    tags: list[str]
    metadata: dict[str, Any]
    priority: int
    created_at: datetime
    topic_relevance: float
    """1: the tag matches exactly."""


class SearchTopicResponse(Model):
    memories: list[TopicMemory]
    """Alias of data."""
    total: int
    """Alias of pagination.total."""
    data: list[TopicMemory]
    pagination: OnePagePagination


class SearchGroupTop(Model):
    id: str
    score: float


class SearchGroup(Model):
    key: str
    """The tag, content type or priority, the id of the cluster, or the first day of the bucket."""
    label: str
    count: int
    avg_score: float
    top: list[SearchGroupTop]


class SearchAggregateResponse(Model):
    query: str
    group_by: SearchGrouping
    total_count: int
    """Number of all matches, whether in a group or not."""
    groups: list[SearchGroup]
    """Alias of data."""
    data: list[SearchGroup]
    pagination: OnePagePagination


class SimilarMemory(Model):
    memory: Memory
    similarity: float
    """Cosine of the two embeddings; negative values become 0."""


class SearchSimilarResponse(Model):
    memory_id: str
    results: list[SimilarMemory]
    """Alias of data."""
    data: list[SimilarMemory]
    pagination: OnePagePagination


class SearchPreset(Model):
    name: str
    limit: int
    threshold: float
    is_built_in: bool
    created_at: datetime | None
    """Null for a built-in pipeline."""
    updated_at: datetime | None


class SearchPresetPage(Page[SearchPreset]):
    _record_field = "data"

    data: list[SearchPreset]
    pagination: OffsetPagination
