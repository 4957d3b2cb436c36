"""Objects of responses: memories.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import BulkActionType, BulkChangeStatus, ContentType, EntityType


class PossibleUpdate(Model):
    memory_id: str
    """The older memory."""
    confidence: float
    """The estimated probability that the newer memory outdates the older one."""
    reason: Literal["ended", "replaced", "corrected", "other_value"]
    """ended: what the older memory says has ended; replaced: something else has taken its place;
    corrected: it was wrong; other_value: the newer memory states something else of the same.
    """
    applied: bool
    """Whether the new memory supersedes it now."""


class CreatedMemory(Model):
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
    possible_updates: list[PossibleUpdate]
    """Older memories that this one may outdate, as far as they are found at once. What is found
    later arrives as the event memory.update_suggested.
    """


class Memory(Model):
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


class CursorPagination(Model):
    limit: int
    """The maximum number of records in a page."""
    total: None
    offset: None
    has_more: bool
    next_cursor: str | None
    """The `cursor` of the next page. A list that grows at its end has one after its last page, too.
    """


class MemoryPage(Page[Memory]):
    _record_field = "data"

    data: list[Memory]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: CursorPagination


class MemoryFacetsSpace(Model):
    space_id: str | None
    count: int


class MemoryFacetsContentType(Model):
    content_type: ContentType
    count: int


class MemoryFacetsTag(Model):
    tag: str
    count: int


class MemoryFacetsPriority(Model):
    priority: int
    count: int


class MemoryFacetsMonth(Model):
    month: str
    count: int


class MemoryFacets(Model):
    total: int
    """Number of memories that match all filters."""
    spaces: list[MemoryFacetsSpace]
    """Without the filter by space; the largest 1,000."""
    content_types: list[MemoryFacetsContentType]
    """Without the filter content_type."""
    tags: list[MemoryFacetsTag]
    """The 50 most frequent tags of the memories that match all filters."""
    priorities: list[MemoryFacetsPriority]
    """Without the filter min_priority; the highest priority first."""
    months: list[MemoryFacetsMonth]
    """By month of creation (`2026-11`, in UTC), without the filters created_after and
    created_before; the newest 120.
    """


class Feedback(Model):
    id: str
    memory_id: str
    helpful: bool
    query: str | None
    comment: str | None
    salience: float
    created_at: datetime


class ItemError(Model):
    code: str
    message: str
    details: dict[str, Any] | None = None


class FailedItem(Model):
    index: int
    id: str | None = None
    error: ItemError


class MemoriesBulkCreateResponse(Model):
    created: int
    memories: list[Memory]
    failed: list[FailedItem]


class MemoriesBulkUpdateResponse(Model):
    updated: int
    failed: list[FailedItem]


class MemoriesBulkDeleteResponse(Model):
    deleted: int
    failed: list[FailedItem]
    job_id: str | None
    """The job that erases permanently deleted memories."""


class DerivedMemory(Model):
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
    source_ids: list[str]
    """The turns of this request that say it, each a derived_from link."""
    action: Literal["added", "updated", "unchanged"]
    """added: new. updated: new, and it supersedes what it outdates. unchanged: known before."""


class MemoriesFromMessagesResponse(Model):
    turns: list[str]
    """The memories of the messages, in their order."""
    memories: list[DerivedMemory]


class EraseDryRun(Model):
    count: int
    """How many memories the run would erase."""
    hard_protected: int
    """How many more match, and stay, because they are hard-protected."""
    mails: int
    """How many received mails the run would erase: those of the owner, if the filter has only
    user_id, agent_id and run_id.
    """
    uploads: int
    """How many unfinished uploads of such an owner the run would erase."""
    token: str
    expires_at: datetime
    """Until when the run takes the token."""


class QueuedErasure(Model):
    job_id: str


class BulkChangeCount(Model):
    count: int
    """How many memories the change takes."""
    soft_protected: int
    """How many of them need `confirm`."""
    hard_protected: int
    """How many of them stay as they are, unless the action is `protect`."""


class BulkChangeAction(Model):
    type: BulkActionType
    add: list[str] | None = None
    remove: list[str] | None = None
    space_id: str | None = None
    protection_level: Literal["none", "soft", "hard"] | None = None


class BulkChange(Model):
    id: str
    """Also the id of its job."""
    status: BulkChangeStatus
    action: BulkChangeAction
    matched_count: int
    """How many memories matched at its start."""
    changed_count: int
    skipped_count: int
    """Memories that stay as they are: protected ones, and those that would be duplicates."""
    restored_count: int
    """How many memories the undo has restored."""
    left_count: int
    """How many the undo has left alone: they were changed or deleted afterwards."""
    created_at: datetime
    completed_at: datetime | None
    undo_until: datetime | None
    """Until when it can be undone; null: it cannot, or not yet."""
    undone_at: datetime | None


class UpdateSuggestionFact(Model):
    statement: str
    """Of the older memory: "Ana works at Acme"."""
    predicate: str
    ended_at: datetime | None
    """null: by what is known now it holds again; the suggestion is withdrawn soon."""


class UpdateSuggestion(Model):
    newer_id: str
    older_id: str
    confidence: float
    """The estimated probability that the newer memory outdates the older one."""
    reason: Literal["ended", "replaced", "corrected", "other_value"]
    """ended: what the older memory says has ended; replaced: something else has taken its place;
    corrected: it was wrong; other_value: the newer memory states something else of the same.
    """
    fact: UpdateSuggestionFact | None
    """The fact that has ended by what the newer memory states; null: only the texts say so."""
    status: Literal["open", "accepted", "dismissed", "applied"]
    """accepted and applied: the newer memory supersedes the older one, until that relationship is
    deleted. dismissed: never suggested again.
    """
    created_at: datetime


class OnePagePagination(Model):
    limit: int | None
    """null: the list has no page size."""
    total: int | None
    """null: not counted."""
    offset: None
    has_more: Literal[False]
    next_cursor: None


class UpdateSuggestionList(Model):
    data: list[UpdateSuggestion]
    pagination: OnePagePagination


class Topic(Model):
    name: str
    relevance: float
    category: Literal["concept", "entity", "action", "attribute"]


class MemoriesTopicsResponse(Model):
    memory_id: str
    topics: list[Topic]
    """Alias of data."""
    extracted_at: datetime
    model: str
    """The model that produced the result: local, or the name of a model."""
    data: list[Topic]
    pagination: OnePagePagination


class TopicsEnrichment(Model):
    success: bool
    data: list[Topic] | None = None
    error: ItemError | None = None


class SummaryEnrichment(Model):
    success: bool
    data: str | None = None
    error: ItemError | None = None


class RecognizedEntity(Model):
    name: str
    type: EntityType
    confidence: float


class EntitiesEnrichment(Model):
    success: bool
    data: list[RecognizedEntity] | None = None
    error: ItemError | None = None


class QualityEnrichmentDataFactors(Model):
    specificity: float
    """How specific and detailed the content is."""
    clarity: float
    """How clearly the content is expressed."""
    actionability: float
    """How useful the content is for decisions."""


class QualityEnrichmentData(Model):
    score: float
    factors: QualityEnrichmentDataFactors


class QualityEnrichment(Model):
    success: bool
    data: QualityEnrichmentData | None = None
    error: ItemError | None = None


class Enrichments(Model):
    topics: TopicsEnrichment | None = None
    summary: SummaryEnrichment | None = None
    entities: EntitiesEnrichment | None = None
    quality: QualityEnrichment | None = None


class MemoriesEnrichResponse(Model):
    memory_id: str
    enrichments: Enrichments
    processed_at: datetime
    model: str
    """The model that produced the result: local, or the name of a model."""


class QueuedEnrichment(Model):
    job_id: str
    memory_id: str
    status: Literal["queued"]


class MemoriesQualityResponseFactors(Model):
    specificity: float
    """How specific and detailed the content is."""
    clarity: float
    """How clearly the content is expressed."""
    actionability: float
    """How useful the content is for decisions."""
    uniqueness: float
    """How much the content differs from other memories."""


class MemoriesQualityResponse(Model):
    memory_id: str
    quality_score: float
    factors: MemoriesQualityResponseFactors
    computed_at: datetime
    calculated_at: datetime
    """Alias of computed_at."""
