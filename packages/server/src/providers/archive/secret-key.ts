import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { armor, Decrypter, Encrypter, type Identity, type Recipient, Stanza } from 'age-encryption';
import type { Ids } from '../../kernel/ids.ts';
import { ArchiveRejected, WrongPassphrase } from './errors.ts';
import { secretKeyName } from './layout.ts';

/**
 * Base-2 logarithm of scrypt's cost: 64 MB. age itself uses 18, which is 256 MB, more than a backup
 * may use.
 */
const workFactor = 16;
/** 256 MB. */
const workFactorMax = 18;
const blockSize = 8;
const saltBytes = 16;
const label = 'age-encryption.org/v1/scrypt';

/**
 * Encrypts the key with a passphrase as an armored age file (age-encryption.org/v1), which `age
 * --decrypt` can read.
 */
export async function encryptServerSecretKey(
  key: string,
  passphrase: string,
  ids: Ids,
): Promise<Uint8Array> {
  if (passphrase === '') throw new Error('the passphrase is empty');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipientOf(passphrase, ids.bytes(saltBytes)));
  return Buffer.from(armor.encode(await encrypter.encrypt(key)));
}

/**
 * Accepts armored or binary input. Throws WrongPassphrase, and ArchiveRejected if the bytes are
 * damaged.
 */
export async function decryptServerSecretKey(
  bytes: Uint8Array,
  passphrase: string,
): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identityOf(passphrase));
  try {
    return await decrypter.decrypt(binaryOf(bytes), 'text');
  } catch (error) {
    if (error instanceof WrongPassphrase) throw error;
    const what = (error as Error).message;
    throw new ArchiveRejected('corrupted', `The backup is damaged at ${secretKeyName}: ${what}.`, {
      entry: secretKeyName,
      cause: error,
    });
  }
}

function binaryOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  return text.trimStart().startsWith('-----BEGIN') ? armor.decode(text) : bytes;
}

/**
 * The passphrase recipient of age. The scrypt of the library blocks the event loop for a second;
 * the one of Node.js runs in another thread and frees its memory immediately.
 */
const recipientOf = (passphrase: string, salt: Uint8Array): Recipient => ({
  async wrapFileKey(fileKey) {
    const cipher = createCipheriv(cipherName, await derive(passphrase, salt, workFactor), nonce, {
      authTagLength: tagBytes,
    });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    return [new Stanza(['scrypt', base64(salt), String(workFactor)], new Uint8Array(body))];
  },
});

const identityOf = (passphrase: string): Identity => ({
  async unwrapFileKey(stanzas) {
    const [type, salt = '', factor = ''] = stanzas[0]?.args ?? [];
    if (stanzas.length !== 1 || type !== 'scrypt') throw new Error('it needs no passphrase');
    const body = stanzas[0]?.body ?? new Uint8Array();
    if (body.length !== encryptedKeyBytes) throw new Error('its file key is invalid');
    const key = await derive(passphrase, saltOf(salt), factorOf(factor));
    const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(body.subarray(-tagBytes));
    try {
      const fileKey = [decipher.update(body.subarray(0, -tagBytes)), decipher.final()];
      return new Uint8Array(Buffer.concat(fileKey));
    } catch {
      throw new WrongPassphrase();
    }
  },
});

const cipherName = 'chacha20-poly1305';
/** Each key is used only once. */
const nonce = new Uint8Array(12);
const tagBytes = 16;
const encryptedKeyBytes = 16 + tagBytes;

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '');

function saltOf(text: string): Uint8Array {
  const salt = Buffer.from(text, 'base64');
  if (salt.length !== saltBytes || base64(salt) !== text) throw new Error('its salt is invalid');
  return salt;
}

function factorOf(text: string): number {
  const factor = Number(text);
  if (!/^[1-9][0-9]?$/.test(text) || factor > workFactorMax) {
    throw new Error(`its work factor is not between 1 and ${workFactorMax}`);
  }
  return factor;
}

function derive(passphrase: string, salt: Uint8Array, factor: number): Promise<Uint8Array> {
  const N = 2 ** factor;
  const options = { N, r: blockSize, p: 1, maxmem: 2 * 128 * N * blockSize };
  const labelled = Buffer.concat([Buffer.from(label), salt]);
  return new Promise((resolve, reject) => {
    scrypt(passphrase, labelled, 32, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
