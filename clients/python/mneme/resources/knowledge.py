"""Methods: knowledge.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    KNOWLEDGE_AT_TIME,
    KNOWLEDGE_COUNT,
    KNOWLEDGE_CREATE,
    KNOWLEDGE_CREATE_FACT,
    KNOWLEDGE_ENTITIES,
    KNOWLEDGE_EXTRACT,
    KNOWLEDGE_FACTS,
    KNOWLEDGE_GET,
    KNOWLEDGE_MERGE,
    KNOWLEDGE_MERGE_ENTITIES,
    KNOWLEDGE_NEIGHBOURHOOD,
    KNOWLEDGE_OF_MEMORY,
    KNOWLEDGE_PATH,
    KNOWLEDGE_RELATIONSHIPS,
    KNOWLEDGE_REMOVE_FACT,
    KNOWLEDGE_SUBGRAPH,
    KNOWLEDGE_TIMELINE,
    KNOWLEDGE_UPDATE,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    Entity,
    EntityDetail,
    EntityRelationship,
    EntityRelationshipPage,
    EntitySummary,
    EntitySummaryPage,
    Fact,
    FactPage,
    KnowledgeAtTimePage,
    KnowledgeCountResponse,
    KnowledgeExtractResponse,
    KnowledgeMergeResponse,
    KnowledgePathResponse,
    KnowledgeSubgraphResponse,
    MemoryKnowledge,
    Neighbourhood,
    TimelineEntry,
    TimelineEntryPage,
)
from ..types import EntityType, KnowledgeNeighbourhoodNodeType


class KnowledgeResource:
    """Read and correct the people, places and things that memories mention, with the facts about
    them. Facts keep their history, so you can query what was known at a point in time.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def entities(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        type: EntityType | None = None,
        q: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EntitySummaryPage:
        """List entities, by name.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            q: Part of a name or alias, case-insensitive.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_ENTITIES,
            query={
                "space_id": space_id,
                "space": space,
                "type": type,
                "q": q,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def count(
        self,
        *,
        countable_category: str,
        space_id: str | None = None,
        space: str | None = None,
        time_start: datetime | str | None = None,
        time_end: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeCountResponse:
        """Count the entities of a category.

        Args:
            countable_category: An entity type, or a noun phrase that is matched to types and names,
                singular or plural.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            time_start: Only entities mentioned at this time or later.
            time_end: Only entities mentioned before this time.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_COUNT,
            query={
                "countable_category": countable_category,
                "space_id": space_id,
                "space": space,
                "time_start": time_start,
                "time_end": time_end,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def at_time(
        self,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        space_id: str | None = None,
        space: str | None = None,
        type: EntityType | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeAtTimePage:
        """List the entities known at a point in time.

        Bitemporal: as_of is the time in the world, known_at the time of the knowledge of the
        service. An entity exists from the first time that a memory or fact mentions.

        Args:
            as_of: Time in the world (valid time); default: now.
            known_at: Time of the knowledge of the service (transaction time); default: now.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_AT_TIME,
            query={
                "as_of": as_of,
                "known_at": known_at,
                "space_id": space_id,
                "space": space,
                "type": type,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EntityDetail:
        """Read an entity with its relationships and facts.

        The id of a merged entity returns the entity that it was merged into. At most 200 facts and
        relationships are included; their own lists are paginated and complete.
        """
        return self._transport.call(
            KNOWLEDGE_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def timeline(
        self,
        id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> TimelineEntryPage:
        """Read the history of an entity, oldest first.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_TIMELINE,
            path={"id": id},
            query={
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def relationships(
        self,
        id: str,
        *,
        direction: Literal["outgoing", "incoming", "both"] | None = None,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EntityRelationshipPage:
        """List the current relationships of an entity.

        Args:
            session_id: Only relationships from memories of this CLI session.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_RELATIONSHIPS,
            path={"id": id},
            query={
                "direction": direction,
                "session_id": session_id,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def facts(
        self,
        id: str,
        *,
        predicate: str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> FactPage:
        """List the facts about an entity, newest first.

        Args:
            predicate: Extraction uses works_at, reports_to, collaborates_with, located_in, uses,
                knows, part_of, related_to, lives_in, job_title, partner_of, parent_of, pet,
                allergic_to, likes, dislikes, prefers, owns, studies, birthday, plans, decided.
            as_of: Only facts that were valid at this time.
            known_at: Facts that the service considered true at this time; default: now.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_FACTS,
            path={"id": id},
            query={
                "predicate": predicate,
                "as_of": as_of,
                "known_at": known_at,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def create(
        self,
        *,
        name: str,
        type: EntityType,
        aliases: Sequence[str] | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Entity:
        """Create an entity manually.

        If the space already has an entity with this name: 409 conflict.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            KNOWLEDGE_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "type": type, "aliases": aliases, "space": space},
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update(
        self,
        id: str,
        *,
        name: str | None = None,
        type: EntityType | None = None,
        aliases: Sequence[str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Entity:
        """Correct the name, type or aliases of an entity.

        Args:
            aliases: Replaces the stored aliases.
        """
        return self._transport.call(
            KNOWLEDGE_UPDATE,
            path={"id": id},
            body=json_body({"name": name, "type": type, "aliases": aliases}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def create_fact(
        self,
        *,
        subject_id: str,
        predicate: str,
        object_id: str | None = None,
        object_value: str | None = None,
        statement: str | None = None,
        confidence: float | None = None,
        valid_from: datetime | str | None = None,
        valid_to: datetime | str | None = None,
        source_memory_id: str | None = None,
        corrects: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Fact:
        """Create or correct a fact manually.

        Args:
            predicate: Extraction uses works_at, reports_to, collaborates_with, located_in, uses,
                knows, part_of, related_to, lives_in, job_title, partner_of, parent_of, pet,
                allergic_to, likes, dislikes, prefers, owns, studies, birthday, plans, decided.
            statement: The fact as a sentence; default: built from the names.
            source_memory_id: The source memory: the fact has its visibility and is removed with it.
            corrects: A fact that this one invalidates; it stays in the history.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            KNOWLEDGE_CREATE_FACT,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "subject_id": subject_id,
                    "predicate": predicate,
                    "object_id": object_id,
                    "object_value": object_value,
                    "statement": statement,
                    "confidence": confidence,
                    "valid_from": valid_from,
                    "valid_to": valid_to,
                    "source_memory_id": source_memory_id,
                    "corrects": corrects,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove_fact(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Fact:
        """Invalidate a fact; it stays in the history."""
        return self._transport.call(
            KNOWLEDGE_REMOVE_FACT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def extract(
        self,
        *,
        memory_id: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeExtractResponse:
        """Extract the entities and facts of a memory now.

        Extraction runs automatically after a create or a change; this request waits for the result.
        """
        return self._transport.call(
            KNOWLEDGE_EXTRACT,
            body=json_body({"memory_id": memory_id}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def merge(
        self,
        *,
        source_id: str,
        target_id: str,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        force: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeMergeResponse:
        """Permanently merge an entity into another.

        The target receives the names, relationships and facts; the id of the source continues to
        resolve to the target. The types must be equal, unless force is true.

        Args:
            space_id: Both entities must be in this space.
            space: Name of the space, exactly as stored, instead of space_id.
            force: Merges entities of different types, too.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            KNOWLEDGE_MERGE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"source_id": source_id, "target_id": target_id, "space": space, "force": force},
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def merge_entities(
        self,
        *,
        source_id: str,
        target_id: str,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        force: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeMergeResponse:
        """Alias of POST /knowledge/entities/merge.

        Deprecated: use POST /knowledge/entities/merge.

        Args:
            space_id: Both entities must be in this space.
            space: Name of the space, exactly as stored, instead of space_id.
            force: Merges entities of different types, too.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            KNOWLEDGE_MERGE_ENTITIES,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"source_id": source_id, "target_id": target_id, "space": space, "force": force},
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def subgraph(
        self,
        entity_id: str,
        *,
        hops: int | None = None,
        include_relationships: bool | None = None,
        includeRelationships: bool | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeSubgraphResponse:
        """Read the neighbourhood of an entity.

        Returns at most 500 nodes, the nearest first.

        Args:
            includeRelationships: Alias of include_relationships.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_SUBGRAPH,
            path={"entityId": entity_id},
            query={
                "hops": hops,
                "include_relationships": include_relationships,
                "includeRelationships": includeRelationships,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def path(
        self,
        *,
        from_: str,
        to: str,
        max_hops: int | None = None,
        maxHops: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgePathResponse:
        """Find the shortest path between two entities.

        Follows current relationships in either direction.

        Args:
            maxHops: Alias of max_hops.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_PATH,
            query={
                "from": from_,
                "to": to,
                "max_hops": max_hops,
                "maxHops": maxHops,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def neighbourhood(
        self,
        *,
        memory_id: str | None = None,
        entity_id: str | None = None,
        hops: int | None = None,
        depth: int | None = None,
        limit: int | None = None,
        node_types: Sequence[KnowledgeNeighbourhoodNodeType] | None = None,
        relationship_types: Sequence[str] | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Neighbourhood:
        """Read the memories and entities around a memory or an entity.

        Connects memories to the entities that they mention, entities by facts, and memories by
        relationships. If the limit cuts the graph, it has the nearest nodes, and of equally near
        ones those with the strongest edge, where a mention counts half; equal requests have equal
        responses. Relationships are included if the key has `relationships:read`. Also requires the
        scope memories:read.

        Args:
            memory_id: The centre is this memory.
            entity_id: The centre is this entity.
            depth: Alias of hops.
            limit: The most nodes, the centre included; at most four edges for each of them.
            node_types: Comma-separated; only nodes of these types, in addition to the centre.
            relationship_types: Comma-separated predicates of facts and types of relationships, or
                `mentions`; only edges of these types.
            as_of: Time in the world: facts that held then, and memories of what had happened by
                then. Default: facts that hold now, and all memories.
            known_at: Time of the knowledge of the service: what was stored by then; default: now.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            KNOWLEDGE_NEIGHBOURHOOD,
            query={
                "memory_id": memory_id,
                "entity_id": entity_id,
                "hops": hops,
                "depth": depth,
                "limit": limit,
                "node_types": node_types,
                "relationship_types": relationship_types,
                "as_of": as_of,
                "known_at": known_at,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def of_memory(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoryKnowledge:
        """Read the entities and facts that a memory states.

        As they were extracted last; a new memory has none for some seconds. At most 200 facts, the
        newest first.
        """
        return self._transport.call(
            KNOWLEDGE_OF_MEMORY,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncKnowledgeResource:
    """Read and correct the people, places and things that memories mention, with the facts about
    them. Facts keep their history, so you can query what was known at a point in time.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def entities(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        type: EntityType | None = None,
        q: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[EntitySummaryPage, EntitySummary]:
        """List entities, by name.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            q: Part of a name or alias, case-insensitive.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            KNOWLEDGE_ENTITIES,
            query={
                "space_id": space_id,
                "space": space,
                "type": type,
                "q": q,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def count(
        self,
        *,
        countable_category: str,
        space_id: str | None = None,
        space: str | None = None,
        time_start: datetime | str | None = None,
        time_end: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeCountResponse:
        """Count the entities of a category.

        Args:
            countable_category: An entity type, or a noun phrase that is matched to types and names,
                singular or plural.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            time_start: Only entities mentioned at this time or later.
            time_end: Only entities mentioned before this time.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return await self._transport.call(
            KNOWLEDGE_COUNT,
            query={
                "countable_category": countable_category,
                "space_id": space_id,
                "space": space,
                "time_start": time_start,
                "time_end": time_end,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def at_time(
        self,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        space_id: str | None = None,
        space: str | None = None,
        type: EntityType | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[KnowledgeAtTimePage, EntitySummary]:
        """List the entities known at a point in time.

        Bitemporal: as_of is the time in the world, known_at the time of the knowledge of the
        service. An entity exists from the first time that a memory or fact mentions.

        Args:
            as_of: Time in the world (valid time); default: now.
            known_at: Time of the knowledge of the service (transaction time); default: now.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            KNOWLEDGE_AT_TIME,
            query={
                "as_of": as_of,
                "known_at": known_at,
                "space_id": space_id,
                "space": space,
                "type": type,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> EntityDetail:
        """Read an entity with its relationships and facts.

        The id of a merged entity returns the entity that it was merged into. At most 200 facts and
        relationships are included; their own lists are paginated and complete.
        """
        return await self._transport.call(
            KNOWLEDGE_GET,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def timeline(
        self,
        id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[TimelineEntryPage, TimelineEntry]:
        """Read the history of an entity, oldest first.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            KNOWLEDGE_TIMELINE,
            path={"id": id},
            query={
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def relationships(
        self,
        id: str,
        *,
        direction: Literal["outgoing", "incoming", "both"] | None = None,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[EntityRelationshipPage, EntityRelationship]:
        """List the current relationships of an entity.

        Args:
            session_id: Only relationships from memories of this CLI session.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            KNOWLEDGE_RELATIONSHIPS,
            path={"id": id},
            query={
                "direction": direction,
                "session_id": session_id,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def facts(
        self,
        id: str,
        *,
        predicate: str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[FactPage, Fact]:
        """List the facts about an entity, newest first.

        Args:
            predicate: Extraction uses works_at, reports_to, collaborates_with, located_in, uses,
                knows, part_of, related_to, lives_in, job_title, partner_of, parent_of, pet,
                allergic_to, likes, dislikes, prefers, owns, studies, birthday, plans, decided.
            as_of: Only facts that were valid at this time.
            known_at: Facts that the service considered true at this time; default: now.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            KNOWLEDGE_FACTS,
            path={"id": id},
            query={
                "predicate": predicate,
                "as_of": as_of,
                "known_at": known_at,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create(
        self,
        *,
        name: str,
        type: EntityType,
        aliases: Sequence[str] | None = None,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Entity:
        """Create an entity manually.

        If the space already has an entity with this name: 409 conflict.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            KNOWLEDGE_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "type": type, "aliases": aliases, "space": space},
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update(
        self,
        id: str,
        *,
        name: str | None = None,
        type: EntityType | None = None,
        aliases: Sequence[str] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Entity:
        """Correct the name, type or aliases of an entity.

        Args:
            aliases: Replaces the stored aliases.
        """
        return await self._transport.call(
            KNOWLEDGE_UPDATE,
            path={"id": id},
            body=json_body({"name": name, "type": type, "aliases": aliases}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def create_fact(
        self,
        *,
        subject_id: str,
        predicate: str,
        object_id: str | None = None,
        object_value: str | None = None,
        statement: str | None = None,
        confidence: float | None = None,
        valid_from: datetime | str | None = None,
        valid_to: datetime | str | None = None,
        source_memory_id: str | None = None,
        corrects: str | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Fact:
        """Create or correct a fact manually.

        Args:
            predicate: Extraction uses works_at, reports_to, collaborates_with, located_in, uses,
                knows, part_of, related_to, lives_in, job_title, partner_of, parent_of, pet,
                allergic_to, likes, dislikes, prefers, owns, studies, birthday, plans, decided.
            statement: The fact as a sentence; default: built from the names.
            source_memory_id: The source memory: the fact has its visibility and is removed with it.
            corrects: A fact that this one invalidates; it stays in the history.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            KNOWLEDGE_CREATE_FACT,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "subject_id": subject_id,
                    "predicate": predicate,
                    "object_id": object_id,
                    "object_value": object_value,
                    "statement": statement,
                    "confidence": confidence,
                    "valid_from": valid_from,
                    "valid_to": valid_to,
                    "source_memory_id": source_memory_id,
                    "corrects": corrects,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove_fact(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Fact:
        """Invalidate a fact; it stays in the history."""
        return await self._transport.call(
            KNOWLEDGE_REMOVE_FACT,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def extract(
        self,
        *,
        memory_id: str,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeExtractResponse:
        """Extract the entities and facts of a memory now.

        Extraction runs automatically after a create or a change; this request waits for the result.
        """
        return await self._transport.call(
            KNOWLEDGE_EXTRACT,
            body=json_body({"memory_id": memory_id}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def merge(
        self,
        *,
        source_id: str,
        target_id: str,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        force: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeMergeResponse:
        """Permanently merge an entity into another.

        The target receives the names, relationships and facts; the id of the source continues to
        resolve to the target. The types must be equal, unless force is true.

        Args:
            space_id: Both entities must be in this space.
            space: Name of the space, exactly as stored, instead of space_id.
            force: Merges entities of different types, too.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            KNOWLEDGE_MERGE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"source_id": source_id, "target_id": target_id, "space": space, "force": force},
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def merge_entities(
        self,
        *,
        source_id: str,
        target_id: str,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        force: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeMergeResponse:
        """Alias of POST /knowledge/entities/merge.

        Deprecated: use POST /knowledge/entities/merge.

        Args:
            space_id: Both entities must be in this space.
            space: Name of the space, exactly as stored, instead of space_id.
            force: Merges entities of different types, too.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            KNOWLEDGE_MERGE_ENTITIES,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"source_id": source_id, "target_id": target_id, "space": space, "force": force},
                {"space_id": space_id},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def subgraph(
        self,
        entity_id: str,
        *,
        hops: int | None = None,
        include_relationships: bool | None = None,
        includeRelationships: bool | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgeSubgraphResponse:
        """Read the neighbourhood of an entity.

        Returns at most 500 nodes, the nearest first.

        Args:
            includeRelationships: Alias of include_relationships.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return await self._transport.call(
            KNOWLEDGE_SUBGRAPH,
            path={"entityId": entity_id},
            query={
                "hops": hops,
                "include_relationships": include_relationships,
                "includeRelationships": includeRelationships,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def path(
        self,
        *,
        from_: str,
        to: str,
        max_hops: int | None = None,
        maxHops: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> KnowledgePathResponse:
        """Find the shortest path between two entities.

        Follows current relationships in either direction.

        Args:
            maxHops: Alias of max_hops.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return await self._transport.call(
            KNOWLEDGE_PATH,
            query={
                "from": from_,
                "to": to,
                "max_hops": max_hops,
                "maxHops": maxHops,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def neighbourhood(
        self,
        *,
        memory_id: str | None = None,
        entity_id: str | None = None,
        hops: int | None = None,
        depth: int | None = None,
        limit: int | None = None,
        node_types: Sequence[KnowledgeNeighbourhoodNodeType] | None = None,
        relationship_types: Sequence[str] | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Neighbourhood:
        """Read the memories and entities around a memory or an entity.

        Connects memories to the entities that they mention, entities by facts, and memories by
        relationships. If the limit cuts the graph, it has the nearest nodes, and of equally near
        ones those with the strongest edge, where a mention counts half; equal requests have equal
        responses. Relationships are included if the key has `relationships:read`. Also requires the
        scope memories:read.

        Args:
            memory_id: The centre is this memory.
            entity_id: The centre is this entity.
            depth: Alias of hops.
            limit: The most nodes, the centre included; at most four edges for each of them.
            node_types: Comma-separated; only nodes of these types, in addition to the centre.
            relationship_types: Comma-separated predicates of facts and types of relationships, or
                `mentions`; only edges of these types.
            as_of: Time in the world: facts that held then, and memories of what had happened by
                then. Default: facts that hold now, and all memories.
            known_at: Time of the knowledge of the service: what was stored by then; default: now.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return await self._transport.call(
            KNOWLEDGE_NEIGHBOURHOOD,
            query={
                "memory_id": memory_id,
                "entity_id": entity_id,
                "hops": hops,
                "depth": depth,
                "limit": limit,
                "node_types": node_types,
                "relationship_types": relationship_types,
                "as_of": as_of,
                "known_at": known_at,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def of_memory(
        self,
        id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> MemoryKnowledge:
        """Read the entities and facts that a memory states.

        As they were extracted last; a new memory has none for some seconds. At most 200 facts, the
        newest first.
        """
        return await self._transport.call(
            KNOWLEDGE_OF_MEMORY,
            path={"id": id},
            extra_headers=extra_headers,
            timeout=timeout,
        )
