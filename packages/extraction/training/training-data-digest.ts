import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const training = new URL('texts/', import.meta.url);
const tuning = new URL('../bench/tuning.jsonl', import.meta.url);
const classes = new URL('../assets/models/word-classes.bin', import.meta.url);

/** A sum over what the weights are learnt from: the texts and the classes of words. */
export async function trainingDataDigest(): Promise<string> {
  const files = (await readdir(training)).filter((name) => name.endsWith('.txt')).sort();
  const hash = createHash('sha256');
  for (const file of [...files.map((name) => new URL(name, training)), tuning, classes]) {
    hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 32);
}
