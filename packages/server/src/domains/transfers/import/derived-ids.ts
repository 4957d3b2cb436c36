import { createHash } from 'node:crypto';

/**
 * The id that a record of another account gets: always the same one, so that a second import finds
 * it. The time of a UUID of version 7 stays, and with it the order of records.
 */
export function deriveId(accountId: string, id: string): string {
  const hash = createHash('sha256').update(`${accountId} ${id}`).digest('hex');
  const variant = ((Number.parseInt(hash[16] ?? '0', 16) & 3) | 8).toString(16);
  const time = id.slice(0, 13).toLowerCase();
  return `${time}-7${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
