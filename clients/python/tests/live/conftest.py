"""Against a real service: MNEME_URL, and MNEME_API_KEY of an account that is its own operator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from anyio.abc import BlockingPortal

from mneme import AsyncMneme, Mneme

from ..blocking import Blocking


@pytest.fixture
def mneme(kind: str, portal: BlockingPortal) -> Iterator[Any]:
    """A client of a new account."""
    with Mneme() as operator:
        account = operator.admin.create_account(name=f"account of {kind}", plan="enterprise")
        key = operator.admin.create_key(account.id, name="test").key
    client = client_of(kind, portal, api_key=key)
    yield client
    client.close()


@pytest.fixture
def operator(kind: str, portal: BlockingPortal) -> Iterator[Any]:
    """A client with the key of the operator."""
    client = client_of(kind, portal)
    yield client
    client.close()


def client_of(kind: str, portal: BlockingPortal, **options: Any) -> Any:
    if kind == "Mneme":
        return Mneme(**options)

    async def create() -> AsyncMneme:
        return AsyncMneme(**options)

    return Blocking(portal.call(create), portal)
