export {
  accountModels,
  listOutdatedModels,
  readModelInSnapshot,
  registerModel,
  resolveAccountModel,
  retryOnModelChange,
} from './account-models.ts';
export { analyse, analyseYielding } from './analysis.ts';
export {
  type FactsWithoutSalience,
  isCompleteVector,
  isOutdatedAnalysis,
  liveDocumentIds,
  readDocuments,
  type StoredDocument,
} from './checks.ts';
export { indexCache } from './index-cache.ts';
export type { DocumentFacts, DocumentKind } from './model.ts';
export {
  deleteOtherModelVectors,
  deleteUnusedModels,
  findMissingVectors,
  insertModelVectors,
  lastIndexedPosition,
  switchAccountModel,
} from './model-migration.ts';
export { type Group, type GroupBy, GroupCollector } from './ranking/groups.ts';
export type { IndexQuery, Intent } from './ranking/query.ts';
export type { Hit, HitPage } from './ranking/search.ts';
export { salienceBuffer } from './salience-buffer.ts';
export { type NewDocument, readVectors, type StoredVectors } from './store/documents.ts';
export {
  indexDocuments,
  reindexFacts,
  removeDocuments,
  replaceDocuments,
} from './write.ts';
