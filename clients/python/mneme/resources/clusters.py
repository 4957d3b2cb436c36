"""Methods: clusters.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .._async import AsyncTransport
from .._json import json_body
from .._not_given import NOT_GIVEN, NotGiven
from .._operations import (
    CLUSTERS_ASSOCIATE,
    CLUSTERS_CONFIG,
    CLUSTERS_CONFIGURE,
    CLUSTERS_CREATE,
    CLUSTERS_DISSOCIATE,
    CLUSTERS_FULL,
    CLUSTERS_GET,
    CLUSTERS_INCREMENTAL,
    CLUSTERS_LIST,
    CLUSTERS_MAP,
    CLUSTERS_MEMORIES,
    CLUSTERS_MERGE,
    CLUSTERS_OF_MEMORY,
    CLUSTERS_QUALITY,
    CLUSTERS_RECOMPUTE_CENTROID,
    CLUSTERS_REFRESH_METRICS,
    CLUSTERS_REMOVE,
    CLUSTERS_RUNS,
    CLUSTERS_STATS,
    CLUSTERS_STATUS,
    CLUSTERS_TOPICS,
    CLUSTERS_UPDATE,
)
from .._paginate import AsyncPages
from .._sync import SyncTransport
from .._transport import OptionalTimeout
from ..models import (
    Cluster,
    ClusterConfig,
    ClusterDetail,
    ClusterMap,
    ClusterOfMemory,
    ClusterOfMemoryPage,
    ClusterRun,
    ClusterRunPage,
    ClusterStats,
    ClusterWithMore,
    ClusterWithMorePage,
    ClusteredMemory,
    ClusteredMemoryPage,
    ClustersAssociateResponse,
    ClustersQualityResponse,
    ClustersStatusResponse,
    ClustersTopicsResponse,
    QueuedClusterJob,
    QueuedClusterRun,
)
from ..types import ClusterSort, ClustersGetSort, JobStatus


class ClustersResource:
    """Group related memories, manually or with a clustering run. Runs are jobs: start one, then
    read its status.
    """

    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        color: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Cluster:
        """Create a cluster.

        The name is unique in its space, or among account-wide clusters, case-insensitively. A
        cluster of a space accepts memories of that space, an account-wide cluster memories of any
        space.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "space": space, "metadata": metadata},
                {"description": description, "space_id": space_id, "color": color},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        *,
        q: str | None = None,
        space_id: str | None = None,
        space: str | None = None,
        cluster_type: Literal["manual", "hdbscan", "bertopic", "community"] | None = None,
        has_memories: bool | None = None,
        color: Sequence[str] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        include: Sequence[Literal["quality_metrics", "topic_info"]] | None = None,
        sort: ClusterSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterWithMorePage:
        """List clusters.

        Paginated by offset, or by cursor, which is stable while others write.

        Args:
            q: Text in the name or description, case-insensitive.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            color: Comma-separated; matches any of the colors. #abc and #aabbcc are equal.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            sort: name is case-insensitive; clusters without a score are last in either order.
            cursor: Cursor of the next page, instead of an offset.
        """
        return self._transport.call(
            CLUSTERS_LIST,
            query={
                "q": q,
                "space_id": space_id,
                "space": space,
                "cluster_type": cluster_type,
                "has_memories": has_memories,
                "color": color,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "include": include,
                "sort": sort,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def get(
        self,
        cluster_id: str,
        *,
        include_memories: bool | None = None,
        include: Sequence[Literal["quality_metrics", "topic_info"]] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: ClustersGetSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        if_none_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterDetail:
        """Read a cluster, optionally with its memories.

        include_memories also requires the scope memories:read.

        Args:
            if_none_match: Responds with 304 if the ETag still matches.
        """
        return self._transport.call(
            CLUSTERS_GET,
            path={"clusterId": cluster_id},
            query={
                "include_memories": include_memories,
                "include": include,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "order": order,
            },
            headers={"If-None-Match": if_none_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def update(
        self,
        cluster_id: str,
        *,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        color: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Cluster:
        """Change a cluster; metadata is replaced.

        An automatic cluster keeps the name for as long as runs keep the cluster.

        Args:
            metadata: Replaces the stored metadata.
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            CLUSTERS_UPDATE,
            path={"clusterId": cluster_id},
            headers={"If-Match": if_match},
            body=json_body(
                {"name": name, "metadata": metadata},
                {"description": description, "color": color},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def remove(
        self,
        cluster_id: str,
        *,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a cluster; its memories stay.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return self._transport.call(
            CLUSTERS_REMOVE,
            path={"clusterId": cluster_id},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def merge(
        self,
        cluster_id: str,
        *,
        source_ids: Sequence[str],
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Cluster:
        """Merge other clusters into this one.

        The other clusters are deleted. A memory in several clusters keeps its highest confidence
        and its earliest added_at. A cluster of a space accepts only clusters of that space.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_MERGE,
            path={"clusterId": cluster_id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"source_ids": source_ids}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def memories(
        self,
        cluster_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: ClustersGetSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusteredMemoryPage:
        """List the memories of a cluster.

        Also requires the scope memories:read.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            CLUSTERS_MEMORIES,
            path={"clusterId": cluster_id},
            query={
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "order": order,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def associate(
        self,
        id: str,
        *,
        cluster_ids: Sequence[str],
        confidence: float | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersAssociateResponse:
        """Add a memory to clusters, all or none.

        For existing memberships, the confidence is updated. A memory can be added manually to at
        most 100 clusters.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_ASSOCIATE,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"cluster_ids": cluster_ids, "confidence": confidence}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def of_memory(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterOfMemoryPage:
        """List the clusters of a memory, by name."""
        return self._transport.call(
            CLUSTERS_OF_MEMORY,
            path={"id": id},
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def dissociate(
        self,
        id: str,
        cluster_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Remove a memory from a cluster."""
        return self._transport.call(
            CLUSTERS_DISSOCIATE,
            path={"id": id, "clusterId": cluster_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def stats(
        self,
        *,
        include: Sequence[Literal["color_distribution"]] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterStats:
        """Count clusters and their memories."""
        return self._transport.call(
            CLUSTERS_STATS,
            query={"include": include},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def quality(
        self,
        cluster_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersQualityResponse:
        """Read the quality metrics of a cluster.

        Computed from the embeddings: silhouette and DBCV relative to the other clusters in its
        scope, and the mean cosine to the centroid. Null until a run or a request computes them.
        """
        return self._transport.call(
            CLUSTERS_QUALITY,
            path={"clusterId": cluster_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def topics(
        self,
        cluster_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersTopicsResponse:
        """Read the topics of a cluster."""
        return self._transport.call(
            CLUSTERS_TOPICS,
            path={"clusterId": cluster_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def refresh_metrics(
        self,
        cluster_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterJob:
        """Recompute the quality metrics of a cluster, as a job.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_REFRESH_METRICS,
            path={"clusterId": cluster_id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def recompute_centroid(
        self,
        cluster_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterJob:
        """Recompute the centroid of a cluster, as a job.

        Normally not needed: the service updates the centroid with every change.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_RECOMPUTE_CENTROID,
            path={"clusterId": cluster_id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def map(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterMap:
        """Read the map of the memories: a place in two dimensions for each.

        Each full run makes the map of its scope, on which memories with similar texts are close.
        Memories that are stored or changed later are placed at the weighted mean of their nearest
        neighbours; the request that counts them in unplaced_count starts that. `Accept:
        application/octet-stream` answers the same in 26 bytes for each point, in little-endian
        order: the length of the header in 4 bytes, the header (JSON with `map`, `clusters`,
        `total_count`, `unplaced_count` and `count`, padded with spaces to a multiple of 4 bytes),
        the ids of 16 bytes, x of all points and then y as 4-byte floats, and the index of the
        cluster in 2 bytes, 65535 for none.

        Args:
            space_id: The map of this space; without it, the map of the whole account.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.call(
            CLUSTERS_MAP,
            query={
                "space_id": space_id,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def full(
        self,
        *,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        team_space_id: str | None | NotGiven = NOT_GIVEN,
        algorithm: Literal["hdbscan", "bertopic", "community"] | None = None,
        min_cluster_size: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterRun:
        """Start a full clustering run, as a job.

        Clusters all memories of the space that are in no manual cluster; without a space, the
        memories of all spaces, for keys without space limits. Replaces the result of earlier runs
        in the same scope; a cluster whose members mostly stay keeps its id. The algorithm and the
        size default to the configuration.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            team_space_id: Alias of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_FULL,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"space": space, "algorithm": algorithm, "min_cluster_size": min_cluster_size},
                {"space_id": space_id, "team_space_id": team_space_id},
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def incremental(
        self,
        *,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        team_space_id: str | None | NotGiven = NOT_GIVEN,
        memory_ids: Sequence[str] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterRun:
        """Assign memories to existing automatic clusters, as a job.

        Assigns each memory to the nearest centroid if their cosine, which becomes the confidence,
        is 0.6 or more. Other memories stay unassigned.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            team_space_id: Alias of space_id.
            memory_ids: Memories to assign; default: all that are in no cluster.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return self._transport.call(
            CLUSTERS_INCREMENTAL,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"space": space, "memory_ids": memory_ids},
                {"space_id": space_id, "team_space_id": team_space_id},
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def status(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersStatusResponse:
        """Read the latest run and the totals."""
        return self._transport.call(CLUSTERS_STATUS, extra_headers=extra_headers, timeout=timeout)

    def runs(
        self,
        *,
        status: JobStatus | None = None,
        kind: Literal["full", "incremental"] | None = None,
        space_id: str | None = None,
        space: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterRunPage:
        """List clustering runs, newest first.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
        """
        return self._transport.call(
            CLUSTERS_RUNS,
            query={
                "status": status,
                "kind": kind,
                "space_id": space_id,
                "space": space,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def config(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterConfig:
        """Read the clustering configuration."""
        return self._transport.call(CLUSTERS_CONFIG, extra_headers=extra_headers, timeout=timeout)

    def configure(
        self,
        *,
        algorithm: Literal["hdbscan", "bertopic", "community"] | None = None,
        min_cluster_size: int | None = None,
        auto_enabled: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterConfig:
        """Change the clustering configuration.

        With auto_enabled, new memories are assigned automatically, and a full run starts when the
        share of unassigned memories has grown. Keys that are limited to spaces are rejected.
        """
        return self._transport.call(
            CLUSTERS_CONFIGURE,
            body=json_body(
                {
                    "algorithm": algorithm,
                    "min_cluster_size": min_cluster_size,
                    "auto_enabled": auto_enabled,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )


class AsyncClustersResource:
    """Group related memories, manually or with a clustering run. Runs are jobs: start one, then
    read its status.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        color: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Cluster:
        """Create a cluster.

        The name is unique in its space, or among account-wide clusters, case-insensitively. A
        cluster of a space accepts memories of that space, an account-wide cluster memories of any
        space.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_CREATE,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"name": name, "space": space, "metadata": metadata},
                {"description": description, "space_id": space_id, "color": color},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def list(
        self,
        *,
        q: str | None = None,
        space_id: str | None = None,
        space: str | None = None,
        cluster_type: Literal["manual", "hdbscan", "bertopic", "community"] | None = None,
        has_memories: bool | None = None,
        color: Sequence[str] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        include: Sequence[Literal["quality_metrics", "topic_info"]] | None = None,
        sort: ClusterSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ClusterWithMorePage, ClusterWithMore]:
        """List clusters.

        Paginated by offset, or by cursor, which is stable while others write.

        Args:
            q: Text in the name or description, case-insensitive.
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            color: Comma-separated; matches any of the colors. #abc and #aabbcc are equal.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
            sort: name is case-insensitive; clusters without a score are last in either order.
            cursor: Cursor of the next page, instead of an offset.
        """
        return self._transport.pages(
            CLUSTERS_LIST,
            query={
                "q": q,
                "space_id": space_id,
                "space": space,
                "cluster_type": cluster_type,
                "has_memories": has_memories,
                "color": color,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "include": include,
                "sort": sort,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def get(
        self,
        cluster_id: str,
        *,
        include_memories: bool | None = None,
        include: Sequence[Literal["quality_metrics", "topic_info"]] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: ClustersGetSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        if_none_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterDetail:
        """Read a cluster, optionally with its memories.

        include_memories also requires the scope memories:read.

        Args:
            if_none_match: Responds with 304 if the ETag still matches.
        """
        return await self._transport.call(
            CLUSTERS_GET,
            path={"clusterId": cluster_id},
            query={
                "include_memories": include_memories,
                "include": include,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "order": order,
            },
            headers={"If-None-Match": if_none_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def update(
        self,
        cluster_id: str,
        *,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        color: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Cluster:
        """Change a cluster; metadata is replaced.

        An automatic cluster keeps the name for as long as runs keep the cluster.

        Args:
            metadata: Replaces the stored metadata.
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            CLUSTERS_UPDATE,
            path={"clusterId": cluster_id},
            headers={"If-Match": if_match},
            body=json_body(
                {"name": name, "metadata": metadata},
                {"description": description, "color": color},
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def remove(
        self,
        cluster_id: str,
        *,
        if_match: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a cluster; its memories stay.

        Args:
            if_match: Responds with 412 if the ETag no longer matches.
        """
        return await self._transport.call(
            CLUSTERS_REMOVE,
            path={"clusterId": cluster_id},
            headers={"If-Match": if_match},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def merge(
        self,
        cluster_id: str,
        *,
        source_ids: Sequence[str],
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Cluster:
        """Merge other clusters into this one.

        The other clusters are deleted. A memory in several clusters keeps its highest confidence
        and its earliest added_at. A cluster of a space accepts only clusters of that space.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_MERGE,
            path={"clusterId": cluster_id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"source_ids": source_ids}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def memories(
        self,
        cluster_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: ClustersGetSort | None = None,
        order: Literal["asc", "desc"] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ClusteredMemoryPage, ClusteredMemory]:
        """List the memories of a cluster.

        Also requires the scope memories:read.

        Args:
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return self._transport.pages(
            CLUSTERS_MEMORIES,
            path={"clusterId": cluster_id},
            query={
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "order": order,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def associate(
        self,
        id: str,
        *,
        cluster_ids: Sequence[str],
        confidence: float | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersAssociateResponse:
        """Add a memory to clusters, all or none.

        For existing memberships, the confidence is updated. A memory can be added manually to at
        most 100 clusters.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_ASSOCIATE,
            path={"id": id},
            headers={"Idempotency-Key": idempotency_key},
            body=json_body({"cluster_ids": cluster_ids, "confidence": confidence}),
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def of_memory(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ClusterOfMemoryPage, ClusterOfMemory]:
        """List the clusters of a memory, by name."""
        return self._transport.pages(
            CLUSTERS_OF_MEMORY,
            path={"id": id},
            query={"limit": limit, "offset": offset},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def dissociate(
        self,
        id: str,
        cluster_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Remove a memory from a cluster."""
        return await self._transport.call(
            CLUSTERS_DISSOCIATE,
            path={"id": id, "clusterId": cluster_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def stats(
        self,
        *,
        include: Sequence[Literal["color_distribution"]] | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterStats:
        """Count clusters and their memories."""
        return await self._transport.call(
            CLUSTERS_STATS,
            query={"include": include},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def quality(
        self,
        cluster_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersQualityResponse:
        """Read the quality metrics of a cluster.

        Computed from the embeddings: silhouette and DBCV relative to the other clusters in its
        scope, and the mean cosine to the centroid. Null until a run or a request computes them.
        """
        return await self._transport.call(
            CLUSTERS_QUALITY,
            path={"clusterId": cluster_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def topics(
        self,
        cluster_id: str,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersTopicsResponse:
        """Read the topics of a cluster."""
        return await self._transport.call(
            CLUSTERS_TOPICS,
            path={"clusterId": cluster_id},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def refresh_metrics(
        self,
        cluster_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterJob:
        """Recompute the quality metrics of a cluster, as a job.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_REFRESH_METRICS,
            path={"clusterId": cluster_id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def recompute_centroid(
        self,
        cluster_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterJob:
        """Recompute the centroid of a cluster, as a job.

        Normally not needed: the service updates the centroid with every change.

        Args:
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_RECOMPUTE_CENTROID,
            path={"clusterId": cluster_id},
            headers={"Idempotency-Key": idempotency_key},
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def map(
        self,
        *,
        space_id: str | None = None,
        space: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterMap:
        """Read the map of the memories: a place in two dimensions for each.

        Each full run makes the map of its scope, on which memories with similar texts are close.
        Memories that are stored or changed later are placed at the weighted mean of their nearest
        neighbours; the request that counts them in unplaced_count starts that. `Accept:
        application/octet-stream` answers the same in 26 bytes for each point, in little-endian
        order: the length of the header in 4 bytes, the header (JSON with `map`, `clusters`,
        `total_count`, `unplaced_count` and `count`, padded with spaces to a multiple of 4 bytes),
        the ids of 16 bytes, x of all points and then y as 4-byte floats, and the index of the
        cluster in 2 bytes, 65535 for none.

        Args:
            space_id: The map of this space; without it, the map of the whole account.
            space: Name of the space, exactly as stored, instead of space_id.
            user_id: Only memories of this user.
            agent_id: Only memories of this agent.
            run_id: Only memories of this run.
        """
        return await self._transport.call(
            CLUSTERS_MAP,
            query={
                "space_id": space_id,
                "space": space,
                "user_id": user_id,
                "agent_id": agent_id,
                "run_id": run_id,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def full(
        self,
        *,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        team_space_id: str | None | NotGiven = NOT_GIVEN,
        algorithm: Literal["hdbscan", "bertopic", "community"] | None = None,
        min_cluster_size: int | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterRun:
        """Start a full clustering run, as a job.

        Clusters all memories of the space that are in no manual cluster; without a space, the
        memories of all spaces, for keys without space limits. Replaces the result of earlier runs
        in the same scope; a cluster whose members mostly stay keeps its id. The algorithm and the
        size default to the configuration.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            team_space_id: Alias of space_id.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_FULL,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"space": space, "algorithm": algorithm, "min_cluster_size": min_cluster_size},
                {"space_id": space_id, "team_space_id": team_space_id},
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def incremental(
        self,
        *,
        space_id: str | None | NotGiven = NOT_GIVEN,
        space: str | None = None,
        team_space_id: str | None | NotGiven = NOT_GIVEN,
        memory_ids: Sequence[str] | None = None,
        idempotency_key: str | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> QueuedClusterRun:
        """Assign memories to existing automatic clusters, as a job.

        Assigns each memory to the nearest centroid if their cosine, which becomes the confidence,
        is 0.6 or more. Other memories stay unassigned.

        Args:
            space_id: Space id; None or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
            team_space_id: Alias of space_id.
            memory_ids: Memories to assign; default: all that are in no cluster.
            idempotency_key: Repeating a request with the same key within 24 hours replays the first
                outcome.
        """
        return await self._transport.call(
            CLUSTERS_INCREMENTAL,
            headers={"Idempotency-Key": idempotency_key},
            body=json_body(
                {"space": space, "memory_ids": memory_ids},
                {"space_id": space_id, "team_space_id": team_space_id},
            ) or None,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def status(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClustersStatusResponse:
        """Read the latest run and the totals."""
        return await self._transport.call(
            CLUSTERS_STATUS,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    def runs(
        self,
        *,
        status: JobStatus | None = None,
        kind: Literal["full", "incremental"] | None = None,
        space_id: str | None = None,
        space: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> AsyncPages[ClusterRunPage, ClusterRun]:
        """List clustering runs, newest first.

        Args:
            space_id: Space id; "None" or "default" means the account level.
            space: Name of the space, exactly as stored, instead of space_id.
        """
        return self._transport.pages(
            CLUSTERS_RUNS,
            query={
                "status": status,
                "kind": kind,
                "space_id": space_id,
                "space": space,
                "limit": limit,
                "offset": offset,
            },
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def config(
        self,
        *,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterConfig:
        """Read the clustering configuration."""
        return await self._transport.call(
            CLUSTERS_CONFIG,
            extra_headers=extra_headers,
            timeout=timeout,
        )

    async def configure(
        self,
        *,
        algorithm: Literal["hdbscan", "bertopic", "community"] | None = None,
        min_cluster_size: int | None = None,
        auto_enabled: bool | None = None,
        timeout: OptionalTimeout = NOT_GIVEN,
        extra_headers: Mapping[str, str] | None = None,
    ) -> ClusterConfig:
        """Change the clustering configuration.

        With auto_enabled, new memories are assigned automatically, and a full run starts when the
        share of unassigned memories has grown. Keys that are limited to spaces are rejected.
        """
        return await self._transport.call(
            CLUSTERS_CONFIGURE,
            body=json_body(
                {
                    "algorithm": algorithm,
                    "min_cluster_size": min_cluster_size,
                    "auto_enabled": auto_enabled,
                },
            ),
            extra_headers=extra_headers,
            timeout=timeout,
        )
