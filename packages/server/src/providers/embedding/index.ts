export { createEmbedder } from './create.ts';
export type { Embedder, EmbeddingPurpose } from './embedding.ts';
export { EmbeddingFailed } from './embedding.ts';
export { createPreviousEmbedderFactory, resolveEmbeddingSettings } from './settings.ts';
export {
  inferSettingsFromName,
  type StoredEmbeddingSettings,
  toStoredSettings,
} from './stored-settings.ts';
