import type { ErrorCode } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';

/** 401: missing, unknown or invalid credentials. */
export const unauthorizedError = (code: ErrorCode, message?: string): AppError =>
  new AppError(code, {
    headers: { 'www-authenticate': 'Bearer' },
    ...(message === undefined ? {} : { message }),
  });

/** A limit that was reached, and when it resets. */
export interface ReachedLimit {
  readonly limit: number;
  /** Window length in seconds; 0 for limits without a window. */
  readonly window: number;
  readonly resetAtMs: number;
}

/** X-RateLimit headers for a limited caller. */
export function rateLimitHeaders(limit: ReachedLimit, remaining: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit.limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(limit.resetAtMs / 1_000)),
    'x-ratelimit-policy': `${limit.limit};w=${limit.window}`,
  };
}

type LimitCode = Extract<
  ErrorCode,
  'rate_limit_exceeded' | 'concurrent_limit_exceeded' | 'daily_limit_exceeded' | 'quota_exceeded'
>;

/** The published 429: five fields in `details` (and in the response body), and Retry-After. */
export function tooManyRequestsError(
  code: LimitCode,
  reached: ReachedLimit,
  now: Date,
  extras: { message?: string; details?: Record<string, unknown> } = {},
): AppError {
  const retryAfter = Math.max(1, Math.ceil((reached.resetAtMs - now.getTime()) / 1_000));
  return new AppError(code, {
    status: 429,
    ...(extras.message === undefined ? {} : { message: extras.message }),
    headers: { ...rateLimitHeaders(reached, 0), 'retry-after': String(retryAfter) },
    details: {
      limit: reached.limit,
      remaining: 0,
      reset: Math.ceil(reached.resetAtMs / 1_000),
      retry_after: retryAfter,
      window: reached.window,
      ...extras.details,
    },
  });
}
