import { createBatchingEmbedder } from './batching.ts';
import type { Embedder, EmbeddingSettings } from './embedding.ts';
import { createSentenceEncoder } from './encoder/sentence-encoder.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { loadStaticEmbedder } from './static.ts';
import { createTransformersEmbedder } from './transformers.ts';

/** Larger batches are not faster on a CPU and need memory according to the longest text. */
const LOCAL_BATCH_MAX = 32;

/**
 * Creates the configured embedder. Concurrent calls of remote and large models share a batch; the
 * models that are shipped need none.
 * @throws EmbeddingFailed if the model cannot be loaded or reached
 */
export async function createEmbedder(settings: EmbeddingSettings): Promise<Embedder> {
  switch (settings.provider) {
    case 'static':
      return loadStaticEmbedder();
    case 'encoder':
      return createSentenceEncoder();
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
