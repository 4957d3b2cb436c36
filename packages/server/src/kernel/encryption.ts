import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Rejects shorter tags, which are easier to guess. */
const options = { authTagLength: tagBytes };

/** Encrypts a text with a secret; `label` separates uses of the same secret. */
export function encryptText(
  text: string,
  secret: string,
  label: string,
  nonce: Uint8Array,
): string {
  const key = encryptionKey(secret, label);
  const cipher = createCipheriv(algorithm, key, nonce.subarray(0, nonceBytes), options);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce.subarray(0, nonceBytes), cipher.getAuthTag(), encrypted]).toString(
    'base64url',
  );
}

/** Throws if the text was encrypted with another secret or label, or was changed. */
export function decryptText(encrypted: string, secret: string, label: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, encryptionKey(secret, label), nonce, options);
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}

const encryptionKey = (secret: string, label: string): Uint8Array =>
  derive(secret, label, 'sealed outcome');

/** A key for one purpose, which reveals neither the secret nor keys of other purposes. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  derive(secret, '', purpose);

/** HKDF (RFC 5869) over SHA-256, 32 bytes. */
const derive = (secret: string, salt: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, salt, `mneme ${purpose}`, 32));
