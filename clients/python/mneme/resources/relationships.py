"""Methods: relationships.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    RELATIONSHIPS_BATCH,
    RELATIONSHIPS_CREATE,
    RELATIONSHIPS_LIST,
    RELATIONSHIPS_REINFORCE,
    RELATIONSHIPS_RELATED,
    RELATIONSHIPS_REMOVE,
    RELATIONSHIPS_UPDATE,
    RELATIONSHIPS_WEAKEN,
)
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    CreatedRelationship,
    Relationship,
    RelationshipsBatchResponse,
    RelationshipsListResponse,
    RelationshipsRelatedResponse,
)
from ..types import BatchRelationship


class RelationshipsResource:
    """Link memories by typed, weighted relationships, and find what is related to a memory. The
    weight of a relationship decays unless it is used.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create(
        self,
        memory_id: str,
        *,
        target_id: str,
        relationship_type: str | None = None,
        type: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        weight: float | None = None,
        strength: float | None = None,
        decay_rate: float | None = None,
        rules: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        bidirectional: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CreatedRelationship:
        """Create a relationship from a memory to another.

        bidirectional also creates the inverse relationship, with the inverse type. The weight
        starts to decay immediately, except while one of the two memories is pinned.

        Args:
            type: Alias of relationship_type.
            weight: Default: 1.
            strength: Alias of weight.
            decay_rate: Ratio of the weight that decays per day.
            bidirectional: Also creates the inverse relationship, with the inverse type.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            RELATIONSHIPS_CREATE,
            path={"memoryId": memory_id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "target_id": target_id,
                    "relationship_type": relationship_type,
                    "type": type,
                    "weight": weight,
                    "strength": strength,
                    "decay_rate": decay_rate,
                    "rules": rules,
                    "metadata": metadata,
                    "bidirectional": bidirectional,
                },
                {"description": description},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def batch(
        self,
        *,
        relationships: Sequence[BatchRelationship],
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RelationshipsBatchResponse:
        """Create up to 100 relationships, each separately.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            RELATIONSHIPS_BATCH,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"relationships": relationships}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        memory_id: str,
        *,
        direction: Literal["outgoing", "incoming", "both"] | None = None,
        relationship_type: str | None = None,
        type: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RelationshipsListResponse:
        """List the relationships of a memory, newest first.

        Args:
            type: Alias of relationship_type.
        """
        return self._transport.call(
            RELATIONSHIPS_LIST,
            path={"memoryId": memory_id},
            query={
                "direction": direction,
                "relationship_type": relationship_type,
                "type": type,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def related(
        self,
        memory_id: str,
        *,
        hops: int | None = None,
        depth: int | None = None,
        direction: Literal["outgoing", "incoming", "both"] | None = None,
        relationship_type: str | None = None,
        type: str | None = None,
        min_weight: float | None = None,
        limit: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RelationshipsRelatedResponse:
        """Find related memories by traversing the graph.

        Highest score first. A traversal visits at most 500 memories: the nearest, and among equally
        near ones those with the highest score. Each is returned with its best path of at most depth
        relationships. Also requires the scope memories:read.

        Args:
            depth: Alias of hops.
            type: Alias of relationship_type.
            min_weight: Follows only relationships of at least this weight, after decay.
        """
        return self._transport.call(
            RELATIONSHIPS_RELATED,
            path={"memoryId": memory_id},
            query={
                "hops": hops,
                "depth": depth,
                "direction": direction,
                "relationship_type": relationship_type,
                "type": type,
                "min_weight": min_weight,
                "limit": limit,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        weight: float | None = None,
        strength: float | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Relationship:
        """Change a relationship; a new weight restarts the decay.

        Args:
            strength: Alias of weight.
            metadata: Merged into the stored value (RFC 7396); None removes a key.
        """
        return self._transport.call(
            RELATIONSHIPS_UPDATE,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            body=json_body(
                {"weight": weight, "strength": strength, "metadata": metadata},
                {"description": description},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a relationship; its inverse stays."""
        return self._transport.call(
            RELATIONSHIPS_REMOVE,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def weaken(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        amount: float | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Relationship:
        """Decrease the weight of a relationship and its inverse, not below 0."""
        return self._transport.call(
            RELATIONSHIPS_WEAKEN,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            body=json_body({"amount": amount}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def reinforce(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        amount: float | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Relationship:
        """Increase the weight of a relationship and its inverse, and count the use."""
        return self._transport.call(
            RELATIONSHIPS_REINFORCE,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            body=json_body({"amount": amount}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncRelationshipsResource:
    """Link memories by typed, weighted relationships, and find what is related to a memory. The
    weight of a relationship decays unless it is used.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        memory_id: str,
        *,
        target_id: str,
        relationship_type: str | None = None,
        type: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        weight: float | None = None,
        strength: float | None = None,
        decay_rate: float | None = None,
        rules: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        bidirectional: bool | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> CreatedRelationship:
        """Create a relationship from a memory to another.

        bidirectional also creates the inverse relationship, with the inverse type. The weight
        starts to decay immediately, except while one of the two memories is pinned.

        Args:
            type: Alias of relationship_type.
            weight: Default: 1.
            strength: Alias of weight.
            decay_rate: Ratio of the weight that decays per day.
            bidirectional: Also creates the inverse relationship, with the inverse type.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            RELATIONSHIPS_CREATE,
            path={"memoryId": memory_id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {
                    "target_id": target_id,
                    "relationship_type": relationship_type,
                    "type": type,
                    "weight": weight,
                    "strength": strength,
                    "decay_rate": decay_rate,
                    "rules": rules,
                    "metadata": metadata,
                    "bidirectional": bidirectional,
                },
                {"description": description},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def batch(
        self,
        *,
        relationships: Sequence[BatchRelationship],
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RelationshipsBatchResponse:
        """Create up to 100 relationships, each separately.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            RELATIONSHIPS_BATCH,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"relationships": relationships}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def list(
        self,
        memory_id: str,
        *,
        direction: Literal["outgoing", "incoming", "both"] | None = None,
        relationship_type: str | None = None,
        type: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RelationshipsListResponse:
        """List the relationships of a memory, newest first.

        Args:
            type: Alias of relationship_type.
        """
        return await self._transport.call(
            RELATIONSHIPS_LIST,
            path={"memoryId": memory_id},
            query={
                "direction": direction,
                "relationship_type": relationship_type,
                "type": type,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def related(
        self,
        memory_id: str,
        *,
        hops: int | None = None,
        depth: int | None = None,
        direction: Literal["outgoing", "incoming", "both"] | None = None,
        relationship_type: str | None = None,
        type: str | None = None,
        min_weight: float | None = None,
        limit: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> RelationshipsRelatedResponse:
        """Find related memories by traversing the graph.

        Highest score first. A traversal visits at most 500 memories: the nearest, and among equally
        near ones those with the highest score. Each is returned with its best path of at most depth
        relationships. Also requires the scope memories:read.

        Args:
            depth: Alias of hops.
            type: Alias of relationship_type.
            min_weight: Follows only relationships of at least this weight, after decay.
        """
        return await self._transport.call(
            RELATIONSHIPS_RELATED,
            path={"memoryId": memory_id},
            query={
                "hops": hops,
                "depth": depth,
                "direction": direction,
                "relationship_type": relationship_type,
                "type": type,
                "min_weight": min_weight,
                "limit": limit,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        weight: float | None = None,
        strength: float | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Relationship:
        """Change a relationship; a new weight restarts the decay.

        Args:
            strength: Alias of weight.
            metadata: Merged into the stored value (RFC 7396); None removes a key.
        """
        return await self._transport.call(
            RELATIONSHIPS_UPDATE,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            body=json_body(
                {"weight": weight, "strength": strength, "metadata": metadata},
                {"description": description},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a relationship; its inverse stays."""
        return await self._transport.call(
            RELATIONSHIPS_REMOVE,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def weaken(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        amount: float | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Relationship:
        """Decrease the weight of a relationship and its inverse, not below 0."""
        return await self._transport.call(
            RELATIONSHIPS_WEAKEN,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            body=json_body({"amount": amount}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def reinforce(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        amount: float | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Relationship:
        """Increase the weight of a relationship and its inverse, and count the use."""
        return await self._transport.call(
            RELATIONSHIPS_REINFORCE,
            path={"sourceId": source_id, "targetId": target_id, "type": type},
            body=json_body({"amount": amount}) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )
