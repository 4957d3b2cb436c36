import { readFile } from 'node:fs/promises';

const FREQUENT = 50_000;
/** Past this rank GloVe's rows are noise. */
const KNOWN_RANK_MAX = 160_000;
const ENDINGS = ['s', 'es', 'ed', 'd', 'ing', 'er', 'ers', 'ly', 'ness', 'able'];

export interface KnownWords {
  lemmas: ReadonlySet<string>;
  irregular: Readonly<Record<string, string>>;
  technical: ReadonlyMap<string, string>;
}

/**
 * The words that get a vector, most frequent first: a word's place is its rank.
 * The most frequent words of GloVe, then what WordNet, the irregular forms or our technical
 * list know. Numbers and single letters are left to the fallback for unknown words.
 */
export function chooseVocabulary(frequencyOrder: readonly string[], known: KnownWords): string[] {
  const words = new Set<string>();
  for (const [rank, word] of frequencyOrder.entries()) {
    if (!/^[a-z]{2,24}$/.test(word)) continue;
    const listed = rank < KNOWN_RANK_MAX && isKnown(word, known);
    if (words.size < FREQUENT || listed || known.technical.has(word)) words.add(word);
  }
  for (const word of known.technical.keys()) words.add(word);
  return [...words];
}

function isKnown(word: string, { lemmas, irregular }: KnownWords): boolean {
  if (lemmas.has(word) || Object.hasOwn(irregular, word)) return true;
  return ENDINGS.some((ending) => {
    if (!word.endsWith(ending)) return false;
    const stem = word.slice(0, -ending.length);
    return stem.length >= 4 && (lemmas.has(stem) || lemmas.has(`${stem}e`));
  });
}

/** Reads `technical-words.txt`, lines of "word: what it is", for words newer than GloVe's text. */
export async function readTechnicalWords(file: URL): Promise<Map<string, string>> {
  const text = await readFile(file, 'utf8');
  const lines = text.split('\n').filter((line) => line.includes(': '));
  return new Map(lines.map((line) => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']));
}
