export { eraseRelationship } from './change.ts';
export { linkPairs, type MemoryPair, pairKey, reinforceAmong, toPair } from './co-access.ts';
export { createRelationship } from './create.ts';
export { linksAmong, listWeightedEdges } from './edge-queries.ts';
export { neighboursOf } from './neighbours.ts';
export { supersededBy, supersededIds } from './superseded.ts';
