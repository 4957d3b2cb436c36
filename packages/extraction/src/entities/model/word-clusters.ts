import { readFileSync } from 'node:fs';
import { getWordRank } from '@mneme/text';

/** Words with similar use share a class; each coarse class contains sixteen fine ones. */
export interface WordCluster {
  readonly coarse: number;
  readonly fine: number;
}

const fineInCoarse = 16;
const file = new URL('../../../assets/models/word-classes.bin', import.meta.url);
let classes: Uint16Array | undefined;

/** The class of a word in lower case without accents; null for one outside the vocabulary. */
export function getWordCluster(word: string): WordCluster | null {
  const rank = getWordRank(word);
  if (rank === null) return null;
  classes ??= read();
  const fine = classes[rank];
  if (fine === undefined) return null;
  return { coarse: Math.floor(fine / fineInCoarse), fine };
}

/** A 16-bit number per word of the vocabulary, in its order, little-endian. */
function read(): Uint16Array {
  const bytes = readFileSync(file);
  return Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readUInt16LE(2 * at));
}
