export { createEmbedder } from './create.ts';
export type { Embedder, EmbeddingPurpose, EmbeddingSettings } from './embedding.ts';
export { EmbeddingFailed } from './embedding.ts';
export { ModelNotInstalled } from './models/install/errors.ts';
export { type WeightType, weightTypes } from './models/install/files.ts';
export { createHubDeps } from './models/install/hub.ts';
export {
  type InstallProgress,
  installModel,
  removeInstalledModel,
} from './models/install/install.ts';
export {
  bytesOf,
  type InstalledModel,
  listInstalledModels,
  modelsFolder,
  toInstalledSettings,
} from './models/installed-models.ts';
export type { KnownModel } from './models/known-model.ts';
export { findKnownModel, knownModels } from './models/known-models.ts';
export { OpenEmbedders } from './open-embedders.ts';
export {
  createPreviousEmbedderFactory,
  resolveEmbeddingSettings,
  resolveSettingsOfName,
} from './settings.ts';
export { loadStaticEmbedder } from './static.ts';
export {
  fromStoredSettings,
  inferSettingsFromName,
  type StoredEmbeddingSettings,
  toStoredSettings,
} from './stored-settings.ts';
export { dotProduct } from './unit-vector.ts';
