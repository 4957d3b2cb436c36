import {
  decryptServerSecretKey,
  readArchiveEntries,
  secretKeyName,
} from '../providers/archive/index.ts';

/**
 * The secret key of the server in an archive that has one. Throws ArchiveRejected, and
 * WrongPassphrase.
 */
export async function readSecretKey(file: string, passphrase: string): Promise<string> {
  for await (const { name, content } of readArchiveEntries(file)) {
    if (name !== secretKeyName) continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return decryptServerSecretKey(Buffer.concat(chunks), passphrase);
  }
  throw new Error('The verified archive has no secret key.');
}
