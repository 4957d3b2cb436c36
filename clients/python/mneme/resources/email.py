"""Methods: email.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .._async import AsyncTransport
from .._body import FileContent, body_of
from .._download import AsyncDownload, Download
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    EMAIL_ADD_SENDER,
    EMAIL_ATTACHMENT_CONTENT,
    EMAIL_CHECK_SENDER,
    EMAIL_CREATE_ADDRESS,
    EMAIL_CREATE_DIGEST,
    EMAIL_CREATE_REACTION,
    EMAIL_DEACTIVATE_ADDRESS,
    EMAIL_DOWNLOAD_ATTACHMENT,
    EMAIL_GET_ADDRESS,
    EMAIL_GET_ATTACHMENT,
    EMAIL_GET_HISTORY,
    EMAIL_INBOUND,
    EMAIL_LIST_ADDRESSES,
    EMAIL_LIST_ATTACHMENTS,
    EMAIL_LIST_DIGESTS,
    EMAIL_LIST_HISTORY,
    EMAIL_LIST_OUTBOUND,
    EMAIL_LIST_REACTIONS,
    EMAIL_LIST_SENDERS,
    EMAIL_LIST_SUPPRESSIONS,
    EMAIL_REMOVE_ATTACHMENT,
    EMAIL_REMOVE_DIGEST,
    EMAIL_REMOVE_REACTION,
    EMAIL_REMOVE_SENDER,
    EMAIL_REMOVE_SUPPRESSION,
    EMAIL_RETRY_OUTBOUND,
    EMAIL_ROTATE_ADDRESS,
    EMAIL_SEND_DIGEST,
    EMAIL_UNSUBSCRIBE,
    EMAIL_UNSUBSCRIBE_PAGE,
    EMAIL_UPDATE_DIGEST,
    EMAIL_UPDATE_REACTION,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    Attachment,
    AttachmentPage,
    Digest,
    DigestPage,
    EmailAddress,
    EmailAddressPage,
    EmailCheckSenderResponse,
    EmailDownloadAttachmentResponse,
    EmailInboundResponse,
    EmailRotateAddressResponse,
    Mail,
    MailPage,
    OutboundMail,
    OutboundMailPage,
    Reaction,
    ReactionPage,
    SenderRule,
    SenderRulePage,
    StartedJob,
    Suppression,
    SuppressionPage,
)
from ..types import MailStatus, OutboundMailStatus, TriggerConditions


class EmailResource:
    """Store email as memories, and send email about memories. Rules decide which senders are
    accepted; reactions and digests send email on events or on a schedule.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def get_address(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailAddress:
        """Read the email address of the account."""
        return self._transport.call(EMAIL_GET_ADDRESS, extra_headers=extra_headers, timeout=timeout)

    def create_address(
        self,
        *,
        regenerate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailAddress:
        """Create the email address of the account.

        If an address exists: 409 conflict, unless regenerate is true.

        Args:
            regenerate: Replaces the current address, which stops working immediately.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_CREATE_ADDRESS,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"regenerate": regenerate}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def rotate_address(
        self,
        *,
        grace_period_days: int | None = None,
        gracePeriodDays: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailRotateAddressResponse:
        """Replace the address; the previous one works for a grace period.

        Args:
            gracePeriodDays: Alias of grace_period_days.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_ROTATE_ADDRESS,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"grace_period_days": grace_period_days, "gracePeriodDays": gracePeriodDays},
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_addresses(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailAddressPage:
        """List current and former addresses, newest first."""
        return self._transport.call(
            EMAIL_LIST_ADDRESSES,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def deactivate_address(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Deactivate the current and all former addresses."""
        return self._transport.call(
            EMAIL_DEACTIVATE_ADDRESS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_history(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: MailStatus | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MailPage:
        """List received emails, newest first.

        Args:
            user_id: Only emails of this user.
            agent_id: Only emails of this agent.
            run_id: Only emails of this run.
        """
        return self._transport.call(
            EMAIL_LIST_HISTORY,
            query={
                "limit": limit,
                "offset": offset,
                "status": status,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_history(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Mail:
        """Read a received email."""
        return self._transport.call(
            EMAIL_GET_HISTORY,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_attachments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AttachmentPage:
        """List the attachments of an email in order."""
        return self._transport.call(
            EMAIL_LIST_ATTACHMENTS,
            path={"id": id},
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get_attachment(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Attachment:
        """Read the metadata of an attachment."""
        return self._transport.call(
            EMAIL_GET_ATTACHMENT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def download_attachment(
        self,
        id: str,
        *,
        expires_in: int | None = None,
        expiresIn: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailDownloadAttachmentResponse:
        """Create a signed link to the bytes, which works without a key.

        Args:
            expiresIn: Alias of expires_in.
        """
        return self._transport.call(
            EMAIL_DOWNLOAD_ATTACHMENT,
            path={"id": id},
            query={"expires_in": expires_in, "expiresIn": expiresIn},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def attachment_content(
        self,
        id: str,
        *,
        expires: int,
        signature: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Download an attachment with a signed link.

        An expired or modified link is 403 insufficient_permissions.
        """
        return self._transport.download(
            EMAIL_ATTACHMENT_CONTENT,
            path={"id": id},
            query={"expires": expires, "signature": signature},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_attachment(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete an attachment and its bytes.

        A memory that was created from its text stays.
        """
        return self._transport.call(
            EMAIL_REMOVE_ATTACHMENT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_senders(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        rule_type: Literal["allow", "block"] | None = None,
        ruleType: Literal["allow", "block"] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SenderRulePage:
        """List sender rules, newest first.

        Args:
            ruleType: Alias of rule_type.
            user_id: Only rules of this user.
            agent_id: Only rules of this agent.
            run_id: Only rules of this run.
        """
        return self._transport.call(
            EMAIL_LIST_SENDERS,
            query={
                "limit": limit,
                "offset": offset,
                "rule_type": rule_type,
                "ruleType": ruleType,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def add_sender(
        self,
        *,
        email_pattern: str | None = None,
        emailPattern: str | None = None,
        rule_type: Literal["allow", "block"] | None = None,
        ruleType: Literal["allow", "block"] | None = None,
        reason: str | None | NotGiven = NOT_GIVEN,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SenderRule:
        """Allow or block senders.

        The most specific matching rule applies; among equal ones, block wins. If any allow rule
        exists, other senders are rejected. Only senders that a rule allows, and whose domain SPF,
        DKIM or DMARC authenticates, receive replies and run commands other than store. With an
        owner, the rule allows email of this owner only: what such a sender writes belongs to the
        owner, and commands reach nothing else. Also requires the scope memories:read.

        Args:
            emailPattern: Alias of email_pattern.
            ruleType: Alias of rule_type.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_ADD_SENDER,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "email_pattern": email_pattern,
                    "emailPattern": emailPattern,
                    "rule_type": rule_type,
                    "ruleType": ruleType,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                },
                {"reason": reason},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def check_sender(
        self,
        *,
        email: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailCheckSenderResponse:
        """Check whether email from a sender is accepted."""
        return self._transport.call(
            EMAIL_CHECK_SENDER,
            body=json_body({"email": email}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_sender(
        self,
        pattern: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete the rule of a pattern."""
        return self._transport.call(
            EMAIL_REMOVE_SENDER,
            path={"pattern": pattern},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def inbound(
        self,
        content: FileContent,
        *,
        recipient: str | None = None,
        sender: str | None = None,
        ip: str | None = None,
        helo: str | None = None,
        verified: bool | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailInboundResponse:
        """Submit a raw MIME message, for relays without SMTP.

        The message is durable when the response arrives, and processed soon after. Without
        verified=true the sender counts as authenticated only if DKIM, or SPF for `sender` and `ip`,
        authenticates the domain of the From field. With an owner, the email becomes a memory of
        this owner, and its commands reach nothing else; if the rule of its sender names another
        one, it is rejected. Keys that are limited to spaces are rejected.

        Args:
            ip: IP address of the SMTP client, for SPF.
            verified: The relay has already authenticated the From field.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
        """
        return self._transport.call(
            EMAIL_INBOUND,
            query={
                "recipient": recipient,
                "sender": sender,
                "ip": ip,
                "helo": helo,
                "verified": verified,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_reactions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ReactionPage:
        """List reactions, newest first."""
        return self._transport.call(
            EMAIL_LIST_REACTIONS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def create_reaction(
        self,
        *,
        name: str,
        trigger_type: str | None = None,
        triggerType: str | None = None,
        trigger_conditions: TriggerConditions | None = None,
        triggerConditions: TriggerConditions | None = None,
        email_subject_template: str | None = None,
        emailSubjectTemplate: str | None = None,
        email_body_template: str | None = None,
        emailBodyTemplate: str | None = None,
        recipients: Sequence[str] | None = None,
        cooldown_minutes: int | None = None,
        cooldownMinutes: int | None = None,
        max_per_day: int | None = None,
        maxPerDay: int | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Reaction:
        """Create a reaction: an email on an event.

        Also requires the scope memories:read.

        Args:
            triggerType: Alias of trigger_type.
            triggerConditions: Alias of trigger_conditions.
            emailSubjectTemplate: Alias of email_subject_template.
            emailBodyTemplate: Alias of email_body_template.
            recipients: Empty: the contact address of the account.
            cooldownMinutes: Alias of cooldown_minutes.
            maxPerDay: Alias of max_per_day.
            isActive: Alias of is_active.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_CREATE_REACTION,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "name": name,
                    "trigger_type": trigger_type,
                    "triggerType": triggerType,
                    "trigger_conditions": trigger_conditions,
                    "triggerConditions": triggerConditions,
                    "email_subject_template": email_subject_template,
                    "emailSubjectTemplate": emailSubjectTemplate,
                    "email_body_template": email_body_template,
                    "emailBodyTemplate": emailBodyTemplate,
                    "recipients": recipients,
                    "cooldown_minutes": cooldown_minutes,
                    "cooldownMinutes": cooldownMinutes,
                    "max_per_day": max_per_day,
                    "maxPerDay": maxPerDay,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update_reaction(
        self,
        id: str,
        *,
        name: str | None = None,
        trigger_type: str | None = None,
        triggerType: str | None = None,
        trigger_conditions: TriggerConditions | None = None,
        triggerConditions: TriggerConditions | None = None,
        email_subject_template: str | None = None,
        emailSubjectTemplate: str | None = None,
        email_body_template: str | None = None,
        emailBodyTemplate: str | None = None,
        recipients: Sequence[str] | None = None,
        cooldown_minutes: int | None = None,
        cooldownMinutes: int | None = None,
        max_per_day: int | None = None,
        maxPerDay: int | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Reaction:
        """Change a reaction.

        Also requires the scope memories:read.

        Args:
            triggerType: Alias of trigger_type.
            triggerConditions: Alias of trigger_conditions.
            emailSubjectTemplate: Alias of email_subject_template.
            emailBodyTemplate: Alias of email_body_template.
            recipients: Empty: the contact address of the account.
            cooldownMinutes: Alias of cooldown_minutes.
            maxPerDay: Alias of max_per_day.
            isActive: Alias of is_active.
        """
        return self._transport.call(
            EMAIL_UPDATE_REACTION,
            path={"id": id},
            body=json_body(
                {
                    "name": name,
                    "trigger_type": trigger_type,
                    "triggerType": triggerType,
                    "trigger_conditions": trigger_conditions,
                    "triggerConditions": triggerConditions,
                    "email_subject_template": email_subject_template,
                    "emailSubjectTemplate": emailSubjectTemplate,
                    "email_body_template": email_body_template,
                    "emailBodyTemplate": emailBodyTemplate,
                    "recipients": recipients,
                    "cooldown_minutes": cooldown_minutes,
                    "cooldownMinutes": cooldownMinutes,
                    "max_per_day": max_per_day,
                    "maxPerDay": maxPerDay,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_reaction(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a reaction."""
        return self._transport.call(
            EMAIL_REMOVE_REACTION,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_digests(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> DigestPage:
        """List digests, newest first."""
        return self._transport.call(
            EMAIL_LIST_DIGESTS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def create_digest(
        self,
        *,
        name: str,
        schedule_type: Literal["daily", "weekly", "monthly"] | None = None,
        scheduleType: Literal["daily", "weekly", "monthly"] | None = None,
        timezone: str | None = None,
        hour: int | None = None,
        weekday: int | None = None,
        day: int | None = None,
        include_new_memories: bool | None = None,
        includeNewMemories: bool | None = None,
        include_highlights: bool | None = None,
        includeHighlights: bool | None = None,
        max_items: int | None = None,
        maxItems: int | None = None,
        tags: Sequence[str] | None = None,
        recipients: Sequence[str] | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Digest:
        """Create a digest: a scheduled email about new memories.

        Also requires the scope memories:read.

        Args:
            scheduleType: Alias of schedule_type.
            weekday: 1: Monday, 7: Sunday.
            day: Day of the month; in shorter months the last day.
            includeNewMemories: Alias of include_new_memories.
            includeHighlights: Alias of include_highlights.
            maxItems: Alias of max_items.
            recipients: Empty: the contact address of the account.
            isActive: Alias of is_active.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_CREATE_DIGEST,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "name": name,
                    "schedule_type": schedule_type,
                    "scheduleType": scheduleType,
                    "timezone": timezone,
                    "hour": hour,
                    "weekday": weekday,
                    "day": day,
                    "include_new_memories": include_new_memories,
                    "includeNewMemories": includeNewMemories,
                    "include_highlights": include_highlights,
                    "includeHighlights": includeHighlights,
                    "max_items": max_items,
                    "maxItems": maxItems,
                    "tags": tags,
                    "recipients": recipients,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update_digest(
        self,
        id: str,
        *,
        name: str | None = None,
        schedule_type: Literal["daily", "weekly", "monthly"] | None = None,
        scheduleType: Literal["daily", "weekly", "monthly"] | None = None,
        timezone: str | None = None,
        hour: int | None = None,
        weekday: int | None = None,
        day: int | None = None,
        include_new_memories: bool | None = None,
        includeNewMemories: bool | None = None,
        include_highlights: bool | None = None,
        includeHighlights: bool | None = None,
        max_items: int | None = None,
        maxItems: int | None = None,
        tags: Sequence[str] | None = None,
        recipients: Sequence[str] | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Digest:
        """Change a digest.

        Also requires the scope memories:read.

        Args:
            scheduleType: Alias of schedule_type.
            weekday: 1: Monday, 7: Sunday.
            day: Day of the month; in shorter months the last day.
            includeNewMemories: Alias of include_new_memories.
            includeHighlights: Alias of include_highlights.
            maxItems: Alias of max_items.
            recipients: Empty: the contact address of the account.
            isActive: Alias of is_active.
        """
        return self._transport.call(
            EMAIL_UPDATE_DIGEST,
            path={"id": id},
            body=json_body(
                {
                    "name": name,
                    "schedule_type": schedule_type,
                    "scheduleType": scheduleType,
                    "timezone": timezone,
                    "hour": hour,
                    "weekday": weekday,
                    "day": day,
                    "include_new_memories": include_new_memories,
                    "includeNewMemories": includeNewMemories,
                    "include_highlights": include_highlights,
                    "includeHighlights": includeHighlights,
                    "max_items": max_items,
                    "maxItems": maxItems,
                    "tags": tags,
                    "recipients": recipients,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_digest(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a digest."""
        return self._transport.call(
            EMAIL_REMOVE_DIGEST,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def send_digest(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Send a digest now, in addition to its schedule.

        Also requires the scope memories:read.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_SEND_DIGEST,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_outbound(
        self,
        *,
        status: OutboundMailStatus | None = None,
        recipient: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OutboundMailPage:
        """List outbound emails and their status, newest first, for 30 days.

        A key that is limited to spaces sees only emails about its spaces. An email that was not
        sent after a suspension of the account is `failed`, with the reason in `lastError`.

        Args:
            user_id: Only replies to emails of this user.
            agent_id: Only replies to emails of this agent.
            run_id: Only replies to emails of this run.
        """
        return self._transport.call(
            EMAIL_LIST_OUTBOUND,
            query={
                "status": status,
                "recipient": recipient,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "cursor": cursor,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def retry_outbound(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OutboundMail:
        """Queue a failed outbound email again.

        The server sends it again at once. 409 conflict unless `isRetryable` is true, and for
        reactions and digests to an address on the suppression list. Also requires the scope
        memories:read.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            EMAIL_RETRY_OUTBOUND,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_suppressions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SuppressionPage:
        """List addresses that receive no reactions and digests, newest first."""
        return self._transport.call(
            EMAIL_LIST_SUPPRESSIONS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_suppression(
        self,
        email: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Allow reactions and digests to an address again."""
        return self._transport.call(
            EMAIL_REMOVE_SUPPRESSION,
            path={"email": email},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def unsubscribe_page(
        self,
        *,
        account: str,
        email: str,
        signature: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Show the unsubscribe page.

        Reading it changes nothing, because programs follow links in emails.
        """
        return self._transport.download(
            EMAIL_UNSUBSCRIBE_PAGE,
            query={"account": account, "email": email, "signature": signature},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def unsubscribe(
        self,
        content: FileContent,
        *,
        account: str,
        email: str,
        signature: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Unsubscribe with one click (RFC 8058)."""
        return self._transport.download(
            EMAIL_UNSUBSCRIBE,
            query={"account": account, "email": email, "signature": signature},
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncEmailResource:
    """Store email as memories, and send email about memories. Rules decide which senders are
    accepted; reactions and digests send email on events or on a schedule.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_address(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailAddress:
        """Read the email address of the account."""
        return await self._transport.call(
            EMAIL_GET_ADDRESS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create_address(
        self,
        *,
        regenerate: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailAddress:
        """Create the email address of the account.

        If an address exists: 409 conflict, unless regenerate is true.

        Args:
            regenerate: Replaces the current address, which stops working immediately.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_CREATE_ADDRESS,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"regenerate": regenerate}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def rotate_address(
        self,
        *,
        grace_period_days: int | None = None,
        gracePeriodDays: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailRotateAddressResponse:
        """Replace the address; the previous one works for a grace period.

        Args:
            gracePeriodDays: Alias of grace_period_days.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_ROTATE_ADDRESS,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"grace_period_days": grace_period_days, "gracePeriodDays": gracePeriodDays},
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_addresses(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[EmailAddressPage, EmailAddress]:
        """List current and former addresses, newest first."""
        return self._transport.pages(
            EMAIL_LIST_ADDRESSES,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def deactivate_address(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Deactivate the current and all former addresses."""
        return await self._transport.call(
            EMAIL_DEACTIVATE_ADDRESS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_history(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: MailStatus | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[MailPage, Mail]:
        """List received emails, newest first.

        Args:
            user_id: Only emails of this user.
            agent_id: Only emails of this agent.
            run_id: Only emails of this run.
        """
        return self._transport.pages(
            EMAIL_LIST_HISTORY,
            query={
                "limit": limit,
                "offset": offset,
                "status": status,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_history(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Mail:
        """Read a received email."""
        return await self._transport.call(
            EMAIL_GET_HISTORY,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_attachments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[AttachmentPage, Attachment]:
        """List the attachments of an email in order."""
        return self._transport.pages(
            EMAIL_LIST_ATTACHMENTS,
            path={"id": id},
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get_attachment(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Attachment:
        """Read the metadata of an attachment."""
        return await self._transport.call(
            EMAIL_GET_ATTACHMENT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def download_attachment(
        self,
        id: str,
        *,
        expires_in: int | None = None,
        expiresIn: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailDownloadAttachmentResponse:
        """Create a signed link to the bytes, which works without a key.

        Args:
            expiresIn: Alias of expires_in.
        """
        return await self._transport.call(
            EMAIL_DOWNLOAD_ATTACHMENT,
            path={"id": id},
            query={"expires_in": expires_in, "expiresIn": expiresIn},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def attachment_content(
        self,
        id: str,
        *,
        expires: int,
        signature: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Download an attachment with a signed link.

        An expired or modified link is 403 insufficient_permissions.
        """
        return await self._transport.download(
            EMAIL_ATTACHMENT_CONTENT,
            path={"id": id},
            query={"expires": expires, "signature": signature},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_attachment(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete an attachment and its bytes.

        A memory that was created from its text stays.
        """
        return await self._transport.call(
            EMAIL_REMOVE_ATTACHMENT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_senders(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        rule_type: Literal["allow", "block"] | None = None,
        ruleType: Literal["allow", "block"] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[SenderRulePage, SenderRule]:
        """List sender rules, newest first.

        Args:
            ruleType: Alias of rule_type.
            user_id: Only rules of this user.
            agent_id: Only rules of this agent.
            run_id: Only rules of this run.
        """
        return self._transport.pages(
            EMAIL_LIST_SENDERS,
            query={
                "limit": limit,
                "offset": offset,
                "rule_type": rule_type,
                "ruleType": ruleType,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def add_sender(
        self,
        *,
        email_pattern: str | None = None,
        emailPattern: str | None = None,
        rule_type: Literal["allow", "block"] | None = None,
        ruleType: Literal["allow", "block"] | None = None,
        reason: str | None | NotGiven = NOT_GIVEN,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SenderRule:
        """Allow or block senders.

        The most specific matching rule applies; among equal ones, block wins. If any allow rule
        exists, other senders are rejected. Only senders that a rule allows, and whose domain SPF,
        DKIM or DMARC authenticates, receive replies and run commands other than store. With an
        owner, the rule allows email of this owner only: what such a sender writes belongs to the
        owner, and commands reach nothing else. Also requires the scope memories:read.

        Args:
            emailPattern: Alias of email_pattern.
            ruleType: Alias of rule_type.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_ADD_SENDER,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "email_pattern": email_pattern,
                    "emailPattern": emailPattern,
                    "rule_type": rule_type,
                    "ruleType": ruleType,
                    "user_id": user_id,
                    "agent_id": agent_id,
                    "run_id": run_id,
                },
                {"reason": reason},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def check_sender(
        self,
        *,
        email: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailCheckSenderResponse:
        """Check whether email from a sender is accepted."""
        return await self._transport.call(
            EMAIL_CHECK_SENDER,
            body=json_body({"email": email}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_sender(
        self,
        pattern: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete the rule of a pattern."""
        return await self._transport.call(
            EMAIL_REMOVE_SENDER,
            path={"pattern": pattern},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def inbound(
        self,
        content: FileContent,
        *,
        recipient: str | None = None,
        sender: str | None = None,
        ip: str | None = None,
        helo: str | None = None,
        verified: bool | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EmailInboundResponse:
        """Submit a raw MIME message, for relays without SMTP.

        The message is durable when the response arrives, and processed soon after. Without
        verified=true the sender counts as authenticated only if DKIM, or SPF for `sender` and `ip`,
        authenticates the domain of the From field. With an owner, the email becomes a memory of
        this owner, and its commands reach nothing else; if the rule of its sender names another
        one, it is rejected. Keys that are limited to spaces are rejected.

        Args:
            ip: IP address of the SMTP client, for SPF.
            verified: The relay has already authenticated the From field.
            user_id: The end user whom the memory belongs to.
            agent_id: The agent whom the memory belongs to.
            run_id: The run or conversation that it belongs to.
        """
        return await self._transport.call(
            EMAIL_INBOUND,
            query={
                "recipient": recipient,
                "sender": sender,
                "ip": ip,
                "helo": helo,
                "verified": verified,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_reactions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ReactionPage, Reaction]:
        """List reactions, newest first."""
        return self._transport.pages(
            EMAIL_LIST_REACTIONS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create_reaction(
        self,
        *,
        name: str,
        trigger_type: str | None = None,
        triggerType: str | None = None,
        trigger_conditions: TriggerConditions | None = None,
        triggerConditions: TriggerConditions | None = None,
        email_subject_template: str | None = None,
        emailSubjectTemplate: str | None = None,
        email_body_template: str | None = None,
        emailBodyTemplate: str | None = None,
        recipients: Sequence[str] | None = None,
        cooldown_minutes: int | None = None,
        cooldownMinutes: int | None = None,
        max_per_day: int | None = None,
        maxPerDay: int | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Reaction:
        """Create a reaction: an email on an event.

        Also requires the scope memories:read.

        Args:
            triggerType: Alias of trigger_type.
            triggerConditions: Alias of trigger_conditions.
            emailSubjectTemplate: Alias of email_subject_template.
            emailBodyTemplate: Alias of email_body_template.
            recipients: Empty: the contact address of the account.
            cooldownMinutes: Alias of cooldown_minutes.
            maxPerDay: Alias of max_per_day.
            isActive: Alias of is_active.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_CREATE_REACTION,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "name": name,
                    "trigger_type": trigger_type,
                    "triggerType": triggerType,
                    "trigger_conditions": trigger_conditions,
                    "triggerConditions": triggerConditions,
                    "email_subject_template": email_subject_template,
                    "emailSubjectTemplate": emailSubjectTemplate,
                    "email_body_template": email_body_template,
                    "emailBodyTemplate": emailBodyTemplate,
                    "recipients": recipients,
                    "cooldown_minutes": cooldown_minutes,
                    "cooldownMinutes": cooldownMinutes,
                    "max_per_day": max_per_day,
                    "maxPerDay": maxPerDay,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update_reaction(
        self,
        id: str,
        *,
        name: str | None = None,
        trigger_type: str | None = None,
        triggerType: str | None = None,
        trigger_conditions: TriggerConditions | None = None,
        triggerConditions: TriggerConditions | None = None,
        email_subject_template: str | None = None,
        emailSubjectTemplate: str | None = None,
        email_body_template: str | None = None,
        emailBodyTemplate: str | None = None,
        recipients: Sequence[str] | None = None,
        cooldown_minutes: int | None = None,
        cooldownMinutes: int | None = None,
        max_per_day: int | None = None,
        maxPerDay: int | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Reaction:
        """Change a reaction.

        Also requires the scope memories:read.

        Args:
            triggerType: Alias of trigger_type.
            triggerConditions: Alias of trigger_conditions.
            emailSubjectTemplate: Alias of email_subject_template.
            emailBodyTemplate: Alias of email_body_template.
            recipients: Empty: the contact address of the account.
            cooldownMinutes: Alias of cooldown_minutes.
            maxPerDay: Alias of max_per_day.
            isActive: Alias of is_active.
        """
        return await self._transport.call(
            EMAIL_UPDATE_REACTION,
            path={"id": id},
            body=json_body(
                {
                    "name": name,
                    "trigger_type": trigger_type,
                    "triggerType": triggerType,
                    "trigger_conditions": trigger_conditions,
                    "triggerConditions": triggerConditions,
                    "email_subject_template": email_subject_template,
                    "emailSubjectTemplate": emailSubjectTemplate,
                    "email_body_template": email_body_template,
                    "emailBodyTemplate": emailBodyTemplate,
                    "recipients": recipients,
                    "cooldown_minutes": cooldown_minutes,
                    "cooldownMinutes": cooldownMinutes,
                    "max_per_day": max_per_day,
                    "maxPerDay": maxPerDay,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_reaction(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a reaction."""
        return await self._transport.call(
            EMAIL_REMOVE_REACTION,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_digests(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[DigestPage, Digest]:
        """List digests, newest first."""
        return self._transport.pages(
            EMAIL_LIST_DIGESTS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create_digest(
        self,
        *,
        name: str,
        schedule_type: Literal["daily", "weekly", "monthly"] | None = None,
        scheduleType: Literal["daily", "weekly", "monthly"] | None = None,
        timezone: str | None = None,
        hour: int | None = None,
        weekday: int | None = None,
        day: int | None = None,
        include_new_memories: bool | None = None,
        includeNewMemories: bool | None = None,
        include_highlights: bool | None = None,
        includeHighlights: bool | None = None,
        max_items: int | None = None,
        maxItems: int | None = None,
        tags: Sequence[str] | None = None,
        recipients: Sequence[str] | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Digest:
        """Create a digest: a scheduled email about new memories.

        Also requires the scope memories:read.

        Args:
            scheduleType: Alias of schedule_type.
            weekday: 1: Monday, 7: Sunday.
            day: Day of the month; in shorter months the last day.
            includeNewMemories: Alias of include_new_memories.
            includeHighlights: Alias of include_highlights.
            maxItems: Alias of max_items.
            recipients: Empty: the contact address of the account.
            isActive: Alias of is_active.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_CREATE_DIGEST,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "name": name,
                    "schedule_type": schedule_type,
                    "scheduleType": scheduleType,
                    "timezone": timezone,
                    "hour": hour,
                    "weekday": weekday,
                    "day": day,
                    "include_new_memories": include_new_memories,
                    "includeNewMemories": includeNewMemories,
                    "include_highlights": include_highlights,
                    "includeHighlights": includeHighlights,
                    "max_items": max_items,
                    "maxItems": maxItems,
                    "tags": tags,
                    "recipients": recipients,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update_digest(
        self,
        id: str,
        *,
        name: str | None = None,
        schedule_type: Literal["daily", "weekly", "monthly"] | None = None,
        scheduleType: Literal["daily", "weekly", "monthly"] | None = None,
        timezone: str | None = None,
        hour: int | None = None,
        weekday: int | None = None,
        day: int | None = None,
        include_new_memories: bool | None = None,
        includeNewMemories: bool | None = None,
        include_highlights: bool | None = None,
        includeHighlights: bool | None = None,
        max_items: int | None = None,
        maxItems: int | None = None,
        tags: Sequence[str] | None = None,
        recipients: Sequence[str] | None = None,
        is_active: bool | None = None,
        isActive: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Digest:
        """Change a digest.

        Also requires the scope memories:read.

        Args:
            scheduleType: Alias of schedule_type.
            weekday: 1: Monday, 7: Sunday.
            day: Day of the month; in shorter months the last day.
            includeNewMemories: Alias of include_new_memories.
            includeHighlights: Alias of include_highlights.
            maxItems: Alias of max_items.
            recipients: Empty: the contact address of the account.
            isActive: Alias of is_active.
        """
        return await self._transport.call(
            EMAIL_UPDATE_DIGEST,
            path={"id": id},
            body=json_body(
                {
                    "name": name,
                    "schedule_type": schedule_type,
                    "scheduleType": scheduleType,
                    "timezone": timezone,
                    "hour": hour,
                    "weekday": weekday,
                    "day": day,
                    "include_new_memories": include_new_memories,
                    "includeNewMemories": includeNewMemories,
                    "include_highlights": include_highlights,
                    "includeHighlights": includeHighlights,
                    "max_items": max_items,
                    "maxItems": maxItems,
                    "tags": tags,
                    "recipients": recipients,
                    "is_active": is_active,
                    "isActive": isActive,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_digest(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a digest."""
        return await self._transport.call(
            EMAIL_REMOVE_DIGEST,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def send_digest(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> StartedJob:
        """Send a digest now, in addition to its schedule.

        Also requires the scope memories:read.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_SEND_DIGEST,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_outbound(
        self,
        *,
        status: OutboundMailStatus | None = None,
        recipient: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[OutboundMailPage, OutboundMail]:
        """List outbound emails and their status, newest first, for 30 days.

        A key that is limited to spaces sees only emails about its spaces. An email that was not
        sent after a suspension of the account is `failed`, with the reason in `lastError`.

        Args:
            user_id: Only replies to emails of this user.
            agent_id: Only replies to emails of this agent.
            run_id: Only replies to emails of this run.
        """
        return self._transport.pages(
            EMAIL_LIST_OUTBOUND,
            query={
                "status": status,
                "recipient": recipient,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "cursor": cursor,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def retry_outbound(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> OutboundMail:
        """Queue a failed outbound email again.

        The server sends it again at once. 409 conflict unless `isRetryable` is true, and for
        reactions and digests to an address on the suppression list. Also requires the scope
        memories:read.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            EMAIL_RETRY_OUTBOUND,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_suppressions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[SuppressionPage, Suppression]:
        """List addresses that receive no reactions and digests, newest first."""
        return self._transport.pages(
            EMAIL_LIST_SUPPRESSIONS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_suppression(
        self,
        email: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Allow reactions and digests to an address again."""
        return await self._transport.call(
            EMAIL_REMOVE_SUPPRESSION,
            path={"email": email},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def unsubscribe_page(
        self,
        *,
        account: str,
        email: str,
        signature: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Show the unsubscribe page.

        Reading it changes nothing, because programs follow links in emails.
        """
        return await self._transport.download(
            EMAIL_UNSUBSCRIBE_PAGE,
            query={"account": account, "email": email, "signature": signature},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def unsubscribe(
        self,
        content: FileContent,
        *,
        account: str,
        email: str,
        signature: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Unsubscribe with one click (RFC 8058)."""
        return await self._transport.download(
            EMAIL_UNSUBSCRIBE,
            query={"account": account, "email": email, "signature": signature},
            content=body_of(content),
            extra_headers=extra_headers,
            timeout=timeout,
        )
