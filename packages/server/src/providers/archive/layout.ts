/** The names in an archive, in the order of their sections. */
export const manifestName = 'manifest.json';
export const secretKeyName = 'secret-key.age';
const databaseFolder = 'database/';
const blobsFolder = 'blobs/';
export const lastChecksumListName = 'checksums.json';

export type Section = 'manifest' | 'secret_key' | 'database' | 'blobs';

const sections: readonly Section[] = ['manifest', 'secret_key', 'database', 'blobs'];

/** Null: no backup has an entry of this name. */
export function getSection(name: string): Section | null {
  if (name === manifestName) return 'manifest';
  if (name === secretKeyName) return 'secret_key';
  if (name.startsWith(databaseFolder)) return 'database';
  return name.startsWith(blobsFolder) ? 'blobs' : null;
}

const listPattern = /^checksums\/[0-9]{6,12}\.json$/;
export const isChecksumList = (name: string): boolean =>
  name === lastChecksumListName || listPattern.test(name);
/** Numbers begin at 1. */
export const checksumListName = (number: number): string =>
  `checksums/${String(number).padStart(6, '0')}.json`;

/** What fits the name field of a tar header without an extension. */
const nameCharactersMax = 100;
const stepPattern = /^[A-Za-z0-9._+@=~-]+$/;

/** Whether a file of this name stays below the folder that it is extracted to. */
export const isSafeName = (name: string): boolean =>
  name.length <= nameCharactersMax &&
  name.split('/').every((step) => stepPattern.test(step) && step !== '.' && step !== '..');

/** Checks that the sections of an archive follow each other as they should. */
export class SectionOrder {
  #last = -1;

  /** What is wrong with an entry of this section at this point, or null. */
  validateNext(section: Section): string | null {
    const rank = sections.indexOf(section);
    const isRepeated = rank === this.#last && (rank === 0 || section === 'secret_key');
    if (rank < this.#last || isRepeated) return 'it is out of order';
    if (this.#last === -1 && rank !== 0) return `${manifestName} is not before it`;
    this.#last = rank;
    return null;
  }
}
