export {
  linkPairs,
  linksAmong,
  neighboursOf,
  type Pair,
  pairKey,
  pairOf,
  reinforceAmong,
} from './among.ts';
export { relationshipCheck } from './checks.ts';
export { followPins } from './pins.ts';
export { relationshipHandlers } from './routes.ts';
export { supersededBy, supersededIds } from './superseded.ts';
