import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';
import { deriveKey } from './encryption.ts';

/** The dependencies for signed links. */
export interface SignedLinkDeps {
  readonly secretKey: string;
  readonly clock: Clock;
}

/**
 * Signs a link until `expires` (Unix seconds); its holder needs no API key. `purpose` separates
 * kinds of links.
 */
export const signLink = (
  { secretKey }: Pick<SignedLinkDeps, 'secretKey'>,
  purpose: string,
  parts: readonly (string | number)[],
  expires: number,
): string =>
  createHmac('sha256', deriveKey(secretKey, purpose))
    .update([...parts, expires].join('\n'))
    .digest('base64url');

/** Whether the signature is valid and the link has not expired. */
export function isValidSignedLink(
  signer: SignedLinkDeps,
  purpose: string,
  parts: readonly (string | number)[],
  { expires, signature }: { expires: number; signature: string },
): boolean {
  if (expires * 1_000 <= signer.clock.now().getTime()) return false;
  const expected = Buffer.from(signLink(signer, purpose, parts, expires));
  const actual = Buffer.from(signature);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
