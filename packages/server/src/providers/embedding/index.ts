import type { Embedder, EmbeddingSettings } from './embedding.ts';
import { createStaticEmbedder } from './static.ts';

export type { Embedder, EmbeddingPurpose, EmbeddingSettings } from './embedding.ts';
export { EmbeddingFailed } from './embedding.ts';
export { StaticEmbedder } from './static.ts';
export { StaticVectors } from './static-vectors.ts';
export { backgroundWeights, textVector, type WordWeights } from './text-vector.ts';
export { textWords } from './words.ts';

/** Makes the configured embedder. */
export async function createEmbedder(settings: EmbeddingSettings): Promise<Embedder> {
  if (settings.provider === 'static') return createStaticEmbedder();
  throw new Error(`embedding provider ${settings.provider} is not there yet`);
}
