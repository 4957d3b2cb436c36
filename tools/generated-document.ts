/** Documents that are made of the code and committed, so that review sees what changes. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface GeneratedDocument {
  /** From the root of the repository. */
  readonly path: string;
  /** The command that writes it anew. */
  readonly command: string;
  /** As it should be. */
  readonly text: string;
}

const documentUrl = ({ path }: GeneratedDocument): URL => new URL(`../${path}`, import.meta.url);

/** Writes the document, or with --check only says where it is stale. Returns the exit code. */
export function writeOrCheck(document: GeneratedDocument, args: readonly string[]): number {
  if (!args.includes('--check')) {
    writeFileSync(documentUrl(document), document.text);
    return 0;
  }
  const stale = describeStaleness(document);
  if (stale !== null) console.error(stale);
  return stale === null ? 0 : 1;
}

/** Where the committed text differs from what it should be, in words; null where it does not. */
export function describeStaleness(document: GeneratedDocument): string | null {
  const difference = firstDifference(readCommittedText(documentUrl(document)), document.text);
  if (difference === null) return null;
  const { line, committed, fresh } = difference;
  const { path, command } = document;
  return `${path} is stale from line ${line} on: ${command}\n- ${committed}\n+ ${fresh}`;
}

/** A file that is not there differs in its first line. */
function readCommittedText(place: URL): string {
  try {
    return readFileSync(place, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The first line in which two texts differ, or null where they are the same. */
export function firstDifference(committed: string, fresh: string) {
  if (committed === fresh) return null;
  const [was, is] = [committed.split('\n'), fresh.split('\n')];
  let i = 0;
  while (was[i] === is[i]) i += 1;
  return { line: i + 1, committed: was[i] ?? '(end of file)', fresh: is[i] ?? '(end of file)' };
}
