const databaseFolder = 'database/';
const blobFolder = 'blobs/';
/** Archives contain only files: this one represents a folder that may be empty. */
const folderFile = '.folder';

/** The archive name of an entry of a database copy. */
export const toDatabaseEntryName = (name: string): string =>
  `${databaseFolder}${name}${name.endsWith('/') ? folderFile : ''}`;

/** The reverse; null for entries outside the database. */
export function fromDatabaseEntryName(name: string): string | null {
  if (!name.startsWith(databaseFolder)) return null;
  const inside = name.slice(databaseFolder.length);
  return inside.endsWith(`/${folderFile}`) ? inside.slice(0, -folderFile.length) : inside;
}

export const toBlobEntryName = (name: string): string => `${blobFolder}${name}`;

/** Null for entries that are not blobs. */
export const fromBlobEntryName = (name: string): string | null =>
  name.startsWith(blobFolder) ? name.slice(blobFolder.length) : null;
