"""The areas of both clients.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from .._async import AsyncTransport
from .._sync import SyncTransport
from .account import AccountResource, AsyncAccountResource
from .admin import AdminResource, AsyncAdminResource
from .auth import AsyncAuthResource, AuthResource
from .cli_sessions import AsyncCliSessionsResource, CliSessionsResource
from .clusters import AsyncClustersResource, ClustersResource
from .email import AsyncEmailResource, EmailResource
from .events import AsyncEventsResource, EventsResource
from .grants import AsyncGrantsResource, GrantsResource
from .jobs import AsyncJobsResource, JobsResource
from .keys import AsyncKeysResource, KeysResource
from .knowledge import AsyncKnowledgeResource, KnowledgeResource
from .media import AsyncMediaResource, MediaResource
from .memories import AsyncMemoriesResource, MemoriesResource
from .operations import AsyncOperationsResource, OperationsResource
from .relationships import AsyncRelationshipsResource, RelationshipsResource
from .search import AsyncSearchResource, SearchResource
from .sessions import AsyncSessionsResource, SessionsResource
from .spaces import AsyncSpacesResource, SpacesResource
from .transfers import AsyncTransfersResource, TransfersResource
from .webhooks import AsyncWebhooksResource, WebhooksResource


class Resources:
    def __init__(self, transport: SyncTransport) -> None:
        self.memories = MemoriesResource(transport)
        self.media = MediaResource(transport)
        self.relationships = RelationshipsResource(transport)
        self.knowledge = KnowledgeResource(transport)
        self.clusters = ClustersResource(transport)
        self.search = SearchResource(transport)
        self.spaces = SpacesResource(transport)
        self.cli_sessions = CliSessionsResource(transport)
        self.sessions = SessionsResource(transport)
        self.account = AccountResource(transport)
        self.auth = AuthResource(transport)
        self.keys = KeysResource(transport)
        self.grants = GrantsResource(transport)
        self.admin = AdminResource(transport)
        self.transfers = TransfersResource(transport)
        self.email = EmailResource(transport)
        self.webhooks = WebhooksResource(transport)
        self.operations = OperationsResource(transport)
        self.jobs = JobsResource(transport)
        self.events = EventsResource(transport)


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self.memories = AsyncMemoriesResource(transport)
        self.media = AsyncMediaResource(transport)
        self.relationships = AsyncRelationshipsResource(transport)
        self.knowledge = AsyncKnowledgeResource(transport)
        self.clusters = AsyncClustersResource(transport)
        self.search = AsyncSearchResource(transport)
        self.spaces = AsyncSpacesResource(transport)
        self.cli_sessions = AsyncCliSessionsResource(transport)
        self.sessions = AsyncSessionsResource(transport)
        self.account = AsyncAccountResource(transport)
        self.auth = AsyncAuthResource(transport)
        self.keys = AsyncKeysResource(transport)
        self.grants = AsyncGrantsResource(transport)
        self.admin = AsyncAdminResource(transport)
        self.transfers = AsyncTransfersResource(transport)
        self.email = AsyncEmailResource(transport)
        self.webhooks = AsyncWebhooksResource(transport)
        self.operations = AsyncOperationsResource(transport)
        self.jobs = AsyncJobsResource(transport)
        self.events = AsyncEventsResource(transport)
