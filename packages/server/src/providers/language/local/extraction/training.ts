// What learning needs of the extractor, for `bench/extraction/`.

export { nameOf } from './candidates.ts';
export { extract, readingOf, tellingOf } from './extract.ts';
export { groupsOf } from './grouping.ts';
export { Chain } from './learnt/chain.ts';
export { ruleVerdicts, type Telling } from './learnt/facts.ts';
export { shareOf } from './learnt/judge.ts';
export { pairFeatures } from './learnt/pair-features.ts';
export { outcomes, type Pair, pairsOf } from './learnt/pairs.ts';
export { labels, mayFollow, stepFeature } from './learnt/tagger.ts';
export { featuresOf } from './learnt/token-features.ts';
export { type Head, hashOf, Weights } from './learnt/weights.ts';
export type { NamedType } from './scores.ts';
export { type Mention, verdictsOf } from './typing.ts';
export type { Word } from './words.ts';
