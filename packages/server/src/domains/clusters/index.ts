export { clustersOfMemories, findClustersByWords } from './find.ts';
export { followMemories, leaveClusters } from './follow.ts';
export { eraseAccountClusters, eraseSets, eraseSetsKind, removeOfSpace } from './remove.ts';
export { clusterHandlers } from './routes.ts';
export { centroidKind, recomputeCentroid, sumKind, sumUp } from './sum-up.ts';
