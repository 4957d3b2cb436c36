"""Errors by code. Each class derives from that of its usual status.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from typing import Any

import httpx

from ._errors import (
    BadRequestError,
    CLASS_OF_STATUS,
    ConflictError,
    FieldError,
    ForbiddenError,
    MnemeConnectionError,
    MnemeError,
    MnemeTimeoutError,
    NotFoundError,
    ServerError,
    TooManyRequestsError,
    UnauthorizedError,
    UnprocessableContentError,
    parse_error,
)


class MissingApiKeyError(UnauthorizedError):
    """missing_api_key, status 401: An API key is required: Authorization: Bearer <key>."""


class MissingAuthError(UnauthorizedError):
    """missing_auth, status 401: An API key or a session token is required."""


class InvalidApiKeyError(UnauthorizedError):
    """invalid_api_key, status 401: The API key is malformed or unknown."""


class ExpiredApiKeyError(UnauthorizedError):
    """expired_api_key, status 401: The API key has expired."""


class RevokedApiKeyError(UnauthorizedError):
    """revoked_api_key, status 401: The API key has been revoked."""


class ExpiredTokenError(UnauthorizedError):
    """expired_token, status 401: The session token has expired."""


class InsufficientPermissionsError(ForbiddenError):
    """insufficient_permissions, status 403: The credentials do not permit this request."""


class SpaceAccessDeniedError(ForbiddenError):
    """space_access_denied, status 403: The API key has no access to this space."""


class UserAccessDeniedError(ForbiddenError):
    """user_access_denied, status 403: The token is limited to the memories of one user."""


class QuotaExceededError(ForbiddenError):
    """quota_exceeded, status 403 or 429: A quota of the account is exhausted."""


class InvalidJsonError(BadRequestError):
    """invalid_json, status 400: The body is not valid JSON."""


class InvalidRequestError(BadRequestError):
    """invalid_request, status 400 or 403 or 408 or 414 or 416 or 421 or 431: The request is
    malformed.
    """


class InvalidEventsError(BadRequestError):
    """invalid_events, status 400: Unknown event types."""


class MemoryNotFoundError(NotFoundError):
    """memory_not_found, status 404: Memory not found."""


class SpaceNotFoundError(NotFoundError):
    """space_not_found, status 404: Space not found."""


class ClusterNotFoundError(NotFoundError):
    """cluster_not_found, status 404: Cluster not found."""


class RelationshipNotFoundError(NotFoundError):
    """relationship_not_found, status 404: Relationship not found."""


class MethodNotAllowedError(MnemeError):
    """method_not_allowed, status 405: Method not allowed."""


class DuplicateMemoryError(ConflictError):
    """duplicate_memory, status 409: A memory with the same content already exists."""


class RelationshipExistsError(ConflictError):
    """relationship_exists, status 409: This relationship already exists."""


class SpaceAlreadyExistsError(ConflictError):
    """space_already_exists, status 409: A space with this name already exists."""


class SpaceNotEmptyError(ConflictError):
    """space_not_empty, status 409: The space contains memories: move or delete them first."""


class InvalidStateTransitionError(ConflictError):
    """invalid_state_transition, status 409: The current state does not permit this operation."""


class ConfirmationRequiredError(ConflictError):
    """confirmation_required, status 409: The memory has soft protection: repeat with confirm=true
    or X-Confirm: true.
    """


class MemoryProtectedError(ConflictError):
    """memory_protected, status 409: The memory has hard protection: lower its protection level
    first.
    """


class IdempotencyKeyReusedError(ConflictError):
    """idempotency_key_reused, status 409: The Idempotency-Key was already used with another body or
    route.
    """


class IdempotencyInProgressError(ConflictError):
    """idempotency_in_progress, status 409: The first request with this Idempotency-Key is still in
    progress.
    """


class PreconditionFailedError(MnemeError):
    """precondition_failed, status 412: The resource has changed: its ETag does not match."""


class ChecksumMismatchError(MnemeError):
    """checksum_mismatch, status 460: The bytes do not match the Upload-Checksum header."""


class PayloadTooLargeError(MnemeError):
    """payload_too_large, status 413: The body is too large."""


class UnsupportedMediaTypeError(MnemeError):
    """unsupported_media_type, status 415: Unsupported Content-Type."""


class ValidationError(UnprocessableContentError):
    """validation_error, status 422: Some fields are not valid."""


class InvalidArchiveError(UnprocessableContentError):
    """invalid_archive, status 422: The archive is not valid. Nothing was imported."""


class ContentTooLargeError(UnprocessableContentError):
    """content_too_large, status 422: The content exceeds the size limit."""


class InvalidEmbeddingError(UnprocessableContentError):
    """invalid_embedding, status 422: The embedding has the wrong number of dimensions."""


class RateLimitExceededError(TooManyRequestsError):
    """rate_limit_exceeded, status 429: Too many requests in this window."""


class DailyLimitExceededError(TooManyRequestsError):
    """daily_limit_exceeded, status 429: The daily limit of new memories has been reached."""


class ConcurrentLimitExceededError(TooManyRequestsError):
    """concurrent_limit_exceeded, status 429: Too many concurrent requests."""


class InternalError(ServerError):
    """internal_error, status 500: Internal error. You can retry the request."""


class EmbeddingFailedError(ServerError):
    """embedding_failed, status 500: The embedding failed. Nothing was stored."""


class StorageError(ServerError):
    """storage_error, status 500: The storage operation failed."""


class StorageDamagedError(ServerError):
    """storage_damaged, status 500: Stored data is damaged and cannot be read. Contact the operator.
    """


class ServiceUnavailableError(ServerError):
    """service_unavailable, status 503: The service is unavailable. Retry later."""


CLASS_OF_CODE: dict[str, type[MnemeError]] = {
    "bad_request": BadRequestError,
    "checksum_mismatch": ChecksumMismatchError,
    "cluster_not_found": ClusterNotFoundError,
    "concurrent_limit_exceeded": ConcurrentLimitExceededError,
    "confirmation_required": ConfirmationRequiredError,
    "conflict": ConflictError,
    "content_too_large": ContentTooLargeError,
    "daily_limit_exceeded": DailyLimitExceededError,
    "duplicate_memory": DuplicateMemoryError,
    "embedding_failed": EmbeddingFailedError,
    "expired_api_key": ExpiredApiKeyError,
    "expired_token": ExpiredTokenError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "insufficient_permissions": InsufficientPermissionsError,
    "internal_error": InternalError,
    "invalid_api_key": InvalidApiKeyError,
    "invalid_archive": InvalidArchiveError,
    "invalid_embedding": InvalidEmbeddingError,
    "invalid_events": InvalidEventsError,
    "invalid_json": InvalidJsonError,
    "invalid_request": InvalidRequestError,
    "invalid_state_transition": InvalidStateTransitionError,
    "memory_not_found": MemoryNotFoundError,
    "memory_protected": MemoryProtectedError,
    "method_not_allowed": MethodNotAllowedError,
    "missing_api_key": MissingApiKeyError,
    "missing_auth": MissingAuthError,
    "not_found": NotFoundError,
    "payload_too_large": PayloadTooLargeError,
    "precondition_failed": PreconditionFailedError,
    "quota_exceeded": QuotaExceededError,
    "rate_limit_exceeded": RateLimitExceededError,
    "relationship_exists": RelationshipExistsError,
    "relationship_not_found": RelationshipNotFoundError,
    "revoked_api_key": RevokedApiKeyError,
    "service_unavailable": ServiceUnavailableError,
    "space_access_denied": SpaceAccessDeniedError,
    "space_already_exists": SpaceAlreadyExistsError,
    "space_not_empty": SpaceNotEmptyError,
    "space_not_found": SpaceNotFoundError,
    "storage_damaged": StorageDamagedError,
    "storage_error": StorageError,
    "unauthorized": UnauthorizedError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "user_access_denied": UserAccessDeniedError,
    "validation_error": ValidationError,
}


def error_class_of(response: httpx.Response, body: Any) -> type[MnemeError]:
    """The class of the code; for a code that this version does not know, of the status."""
    status = response.status_code
    of_status = CLASS_OF_STATUS.get(status, ServerError if status >= 500 else MnemeError)
    return CLASS_OF_CODE.get(parse_error(response, body).code, of_status)


__all__ = [
    "BadRequestError",
    "ChecksumMismatchError",
    "ClusterNotFoundError",
    "ConcurrentLimitExceededError",
    "ConfirmationRequiredError",
    "ConflictError",
    "ContentTooLargeError",
    "DailyLimitExceededError",
    "DuplicateMemoryError",
    "EmbeddingFailedError",
    "ExpiredApiKeyError",
    "ExpiredTokenError",
    "FieldError",
    "ForbiddenError",
    "IdempotencyInProgressError",
    "IdempotencyKeyReusedError",
    "InsufficientPermissionsError",
    "InternalError",
    "InvalidApiKeyError",
    "InvalidArchiveError",
    "InvalidEmbeddingError",
    "InvalidEventsError",
    "InvalidJsonError",
    "InvalidRequestError",
    "InvalidStateTransitionError",
    "MemoryNotFoundError",
    "MemoryProtectedError",
    "MethodNotAllowedError",
    "MissingApiKeyError",
    "MissingAuthError",
    "MnemeConnectionError",
    "MnemeError",
    "MnemeTimeoutError",
    "NotFoundError",
    "PayloadTooLargeError",
    "PreconditionFailedError",
    "QuotaExceededError",
    "RateLimitExceededError",
    "RelationshipExistsError",
    "RelationshipNotFoundError",
    "RevokedApiKeyError",
    "ServerError",
    "ServiceUnavailableError",
    "SpaceAccessDeniedError",
    "SpaceAlreadyExistsError",
    "SpaceNotEmptyError",
    "SpaceNotFoundError",
    "StorageDamagedError",
    "StorageError",
    "TooManyRequestsError",
    "UnauthorizedError",
    "UnprocessableContentError",
    "UnsupportedMediaTypeError",
    "UserAccessDeniedError",
    "ValidationError",
]
