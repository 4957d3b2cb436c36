"""Methods: admin.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from .._async import AsyncTransport
from .._body import FileContent, body_of
from .._download import AsyncDownload, Download
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    ADMIN_ACKNOWLEDGE_FINDINGS,
    ADMIN_BACKUP,
    ADMIN_CREATE_ACCOUNT,
    ADMIN_CREATE_KEY,
    ADMIN_DELETE_ACCOUNT,
    ADMIN_EXPORT,
    ADMIN_GET_ACCOUNT,
    ADMIN_GET_DIAGNOSIS,
    ADMIN_GET_ERASURE,
    ADMIN_GET_IMPORT,
    ADMIN_GET_MODEL_TEST,
    ADMIN_GET_REEMBEDDING,
    ADMIN_GET_VERIFICATION,
    ADMIN_IMPORT,
    ADMIN_LIST_ACCOUNTS,
    ADMIN_LIST_ERASURES,
    ADMIN_LIST_JOBS,
    ADMIN_LIST_MODELS,
    ADMIN_LIST_QUEUES,
    ADMIN_PAUSE_DELIVERIES,
    ADMIN_PAUSE_QUEUE,
    ADMIN_REMOVE_MODEL,
    ADMIN_RESUME_DELIVERIES,
    ADMIN_RESUME_QUEUE,
    ADMIN_RETRY_JOB,
    ADMIN_START_MODEL_TEST,
    ADMIN_START_REEMBEDDING,
    ADMIN_START_VERIFICATION,
    ADMIN_UPDATE_ACCOUNT,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    AccountState,
    AccountStatePage,
    AdminListQueuesResponse,
    AdminPauseQueueResponse,
    AdminRemoveModelResponse,
    DeliveryState,
    Diagnosis,
    EmbeddingModels,
    Erasure,
    ErasurePage,
    ErasureReport,
    Import,
    IssuedApiKey,
    ModelTest,
    OperatorJob,
    OperatorJobPage,
    QueuedImport,
    Reembedding,
    StartedJob,
    Verification,
)
from ..types import AccountUpdateSettings, GrantableScope, JobStatus


class AdminResource:
    """Operate the installation: accounts, backups, consistency checks, and changes of the embedding
    model. These routes require a key with the scope operator.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create_account(
        self,
        *,
        name: str,
        plan: Literal["free", "pro", "max", "enterprise"] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountState:
        """Create an account.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            ADMIN_CREATE_ACCOUNT,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"name": name, "plan": plan}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_accounts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountStatePage:
        """List accounts, oldest first."""
        return self._transport.call(
            ADMIN_LIST_ACCOUNTS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_account(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountState:
        """Read an account."""
        return self._transport.call(
            ADMIN_GET_ACCOUNT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update_account(
        self,
        id: str,
        *,
        name: str | None = None,
        contact_email: str | None | NotGiven = NOT_GIVEN,
        settings: AccountUpdateSettings | None = None,
        plan: Literal["free", "pro", "max", "enterprise"] | None = None,
        suspended: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountState:
        """Change the plan, name, settings or suspension of an account."""
        return self._transport.call(
            ADMIN_UPDATE_ACCOUNT,
            path={"id": id},
            body=json_body(
                {"name": name, "settings": settings, "plan": plan, "suspended": suspended},
                {"contact_email": contact_email},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def delete_account(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete an account with all its data.

        Requires confirm=true. The keys stop working immediately; a job erases the data.
        """
        return self._transport.call(
            ADMIN_DELETE_ACCOUNT,
            path={"id": id},
            query={"confirm": confirm},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def create_key(
        self,
        id: str,
        *,
        name: str,
        scopes: Sequence[GrantableScope] | None = None,
        space_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedApiKey:
        """Create an API key for an account.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            ADMIN_CREATE_KEY,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "scopes": scopes},
                {"space_ids": space_ids, "expires_at": expires_at},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def start_verification(
        self,
        *,
        account_id: str | None = None,
        repair: bool | None = None,
        deep: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Start a consistency check of derived data and counters.

        A job runs it in small steps next to live traffic.

        Args:
            account_id: Only this account; default: all accounts.
            repair: Rebuilds documents and vectors that are inconsistent.
            deep: Also reads every recording and attachment, and compares its hash.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            ADMIN_START_VERIFICATION,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"account_id": account_id, "repair": repair, "deep": deep}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_verification(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Verification:
        """Read the progress and findings of a verification, for 7 days."""
        return self._transport.call(
            ADMIN_GET_VERIFICATION,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def backup(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Create and download a backup of the installation.

        One consistent archive of the database and the files, with checksums, created while the
        service runs. `mneme restore` reads it. It contains the secret key, encrypted, only with
        MNEME_BACKUP_PASSPHRASE. An interrupted response is not a backup.
        """
        return self._transport.download(ADMIN_BACKUP, extra_headers=extra_headers, timeout=timeout)

    def get_diagnosis(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Diagnosis:
        """Read the health and the problems of the installation, with remedies."""
        return self._transport.call(
            ADMIN_GET_DIAGNOSIS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def acknowledge_findings(
        self,
        *,
        ids: Sequence[str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Diagnosis:
        """Acknowledge findings about the stored data.

        An acknowledged finding no longer degrades the health. It stays listed.

        Args:
            ids: Only these findings; default: all.
        """
        return self._transport.call(
            ADMIN_ACKNOWLEDGE_FINDINGS,
            body=json_body({"ids": ids}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def start_reembedding(
        self,
        *,
        model: str | None = None,
        dimensions: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Re-embed all accounts with the current embedding model, or change to another one.

        A job embeds all memories next to live traffic, account by account. If one is already
        running, its id is returned. A vector that a caller supplied is replaced by one of the
        content. A change to another model keeps the former vectors in use until all new ones exist;
        if it fails or is cancelled, the former model stays.

        Args:
            model: Change to this model: an installed one, one of the configured endpoint,
                `encoder`, `static` or `configured`. Default: the current model.
            dimensions: Of the vectors, if the model offers several; only with `model`.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            ADMIN_START_REEMBEDDING,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"model": model, "dimensions": dimensions}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_reembedding(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Reembedding:
        """Read the progress of a re-embedding, for 7 days."""
        return self._transport.call(
            ADMIN_GET_REEMBEDDING,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_models(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmbeddingModels:
        """List the known and the installed embedding models."""
        return self._transport.call(ADMIN_LIST_MODELS, extra_headers=extra_headers, timeout=timeout)

    def remove_model(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminRemoveModelResponse:
        """Remove an installed embedding model from the data folder of the server.

        A model that is in use is not removed.
        """
        return self._transport.call(
            ADMIN_REMOVE_MODEL,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def start_model_test(
        self,
        *,
        model: str,
        against: str | None = None,
        dimensions: int | None = None,
        account_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Compare two embedding models on questions of an account.

        A job collects questions with known answers: queries of helpful feedback, questions of users
        in sessions with the reply that follows, and memories that replace older ones. It searches
        for the answers among at most 2,000 other memories. Nothing is changed.

        Args:
            model: The model to test, as for a change.
            against: The model to compare it with; default: the current one.
            dimensions: Of the vectors of `model`.
            account_id: The account whose memories are used; default: that of the key.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            ADMIN_START_MODEL_TEST,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "model": model,
                    "against": against,
                    "dimensions": dimensions,
                    "account_id": account_id,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_model_test(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ModelTest:
        """Read the progress and the result of a comparison of models, for 7 days."""
        return self._transport.call(
            ADMIN_GET_MODEL_TEST,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def pause_deliveries(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> DeliveryState:
        """Pause webhook calls and emails in all processes.

        Within a second no process starts another call or email; those in progress complete. Events,
        deliveries and emails are still queued. No effect while deliveries are paused.
        """
        return self._transport.call(
            ADMIN_PAUSE_DELIVERIES,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def resume_deliveries(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> DeliveryState:
        """Resume webhook calls and emails.

        Due deliveries and emails are sent once, in order; one email of each digest covers all
        missed periods. A restored service starts with deliveries paused.
        """
        return self._transport.call(
            ADMIN_RESUME_DELIVERIES,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_erasures(
        self,
        *,
        account_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ErasurePage:
        """List permanent erasures, newest first: ids and times, no content.

        The ledger is replayed after a restore, so that erased data does not reappear. Entries
        outlive their accounts, for MNEME_ERASURES_KEPT_DAYS.
        """
        return self._transport.call(
            ADMIN_LIST_ERASURES,
            query={"account_id": account_id, "limit": limit, "cursor": cursor},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_erasure(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ErasureReport:
        """Verify an erasure, and report what files still contain.

        Searches every table for the id. Within a minute of an erasure no row has the content.
        Copies of the search index lose it within a minute, database files when their tables are
        vacuumed, older backups when they are deleted.
        """
        return self._transport.call(
            ADMIN_GET_ERASURE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_jobs(
        self,
        *,
        status: JobStatus | None = None,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        account_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperatorJobPage:
        """List the jobs of all accounts and of the service, newest first.

        Args:
            kind: The kind of the jobs, such as `memories.erase`.
            account_id: Only jobs of this account.
        """
        return self._transport.call(
            ADMIN_LIST_JOBS,
            query={
                "status": status,
                "kind": kind,
                "limit": limit,
                "cursor": cursor,
                "account_id": account_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def retry_job(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperatorJob:
        """Run a failed job of any account again.

        As `POST /jobs/:id/retry` does for a job of the own account.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            ADMIN_RETRY_JOB,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_queues(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminListQueuesResponse:
        """List the job queues with their states.

        Each process runs one job of a queue at a time. Webhook calls and emails are not jobs: `POST
        /admin/deliveries/pause` pauses them.
        """
        return self._transport.call(ADMIN_LIST_QUEUES, extra_headers=extra_headers, timeout=timeout)

    def pause_queue(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminPauseQueueResponse:
        """Pause a job queue in all processes.

        No process begins another job of the queue; a running job completes. Jobs are still queued.
        The pause outlives restarts. The `default` queue also erases what was deleted, and makes
        backups due.

        Args:
            name: The name of the queue.
        """
        return self._transport.call(
            ADMIN_PAUSE_QUEUE,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def resume_queue(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminPauseQueueResponse:
        """Resume a job queue.

        Due jobs begin within about a second.

        Args:
            name: The name of the queue.
        """
        return self._transport.call(
            ADMIN_RESUME_QUEUE,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def export(
        self,
        *,
        account_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Export one account, or all accounts, as a portable archive.

        Args:
            account_id: Only this account; default: all.
        """
        return self._transport.download(
            ADMIN_EXPORT,
            query={"account_id": account_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def import_(
        self,
        content: FileContent,
        *,
        account_id: str | None = None,
        dry_run: bool | None = None,
        apply_deletions: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedImport:
        """Import an archive of one or several accounts.

        Each account of the archive is imported into the account with its id; a missing one is
        created, without keys.

        Args:
            account_id: Imports an archive of one account into this one; default: by their ids.
            dry_run: Stores nothing; the report counts.
            apply_deletions: Erases what was erased in the exported account, and applies soft
                deletes.
        """
        return self._transport.call(
            ADMIN_IMPORT,
            query={
                "account_id": account_id,
                "dry_run": dry_run,
                "apply_deletions": apply_deletions,
            },
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_import(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Import:
        """Read the progress and the report of an import of the operator, for 7 days."""
        return self._transport.call(
            ADMIN_GET_IMPORT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncAdminResource:
    """Operate the installation: accounts, backups, consistency checks, and changes of the embedding
    model. These routes require a key with the scope operator.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create_account(
        self,
        *,
        name: str,
        plan: Literal["free", "pro", "max", "enterprise"] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountState:
        """Create an account.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            ADMIN_CREATE_ACCOUNT,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"name": name, "plan": plan}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_accounts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[AccountStatePage, AccountState]:
        """List accounts, oldest first."""
        return self._transport.pages(
            ADMIN_LIST_ACCOUNTS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_account(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountState:
        """Read an account."""
        return await self._transport.call(
            ADMIN_GET_ACCOUNT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update_account(
        self,
        id: str,
        *,
        name: str | None = None,
        contact_email: str | None | NotGiven = NOT_GIVEN,
        settings: AccountUpdateSettings | None = None,
        plan: Literal["free", "pro", "max", "enterprise"] | None = None,
        suspended: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AccountState:
        """Change the plan, name, settings or suspension of an account."""
        return await self._transport.call(
            ADMIN_UPDATE_ACCOUNT,
            path={"id": id},
            body=json_body(
                {"name": name, "settings": settings, "plan": plan, "suspended": suspended},
                {"contact_email": contact_email},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def delete_account(
        self,
        id: str,
        *,
        confirm: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete an account with all its data.

        Requires confirm=true. The keys stop working immediately; a job erases the data.
        """
        return await self._transport.call(
            ADMIN_DELETE_ACCOUNT,
            path={"id": id},
            query={"confirm": confirm},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create_key(
        self,
        id: str,
        *,
        name: str,
        scopes: Sequence[GrantableScope] | None = None,
        space_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedApiKey:
        """Create an API key for an account.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            ADMIN_CREATE_KEY,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "scopes": scopes},
                {"space_ids": space_ids, "expires_at": expires_at},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def start_verification(
        self,
        *,
        account_id: str | None = None,
        repair: bool | None = None,
        deep: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Start a consistency check of derived data and counters.

        A job runs it in small steps next to live traffic.

        Args:
            account_id: Only this account; default: all accounts.
            repair: Rebuilds documents and vectors that are inconsistent.
            deep: Also reads every recording and attachment, and compares its hash.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            ADMIN_START_VERIFICATION,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"account_id": account_id, "repair": repair, "deep": deep}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_verification(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Verification:
        """Read the progress and findings of a verification, for 7 days."""
        return await self._transport.call(
            ADMIN_GET_VERIFICATION,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def backup(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Create and download a backup of the installation.

        One consistent archive of the database and the files, with checksums, created while the
        service runs. `mneme restore` reads it. It contains the secret key, encrypted, only with
        MNEME_BACKUP_PASSPHRASE. An interrupted response is not a backup.
        """
        return await self._transport.download(
            ADMIN_BACKUP,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_diagnosis(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Diagnosis:
        """Read the health and the problems of the installation, with remedies."""
        return await self._transport.call(
            ADMIN_GET_DIAGNOSIS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def acknowledge_findings(
        self,
        *,
        ids: Sequence[str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Diagnosis:
        """Acknowledge findings about the stored data.

        An acknowledged finding no longer degrades the health. It stays listed.

        Args:
            ids: Only these findings; default: all.
        """
        return await self._transport.call(
            ADMIN_ACKNOWLEDGE_FINDINGS,
            body=json_body({"ids": ids}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def start_reembedding(
        self,
        *,
        model: str | None = None,
        dimensions: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Re-embed all accounts with the current embedding model, or change to another one.

        A job embeds all memories next to live traffic, account by account. If one is already
        running, its id is returned. A vector that a caller supplied is replaced by one of the
        content. A change to another model keeps the former vectors in use until all new ones exist;
        if it fails or is cancelled, the former model stays.

        Args:
            model: Change to this model: an installed one, one of the configured endpoint,
                `encoder`, `static` or `configured`. Default: the current model.
            dimensions: Of the vectors, if the model offers several; only with `model`.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            ADMIN_START_REEMBEDDING,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"model": model, "dimensions": dimensions}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_reembedding(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Reembedding:
        """Read the progress of a re-embedding, for 7 days."""
        return await self._transport.call(
            ADMIN_GET_REEMBEDDING,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def list_models(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmbeddingModels:
        """List the known and the installed embedding models."""
        return await self._transport.call(
            ADMIN_LIST_MODELS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_model(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminRemoveModelResponse:
        """Remove an installed embedding model from the data folder of the server.

        A model that is in use is not removed.
        """
        return await self._transport.call(
            ADMIN_REMOVE_MODEL,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def start_model_test(
        self,
        *,
        model: str,
        against: str | None = None,
        dimensions: int | None = None,
        account_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Compare two embedding models on questions of an account.

        A job collects questions with known answers: queries of helpful feedback, questions of users
        in sessions with the reply that follows, and memories that replace older ones. It searches
        for the answers among at most 2,000 other memories. Nothing is changed.

        Args:
            model: The model to test, as for a change.
            against: The model to compare it with; default: the current one.
            dimensions: Of the vectors of `model`.
            account_id: The account whose memories are used; default: that of the key.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            ADMIN_START_MODEL_TEST,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "model": model,
                    "against": against,
                    "dimensions": dimensions,
                    "account_id": account_id,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_model_test(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ModelTest:
        """Read the progress and the result of a comparison of models, for 7 days."""
        return await self._transport.call(
            ADMIN_GET_MODEL_TEST,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def pause_deliveries(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> DeliveryState:
        """Pause webhook calls and emails in all processes.

        Within a second no process starts another call or email; those in progress complete. Events,
        deliveries and emails are still queued. No effect while deliveries are paused.
        """
        return await self._transport.call(
            ADMIN_PAUSE_DELIVERIES,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def resume_deliveries(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> DeliveryState:
        """Resume webhook calls and emails.

        Due deliveries and emails are sent once, in order; one email of each digest covers all
        missed periods. A restored service starts with deliveries paused.
        """
        return await self._transport.call(
            ADMIN_RESUME_DELIVERIES,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_erasures(
        self,
        *,
        account_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ErasurePage, Erasure]:
        """List permanent erasures, newest first: ids and times, no content.

        The ledger is replayed after a restore, so that erased data does not reappear. Entries
        outlive their accounts, for MNEME_ERASURES_KEPT_DAYS.
        """
        return self._transport.pages(
            ADMIN_LIST_ERASURES,
            query={"account_id": account_id, "limit": limit, "cursor": cursor},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_erasure(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ErasureReport:
        """Verify an erasure, and report what files still contain.

        Searches every table for the id. Within a minute of an erasure no row has the content.
        Copies of the search index lose it within a minute, database files when their tables are
        vacuumed, older backups when they are deleted.
        """
        return await self._transport.call(
            ADMIN_GET_ERASURE,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_jobs(
        self,
        *,
        status: JobStatus | None = None,
        kind: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        account_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[OperatorJobPage, OperatorJob]:
        """List the jobs of all accounts and of the service, newest first.

        Args:
            kind: The kind of the jobs, such as `memories.erase`.
            account_id: Only jobs of this account.
        """
        return self._transport.pages(
            ADMIN_LIST_JOBS,
            query={
                "status": status,
                "kind": kind,
                "limit": limit,
                "cursor": cursor,
                "account_id": account_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def retry_job(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OperatorJob:
        """Run a failed job of any account again.

        As `POST /jobs/:id/retry` does for a job of the own account.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            ADMIN_RETRY_JOB,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def list_queues(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminListQueuesResponse:
        """List the job queues with their states.

        Each process runs one job of a queue at a time. Webhook calls and emails are not jobs: `POST
        /admin/deliveries/pause` pauses them.
        """
        return await self._transport.call(
            ADMIN_LIST_QUEUES,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def pause_queue(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminPauseQueueResponse:
        """Pause a job queue in all processes.

        No process begins another job of the queue; a running job completes. Jobs are still queued.
        The pause outlives restarts. The `default` queue also erases what was deleted, and makes
        backups due.

        Args:
            name: The name of the queue.
        """
        return await self._transport.call(
            ADMIN_PAUSE_QUEUE,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def resume_queue(
        self,
        name: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AdminPauseQueueResponse:
        """Resume a job queue.

        Due jobs begin within about a second.

        Args:
            name: The name of the queue.
        """
        return await self._transport.call(
            ADMIN_RESUME_QUEUE,
            path={"name": name},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def export(
        self,
        *,
        account_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Export one account, or all accounts, as a portable archive.

        Args:
            account_id: Only this account; default: all.
        """
        return await self._transport.download(
            ADMIN_EXPORT,
            query={"account_id": account_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def import_(
        self,
        content: FileContent,
        *,
        account_id: str | None = None,
        dry_run: bool | None = None,
        apply_deletions: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedImport:
        """Import an archive of one or several accounts.

        Each account of the archive is imported into the account with its id; a missing one is
        created, without keys.

        Args:
            account_id: Imports an archive of one account into this one; default: by their ids.
            dry_run: Stores nothing; the report counts.
            apply_deletions: Erases what was erased in the exported account, and applies soft
                deletes.
        """
        return await self._transport.call(
            ADMIN_IMPORT,
            query={
                "account_id": account_id,
                "dry_run": dry_run,
                "apply_deletions": apply_deletions,
            },
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_import(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Import:
        """Read the progress and the report of an import of the operator, for 7 days."""
        return await self._transport.call(
            ADMIN_GET_IMPORT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
