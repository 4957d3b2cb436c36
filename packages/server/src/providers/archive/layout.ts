/** Entry names of an archive, in the order of its sections. */
export const manifestName = 'manifest.json';
export const secretKeyName = 'secret-key.age';
const databaseFolder = 'database/';
const blobsFolder = 'blobs/';
export const lastChecksumListName = 'checksums.json';

export type ArchiveSection = 'manifest' | 'secret_key' | 'database' | 'blobs';

const sections: readonly ArchiveSection[] = ['manifest', 'secret_key', 'database', 'blobs'];

/** Null if a backup has no entry with this name. */
export function getEntrySection(name: string): ArchiveSection | null {
  if (name === manifestName) return 'manifest';
  if (name === secretKeyName) return 'secret_key';
  if (name.startsWith(databaseFolder)) return 'database';
  return name.startsWith(blobsFolder) ? 'blobs' : null;
}

const listPattern = /^checksums\/[0-9]{6,12}\.json$/;
export const isChecksumList = (name: string): boolean =>
  name === lastChecksumListName || listPattern.test(name);
/** Numbers start at 1. */
export const checksumListName = (number: number): string =>
  `checksums/${String(number).padStart(6, '0')}.json`;

/** Maximum of the name field of a tar header without an extension. */
const nameCharactersMax = 100;
const stepPattern = /^[A-Za-z0-9._+@=~-]+$/;

/** Whether a file with this name is extracted below the target folder. */
export const isSafeEntryName = (name: string): boolean =>
  name.length <= nameCharactersMax &&
  name.split('/').every((step) => stepPattern.test(step) && step !== '.' && step !== '..');

/** Checks the order of the sections of an archive. */
export class SectionOrderValidator {
  #last = -1;

  /** Describes why an entry of this section is invalid at this position, or returns null. */
  validateNext(section: ArchiveSection): string | null {
    const rank = sections.indexOf(section);
    const isRepeated = rank === this.#last && (rank === 0 || section === 'secret_key');
    if (rank < this.#last || isRepeated) return 'it is out of order';
    if (this.#last === -1 && rank !== 0) return `${manifestName} is not before it`;
    this.#last = rank;
    return null;
  }
}
