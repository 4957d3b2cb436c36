"""The client of Mneme, a memory service for AI agents: Mneme and AsyncMneme."""

from __future__ import annotations

from . import errors, models, types
from ._client import AsyncMneme, Mneme
from ._download import AsyncDownload, Download
from ._follow import FollowedEvent
from ._model import Model
from ._not_given import NOT_GIVEN, NotGiven
from ._operation import FullResponse
from ._paginate import AsyncPages, Page
from ._upload import CompletedUpload
from ._version import __version__
from .errors import FieldError, MnemeConnectionError, MnemeError, MnemeTimeoutError
from .webhooks import WebhookError, WebhookEvent, WebhookTestEvent, verify_webhook

__all__ = [
    "NOT_GIVEN",
    "AsyncDownload",
    "AsyncMneme",
    "AsyncPages",
    "CompletedUpload",
    "Download",
    "FieldError",
    "FollowedEvent",
    "FullResponse",
    "Mneme",
    "MnemeConnectionError",
    "MnemeError",
    "MnemeTimeoutError",
    "Model",
    "NotGiven",
    "Page",
    "WebhookError",
    "WebhookEvent",
    "WebhookTestEvent",
    "__version__",
    "errors",
    "models",
    "types",
    "verify_webhook",
]
