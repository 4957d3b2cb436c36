// Internals of the extractor that the training in `bench/extraction/` uses.

export { getName } from './candidates.ts';
export { type EntityMention, typeMentions } from './entity-typing.ts';
export { buildFactContext, extract, tokenizeSource } from './extract.ts';
export { groupMentions } from './grouping.ts';
export { collectRuleVerdicts, type FactContext } from './model/facts.ts';
export { LinearChainCrf } from './model/linear-chain-crf.ts';
export { softmaxAt } from './model/pair-classifier.ts';
export { extractPairFeatures } from './model/pair-features.ts';
export { buildFactCandidatePairs, type FactCandidatePair, pairLabels } from './model/pairs.ts';
export { canFollow, labels, transitionFeature } from './model/tagger.ts';
export { extractTokenFeatures } from './model/token-features.ts';
export { hashFeature, Weights, type WeightsHeader } from './model/weights.ts';
export type { NamedEntityType } from './scores.ts';
export type { Word } from './words.ts';
