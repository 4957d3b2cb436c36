import { createHash } from 'node:crypto';

/**
 * The process that an account prefers: highest random weight (Thaler and Ravishankar, "A Name-Based
 * Mapping Scheme for Rendezvous", 1996). It depends neither on the order of the processes nor on
 * what came before: when a process leaves, only its own accounts move.
 * @param processIds undefined is returned if there are none
 */
export function preferredProcess(
  accountId: string,
  processIds: readonly string[],
): string | undefined {
  let preferred: string | undefined;
  let highest = '';
  for (const id of processIds) {
    const weight = createHash('sha256').update(`${id} ${accountId}`).digest('hex');
    if (weight > highest) {
      preferred = id;
      highest = weight;
    }
  }
  return preferred;
}
