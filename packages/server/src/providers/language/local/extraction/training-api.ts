// Internals of the extractor that the training in `bench/extraction/` uses.

export { getCandidateText } from './candidates.ts';
export { type EntityMention, typeMentions } from './entity-typing.ts';
export { buildFactModelInput, extractEntitiesAndFacts, tokenizeSource } from './extract.ts';
export { groupMentions } from './group-mentions.ts';
export {
  buildFactCandidatePairs,
  type FactCandidatePair,
  pairLabels,
} from './model/fact-candidate-pairs.ts';
export { LinearChainCrf } from './model/linear-chain-crf.ts';
export { bioLabels, canLabelFollow, transitionFeature } from './model/name-tagger.ts';
export { softmaxAt } from './model/pair-classifier.ts';
export { extractPairFeatures } from './model/pair-features.ts';
export { collectRuleLabels, type FactModelInput } from './model/predict-facts.ts';
export { extractTokenFeatures } from './model/token-features.ts';
export { hashFeature, Weights, type WeightsHeader } from './model/weights.ts';
export type { NamedEntityType } from './type-scores.ts';
export type { Word } from './words.ts';
