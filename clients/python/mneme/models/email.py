"""Objects of responses: email.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .._model import Model
from .._paginate import Page
from ..types import MailStatus, OutboundMailStatus, ParsedIntentCommand
from .knowledge import OffsetPagination
from .memories import CursorPagination


class EmailAddress(Model):
    id: str
    email: str
    local_part: str
    localPart: str
    """Alias of local_part."""
    domain: str
    is_active: bool
    isActive: bool
    """Alias of is_active."""
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""
    accepts_until: datetime | None
    """For a former address: how long it still accepts email."""
    acceptsUntil: datetime | None
    """Alias of accepts_until."""


class EmailRotateAddressResponse(Model):
    id: str
    email: str
    previous_email: str
    previousEmail: str
    """Alias of previous_email."""
    grace_period_days: int
    gracePeriodDays: int
    """Alias of grace_period_days."""
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""


class EmailAddressPage(Page[EmailAddress]):
    _record_field = "data"

    data: list[EmailAddress]
    pagination: OffsetPagination


class ParsedIntentMetadata(Model):
    space: str | None
    tags: list[str]
    priority: int | None


class ParsedIntent(Model):
    command: ParsedIntentCommand
    content: str
    metadata: ParsedIntentMetadata
    method: Literal["subject", "body", "default"]
    """Where the command was found; default: there was none."""


class MailAuthentication(Model):
    spf: str
    dkim: str
    dmarc: str
    arc: str


class Mail(Model):
    id: str
    sender: str
    recipient: str
    subject: str
    bodyPlain: str
    status: MailStatus
    reason: str | None
    """Why the email was rejected or failed."""
    parsedIntent: ParsedIntent | None
    response_memory_id: str | None
    responseMemoryId: str | None
    """Alias of response_memory_id."""
    message_id: str | None
    messageId: str | None
    """Alias of message_id."""
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    authentication: MailAuthentication | None
    verified: bool | None
    """Whether a rule allows the author, and SPF, DKIM or DMARC authenticates the domain of the From
    field. Only verified email receives a reply or runs commands other than store. null: not
    checked, or rejected earlier.
    """
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""
    processed_at: datetime | None
    processedAt: datetime | None
    """Alias of processed_at."""


class MailPage(Page[Mail]):
    _record_field = "data"

    data: list[Mail]
    pagination: OffsetPagination


class Attachment(Model):
    id: str
    history_id: str
    mailId: str
    """Alias of history_id."""
    filename: str
    mime_type: str
    contentType: str
    """Alias of mime_type."""
    file_size: int
    """Bytes."""
    size: int
    """Alias of file_size."""
    sha256: str
    memory_id: str | None
    """The memory that was created from its text."""
    memoryId: str | None
    """Alias of memory_id."""
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""


class AttachmentPage(Page[Attachment]):
    _record_field = "data"

    data: list[Attachment]
    pagination: OffsetPagination


class EmailDownloadAttachmentResponse(Model):
    url: str
    expires_in: int
    expiresIn: int
    """Alias of expires_in."""


class SenderRule(Model):
    id: str
    email_pattern: str
    emailPattern: str
    """Alias of email_pattern."""
    rule_type: Literal["allow", "block"]
    ruleType: Literal["allow", "block"]
    """Alias of rule_type."""
    reason: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""


class SenderRulePage(Page[SenderRule]):
    _record_field = "data"

    data: list[SenderRule]
    pagination: OffsetPagination


class EmailCheckSenderResponse(Model):
    allowed: bool
    reason: str | None
    matched_rule: SenderRule | None
    matchedRule: SenderRule | None
    """Alias of matched_rule."""


class EmailInboundResponse(Model):
    history_id: str
    status: MailStatus


class ReactionTriggerConditions(Model):
    tags: list[str] | None = None
    content_contains: str | None = None
    contentContains: str | None = None
    """Alias of content_contains."""


class ReactionTriggerConditions2(Model):
    tags: list[str] | None = None
    content_contains: str | None = None
    contentContains: str | None = None
    """Alias of content_contains."""


class Reaction(Model):
    id: str
    name: str
    trigger_type: str
    triggerType: str
    """Alias of trigger_type."""
    trigger_conditions: ReactionTriggerConditions
    triggerConditions: ReactionTriggerConditions2
    """Alias of trigger_conditions."""
    email_subject_template: str
    emailSubjectTemplate: str
    """Alias of email_subject_template."""
    email_body_template: str
    emailBodyTemplate: str
    """Alias of email_body_template."""
    recipients: list[str]
    cooldown_minutes: int
    cooldownMinutes: int
    """Alias of cooldown_minutes."""
    max_per_day: int
    maxPerDay: int
    """Alias of max_per_day."""
    is_active: bool
    isActive: bool
    """Alias of is_active."""
    last_triggered_at: datetime | None
    lastTriggeredAt: datetime | None
    """Alias of last_triggered_at."""
    sent_today: int
    sentToday: int
    """Alias of sent_today."""
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""
    updated_at: datetime
    updatedAt: datetime
    """Alias of updated_at."""


class ReactionPage(Page[Reaction]):
    _record_field = "data"

    data: list[Reaction]
    pagination: OffsetPagination


class Digest(Model):
    id: str
    name: str
    schedule_type: Literal["daily", "weekly", "monthly"]
    scheduleType: Literal["daily", "weekly", "monthly"]
    """Alias of schedule_type."""
    timezone: str
    hour: int
    weekday: int
    day: int
    include_new_memories: bool
    includeNewMemories: bool
    """Alias of include_new_memories."""
    include_highlights: bool
    includeHighlights: bool
    """Alias of include_highlights."""
    max_items: int
    maxItems: int
    """Alias of max_items."""
    tags: list[str]
    recipients: list[str]
    is_active: bool
    isActive: bool
    """Alias of is_active."""
    next_run_at: datetime | None
    nextRunAt: datetime | None
    """Alias of next_run_at."""
    last_sent_at: datetime | None
    lastSentAt: datetime | None
    """Alias of last_sent_at."""
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""
    updated_at: datetime
    updatedAt: datetime
    """Alias of updated_at."""


class DigestPage(Page[Digest]):
    _record_field = "data"

    data: list[Digest]
    pagination: OffsetPagination


class OutboundMail(Model):
    id: str
    kind: Literal["answer", "reaction", "digest"]
    history_id: str | None
    """The received email that it replies to."""
    historyId: str | None
    """Alias of history_id."""
    recipient: str
    subject: str
    status: OutboundMailStatus
    attempt_count: int
    attempts: int
    """Alias of attempt_count."""
    last_error: str | None
    """Why the email was not sent or bounced."""
    lastError: str | None
    """Alias of last_error."""
    is_retryable: bool
    """Whether it failed and its content is still stored."""
    isRetryable: bool
    """Alias of is_retryable."""
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""
    next_attempt_at: datetime | None
    nextAttemptAt: datetime | None
    """Alias of next_attempt_at."""
    sent_at: datetime | None
    sentAt: datetime | None
    """Alias of sent_at."""


class OutboundMailPage(Page[OutboundMail]):
    _record_field = "data"

    data: list[OutboundMail]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: CursorPagination


class Suppression(Model):
    email: str
    reason: Literal["stop", "unsubscribe", "bounce"]
    detail: str | None
    created_at: datetime
    createdAt: datetime
    """Alias of created_at."""


class SuppressionPage(Page[Suppression]):
    _record_field = "data"

    data: list[Suppression]
    pagination: OffsetPagination
