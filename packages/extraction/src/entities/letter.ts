import { wordSet } from './lexicon/word-lists.ts';

/** A word or name of a sentence. */
interface Part {
  readonly text: string;
  readonly kind: string;
  readonly type?: string;
  readonly ids: readonly number[];
}

const salutations = wordSet(`
  hi hello hey hej dear dearest my good morning afternoon evening day moin hola ciao cara caro liebe
  lieber salut bonjour`);
const behindAddressee = new Set([',', ':', '!', '.', undefined]);
const openingLines = 4;
const salutationWordsMax = 4;

/** The person that "your" refers to: the one greeted in one of the first lines. */
export function findLetterAddressee(sentences: readonly (readonly Part[])[]): number | null {
  for (const parts of sentences.slice(0, openingLines)) {
    const at = parts.findIndex(({ kind }) => kind === 'name');
    const name = parts[at];
    if (name?.type !== 'person' || at > salutationWordsMax) continue;
    if (!behindAddressee.has(parts[at + 1]?.text)) continue;
    if (at === 0 && (parts !== sentences[0] || sentences.length === 1)) continue;
    if (parts.slice(0, at).every(({ text }) => salutations.has(text))) return name.ids[0] ?? null;
  }
  return null;
}

const signaturePartsMax = 8;
const signatureWordsMax = 3;

/** The organisation on whose behalf a letter is signed: "Ross, Harbour Motors" at its end. */
export function findSigningOrganization(sentences: readonly (readonly Part[])[]): number | null {
  const last = sentences.at(-1);
  if (!last || sentences.length < 2 || last.length > signaturePartsMax) return null;
  const at = last.findLastIndex(({ type }) => type === 'organization');
  if (at < 0 || !/^(?:[,(/–—-]|<.+>)?$/.test(last[at - 1]?.text ?? '')) return null;
  const words = last.filter(({ kind, text }) => kind === 'word' && /^\p{L}/u.test(text));
  return words.length > signatureWordsMax ? null : (last[at]?.ids[0] ?? null);
}
