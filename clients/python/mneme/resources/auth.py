"""Methods: auth.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN
from .._operations import AUTH_CREATE_TOKEN, AUTH_LIST_TOKENS, AUTH_RENEW_TOKEN, AUTH_REVOKE_TOKEN
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import IssuedSessionToken, SessionToken, SessionTokenPage
from ..types import GrantableScope


class AuthResource:
    """Exchange an API key for short-lived session tokens, for example for a browser. Tokens can be
    listed and revoked.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create_token(
        self,
        *,
        expires_in: int | None = None,
        user_id: str | None = None,
        scopes: Sequence[GrantableScope] | None = None,
        renewable_for: int | None = None,
        single_use: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedSessionToken:
        """Create a session token with the permissions of the key, or of one user.

        For people and web consoles. The token works on every route that the scopes of its key
        allow, until expires_at or until the key itself is invalid. Requires an API key: a session
        token cannot create another one. With user_id, the token sees and writes only memories of
        that user; `x-user-tokens` says on which routes.

        Args:
            user_id: The token sees and writes only memories of this user.
            scopes: The token has those of these scopes that its key has. Default: all scopes of its
                key.
            renewable_for: For how many seconds POST /auth/tokens/renew renews the token, also after
                it expired. Default: it cannot be renewed.
            single_use: For a sign-in link: the token is good for one renewal, which gives another
                token, before it expires, and for no other request. Requires renewable_for.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            AUTH_CREATE_TOKEN,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "expires_in": expires_in,
                    "user_id": user_id,
                    "scopes": scopes,
                    "renewable_for": renewable_for,
                    "single_use": single_use,
                },
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def renew_token(
        self,
        *,
        token: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedSessionToken:
        """Renew a session token that was created with renewable_for.

        The token in the body is the credential. The new one has the same id and is valid for as
        long as the first one was, at most until renewable_until. A token with single_use is
        replaced by another one and revoked. 401 `expired_token`: the token cannot be renewed, or
        was revoked. Changes of the key apply: a revoked or rotated key ends its tokens.
        """
        return self._transport.call(
            AUTH_RENEW_TOKEN,
            body=json_body({"token": token}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_tokens(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> SessionTokenPage:
        """List session tokens that are valid or renewable, newest first.

        Lists the tokens of the calling key; with the scope `admin`, of all keys. A key that is
        limited to spaces sees only the tokens of keys that have no more access than itself.
        """
        return self._transport.call(
            AUTH_LIST_TOKENS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def revoke_token(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Revoke a session token.

        The token must be one that GET /auth/tokens lists; a session token can revoke itself. A
        revoked token is 401 `expired_token`: immediately in this process, within 10 s in all
        others.
        """
        return self._transport.call(
            AUTH_REVOKE_TOKEN,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncAuthResource:
    """Exchange an API key for short-lived session tokens, for example for a browser. Tokens can be
    listed and revoked.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create_token(
        self,
        *,
        expires_in: int | None = None,
        user_id: str | None = None,
        scopes: Sequence[GrantableScope] | None = None,
        renewable_for: int | None = None,
        single_use: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedSessionToken:
        """Create a session token with the permissions of the key, or of one user.

        For people and web consoles. The token works on every route that the scopes of its key
        allow, until expires_at or until the key itself is invalid. Requires an API key: a session
        token cannot create another one. With user_id, the token sees and writes only memories of
        that user; `x-user-tokens` says on which routes.

        Args:
            user_id: The token sees and writes only memories of this user.
            scopes: The token has those of these scopes that its key has. Default: all scopes of its
                key.
            renewable_for: For how many seconds POST /auth/tokens/renew renews the token, also after
                it expired. Default: it cannot be renewed.
            single_use: For a sign-in link: the token is good for one renewal, which gives another
                token, before it expires, and for no other request. Requires renewable_for.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            AUTH_CREATE_TOKEN,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "expires_in": expires_in,
                    "user_id": user_id,
                    "scopes": scopes,
                    "renewable_for": renewable_for,
                    "single_use": single_use,
                },
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def renew_token(
        self,
        *,
        token: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> IssuedSessionToken:
        """Renew a session token that was created with renewable_for.

        The token in the body is the credential. The new one has the same id and is valid for as
        long as the first one was, at most until renewable_until. A token with single_use is
        replaced by another one and revoked. 401 `expired_token`: the token cannot be renewed, or
        was revoked. Changes of the key apply: a revoked or rotated key ends its tokens.
        """
        return await self._transport.call(
            AUTH_RENEW_TOKEN,
            body=json_body({"token": token}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list_tokens(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[SessionTokenPage, SessionToken]:
        """List session tokens that are valid or renewable, newest first.

        Lists the tokens of the calling key; with the scope `admin`, of all keys. A key that is
        limited to spaces sees only the tokens of keys that have no more access than itself.
        """
        return self._transport.pages(
            AUTH_LIST_TOKENS,
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def revoke_token(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Revoke a session token.

        The token must be one that GET /auth/tokens lists; a session token can revoke itself. A
        revoked token is 401 `expired_token`: immediately in this process, within 10 s in all
        others.
        """
        return await self._transport.call(
            AUTH_REVOKE_TOKEN,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
