export { allTies, linksAmong } from './among.ts';
export { eraseRelationship } from './change.ts';
export { relationshipCheck } from './checks.ts';
export { createRelationship } from './create.ts';
export { neighboursOf } from './neighbours.ts';
export { followPins } from './pins.ts';
export { relationshipHandlers } from './routes.ts';
export { supersededBy, supersededIds } from './superseded.ts';
export { linkPairs, type Pair, pairKey, pairOf, reinforceAmong } from './together.ts';
