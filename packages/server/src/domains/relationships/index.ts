export {
  linkPairs,
  linksAmong,
  neighboursOf,
  type Pair,
  pairKey,
  pairOf,
  reinforceAmong,
} from './among.ts';
export { relationshipHandlers } from './routes.ts';
export { supersededBy, supersededIds } from './superseded.ts';
