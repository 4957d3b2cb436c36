from __future__ import annotations

from collections.abc import Iterator

import pytest
from anyio.abc import BlockingPortal
from anyio.from_thread import start_blocking_portal


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """An event loop in a thread, for AsyncMneme."""
    with start_blocking_portal() as started:
        yield started


@pytest.fixture(params=["Mneme", "AsyncMneme"])
def kind(request: pytest.FixtureRequest) -> str:
    """Each test runs with both clients."""
    return str(request.param)
