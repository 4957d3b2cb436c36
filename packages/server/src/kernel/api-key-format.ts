import { createHash } from 'node:crypto';
import type { Ids } from './ids.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyIdLength = 12;
const secretLength = 43; // 32 bytes in base 62
const checksumLength = 6;
const keyPattern = /^mnk_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/;

/** Big-endian bytes in base 62, padded to `length` digits, or cut to the last `length`. */
function base62(bytes: Uint8Array, length: number): string {
  let remaining = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text = alphabet.charAt(Number(remaining % 62n)) + text;
    remaining /= 62n;
  }
  return text;
}

const checksum = (body: string): string =>
  base62(createHash('sha256').update(body).digest(), checksumLength);

/** `mnk_<key id>_<32 random bytes>_<checksum>`: the checksum detects typos without a query. */
export function generateKey(ids: Ids, keyId = base62(ids.bytes(16), keyIdLength)): string {
  const body = `mnk_${keyId}_${base62(ids.bytes(32), secretLength)}`;
  return `${body}_${checksum(body)}`;
}

/** The key id of a well-formed key, otherwise null. */
export function parseKeyId(key: string): string | null {
  const match = keyPattern.exec(key);
  if (!match) return null;
  return checksum(key.slice(0, -checksumLength - 1)) === match[3] ? (match[1] ?? null) : null;
}
