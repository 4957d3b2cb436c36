import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/**
 * An opaque cursor: where the page ended, and a hash of that and the filters it was made with, so
 * that an altered cursor, or one of another list, is refused instead of skipping records.
 */
export function encodeCursor(filters: unknown, at: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint(filters, at), at])).toString('base64url');
}

/** Throws 400 invalid_request when the cursor is no cursor, or one of other filters. */
export function decodeCursor<T>(
  filters: unknown,
  cursor: string,
  isPlace: (at: unknown) => at is T,
): T {
  const refused = (cause?: unknown): AppError =>
    new AppError('invalid_request', {
      message: 'The cursor is not valid, or was made with other filters.',
      cause,
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (error) {
    throw refused(error);
  }
  const [, at] = Array.isArray(parsed) ? parsed : [];
  if (!isPlace(at) || encodeCursor(filters, at) !== cursor) throw refused();
  return at;
}

const fingerprint = (filters: unknown, at: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([filters, at]))
    .digest('base64url')
    .slice(0, 10);

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export const toPagination = (page: Page, total: number, shown: number) => ({
  total,
  limit: page.limit,
  offset: page.offset,
  has_more: page.offset + shown < total,
});
