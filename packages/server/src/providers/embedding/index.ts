export { configuredSettings, makeFormer } from './configured.ts';
export { createEmbedder } from './create.ts';
export type { Embedder, EmbeddingPurpose } from './embedding.ts';
export { EmbeddingFailed } from './embedding.ts';
export { type StoredSettings, toStored } from './stored.ts';
