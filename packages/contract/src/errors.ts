interface CatalogueEntry {
  readonly status: number;
  /** Other statuses that the code comes with. */
  readonly otherStatuses?: readonly number[];
  readonly message: string;
}

/** Every error code of the service with its status and its plain message; one place for both. */
export const errorCatalogue = {
  missing_api_key: { status: 401, message: 'An API key is required: Authorization: Bearer <key>.' },
  missing_auth: { status: 401, message: 'An API key or a session token is required.' },
  invalid_api_key: { status: 401, message: 'The API key is malformed or unknown.' },
  expired_api_key: { status: 401, message: 'The API key has expired.' },
  revoked_api_key: { status: 401, message: 'The API key has been revoked.' },
  expired_token: { status: 401, message: 'The session token has expired.' },
  unauthorized: { status: 401, message: 'Valid credentials are required.' },
  insufficient_permissions: { status: 403, message: 'The key lacks the rights for this.' },
  space_access_denied: { status: 403, message: 'The key may not use this space.' },
  // 403 for a count that is full, 429 for a month that is used up.
  quota_exceeded: {
    status: 403,
    otherStatuses: [429],
    message: 'A quota of the account is used up.',
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  // 403: from a page of another origin, 408: did not arrive in time, 414: its URL is too long, 416:
  // a range outside of the bytes, 421: to a host name that is not allowed, 431: its headers are too
  // large.
  invalid_request: {
    status: 400,
    otherStatuses: [403, 408, 414, 416, 421, 431],
    message: 'The request is malformed.',
  },
  bad_request: { status: 400, message: 'The request has invalid parameters.' },
  invalid_events: { status: 400, message: 'Unknown event types.' },
  not_found: { status: 404, message: 'There is no such resource.' },
  memory_not_found: { status: 404, message: 'There is no such memory.' },
  space_not_found: { status: 404, message: 'There is no such space.' },
  cluster_not_found: { status: 404, message: 'There is no such cluster.' },
  relationship_not_found: { status: 404, message: 'There is no such relationship.' },
  method_not_allowed: { status: 405, message: 'This path does not take that method.' },
  conflict: { status: 409, message: 'The request conflicts with the present state.' },
  duplicate_memory: { status: 409, message: 'A memory with the same content exists.' },
  relationship_exists: { status: 409, message: 'The relationship exists.' },
  space_already_exists: { status: 409, message: 'A space with this name exists.' },
  space_not_empty: { status: 409, message: 'The space still holds memories.' },
  invalid_state_transition: { status: 409, message: 'The present state does not allow this.' },
  confirmation_required: {
    status: 409,
    message: 'The memory has soft protection: repeat with confirm=true or X-Confirm: true.',
  },
  memory_protected: { status: 409, message: 'The memory has hard protection.' },
  idempotency_key_reused: {
    status: 409,
    message: 'The Idempotency-Key was used with another body or route.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
  },
  precondition_failed: { status: 412, message: 'The resource has changed since that ETag.' },
  // The status of the tus protocol, in no registry.
  checksum_mismatch: { status: 460, message: 'The bytes do not match their Upload-Checksum.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The Content-Type is none that is taken.' },
  validation_error: { status: 422, message: 'Some fields are not valid.' },
  content_too_large: { status: 422, message: 'The content is over the size limit.' },
  invalid_embedding: { status: 422, message: 'The embedding has the wrong number of dimensions.' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests in this window.' },
  daily_limit_exceeded: { status: 429, message: 'The daily limit of new memories is reached.' },
  concurrent_limit_exceeded: { status: 429, message: 'Too many requests at the same time.' },
  internal_error: {
    status: 500,
    message: 'Something went wrong here. The request may be retried.',
  },
  embedding_failed: {
    status: 500,
    message: 'The embedding could not be made; nothing was stored.',
  },
  storage_error: { status: 500, message: 'The storage failed.' },
  storage_damaged: {
    status: 500,
    message: 'Stored data is damaged on the disk and cannot be read. Ask the operator.',
  },
  service_unavailable: { status: 503, message: 'The service is not available right now.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Every status that a code comes with; the first is the usual one. */
export function statusesOf(code: ErrorCode): number[] {
  const { status, otherStatuses = [] }: CatalogueEntry = errorCatalogue[code];
  return [status, ...otherStatuses];
}

/** Codes of a single faulty field in `details.fields`. */
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

export interface FieldError {
  readonly code: FieldErrorCode;
  readonly message: string;
  readonly received?: unknown;
  readonly min?: number;
  readonly max?: number;
}

/** What a custom check hands to the one place that turns Zod's issues into field faults. */
export interface CustomIssueParams {
  readonly code: FieldErrorCode;
  readonly min?: number;
  readonly max?: number;
}

/** `nested` and `flat` are published, each for its areas; all of them come by header. */
export type ErrorFormat = 'nested' | 'flat' | 'status' | 'problem';

/** The published form of a path below /v1; also of one that is no route's. */
export const errorFormatOf = (path: string): 'nested' | 'flat' =>
  /^\/(?:email|webhooks)(?:[/?]|$)/.test(path) ? 'flat' : 'nested';

/** What the flat form, which has fewer codes, says for a code. */
export function toFlatCode(code: ErrorCode): ErrorCode {
  if (code === 'validation_error') return 'bad_request';
  return errorCatalogue[code].status === 401 ? 'unauthorized' : code;
}
