import { writeFile } from 'node:fs/promises';

export interface Packed {
  words: readonly string[];
  dimensions: number;
  /** Row by row, each scaled to a largest magnitude of 127. */
  rows: Int8Array;
  /** Mean of unit text vectors over a sample of texts, `dimensions` floats. */
  mean: Float32Array;
}

/** Scales every row of floats to a largest magnitude of 127 and rounds to signed bytes. */
export function quantise(rows: Float32Array, dimensions: number): Int8Array {
  const bytes = new Int8Array(rows.length);
  for (let start = 0; start < rows.length; start += dimensions) {
    const row = rows.subarray(start, start + dimensions);
    let largest = 0;
    for (const value of row) largest = Math.max(largest, Math.abs(value));
    const scale = largest > 0 ? 127 / largest : 0;
    for (let i = 0; i < dimensions; i++) bytes[start + i] = Math.round((row[i] ?? 0) * scale);
  }
  return bytes;
}

/** Writes the files that `StaticVectors.load` reads, and the list of words of `@mneme/text`. */
export async function writePack(
  folder: URL,
  wordList: URL,
  model: string,
  packed: Packed,
): Promise<void> {
  const { words, dimensions, rows, mean } = packed;
  const rounded = [...mean].map((value) => Number(value.toFixed(5)));
  const manifest = { model, dimensions, words: words.length, mean: rounded };
  await writeFile(new URL('static-en-192.bin', folder), rows);
  await writeFile(wordList, `${words.join('\n')}\n`);
  await writeFile(new URL('static-en-192.json', folder), `${JSON.stringify(manifest)}\n`);
}
