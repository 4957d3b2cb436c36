import { type ErrorCode, errorCatalogue, type FieldError } from '@mneme/contract';

export interface AppErrorOptions {
  /** Public: part of the answer. */
  readonly details?: Record<string, unknown>;
  readonly message?: string;
  /** Where a code is published with two statuses (quota_exceeded: 403 and 429). */
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Internal: logged, never answered. */
  readonly cause?: unknown;
}

/** The one error of the service: a published code, a public message, an internal cause. */
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

/** 422 with every faulty field; keys are dotted paths. */
export function validationError(fields: Record<string, FieldError>): AppError {
  return new AppError('validation_error', { details: { fields } });
}

/** 400 with every faulty header of a protocol that does not know 422. */
export function headerError(fields: Record<string, FieldError>): AppError {
  const message = 'Some headers are not valid.';
  return new AppError('invalid_request', { message, details: { fields } });
}

export function fieldError(field: string, fault: FieldError): AppError {
  return validationError({ [field]: fault });
}

/** What a batch answers for one failed item. */
export function toItemError(error: AppError): {
  code: string;
  message: string;
  details?: Record<string, unknown>;
} {
  const { code, message, details } = error;
  return { code, message, ...(details ? { details } : {}) };
}
