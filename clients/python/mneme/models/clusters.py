"""Objects of responses: clusters.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from ..types import ContentType, JobStatus
from .knowledge import OffsetPagination


class Cluster(Model):
    id: str
    name: str
    description: str | None
    space_id: str | None
    cluster_type: Literal["manual", "hdbscan", "bertopic", "community"]
    color: str | None
    metadata: dict[str, Any]
    memory_count: int
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    topic_label: str | None
    topic_keywords: list[str] | None
    centroid_available: bool
    created_at: datetime
    updated_at: datetime


class ClusterQualityMetrics(Model):
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    computed_at: datetime | None


class TopicTerm(Model):
    term: str
    weight: float


class TopicRepresentation(Model):
    terms: list[TopicTerm]
    memory_ids: list[str]


class ClusterTopicInfo(Model):
    topic_label: str | None
    topic_keywords: list[str] | None
    representation: TopicRepresentation | None


class ClusterWithMore(Model):
    id: str
    name: str
    description: str | None
    space_id: str | None
    cluster_type: Literal["manual", "hdbscan", "bertopic", "community"]
    color: str | None
    metadata: dict[str, Any]
    memory_count: int
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    topic_label: str | None
    topic_keywords: list[str] | None
    centroid_available: bool
    created_at: datetime
    updated_at: datetime
    quality_metrics: ClusterQualityMetrics | None = None
    topic_info: ClusterTopicInfo | None = None


class Pagination(Model):
    total: int
    limit: int
    offset: int
    has_more: bool
    next_cursor: str | None
    """The `cursor` of the next page. A list that grows at its end has one after its last page, too.
    """


class ClusterWithMorePage(Page[ClusterWithMore]):
    _record_field = "data"

    data: list[ClusterWithMore]
    has_more: bool
    """Alias of pagination.has_more."""
    next_cursor: str | None
    """Alias of pagination.next_cursor."""
    pagination: Pagination


class ClusteredMemory(Model):
    id: str
    content: str
    content_type: ContentType
    space_id: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    session_id: str | None
    tags: list[str]
    metadata: dict[str, Any]
    priority: int
    salience: float | None
    is_pinned: bool
    is_deleted: bool
    protection_level: Literal["none", "soft", "hard"]
    quality_score: float | None
    occurred_at: datetime | None
    expires_at: datetime | None
    """From then on the memory is hidden; it is erased within the hour. null: never."""
    verified_at: datetime | None
    deleted_at: datetime | None
    created_at: datetime
    updated_at: datetime
    outdated_by: str | None
    """The newest of the memories at the ends of what supersedes it, directly or over several, or
    says that all its facts have ended; null: it is current.
    """
    confidence: float
    added_at: datetime


class ClusterDetailMemoriesPagination(Model):
    limit: int
    offset: int
    has_more: bool


class ClusterDetail(Model):
    id: str
    name: str
    description: str | None
    space_id: str | None
    cluster_type: Literal["manual", "hdbscan", "bertopic", "community"]
    color: str | None
    metadata: dict[str, Any]
    memory_count: int
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    topic_label: str | None
    topic_keywords: list[str] | None
    centroid_available: bool
    created_at: datetime
    updated_at: datetime
    quality_metrics: ClusterQualityMetrics | None = None
    topic_info: ClusterTopicInfo | None = None
    memories: list[ClusteredMemory] | None = None
    memories_pagination: ClusterDetailMemoriesPagination | None = None


class CountedPagination(Model):
    total: int
    limit: int
    offset: int
    has_more: bool
    count: int
    """Number of memories on this page."""
    next_cursor: None
    """The next page is at `offset` + `limit`."""


class ClusteredMemoryPage(Page[ClusteredMemory]):
    _record_field = "memories"

    cluster_id: str
    cluster_name: str
    memories: list[ClusteredMemory]
    """Alias of data."""
    pagination: CountedPagination
    data: list[ClusteredMemory]


class ClustersAssociateResponseCluster(Model):
    cluster_id: str
    confidence: float
    added_at: datetime


class ClustersAssociateResponse(Model):
    memory_id: str
    clusters: list[ClustersAssociateResponseCluster]


class ClusterOfMemory(Model):
    id: str
    name: str
    description: str | None
    space_id: str | None
    cluster_type: Literal["manual", "hdbscan", "bertopic", "community"]
    color: str | None
    metadata: dict[str, Any]
    memory_count: int
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    topic_label: str | None
    topic_keywords: list[str] | None
    centroid_available: bool
    created_at: datetime
    updated_at: datetime
    confidence: float
    added_at: datetime


class ClusterOfMemoryPage(Page[ClusterOfMemory]):
    _record_field = "data"

    memory_id: str
    data: list[ClusterOfMemory]
    pagination: OffsetPagination


class ClusterStatsByType(Model):
    manual: int
    hdbscan: int
    bertopic: int
    community: int


class ClusterStatsColorDistribution(Model):
    color: str | None
    count: int


class ClusterStats(Model):
    total: int
    by_type: ClusterStatsByType
    empty: int
    memberships: int
    """Sum of the memory counts of all clusters."""
    average_memory_count: float
    clustered_memories: int
    """Number of memories in at least one cluster."""
    unclustered_memories: int
    color_distribution: list[ClusterStatsColorDistribution] | None = None


class ClustersQualityResponse(Model):
    silhouette_score: float | None
    dbcv_score: float | None
    cohesion_score: float | None
    computed_at: datetime | None
    cluster_id: str


class ClustersTopicsResponse(Model):
    topic_label: str | None
    topic_keywords: list[str] | None
    representation: TopicRepresentation | None
    cluster_id: str


class QueuedClusterJob(Model):
    status: Literal["queued"]
    job_id: str
    cluster_id: str
    message: str


class ClusterMapMap(Model):
    clustering_run_id: str
    space_id: str | None
    created_at: datetime


class MappedCluster(Model):
    id: str
    name: str
    cluster_type: Literal["manual", "hdbscan", "bertopic", "community"]
    color: str | None
    topic_keywords: list[str] | None
    memory_count: int
    """How many of the points are in the cluster."""


class ClusterMap(Model):
    map: ClusterMapMap | None
    """null: no full run of this scope has completed."""
    clusters: list[MappedCluster]
    total_count: int
    """Number of memories with a place; the newest 100,000 of them are points."""
    unplaced_count: int
    """Number of memories that are newer than the map and get their place soon."""
    ids: list[str]
    """By point: the memory, the oldest first."""
    x: list[float]
    """By point: to the right, from -1 to 1. Points that are close have similar texts."""
    y: list[float]
    """By point: upwards, from -1 to 1. Points that are close have similar texts."""
    cluster: list[int | None]
    """By point: the index of its cluster in `clusters`; null: it is in none."""


class QueuedClusterRunParams(Model):
    space_id: str | None
    memory_count: int
    algorithm: Literal["hdbscan", "bertopic", "community"] | None = None
    min_cluster_size: int | None = None


class QueuedClusterRun(Model):
    status: Literal["queued"]
    job_id: str
    message: str
    params: QueuedClusterRunParams


class ClusterRun(Model):
    id: str
    """The id of the run, which is also the id of its job."""
    kind: Literal["full", "incremental"]
    algorithm: Literal["hdbscan", "bertopic", "community"]
    min_cluster_size: int
    status: JobStatus
    space_id: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    completed_at: datetime | None
    """Alias of finished_at."""
    memory_count: int
    cluster_count: int
    noise_count: int
    sampled_count: int | None
    """Number of memories that were clustered as a sample, with the others assigned to the result;
    null: no sampling.
    """
    error: str | None


class ClustersStatusResponseTotals(Model):
    clusters: int
    manual_clusters: int
    automatic_clusters: int
    memories: int
    clustered_memories: int
    unclustered_memories: int


class ClustersStatusResponse(Model):
    run: ClusterRun | None
    totals: ClustersStatusResponseTotals


class ClusterRunPage(Page[ClusterRun]):
    _record_field = "data"

    data: list[ClusterRun]
    pagination: OffsetPagination


class ClusterConfig(Model):
    algorithm: Literal["hdbscan", "bertopic", "community"]
    min_cluster_size: int
    auto_enabled: bool
