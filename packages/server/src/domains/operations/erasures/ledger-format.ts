import { erasureKinds, parseId, parseTimestamp } from '@mneme/contract';
import type { Erasure } from '../../../instance/erasure-ledger.ts';

/**
 * The file format of the ledger: NDJSON with one row per line, after a first line with the format
 * and the id of the database.
 */

const format = 'mneme-erasures';
const version = 1;

export const formatLedgerHeader = (databaseId: string): string =>
  `${JSON.stringify({ format, version, database_id: databaseId })}\n`;

/** The id of the database; null if the line is not a header of this format. */
export function parseLedgerHeader(line: string): string | null {
  const header = parseLine(line);
  const isOurs = header?.format === format && header.version === version;
  return isOurs && typeof header.database_id === 'string' ? header.database_id : null;
}

export const formatErasure = ({ kind, id, accountId, erasedAt }: Erasure): string =>
  `${JSON.stringify({ kind, id, account_id: accountId, erased_at: erasedAt.toISOString() })}\n`;

/** Null if the line is invalid, for example cut off by a crash. */
export function parseErasure(line: string): Erasure | null {
  const row = parseLine(line);
  if (row === null) return null;
  const kind = erasureKinds.find((candidate) => candidate === row.kind);
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
