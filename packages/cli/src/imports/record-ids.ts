import { createHash } from 'node:crypto';

/**
 * An id that depends on these texts only, so that the next import of the same source finds the
 * record: a UUID of version 7 with the time 0.
 */
export function deriveRecordId(parts: readonly (string | null)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((Number.parseInt(hash[3] ?? '0', 16) & 3) | 8).toString(16);
  return `00000000-0000-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(8, 20)}`;
}
