import { STATUS_CODES } from 'node:http';
import {
  type ErrorFormat,
  errorCatalogue,
  errorFormatOf,
  type FieldError,
  toFlatCode,
} from '@mneme/contract';
import {
  isDamagedDataError,
  isReadOnly,
  isStorageError,
  MigrationInProgress,
  SchemaChanged,
} from '../database/index.ts';
import { AppError } from '../kernel/errors.ts';
import { BlobStoreUnavailable } from '../providers/blobs/index.ts';
import type { HttpResponse } from './response.ts';

/** The reason phrase of a status; 460 is one of the tus protocol. */
const reasonPhrase = (status: number): string =>
  status === 460 ? 'Checksum Mismatch' : (STATUS_CODES[status] ?? 'Error');

/** What of a request decides how its error looks. */
export interface ErrorRequest {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An error as the answer to a request: in the form that it asks for, else in its area's. */
export const toErrorResponse = (error: AppError, asked: ErrorRequest): HttpResponse =>
  renderError(error, selectErrorForm(asked, error), asked.id);

/** A 429 is published in the nested form for every area. */
function selectErrorForm({ headers, url }: ErrorRequest, { status }: AppError): ErrorFormat {
  const asked = String(headers['x-error-format'] ?? '').toLowerCase();
  if (asked === 'nested' || asked === 'flat' || asked === 'status') return asked;
  if (acceptsProblemJson(String(headers.accept ?? ''))) return 'problem';
  return status === 429 || !url.startsWith('/v1/') ? 'nested' : errorFormatOf(url.slice(3));
}

/** Named in Accept, and not with the weight 0 that refuses a type (RFC 9110, 12.5.1). */
const acceptsProblemJson = (accept: string): boolean =>
  accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([type, ...rest]) => type === 'application/problem+json' && !rest.some(isZeroWeight));
const isZeroWeight = (parameter: string): boolean => /^q=0(?:\.0*)?$/.test(parameter);

const fieldsOf = (error: AppError): Record<string, FieldError> | undefined =>
  error.details?.fields as Record<string, FieldError> | undefined;

/** The flat and the status form have no details: their message names every field. */
function messageWithFields(error: AppError): string {
  const fields = Object.entries(fieldsOf(error) ?? {});
  if (fields.length === 0) return error.message;
  return fields.map(([name, { message }]) => `${name} ${message}`).join('; ');
}

/** The one place that turns an error into an answer. */
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
      const known = { code, message, ...limit, ...(details ? { details } : {}) };
      return { ...base, body: { error: { ...known, request_id: requestId } } };
    }
  }
}

/** A 429 has its five fields both in the details and beside the code: both are published. */
const rateLimitFields = (details: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    ['limit', 'remaining', 'reset', 'retry_after', 'window'].map((name) => [name, details[name]]),
  );

/** A code that is another one in this form has the status of that one. */
function flatResponse(error: AppError, base: Omit<HttpResponse, 'body'>): HttpResponse {
  const code = toFlatCode(error.code);
  const status = code === error.code ? base.status : errorCatalogue[code].status;
  return { ...base, status, body: { error: code, message: messageWithFields(error) } };
}

interface FrameworkError {
  readonly code?: string;
  readonly statusCode?: number;
}

/** Node's words for a caller who hung up in the middle of a body; nobody reads the answer. */
const isClientDisconnect = (error: unknown): boolean =>
  error instanceof Error &&
  error.message === 'aborted' &&
  (error as NodeJS.ErrnoException).code === 'ECONNRESET';

const retryAfter = { 'retry-after': '5' };

/** Another process serves the database now; this one will not again. */
export const schemaChangedError = (cause: SchemaChanged): AppError =>
  new AppError('service_unavailable', {
    message: 'Another version of the service has taken over the database. Retry later.',
    headers: retryAfter,
    cause,
  });

/** Faults that the server's framework finds, as errors of the catalogue; else an internal one. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isClientDisconnect(error)) return new AppError('invalid_request', { cause: error });
  if (error instanceof SchemaChanged) return schemaChangedError(error);
  if (error instanceof MigrationInProgress) {
    const message = 'The database is being upgraded. Retry later.';
    return new AppError('service_unavailable', { message, headers: retryAfter, cause: error });
  }
  if (isReadOnly(error)) {
    const message = 'The storage takes no changes right now; it can be read.';
    return new AppError('storage_error', { message, cause: error });
  }
  if (error instanceof BlobStoreUnavailable) {
    const message = 'The store of files is not available right now.';
    return new AppError('service_unavailable', { message, cause: error });
  }
  if (isDamagedDataError(error)) return new AppError('storage_damaged', { cause: error });
  if (isStorageError(error)) return new AppError('storage_error', { cause: error });
  // Anything can be thrown, also nothing.
  const { code, statusCode } = (error ?? {}) as FrameworkError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type');
  if (statusCode === 400 || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return new AppError('invalid_request', { cause: error });
  }
  if (statusCode === 413) return new AppError('payload_too_large');
  return new AppError('internal_error', { cause: error });
}
