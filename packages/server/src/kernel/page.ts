import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/**
 * An opaque cursor: where the page ended, bound to the filters it was made with, so that a
 * cursor of another list is refused instead of skipping records.
 */
export function encodeCursor(filters: unknown, at: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint(filters), at])).toString('base64url');
}

/** Throws 400 invalid_request when the cursor is no cursor, or one of other filters. */
export function decodeCursor<T>(
  filters: unknown,
  cursor: string,
  isPlace: (at: unknown) => at is T,
): T {
  const refuse = (message: string): AppError => new AppError('invalid_request', { message });
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refuse('The cursor is not valid.');
  }
  const [made, at] = Array.isArray(parsed) ? parsed : [];
  if (typeof made !== 'string' || !isPlace(at)) throw refuse('The cursor is not valid.');
  if (made !== fingerprint(filters)) {
    throw refuse('The cursor was made with other filters.');
  }
  return at;
}

const fingerprint = (filters: unknown): string =>
  createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 10);

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export const paginationOf = (page: Page, total: number, shown: number) => ({
  total,
  limit: page.limit,
  offset: page.offset,
  has_more: page.offset + shown < total,
});
