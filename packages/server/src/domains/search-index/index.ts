export {
  accountModels,
  listModelsInUse,
  listOutdatedModels,
  readModelInSnapshot,
  registerEmbeddingModel,
  resolveAccountModel,
  retryOnModelChange,
} from './account-models.ts';
export {
  forwardedSearchPath,
  forwardedSearchType,
  searchBytesMax,
  signatureHeader,
} from './affinity/forwarded-search.ts';
export { runForwardedSearch, verifyForwardedSearch } from './affinity/run-forwarded-search.ts';
export { searchAffinity } from './affinity/search-affinity.ts';
export type { SignedSearch } from './affinity/search-signature.ts';
export {
  analyseText,
  analyseTextYielding,
  hasSeveralPassages,
  isFormerFormat,
  isOutdatedAnalysis,
} from './analysis.ts';
export {
  type AttributesWithoutSalience,
  hasFittingPassages,
  isCompleteVector,
  liveDocumentIds,
  readDocuments,
  type StoredDocument,
} from './checks.ts';
export {
  accountsToEncode,
  type EncodedVectors,
  filterProvisionalDocuments,
  hasTextsToEncode,
  keepProvisionalVectors,
  leaseEncoding,
  listDocumentsToEncode,
  readDocumentTerms,
  replaceProvisionalVectors,
} from './encoding.ts';
export { indexCache } from './index-cache.ts';
export type { DocumentAttributes, DocumentKind, FactsEnd } from './model.ts';
export {
  deleteOtherModelVectors,
  deleteUnusedModels,
  findMissingVectors,
  insertModelVectors,
  lastIndexedPosition,
  switchAccountModel,
} from './model-migration.ts';
export { modelScales } from './model-scales.ts';
export { findOutdatedBy } from './outdated-by.ts';
export { textsOfPassages } from './passage-vectors.ts';
export { type GroupBy, GroupCollector, type ResultGroup } from './ranking/groups.ts';
export type { IndexQuery, QueryIntent } from './ranking/query.ts';
export type { Hit, HitPage, Placement } from './ranking/search.ts';
export { rankerNameOf } from './ranking/weights.ts';
export { salienceBuffer } from './salience-buffer.ts';
export { listSegmentsAfterErasure } from './segments/after-erasure.ts';
export {
  clearLikelySuccessors,
  type NewDocument,
  readVectors,
  type StoredVectors,
} from './store/documents.ts';
export type { PendingEncoding } from './store/provisional-vectors.ts';
export {
  andVisible,
  filterLiveDocuments,
  isNotOutdatedCondition,
  mayBeOutdatedCondition,
  outdatedDocuments,
  readFactsEnds,
  readLikelySuccessors,
  readSuccessors,
  writeFactsEnds,
} from './store/successors.ts';
export type { NearDocument, NearestQuery } from './thread/protocol.ts';
export {
  indexDocuments,
  indexNewDocuments,
  reindexAttributes,
  reindexSuccessors,
  removeDocuments,
  replaceDocuments,
} from './write.ts';
