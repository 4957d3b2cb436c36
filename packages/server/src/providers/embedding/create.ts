import { createBatchingEmbedder } from './batching.ts';
import type { Embedder, EmbeddingSettings } from './embedding.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { createStaticEmbedder } from './static.ts';
import { createTransformersEmbedder } from './transformers.ts';

/** More texts at once gain nothing on a CPU and cost memory by the longest of them. */
const LOCAL_BATCH_MAX = 32;

/**
 * Makes the configured embedder. Concurrent calls of a model that gains by it share a batch;
 * the static vectors are quicker than any queue.
 * @throws EmbeddingFailed when the model cannot be loaded or reached
 */
export async function createEmbedder(settings: EmbeddingSettings): Promise<Embedder> {
  switch (settings.provider) {
    case 'static':
      return createStaticEmbedder();
    case 'openai': {
      const inner = await createOpenAiEmbedder(settings);
      return createBatchingEmbedder(inner, { maxBatch: settings.batchSize });
    }
    case 'transformers': {
      const inner = await createTransformersEmbedder(settings);
      return createBatchingEmbedder(inner, { maxBatch: LOCAL_BATCH_MAX });
    }
  }
}
