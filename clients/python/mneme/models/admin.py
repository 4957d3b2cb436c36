"""Objects of responses: admin.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import (
    DiagnosisFindingKind,
    ErasureKind,
    ImportCountsKind,
    ImportReasonReason,
    JobStatus,
)
from .account import AccountSettings
from .knowledge import OffsetPagination
from .memories import CursorPagination, OnePagePagination


class AccountState(Model):
    id: str
    name: str
    plan: Literal["free", "pro", "max", "enterprise"]
    suspended: bool
    """While true, every key is rejected, and no webhook calls or emails are sent. After the
    suspension, deliveries and emails that are more than a day old are not sent: they are listed as
    failed, with the reason. One digest covers all missed periods.
    """
    settings: AccountSettings
    contact_email: str
    created_at: datetime
    updated_at: datetime


class AccountStatePage(Page[AccountState]):
    _record_field = "data"

    data: list[AccountState]
    pagination: OffsetPagination


class StartedJob(Model):
    job_id: str
    """The id of the job. GET /jobs/:id reports its progress."""


class VerificationFault(Model):
    account_id: str
    check: str
    """The check that reported it, such as `documents`."""
    code: str
    """Kind of inconsistency, such as `terms_differ`."""
    id: str | None
    """The inconsistent row; null: the account."""
    message: str
    repaired: bool


class VerificationDamagedPage(Model):
    relation: str
    """The table or index, such as `memories`."""
    page: int
    """Page number in the relation, starting at 0."""
    message: str


class Verification(Model):
    id: str
    """The id of the job."""
    status: JobStatus
    progress: float
    waiting_reason: Literal["no_worker", "queue_paused"] | None
    """Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
    all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits for
    its turn, runs or has ended.
    """
    error: str | None
    account_id: str | None
    """Null: all accounts."""
    repair: bool
    deep: bool
    accounts: int
    """Number of accounts processed."""
    checked: dict[str, int]
    """Number of rows checked, by check."""
    outdated: int
    """Documents that an earlier version analysed: they are consistent and not repaired."""
    repaired: int
    stray_blobs: int | None
    """Blobs that no row references: uploads in progress, leftovers of a crash, and blobs of a
    running deletion. Jobs remove them. Null until all accounts are checked.
    """
    faults_total: int
    faults_left: int
    """Inconsistencies that were not repaired."""
    faults: list[VerificationFault]
    """The first 1,000 inconsistencies."""
    damaged_pages: list[VerificationDamagedPage]
    """Pages of tables and indexes with invalid content, which also count as inconsistencies: the
    first 1,000. Only a check of all accounts reads them.
    """
    created_at: datetime
    finished_at: datetime | None


class DiagnosisCheck(Model):
    ok: bool
    detail: str | None = None


class DiagnosisFinding(Model):
    id: str | None
    """Id for the acknowledgement; null for a problem that stays until its cause is removed."""
    kind: DiagnosisFindingKind
    severity: Literal["error", "warning"]
    degrades_health: bool
    """Whether it degrades the health until it is acknowledged."""
    message: str
    """Description of the finding."""
    action: str
    """What to do."""
    found_at: datetime
    acknowledged_at: datetime | None


class Diagnosis(Model):
    status: Literal["ok", "degraded", "unavailable"]
    checks: dict[str, DiagnosisCheck]
    data_dir: str | None
    """The data folder; null if the settings are invalid."""
    findings: list[DiagnosisFinding]
    """Current problems first, then findings about the stored data by this process: oldest first, at
    most 100.
    """


class Reembedding(Model):
    id: str
    """The id of the job."""
    status: JobStatus
    progress: float
    waiting_reason: Literal["no_worker", "queue_paused"] | None
    """Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
    all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits for
    its turn, runs or has ended.
    """
    error: str | None
    model: str
    """The target model."""
    dimensions: int
    accounts: int
    """Number of accounts processed."""
    embedded: int
    """Number of memories with a new vector."""
    refused: int
    """Number of memories whose text the model rejected: only keyword search finds them."""
    erased: int
    """Number of deleted vectors of other models."""
    created_at: datetime
    finished_at: datetime | None


class EmbeddingModelsCurrent(Model):
    name: str
    """`configured`: the model of the settings."""
    model: str
    """The name that is stored with vectors."""
    dimensions: int


class EmbeddingModelsChange(Model):
    name: str
    model: str
    job_id: str


class EmbeddingModelsModel(Model):
    name: str
    """The name for `models install` and `models use`."""
    provider: Literal["static", "encoder", "openai", "transformers"]
    state: Literal["shipped", "installed", "available"]
    """`available`: it can be installed, or is behind an endpoint and needs no installation."""
    is_current: bool
    dimensions: int | None
    tokens_max: int | None
    """Longer texts are truncated."""
    licence: str | None
    languages: str | None
    download_megabytes: int | None
    """About, with 8-bit weights; null: nothing to download."""
    installed_bytes: int | None


class EmbeddingModels(Model):
    current: EmbeddingModelsCurrent
    change: EmbeddingModelsChange | None
    """The change that is in progress."""
    models: list[EmbeddingModelsModel]
    """Alias of data."""
    data: list[EmbeddingModelsModel]
    pagination: OnePagePagination


class AdminRemoveModelResponse(Model):
    name: str
    bytes: int


class ModelTestQuestions(Model):
    feedback: int
    """Queries of helpful feedback."""
    sessions: int
    """Questions of users with the reply that follows."""
    updates: int
    """Memories that replace an older one."""


class ModelTestModel(Model):
    name: str
    model: str
    dimensions: int
    recall_1: float
    """Share of questions with the answer in first place."""
    recall_5: float
    """Share of questions with the answer in the top five."""
    mrr: float
    """Mean reciprocal rank of the first answer."""
    query_ms: float
    """Mean time for one question, in milliseconds."""
    memory_ms: float
    """Mean time for one memory, in milliseconds."""
    vector_bytes: int
    """Stored bytes of one vector."""


class ModelTest(Model):
    id: str
    """The id of the job."""
    status: JobStatus
    progress: float
    waiting_reason: Literal["no_worker", "queue_paused"] | None
    """Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
    all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits for
    its turn, runs or has ended.
    """
    error: str | None
    questions: ModelTestQuestions | None
    memories: int | None
    """Number of memories searched."""
    models: list[ModelTestModel]
    """First the tested one; empty until the end."""
    created_at: datetime
    finished_at: datetime | None


class DeliveryState(Model):
    paused: bool
    paused_at: datetime | None
    """When deliveries of webhooks and email were paused; null: not paused."""


class Erasure(Model):
    kind: ErasureKind
    id: str
    """The id of what was erased."""
    account_id: str
    erased_at: datetime
    """When it disappeared from every read."""


class ErasurePage(Page[Erasure]):
    _record_field = "data"

    data: list[Erasure]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: CursorPagination


class TableRows(Model):
    table: str
    rows: int


class ErasureReportLogical(Model):
    complete: bool
    content_removed_at: datetime | None
    """When the content was removed from events, deliveries, stored responses and emails; null: a
    job removes it within a minute.
    """
    content: list[TableRows]
    """Rows that contain the id and still have content; empty when complete."""
    ids_only: list[TableRows]
    """Rows that contain only the id, such as the event of a deletion."""


class ErasureReportPhysicalIndexSegment(Model):
    id: str
    created_at: datetime | None
    """Null: the database does not know the file, so no process reads it."""
    stale: bool
    """Whether it is from before the erasure, or unknown: it can contain erased words. A process
    deletes it within a minute.
    """


class ErasureReportPhysical(Model):
    complete: bool
    tables: list[str]
    """Tables that have not been vacuumed since: their files can still contain dead rows."""
    files: int
    """Files in the blob store that a job has not removed yet."""
    index_segments: list[ErasureReportPhysicalIndexSegment]
    """Copies of the search index of the account: all that the database knows, and the files of the
    process that responds.
    """
    backups: list[str]
    """Earlier scheduled backups, which contain the data until their schedule removes them. A
    restore erases it again.
    """


class ErasureReport(Model):
    id: str
    kind: ErasureKind
    account_id: str
    erased_at: datetime
    logical: ErasureReportLogical
    """What the API, searches, deliveries and later backups can contain."""
    physical: ErasureReportPhysical
    """What remains in the files of the database and in older backups."""


class OperatorJob(Model):
    id: str
    kind: str
    status: JobStatus
    progress: float
    attempt_count: int
    attempts: int
    """Alias of attempt_count."""
    waiting_reason: Literal["no_worker", "queue_paused"] | None
    """Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
    all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits for
    its turn, runs or has ended.
    """
    error: str | None
    result: dict[str, Any] | None
    """What a completed job reports, such as the receipt of an erasure."""
    created_at: datetime
    finished_at: datetime | None
    account_id: str | None
    """The account of the job; null: a job of the service itself."""
    queue: str
    """The queue of the job."""


class OperatorJobPage(Page[OperatorJob]):
    _record_field = "data"

    data: list[OperatorJob]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: CursorPagination


class JobQueue(Model):
    name: str
    paused_at: datetime | None
    """When the queue was paused; null: it is not paused."""
    queued: int
    """Jobs that wait, those that wait for a retry included."""
    running: int
    failed: int
    """Jobs without retries left, of the past week."""
    oldest_due_seconds: float
    """For how many seconds the oldest due job has waited; 0: none waits."""
    kinds: list[str]
    """The kinds of its jobs."""


class AdminListQueuesResponse(Model):
    data: list[JobQueue]
    pagination: OnePagePagination


class AdminPauseQueueResponse(Model):
    name: str
    paused_at: datetime | None
    """When the queue was paused; null: it is not paused."""


class QueuedImport(Model):
    import_id: str


class ImportCounts(Model):
    kind: ImportCountsKind
    created: int
    updated: int
    unchanged: int
    """Stored already, as it is in the archive."""
    skipped: int


class ImportReason(Model):
    kind: ImportCountsKind
    reason: ImportReasonReason
    count: int


class ImportSkipped(Model):
    kind: ImportCountsKind
    id: str
    reason: ImportReasonReason


class Import(Model):
    id: str
    status: JobStatus
    progress: float
    waiting_reason: Literal["no_worker", "queue_paused"] | None
    """Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
    all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits for
    its turn, runs or has ended.
    """
    error: str | None
    dry_run: bool
    account_ids: list[str]
    """Into which accounts."""
    records: list[ImportCounts]
    reasons: list[ImportReason]
    """Why records were skipped, with counts."""
    skipped: list[ImportSkipped]
    """The first 500 skipped records, with their ids in the archive."""
    created_at: datetime
    finished_at: datetime | None
