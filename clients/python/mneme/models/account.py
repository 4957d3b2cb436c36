"""Objects of responses: account.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import AccountAuditAction
from .knowledge import OffsetPagination


class PlanLimits(Model):
    requests_per_minute: int | None
    requests_per_day: int | None
    concurrent_requests: int | None
    memories: int | None
    spaces: int | None
    api_keys: int | None
    webhooks: int | None
    searches_per_month: int | None
    embeddings_per_month: int | None
    content_bytes: int


class Usage(Model):
    period: str
    """The UTC month in which searches and embeddings are counted, as YYYY-MM."""
    memories: int
    spaces: int
    api_keys: int
    webhooks: int
    searches: int
    embeddings: int
    memories_created_today: int


class AccountSettingsEmail(Model):
    accept_unknown: Literal["store", "reject"]
    """Email from senders that no rule allows. store: accepts it, with the metadata email_verified:
    false, unless the account has an allow rule; reject: rejects it.
    """


class AccountSettings(Model):
    daily_memory_limit: int | None
    """Maximum new memories per UTC day; null: no limit."""
    enforce_endpoint_limits: bool
    """Applies the limits of single endpoints on the plan enterprise, too."""
    allow_custom_relationship_types: bool
    """Allows relationship types that are not in the list."""
    detect_updates: Literal["off", "suggest", "apply"]
    """What a create does with older memories that the new one may outdate, unless it tells
    otherwise.
    """
    email: AccountSettingsEmail


class AccountEmbedding(Model):
    model: str
    dimensions: int


class Account(Model):
    id: str
    name: str
    plan: Literal["free", "pro", "max", "enterprise"]
    limits: PlanLimits
    usage: Usage
    settings: AccountSettings
    contact_email: str
    embedding: AccountEmbedding
    """The model that the account is searched by. The field `embedding` of a memory takes vectors of
    this model.
    """


class AuditEntryActor(Model):
    account_id: str
    api_key_id: str | None
    key_id: str | None
    """Alias of api_key_id."""


class AuditEntry(Model):
    id: str
    action: AccountAuditAction
    target_id: str
    """The account, key, session token, webhook, memory or OAuth grant; for deliveries the
    operator’s account.
    """
    actor: AuditEntryActor | None
    """null: the service itself, at start-up."""
    details: dict[str, Any]
    """The new values; never a secret."""
    request_id: str
    created_at: datetime


class AuditEntryPage(Page[AuditEntry]):
    _record_field = "data"

    data: list[AuditEntry]
    pagination: OffsetPagination
