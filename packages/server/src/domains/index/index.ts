export { analyse, analyseInTurns } from './analysis.ts';
export {
  changeModel,
  eraseOtherVectors,
  forgetUnused,
  growVectors,
  indexedTo,
  lackingVectors,
} from './changing.ts';
export {
  isOutdated,
  isWhole,
  liveDocumentIds,
  positionCheck,
  readDocuments,
  type SteadyFacts,
  type StoredDocument,
  tombstoneCheck,
} from './checks.ts';
export type { DocumentFacts, DocumentKind } from './model.ts';
export {
  accountModel,
  modelInSnapshot,
  models,
  modelsToLeave,
  registerModel,
  untilModelHolds,
} from './models.ts';
export { type Group, type GroupBy, Groups } from './ranking/groups.ts';
export type { IndexQuery, Intent } from './ranking/query.ts';
export type { Hit, HitPage } from './ranking/search.ts';
export { salienceCopy } from './salience.ts';
export { indexShelf } from './shelf.ts';
export { type NewDocument, readVectors, type StoredVectors } from './store.ts';
export {
  compactIndex,
  compactIndexKind,
  eraseDocuments,
  indexDocuments,
  reindexFacts,
  removeDocuments,
  replaceDocuments,
} from './write.ts';
