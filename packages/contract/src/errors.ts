interface CatalogueEntry {
  readonly status: number;
  /** Other HTTP statuses of responses with this code. */
  readonly otherStatuses?: readonly number[];
  readonly message: string;
}

/** Every error code with its HTTP status and default message. */
export const errorCatalogue = {
  missing_api_key: { status: 401, message: 'An API key is required: Authorization: Bearer <key>.' },
  missing_auth: { status: 401, message: 'An API key or a session token is required.' },
  invalid_api_key: { status: 401, message: 'The API key is malformed or unknown.' },
  expired_api_key: { status: 401, message: 'The API key has expired.' },
  revoked_api_key: { status: 401, message: 'The API key has been revoked.' },
  expired_token: { status: 401, message: 'The session token has expired.' },
  unauthorized: { status: 401, message: 'Valid credentials are required.' },
  insufficient_permissions: { status: 403, message: 'The credentials do not permit this request.' },
  space_access_denied: { status: 403, message: 'The API key has no access to this space.' },
  user_access_denied: {
    status: 403,
    message: 'The token is limited to the memories of one user.',
  },
  // 403 for a quota of a count, 429 for a monthly quota.
  quota_exceeded: {
    status: 403,
    otherStatuses: [429],
    message: 'A quota of the account is exhausted.',
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  // 403: cross-origin request, 408: request timeout, 414: URL too long, 416: range not satisfiable,
  // 421: host name not allowed, 431: headers too large.
  invalid_request: {
    status: 400,
    otherStatuses: [403, 408, 414, 416, 421, 431],
    message: 'The request is malformed.',
  },
  bad_request: { status: 400, message: 'The request has invalid parameters.' },
  invalid_events: { status: 400, message: 'Unknown event types.' },
  not_found: { status: 404, message: 'Resource not found.' },
  memory_not_found: { status: 404, message: 'Memory not found.' },
  space_not_found: { status: 404, message: 'Space not found.' },
  cluster_not_found: { status: 404, message: 'Cluster not found.' },
  relationship_not_found: { status: 404, message: 'Relationship not found.' },
  method_not_allowed: { status: 405, message: 'Method not allowed.' },
  conflict: {
    status: 409,
    message: 'The request conflicts with the current state of the resource.',
  },
  duplicate_memory: { status: 409, message: 'A memory with the same content already exists.' },
  relationship_exists: { status: 409, message: 'This relationship already exists.' },
  space_already_exists: { status: 409, message: 'A space with this name already exists.' },
  space_not_empty: {
    status: 409,
    message: 'The space contains memories: move or delete them first.',
  },
  invalid_state_transition: {
    status: 409,
    message: 'The current state does not permit this operation.',
  },
  confirmation_required: {
    status: 409,
    message: 'The memory has soft protection: repeat with confirm=true or X-Confirm: true.',
  },
  memory_protected: {
    status: 409,
    message: 'The memory has hard protection: lower its protection level first.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'The Idempotency-Key was already used with another body or route.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still in progress.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed: its ETag does not match.',
  },
  // Status defined by the tus protocol; not registered with IANA.
  checksum_mismatch: { status: 460, message: 'The bytes do not match the Upload-Checksum header.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Unsupported Content-Type.' },
  validation_error: { status: 422, message: 'Some fields are not valid.' },
  invalid_archive: {
    status: 422,
    message: 'The archive is not valid. Nothing was imported.',
  },
  content_too_large: { status: 422, message: 'The content exceeds the size limit.' },
  invalid_embedding: { status: 422, message: 'The embedding has the wrong number of dimensions.' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests in this window.' },
  daily_limit_exceeded: {
    status: 429,
    message: 'The daily limit of new memories has been reached.',
  },
  concurrent_limit_exceeded: { status: 429, message: 'Too many concurrent requests.' },
  internal_error: {
    status: 500,
    message: 'Internal error. You can retry the request.',
  },
  embedding_failed: {
    status: 500,
    message: 'The embedding failed. Nothing was stored.',
  },
  storage_error: { status: 500, message: 'The storage operation failed.' },
  storage_damaged: {
    status: 500,
    message: 'Stored data is damaged and cannot be read. Contact the operator.',
  },
  service_unavailable: { status: 503, message: 'The service is unavailable. Retry later.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Every HTTP status of a code; the first is the default. */
export function statusesOfError(code: ErrorCode): number[] {
  const { status, otherStatuses = [] }: CatalogueEntry = errorCatalogue[code];
  return [status, ...otherStatuses];
}

/** Codes of the field errors in `details.fields`. */
export const fieldErrorCodes = [
  'required',
  'invalid_type',
  'invalid_range',
  'invalid_enum_value',
  'field_too_long',
  'invalid_format',
  'invalid_characters',
  'unknown_field',
] as const;
export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/**
 * One field error in `details.fields`. `received` echoes a short scalar, or the number of items;
 * `min` and `max` are inclusive bounds of the value, its characters or its items.
 */
export interface FieldError {
  readonly code: FieldErrorCode;
  readonly message: string;
  readonly received?: unknown;
  readonly min?: number;
  readonly max?: number;
}

/** Parameters of a custom Zod issue; `toFieldErrors` converts them to a `FieldError`. */
export interface CustomIssueParams {
  readonly code: FieldErrorCode;
  readonly min?: number;
  readonly max?: number;
}

/**
 * Formats of an error response. `nested` and `flat` are the defaults of their areas; the header
 * X-Error-Format selects any of them.
 */
export type ErrorFormat = 'nested' | 'flat' | 'status' | 'problem';

/** The default format of a path below /v1, whether or not a route matches it. */
export const errorFormatOf = (path: string): 'nested' | 'flat' =>
  /^\/(?:email|webhooks)(?:[/?]|$)/.test(path) ? 'flat' : 'nested';

/** The code that the flat format, which has fewer codes, uses for `code`. */
export function toFlatErrorCode(code: ErrorCode): ErrorCode {
  if (code === 'validation_error') return 'bad_request';
  return errorCatalogue[code].status === 401 ? 'unauthorized' : code;
}
