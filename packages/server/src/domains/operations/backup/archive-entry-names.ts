const databaseFolder = 'database/';
const blobFolder = 'blobs/';
/** An archive has files only: this one stands for a folder that may be empty. */
const folderFile = '.folder';

/** The name in an archive of an entry of a copy of the database. */
export const toDatabaseEntryName = (name: string): string =>
  `${databaseFolder}${name}${name.endsWith('/') ? folderFile : ''}`;

/** The reverse; null for an entry that is not of the database. */
export function fromDatabaseEntryName(name: string): string | null {
  if (!name.startsWith(databaseFolder)) return null;
  const inside = name.slice(databaseFolder.length);
  return inside.endsWith(`/${folderFile}`) ? inside.slice(0, -folderFile.length) : inside;
}

export const toBlobEntryName = (name: string): string => `${blobFolder}${name}`;

/** Null for an entry that is no blob. */
export const fromBlobEntryName = (name: string): string | null =>
  name.startsWith(blobFolder) ? name.slice(blobFolder.length) : null;
