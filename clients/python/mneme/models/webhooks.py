"""Objects of responses: webhooks.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Model
from .._paginate import Page
from .knowledge import OffsetPagination
from .memories import OnePagePagination


class Webhook(Model):
    id: str
    name: str
    url: str
    events: list[str]
    description: str | None
    secret: str
    """Complete in the response that created it, masked in all others."""
    space_id: str | None
    headers: dict[str, str]
    """Header names with masked values."""
    filters: dict[str, Any]
    max_retries: int
    retry_delay_seconds: int
    retry_schedule: Literal["standard", "short"]
    payload_form: Literal["object", "wrapped"]
    signature_form: Literal["timestamped", "hex"]
    is_active: bool
    enabled: bool
    """Alias of is_active."""
    status: Literal["active", "paused"]
    """Alias of is_active."""
    disabled_reason: str | None
    total_deliveries: int
    successful_deliveries: int
    failed_deliveries: int
    failure_count: int
    """Number of failed attempts since the last success."""
    last_triggered_at: datetime | None
    created_at: datetime
    updated_at: datetime


class WebhookPage(Page[Webhook]):
    _record_field = "data"

    data: list[Webhook]
    pagination: OffsetPagination
    webhooks: list[Webhook]
    """Alias of data."""
    total: int
    """Alias of pagination.total."""


class WebhooksStatsResponseEventsDistribution(Model):
    event_type: str
    event: str
    """Alias of event_type."""
    webhook_count: int


class WebhooksStatsResponse(Model):
    total_webhooks: int
    active_webhooks: int
    inactive_webhooks: int
    total_deliveries: int
    successful_deliveries: int
    failed_deliveries: int
    events_distribution: list[WebhooksStatsResponseEventsDistribution]


class WebhooksEventTypesResponseDetail(Model):
    type: str
    description: str


class WebhooksEventTypesResponse(Model):
    event_types: list[str]
    details: list[WebhooksEventTypesResponseDetail]
    """Alias of data."""
    data: list[WebhooksEventTypesResponseDetail]
    pagination: OnePagePagination


class WebhooksBulkCreateResponse(Model):
    created: int
    webhooks: list[Webhook]


class WebhooksBulkDeleteResponse(Model):
    deleted: int
    ids: list[str]


class WebhooksTestResponse(Model):
    success: bool
    response_status: int | None
    response_body: str | None
    response_time_ms: int | None
    error: str | None
    payload: dict[str, Any]
    headers_sent: dict[str, str]


class WebhookDelivery(Model):
    id: str
    webhook_id: str
    event_type: str
    event_id: str
    status: Literal["pending", "success", "failed", "retrying"]
    attempt_count: int
    attempt: int
    """Alias of attempt_count."""
    payload: dict[str, Any]
    response_status: int | None
    response_body: str | None
    response_time_ms: int | None
    error: str | None
    error_message: str | None
    """Alias of error."""
    next_attempt_at: datetime | None
    next_retry_at: datetime | None
    """Alias of next_attempt_at."""
    created_at: datetime
    delivered_at: datetime | None


class WebhookDeliveryPage(Page[WebhookDelivery]):
    _record_field = "data"

    data: list[WebhookDelivery]
    pagination: OffsetPagination
    deliveries: list[WebhookDelivery]
    """Alias of data."""


class WebhooksRetryDeliveryResponse(Model):
    success: bool
    response_status: int | None
    error: str | None
