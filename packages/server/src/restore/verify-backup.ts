import { type VerifiedArchive, verifyArchive } from '../providers/archive/index.ts';
import { readSecretKey } from './read-secret-key.ts';
import { requireKnownSchema } from './schema.ts';

export interface VerifiedBackup extends VerifiedArchive {
  /** Whether the passphrase opened the secret key; null: there is no passphrase or no key. */
  readonly isSecretKeyOpened: true | null;
}

/**
 * Checks that an archive is complete and undamaged, that this version can restore it, and that the
 * passphrase opens its secret key. Writes nothing.
 *
 * Throws ArchiveRejected, RestoreRefused, WrongPassphrase, and errors of the file.
 */
export async function verifyBackup(
  file: string,
  { migrations, passphrase }: { migrations: string; passphrase: string | null },
): Promise<VerifiedBackup> {
  const archive = await verifyArchive(file);
  await requireKnownSchema(archive.manifest, migrations);
  if (passphrase === null || !archive.manifest.has_secret_key) {
    return { ...archive, isSecretKeyOpened: null };
  }
  await readSecretKey(file, passphrase);
  return { ...archive, isSecretKeyOpened: true };
}
