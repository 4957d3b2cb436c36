"""Objects of responses: email.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .._model import Model
from .._paginate import Page
from ..types import MailStatus, OutboundMailStatus, ParsedIntentCommand
from .clusters import Pagination


class EmailAddress(Model):
    id: str
    email: str
    localPart: str
    domain: str
    isActive: bool
    createdAt: datetime
    acceptsUntil: datetime | None
    """For a former address: how long it still accepts email."""


class EmailRotateAddressResponse(Model):
    id: str
    email: str
    previousEmail: str
    gracePeriodDays: int
    createdAt: datetime


class EmailAddressPage(Page[EmailAddress]):
    _record_field = "data"

    data: list[EmailAddress]
    pagination: Pagination


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
    responseMemoryId: str | None
    messageId: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    authentication: MailAuthentication | None
    verified: bool | None
    """Whether a rule allows the author, and SPF, DKIM or DMARC authenticates the domain of the From
    field. Only verified email receives a reply or runs commands other than store. null: not
    checked, or rejected earlier.
    """
    createdAt: datetime
    processedAt: datetime | None


class MailPage(Page[Mail]):
    _record_field = "data"

    data: list[Mail]
    pagination: Pagination


class Attachment(Model):
    id: str
    mailId: str
    filename: str
    contentType: str
    size: int
    """Bytes."""
    sha256: str
    memoryId: str | None
    """The memory that was created from its text."""
    createdAt: datetime


class AttachmentPage(Page[Attachment]):
    _record_field = "data"

    data: list[Attachment]
    pagination: Pagination


class EmailDownloadAttachmentResponse(Model):
    url: str
    expiresIn: int


class SenderRule(Model):
    id: str
    emailPattern: str
    ruleType: Literal["allow", "block"]
    reason: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    createdAt: datetime


class SenderRulePage(Page[SenderRule]):
    _record_field = "data"

    data: list[SenderRule]
    pagination: Pagination


class EmailCheckSenderResponse(Model):
    allowed: bool
    reason: str | None
    matchedRule: SenderRule | None


class EmailInboundResponse(Model):
    history_id: str
    status: MailStatus


class ReactionTriggerConditions(Model):
    tags: list[str] | None = None
    contentContains: str | None = None


class Reaction(Model):
    id: str
    name: str
    triggerType: str
    triggerConditions: ReactionTriggerConditions
    emailSubjectTemplate: str
    emailBodyTemplate: str
    recipients: list[str]
    cooldownMinutes: int
    maxPerDay: int
    isActive: bool
    lastTriggeredAt: datetime | None
    sentToday: int
    createdAt: datetime
    updatedAt: datetime


class ReactionPage(Page[Reaction]):
    _record_field = "data"

    data: list[Reaction]
    pagination: Pagination


class Digest(Model):
    id: str
    name: str
    scheduleType: Literal["daily", "weekly", "monthly"]
    timezone: str
    hour: int
    weekday: int
    day: int
    includeNewMemories: bool
    includeHighlights: bool
    maxItems: int
    tags: list[str]
    recipients: list[str]
    isActive: bool
    nextRunAt: datetime | None
    lastSentAt: datetime | None
    createdAt: datetime
    updatedAt: datetime


class DigestPage(Page[Digest]):
    _record_field = "data"

    data: list[Digest]
    pagination: Pagination


class OutboundMail(Model):
    id: str
    kind: Literal["answer", "reaction", "digest"]
    historyId: str | None
    """The received email that it replies to."""
    recipient: str
    subject: str
    status: OutboundMailStatus
    attempts: int
    lastError: str | None
    """Why the email was not sent or bounced."""
    createdAt: datetime
    nextAttemptAt: datetime | None
    sentAt: datetime | None


class OutboundMailPage(Page[OutboundMail]):
    _record_field = "data"

    data: list[OutboundMail]
    has_more: bool
    next_cursor: str | None


class Suppression(Model):
    email: str
    reason: Literal["stop", "unsubscribe", "bounce"]
    detail: str | None
    createdAt: datetime


class SuppressionPage(Page[Suppression]):
    _record_field = "data"

    data: list[Suppression]
    pagination: Pagination
