import { type ErrorCode, errorCatalogue, type FieldError } from '@mneme/contract';

export interface AppErrorOptions {
  /** Public: part of the response. */
  readonly details?: Record<string, unknown>;
  readonly message?: string;
  /** For codes with two statuses (quota_exceeded: 403 and 429). */
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Internal: logged, never part of the response. */
  readonly cause?: unknown;
}

/** The error class of the service: a published code, a public message and an internal cause. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, extras: AppErrorOptions = {}) {
    super(extras.message ?? errorCatalogue[code].message, { cause: extras.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = extras.status ?? errorCatalogue[code].status;
    this.details = extras.details;
    this.headers = extras.headers ?? {};
  }
}

/** 422 with all invalid fields; keys are dotted paths. */
export function validationError(fields: Record<string, FieldError>): AppError {
  return new AppError('validation_error', { details: { fields } });
}

/** 400 with all invalid headers, for protocols that do not define 422. */
export function headerError(fields: Record<string, FieldError>): AppError {
  const message = 'Some headers are not valid.';
  return new AppError('invalid_request', { message, details: { fields } });
}

export function fieldError(field: string, error: FieldError): AppError {
  return validationError({ [field]: error });
}

/** The error of a failed item in the response to a batch. */
export function toBatchItemError(error: AppError): {
  code: string;
  message: string;
  details?: Record<string, unknown>;
} {
  const { code, message, details } = error;
  return { code, message, ...(details ? { details } : {}) };
}
