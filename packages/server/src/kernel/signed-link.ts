import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';
import { deriveKey } from './encryption.ts';

/** Who signs: `purpose` keeps the links of two kinds apart. */
export interface Signer {
  readonly secretKey: string;
  readonly clock: Clock;
}

/** Signs what a link is for until a moment (Unix seconds); whoever has the link needs no key. */
export const signLink = (
  { secretKey }: Pick<Signer, 'secretKey'>,
  purpose: string,
  parts: readonly (string | number)[],
  expires: number,
): string =>
  createHmac('sha256', deriveKey(secretKey, purpose))
    .update([...parts, expires].join('\n'))
    .digest('base64url');

/** Whether a link is as it was signed, and its time is not over. */
export function isValidSignedLink(
  signer: Signer,
  purpose: string,
  parts: readonly (string | number)[],
  { expires, signature }: { expires: number; signature: string },
): boolean {
  if (expires * 1_000 <= signer.clock.now().getTime()) return false;
  const right = Buffer.from(signLink(signer, purpose, parts, expires));
  const given = Buffer.from(signature);
  return right.length === given.length && timingSafeEqual(right, given);
}
