export type { IndexedDocument } from './account-index.ts';
export { indexCache } from './cache.ts';
export { type Candidate, findCandidates } from './candidates.ts';
export { analyse, type DocumentFacts } from './model.ts';
export { recordSalience } from './salience.ts';
export type { NewDocument } from './store.ts';
export {
  compactIndex,
  compactIndexKind,
  eraseDocuments,
  indexDocuments,
  reindexFacts,
  removeDocuments,
} from './write.ts';
