import { erasureKinds, parseId, parseTimestamp } from '@mneme/contract';
import type { Erasure } from '../../../instance/erasure-ledger.ts';

/**
 * The ledger as a file: NDJSON, one row a line, behind a first line that names the format and the
 * database whose erasures they are.
 */

const format = 'mneme-erasures';
const version = 1;

export const formatHeader = (databaseId: string): string =>
  `${JSON.stringify({ format, version, database_id: databaseId })}\n`;

/** The id of the database; null where it is the first line of something else. */
export function parseHeader(line: string): string | null {
  const header = parseLine(line);
  const isOurs = header?.format === format && header.version === version;
  return isOurs && typeof header.database_id === 'string' ? header.database_id : null;
}

export const formatErasure = ({ kind, id, accountId, erasedAt }: Erasure): string =>
  `${JSON.stringify({ kind, id, account_id: accountId, erased_at: erasedAt.toISOString() })}\n`;

/** Null where the line is no row, such as one that a crash cut off. */
export function parseErasure(line: string): Erasure | null {
  const row = parseLine(line);
  if (row === null) return null;
  const kind = erasureKinds.find((each) => each === row.kind);
  const [id, accountId] = [idOf(row.id), idOf(row.account_id)];
  const erasedAt = typeof row.erased_at === 'string' ? parseTimestamp(row.erased_at) : null;
  if (kind === undefined || id === null || accountId === null || erasedAt === null) return null;
  return { kind, id, accountId, erasedAt };
}

const idOf = (value: unknown): string | null =>
  typeof value === 'string' ? parseId(value, 'other') : null;

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
