import path from 'node:path';

const wikiLink = /\[\[([^\]|#^\n]{1,500})(?:[#^][^\]|\n]{0,500})?(?:\|[^\]\n]{0,500})?\]\]/g;
const markdownLink = /\]\(<?([^)>\n#?]{1,500}\.(?:md|markdown))(?:#[^)\n]{0,500})?>?\)/gi;

export interface NoteLink {
  readonly target: string;
  /** Wiki links name a note anywhere in the folder; others are relative to the note. */
  readonly isWiki: boolean;
}

/** Links of a note to other notes, in order. */
export const findLinks = (body: string): NoteLink[] => [
  ...[...body.matchAll(wikiLink)].map(([, target = '']) => ({ target, isWiki: true })),
  ...[...body.matchAll(markdownLink)].map(([, target = '']) => ({ target, isWiki: false })),
];

const keyOf = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.(?:md|markdown)$/, '');

/** Finds the notes that links name. */
export class LinkResolver {
  readonly #byPath = new Map<string, string>();
  readonly #byName = new Map<string, string>();

  constructor(notes: readonly string[]) {
    // Of several notes with a name, the one that is least deep.
    const depthOf = (note: string): number => note.split('/').length;
    for (const note of notes.toSorted((a, b) => depthOf(a) - depthOf(b))) {
      const key = keyOf(note);
      const name = path.posix.basename(key);
      if (!this.#byPath.has(key)) this.#byPath.set(key, note);
      if (!this.#byName.has(name)) this.#byName.set(name, note);
    }
  }

  /** Null for a link to something else. */
  find({ target, isWiki }: NoteLink, from: string): string | null {
    const folder = path.posix.dirname(from);
    const relative = path.posix.join(folder, isWiki ? target.trim() : decode(target));
    const exact = this.#byPath.get(keyOf(relative));
    if (exact !== undefined || !isWiki) return exact ?? null;
    const key = keyOf(target.trim());
    return this.#byPath.get(key) ?? this.#byName.get(path.posix.basename(key)) ?? null;
  }
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // A name with a percent sign.
    return target;
  }
}
