export { eraseRelationship } from './change.ts';
export {
  linkPairs,
  type MemoryPair,
  pairKey,
  reinforceRelationshipsAmong,
  toMemoryPair,
} from './co-access.ts';
export { createRelationship } from './create.ts';
export { findDerivationsAmong, findDerivedFrom, linkDerivations } from './derivations.ts';
export { listWeightedEdges, relationshipsAmong } from './edge-queries.ts';
export { importRelationships } from './import.ts';
export { requireMemory } from './list.ts';
export { neighboursOf } from './neighbours.ts';
export { findRelationships } from './store/relationships.ts';
export { type MemoryLink, strongestLinksOf } from './strongest-links.ts';
export { trySupersede } from './supersede.ts';
export {
  isSuperseding,
  reindexLikelySuccessors,
  supersededBy,
  supersededIds,
} from './superseded.ts';
