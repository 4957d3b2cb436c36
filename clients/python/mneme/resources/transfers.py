"""Methods: transfers.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._async import AsyncTransport
from .._body import FileContent, body_of
from .._download import AsyncDownload, Download
from .._not_given import NOT_GIVEN
from .._operations import TRANSFERS_EXPORT, TRANSFERS_GET_IMPORT, TRANSFERS_IMPORT
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import Import, QueuedImport


class TransfersResource:
    """Export an account, a space or a user as a portable archive, and import such an archive into
    this or another account.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def export(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Download:
        """Export the account, a space or a user as a portable archive.

        A gzip’d tar file of NDJSON files with everything that the key may read: a key that is
        limited to spaces exports these, a token of one user exports this user, and a kind of record
        whose scope the key lacks is left out. It has no vectors and no secrets.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only what belongs to this user.
        """
        return self._transport.download(
            TRANSFERS_EXPORT,
            query={"space_id": space_id, "space": space, "user_id": user_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def import_(
        self,
        content: FileContent,
        *,
        dry_run: bool | None = None,
        apply_deletions: bool | None = None,
        map_spaces: str | None = None,
        map_users: str | None = None,
        map_agents: str | None = None,
        map_runs: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedImport:
        """Import an archive into the account.

        The whole archive is checked before the response; 422 invalid_archive says what is wrong
        with it, and then nothing is imported. A job imports it. To import an archive again changes
        nothing; records of another account get new ids, which depend on the account and the former
        id. One import of an account runs at a time: 409.

        Args:
            dry_run: Stores nothing; the report counts.
            apply_deletions: Erases what was erased in the exported account, and applies soft
                deletes.
            map_spaces: JSON object: names or ids of spaces, and of the space for each, such as
                {"Work":"Travel"}.
            map_users: JSON object: each user_id and its new value, such as {"alice":"bob"}.
            map_agents: JSON object: each agent_id and its new value, such as {"bot-1":"bot-2"}.
            map_runs: JSON object: each run_id and its new value, such as {"run-1":"run-2"}.
        """
        return self._transport.call(
            TRANSFERS_IMPORT,
            query={
                "dry_run": dry_run,
                "apply_deletions": apply_deletions,
                "map_spaces": map_spaces,
                "map_users": map_users,
                "map_agents": map_agents,
                "map_runs": map_runs,
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
        """Read the progress and the report of an import, for 7 days."""
        return self._transport.call(
            TRANSFERS_GET_IMPORT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncTransfersResource:
    """Export an account, a space or a user as a portable archive, and import such an archive into
    this or another account.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def export(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncDownload:
        """Export the account, a space or a user as a portable archive.

        A gzip’d tar file of NDJSON files with everything that the key may read: a key that is
        limited to spaces exports these, a token of one user exports this user, and a kind of record
        whose scope the key lacks is left out. It has no vectors and no secrets.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only what belongs to this user.
        """
        return await self._transport.download(
            TRANSFERS_EXPORT,
            query={"space_id": space_id, "space": space, "user_id": user_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def import_(
        self,
        content: FileContent,
        *,
        dry_run: bool | None = None,
        apply_deletions: bool | None = None,
        map_spaces: str | None = None,
        map_users: str | None = None,
        map_agents: str | None = None,
        map_runs: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedImport:
        """Import an archive into the account.

        The whole archive is checked before the response; 422 invalid_archive says what is wrong
        with it, and then nothing is imported. A job imports it. To import an archive again changes
        nothing; records of another account get new ids, which depend on the account and the former
        id. One import of an account runs at a time: 409.

        Args:
            dry_run: Stores nothing; the report counts.
            apply_deletions: Erases what was erased in the exported account, and applies soft
                deletes.
            map_spaces: JSON object: names or ids of spaces, and of the space for each, such as
                {"Work":"Travel"}.
            map_users: JSON object: each user_id and its new value, such as {"alice":"bob"}.
            map_agents: JSON object: each agent_id and its new value, such as {"bot-1":"bot-2"}.
            map_runs: JSON object: each run_id and its new value, such as {"run-1":"run-2"}.
        """
        return await self._transport.call(
            TRANSFERS_IMPORT,
            query={
                "dry_run": dry_run,
                "apply_deletions": apply_deletions,
                "map_spaces": map_spaces,
                "map_users": map_users,
                "map_agents": map_agents,
                "map_runs": map_runs,
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
        """Read the progress and the report of an import, for 7 days."""
        return await self._transport.call(
            TRANSFERS_GET_IMPORT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
