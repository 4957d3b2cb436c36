import { STATUS_CODES } from 'node:http';
import {
  type ErrorFormat,
  errorCatalogue,
  errorFormatOf,
  type FieldError,
  toFlatErrorCode,
} from '@mneme/contract';
import {
  isDamagedDataError,
  isReadOnlyError,
  isStorageError,
  MigrationInProgress,
  NodeUnavailable,
  SchemaChanged,
} from '../database/index.ts';
import { AppError } from '../kernel/errors.ts';
import { BlobStoreUnavailable } from '../providers/blobs/index.ts';
import { acceptsType } from './accept.ts';
import type { HttpResponse } from './response.ts';

/** The reason phrase of a status; 460 belongs to the tus protocol. */
const reasonPhrase = (status: number): string =>
  status === 460 ? 'Checksum Mismatch' : (STATUS_CODES[status] ?? 'Error');

/** The parts of a request that select the form of its error. */
export interface FailedRequest {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Renders an error in the form that the request selects, or in the default form of its area. */
export const toErrorResponse = (error: AppError, request: FailedRequest): HttpResponse =>
  renderError(error, selectErrorForm(request, error), request.id);

/** A 429 has the nested form in all areas. */
function selectErrorForm({ headers, url }: FailedRequest, { status }: AppError): ErrorFormat {
  const requested = String(headers['x-error-format'] ?? '').toLowerCase();
  if (requested === 'nested' || requested === 'flat' || requested === 'status') return requested;
  if (acceptsType(headers.accept, 'application/problem+json')) return 'problem';
  return status === 429 || !url.startsWith('/v1/') ? 'nested' : errorFormatOf(url.slice(3));
}

const fieldsOf = (error: AppError): Record<string, FieldError> | undefined =>
  error.details?.fields as Record<string, FieldError> | undefined;

/** The flat and the status form have no details, so their message lists all fields. */
function messageWithFields(error: AppError): string {
  const fields = Object.entries(fieldsOf(error) ?? {});
  if (fields.length === 0) return error.message;
  return fields.map(([name, { message }]) => `${name} ${message}`).join('; ');
}

/** Renders an error as a response; the only place that does. */
export function renderError(error: AppError, form: ErrorFormat, requestId: string): HttpResponse {
  const { code, status, message, details, headers } = error;
  const base = { status, headers };
  switch (form) {
    case 'flat':
      return flatResponse(error, base);
    case 'status':
      return {
        ...base,
        body: {
          statusCode: status,
          error: reasonPhrase(status),
          message: messageWithFields(error),
        },
      };
    case 'problem': {
      const fields = fieldsOf(error);
      const { fields: _, ...others } = details ?? {};
      const problem = {
        ...others,
        type: 'about:blank',
        title: reasonPhrase(status),
        status,
        detail: message,
        code,
        request_id: requestId,
        ...(fields ? { fields } : {}),
      };
      const type = { 'content-type': 'application/problem+json; charset=utf-8' };
      return { status, headers: { ...headers, ...type }, body: problem };
    }
    case 'nested': {
      const limit = status === 429 ? rateLimitFields(details) : {};
      const nested = { code, message, ...limit, ...(details ? { details } : {}) };
      return { ...base, body: { error: { ...nested, request_id: requestId } } };
    }
  }
}

/** A 429 has its five fields both in `details` and next to `code`: both are published. */
const rateLimitFields = (details: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    ['limit', 'remaining', 'reset', 'retry_after', 'window'].map((name) => [name, details[name]]),
  );

/** A code that the flat form maps to another code has the status of that code. */
function flatResponse(error: AppError, base: Omit<HttpResponse, 'body'>): HttpResponse {
  const code = toFlatErrorCode(error.code);
  const status = code === error.code ? base.status : errorCatalogue[code].status;
  return { ...base, status, body: { error: code, message: messageWithFields(error) } };
}

interface FrameworkError {
  readonly code?: string;
  readonly statusCode?: number;
}

/** Node's error for a client that disconnected during the body. */
const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error &&
  error.message === 'aborted' &&
  (error as NodeJS.ErrnoException).code === 'ECONNRESET';

const retryAfter = { 'retry-after': '5' };

/** A process of another version serves the database now; this one cannot continue. */
export const schemaChangedError = (cause: SchemaChanged): AppError =>
  new AppError('service_unavailable', {
    message: 'Another version of the service now uses the database. Retry later.',
    headers: retryAfter,
    cause,
  });

/** Maps errors of the framework and the database to the catalogue, others to `internal_error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isClientDisconnect(error)) return new AppError('invalid_request', { cause: error });
  if (error instanceof SchemaChanged) return schemaChangedError(error);
  if (error instanceof MigrationInProgress) {
    const message = 'The database is being upgraded. Retry later.';
    return new AppError('service_unavailable', { message, headers: retryAfter, cause: error });
  }
  if (error instanceof NodeUnavailable) {
    const message = 'The part of the database with this account does not respond. Retry later.';
    return new AppError('service_unavailable', { message, headers: retryAfter, cause: error });
  }
  if (isReadOnlyError(error)) {
    const message = 'The storage is read-only at the moment. Retry later.';
    return new AppError('storage_error', { message, cause: error });
  }
  if (error instanceof BlobStoreUnavailable) {
    const message = 'The file storage is unavailable. Retry later.';
    return new AppError('service_unavailable', { message, cause: error });
  }
  if (isDamagedDataError(error)) return new AppError('storage_damaged', { cause: error });
  if (isStorageError(error)) return new AppError('storage_error', { cause: error });
  // Any value can be thrown, including undefined.
  const { code, statusCode } = (error ?? {}) as FrameworkError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type');
  if (statusCode === 400 || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return new AppError('invalid_request', { cause: error });
  }
  if (statusCode === 413) return new AppError('payload_too_large');
  return new AppError('internal_error', { cause: error });
}
