import { STATUS_CODES } from 'node:http';
import {
  type ErrorForm,
  errorCatalogue,
  errorFormOf,
  type FieldFault,
  flatCode,
} from '@mneme/contract';
import {
  isDamaged,
  isReadOnly,
  isStorageFault,
  MigrationUnderWay,
  SchemaChanged,
} from '../engine/index.ts';
import { AppError } from '../kernel/errors.ts';
import { BlobsUnavailable } from '../providers/blobs/index.ts';
import type { Final } from './answer.ts';

/** The reason phrase of a status; 460 is one of the tus protocol. */
const nameOf = (status: number): string =>
  status === 460 ? 'Checksum Mismatch' : (STATUS_CODES[status] ?? 'Error');

/** What of a request decides how its error looks. */
export interface Asked {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An error as the answer to a request: in the form that it asks for, else in its area's. */
export const errorAnswer = (error: AppError, asked: Asked): Final =>
  renderError(error, formOf(asked, error), asked.id);

/** A 429 is published in the nested form for every area. */
function formOf({ headers, url }: Asked, { status }: AppError): ErrorForm {
  const asked = String(headers['x-error-format'] ?? '').toLowerCase();
  if (asked === 'nested' || asked === 'flat' || asked === 'status') return asked;
  if (takesProblems(String(headers.accept ?? ''))) return 'problem';
  return status === 429 || !url.startsWith('/v1/') ? 'nested' : errorFormOf(url.slice(3));
}

/** Named in Accept, and not with the weight 0 that refuses a type (RFC 9110, 12.5.1). */
const takesProblems = (accept: string): boolean =>
  accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([type, ...rest]) => type === 'application/problem+json' && !rest.some(isZeroWeight));
const isZeroWeight = (parameter: string): boolean => /^q=0(?:\.0*)?$/.test(parameter);

const fieldsOf = (error: AppError): Record<string, FieldFault> | undefined =>
  error.details?.fields as Record<string, FieldFault> | undefined;

/** The flat and the status form have no details: their message names every field. */
function spelledOut(error: AppError): string {
  const fields = Object.entries(fieldsOf(error) ?? {});
  if (fields.length === 0) return error.message;
  return fields.map(([name, { message }]) => `${name} ${message}`).join('; ');
}

/** The one place that turns an error into an answer. */
export function renderError(error: AppError, form: ErrorForm, requestId: string): Final {
  const { code, status, message, details, headers } = error;
  const base = { status, headers };
  switch (form) {
    case 'flat':
      return flat(error, base);
    case 'status':
      return {
        ...base,
        body: {
          statusCode: status,
          error: nameOf(status),
          message: spelledOut(error),
        },
      };
    case 'problem': {
      const fields = fieldsOf(error);
      const { fields: _, ...others } = details ?? {};
      const problem = {
        ...others,
        type: 'about:blank',
        title: nameOf(status),
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
      const limit = status === 429 ? limitFields(details) : {};
      const known = { code, message, ...limit, ...(details ? { details } : {}) };
      return { ...base, body: { error: { ...known, request_id: requestId } } };
    }
  }
}

/** A 429 has its five fields both in the details and beside the code: both are published. */
const limitFields = (details: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    ['limit', 'remaining', 'reset', 'retry_after', 'window'].map((name) => [name, details[name]]),
  );

/** A code that is another one in this form has the status of that one. */
function flat(error: AppError, base: Omit<Final, 'body'>): Final {
  const code = flatCode(error.code);
  const status = code === error.code ? base.status : errorCatalogue[code].status;
  return { ...base, status, body: { error: code, message: spelledOut(error) } };
}

interface FrameworkError {
  readonly code?: string;
  readonly statusCode?: number;
}

/** Node's words for a caller who hung up in the middle of a body; nobody reads the answer. */
const isHangUp = (error: unknown): boolean =>
  error instanceof Error &&
  error.message === 'aborted' &&
  (error as NodeJS.ErrnoException).code === 'ECONNRESET';

const retryAfter = { 'retry-after': '5' };

/** Another process serves the database now; this one will not again. */
export const outdated = (cause: SchemaChanged): AppError =>
  new AppError('service_unavailable', {
    message: 'Another version of the service has taken over the database. Retry later.',
    headers: retryAfter,
    cause,
  });

/** Faults that the server's framework finds, as errors of the catalogue; else an internal one. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isHangUp(error)) return new AppError('invalid_request', { cause: error });
  if (error instanceof SchemaChanged) return outdated(error);
  if (error instanceof MigrationUnderWay) {
    const message = 'The database is being upgraded. Retry later.';
    return new AppError('service_unavailable', { message, headers: retryAfter, cause: error });
  }
  if (isReadOnly(error)) {
    const message = 'The storage takes no changes right now; it can be read.';
    return new AppError('storage_error', { message, cause: error });
  }
  if (error instanceof BlobsUnavailable) {
    const message = 'The store of files is not available right now.';
    return new AppError('service_unavailable', { message, cause: error });
  }
  if (isDamaged(error)) return new AppError('storage_damaged', { cause: error });
  if (isStorageFault(error)) return new AppError('storage_error', { cause: error });
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
