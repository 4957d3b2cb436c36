"""Methods: account.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import ACCOUNT_AUDIT, ACCOUNT_GET, ACCOUNT_UPDATE
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Account, AuditEntry, AuditEntryPage
from ..types import AccountAuditAction, AccountUpdateSettings


class AccountResource:
    """Read the account of the API key: plan, limits, usage and settings. The audit log lists the
    changes of the account and its keys.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Account:
        """Read the key's account: plan, limits, usage, settings, model."""
        return self._transport.call(ACCOUNT_GET, extra_headers=extra_headers, timeout=timeout)

    def update(
        self,
        *,
        name: str | None = None,
        contact_email: str | None | NotGiven = NOT_GIVEN,
        settings: AccountUpdateSettings | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Account:
        """Change name, contact address or settings.

        Omitted fields stay unchanged; null restores a default. Keys that are limited to spaces are
        rejected.
        """
        return self._transport.call(
            ACCOUNT_UPDATE,
            body=json_body({"name": name, "settings": settings}, {"contact_email": contact_email}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def audit(
        self,
        *,
        action: AccountAuditAction | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AuditEntryPage:
        """List changes of the account and its keys, newest first.

        Keys that are limited to spaces are rejected.
        """
        return self._transport.call(
            ACCOUNT_AUDIT,
            query={
                "action": action,
                "since": since,
                "until": until,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncAccountResource:
    """Read the account of the API key: plan, limits, usage and settings. The audit log lists the
    changes of the account and its keys.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Account:
        """Read the key's account: plan, limits, usage, settings, model."""
        return await self._transport.call(ACCOUNT_GET, extra_headers=extra_headers, timeout=timeout)

    async def update(
        self,
        *,
        name: str | None = None,
        contact_email: str | None | NotGiven = NOT_GIVEN,
        settings: AccountUpdateSettings | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Account:
        """Change name, contact address or settings.

        Omitted fields stay unchanged; null restores a default. Keys that are limited to spaces are
        rejected.
        """
        return await self._transport.call(
            ACCOUNT_UPDATE,
            body=json_body({"name": name, "settings": settings}, {"contact_email": contact_email}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def audit(
        self,
        *,
        action: AccountAuditAction | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[AuditEntryPage, AuditEntry]:
        """List changes of the account and its keys, newest first.

        Keys that are limited to spaces are rejected.
        """
        return self._transport.pages(
            ACCOUNT_AUDIT,
            query={
                "action": action,
                "since": since,
                "until": until,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )
