import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** How far the time of a signature may be from that of the receiver, by the database's clock. */
const validMs = 30_000;
const nonceBytes = 16;
export const macBytes = 32;

/** What a signature is for: one search of one account, by one process, once. */
export interface SignedSearch {
  /** The process that runs the search. */
  readonly target: string;
  readonly accountId: string;
  /** Epoch milliseconds by the clock of the database. */
  readonly issuedMs: number;
  readonly nonce: string;
  /** SHA-256 of the body. */
  readonly digest: string;
}

export const createNonce = (bytes: (count: number) => Uint8Array): string =>
  Buffer.from(bytes(nonceBytes)).toString('base64url');

export const digestOf = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url');

const fieldsOf = ({ target, accountId, issuedMs, nonce, digest }: SignedSearch): string =>
  [target, accountId, issuedMs, nonce, digest].join('.');

const macOf = (key: Uint8Array, purpose: string, parts: readonly (string | Uint8Array)[]) => {
  const hmac = createHmac('sha256', key).update(`${purpose}\n`);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
};

const requestMac = (key: Uint8Array, fields: string): Buffer =>
  macOf(key, 'request POST', [fields]);

/** The value of the header of a forwarded search: HMAC-SHA256 over all fields, and the fields. */
export function signSearch(key: Uint8Array, search: SignedSearch): string {
  const fields = fieldsOf(search);
  return `${fields}.${requestMac(key, fields).toString('base64url')}`;
}

const headerPattern = new RegExp(
  [
    '^(?<target>[\\da-f-]{36})',
    '(?<accountId>[\\da-f-]{36})',
    '(?<issuedMs>\\d{1,15})',
    '(?<nonce>[\\w-]{22})',
    '(?<digest>[\\w-]{43})',
    '(?<mac>[\\w-]{43})$',
  ].join('\\.'),
);

/**
 * Null unless the signature is valid now and for the process `own`. The caller has to check the
 * digest, and that the nonce is new, once it has the body.
 */
export function verifySearch(
  key: Uint8Array,
  header: string,
  { own, nowMs }: { readonly own: string; readonly nowMs: number },
): SignedSearch | null {
  const groups = headerPattern.exec(header)?.groups as Record<string, string> | undefined;
  if (!groups) return null;
  const { target = '', accountId = '', nonce = '', digest = '', mac = '' } = groups;
  const search = { target, accountId, issuedMs: Number(groups.issuedMs), nonce, digest };
  const expected = requestMac(key, fieldsOf(search));
  const actual = Buffer.from(mac, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  return target === own && Math.abs(nowMs - search.issuedMs) <= validMs ? search : null;
}

/** Authenticates the response to the search with this nonce. */
export const signResponse = (key: Uint8Array, nonce: string, payload: Uint8Array): Buffer =>
  macOf(key, 'response', [nonce, payload]);

export function isSignedResponse(
  key: Uint8Array,
  nonce: string,
  { mac, payload }: { readonly mac: Uint8Array; readonly payload: Uint8Array },
): boolean {
  const expected = signResponse(key, nonce, payload);
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}

/** Detects repeated nonces for as long as signatures are valid. */
export class UsedNonces {
  #current = new Set<string>();
  #former = new Set<string>();
  #rotatedMs = 0;

  /** False if it was used before. */
  use(nonce: string, nowMs: number): boolean {
    // A signature is valid for this time before and after its own.
    if (nowMs - this.#rotatedMs >= 2 * validMs) {
      const isRecent = nowMs - this.#rotatedMs < 4 * validMs;
      this.#former = isRecent ? this.#current : new Set();
      this.#current = new Set();
      this.#rotatedMs = nowMs;
    }
    if (this.#current.has(nonce) || this.#former.has(nonce)) return false;
    this.#current.add(nonce);
    return true;
  }
}
