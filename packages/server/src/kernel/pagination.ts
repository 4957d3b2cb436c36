import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

/**
 * An opaque cursor: the position at the end of a page, and a hash of it and the filters, so that a
 * changed cursor or one of another list is rejected instead of skipping records.
 */
export function encodeCursor(filters: unknown, position: unknown): string {
  const hash = fingerprint(filters, position);
  return Buffer.from(JSON.stringify([hash, position])).toString('base64url');
}

/** Throws 400 invalid_request for an invalid cursor, or one with other filters. */
export function decodeCursor<T>(
  filters: unknown,
  cursor: string,
  isPosition: (position: unknown) => position is T,
): T {
  const invalidCursor = (cause?: unknown): AppError =>
    new AppError('invalid_request', {
      message: 'The cursor is not valid, or was created with other filters.',
      cause,
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (error) {
    throw invalidCursor(error);
  }
  const [, position] = Array.isArray(parsed) ? parsed : [];
  if (!isPosition(position) || encodeCursor(filters, position) !== cursor) throw invalidCursor();
  return position;
}

const fingerprint = (filters: unknown, position: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([filters, position]))
    .digest('base64url')
    .slice(0, 10);

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

export const toPagination = (page: PageRequest, total: number, shown: number) => ({
  total,
  limit: page.limit,
  offset: page.offset,
  has_more: page.offset + shown < total,
});
