/** Vectors of texts between runs, so that an experiment with the ranker takes seconds. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';

type Embedder = Awaited<ReturnType<typeof createEmbedder>>;

const assets = new URL('../../packages/server/assets/', import.meta.url);
/** The folder of the weights of each shipped provider. */
const folders = { encoder: 'encoder/', static: 'vectors/' } as const;
const hashBytes = 32;
/** Texts embedded between two writes. */
const batchSize = 64;

const hashOf = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Equal for equal weights: a changed file makes a new cache. */
function weightsHash(provider: keyof typeof folders): string {
  const folder = new URL(folders[provider], assets);
  const files = readdirSync(folder).toSorted();
  const hash = hashOf(...files.map((name) => readFileSync(new URL(name, folder))));
  return hash.toString('hex').slice(0, 16);
}

/**
 * An embedder that reads vectors from a file in the system's temporary folder and adds those that
 * are missing. The file is a list of records: the SHA-256 of a text, then its vector as floats. The
 * shipped models embed questions like documents, so the purpose is no part of the key.
 */
export function withVectorCache(embedder: Embedder, provider: keyof typeof folders): Embedder {
  const { model, dimensions } = embedder;
  const name = `${model.replaceAll(/[^a-z0-9]+/gi, '-')}-${weightsHash(provider)}.vectors`;
  const file = path.join(os.tmpdir(), name);
  const vectors = readVectors(file, dimensions);
  const addMissing = async (texts: readonly string[]): Promise<void> => {
    const missing = [...new Set(texts)].filter((text) => !vectors.has(keyOf(text)));
    for (let from = 0; from < missing.length; from += batchSize) {
      const batch = missing.slice(from, from + batchSize);
      const embedded = await embedder.embed(batch, 'document');
      const records = batch.flatMap((text, i) => {
        const vector = Float32Array.from(embedded[i] as Float32Array);
        vectors.set(keyOf(text), vector);
        return [hashOf(text), Buffer.from(vector.buffer)];
      });
      appendFileSync(file, Buffer.concat(records));
    }
  };
  return {
    model,
    dimensions,
    embed: async (texts) => {
      await addMissing(texts);
      return texts.map((text) => vectors.get(keyOf(text)) as Float32Array);
    },
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  };
}

const keyOf = (text: string): string => hashOf(text).toString('latin1');

function readVectors(file: string, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  if (!existsSync(file)) return vectors;
  const bytes = readFileSync(file);
  const size = hashBytes + dimensions * Float32Array.BYTES_PER_ELEMENT;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const key = bytes.subarray(at, at + hashBytes).toString('latin1');
    const values = Uint8Array.from(bytes.subarray(at + hashBytes, at + size));
    vectors.set(key, new Float32Array(values.buffer));
  }
  return vectors;
}
