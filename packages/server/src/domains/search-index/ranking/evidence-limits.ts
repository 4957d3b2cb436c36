import { longFlag, turnFlag } from '../account/columns.ts';
import { turnKernelSumMax } from '../account/sessions.ts';
import {
  boostLimit,
  isTurn,
  overlapOf,
  type QueryContext,
  restatedShare,
  timeProximity,
} from './features.ts';
import { alternativeWeight } from './keyword-matcher.ts';
import { type FeatureName, featureNames, type RankerWeights, rankers } from './weights.ts';

/** Above the rounding of sums, below any difference that matters. */
const roundingMax = 1e-9;

/** Features of which only a limit is computed: it needs weights that are not negative. */
export const limitedFeatures: readonly FeatureName[] = [
  'keyword',
  'restated',
  'lookup',
  'semantic',
  'semantic_passage',
  'semantic_context',
  'phrase',
  'fact',
  'speaker',
  'of_speaker',
  'oneself',
  'states_time',
];

type Limits = Readonly<Record<FeatureName | 'scale' | 'bias', number>>;

function limitsOf(ranker: RankerWeights, biasOf: (ranker: RankerWeights) => number): Limits {
  const entries = featureNames.map((name, i) => [name, ranker.weights[i] as number]);
  const weights = Object.fromEntries(entries) as Record<FeatureName, number>;
  return { ...weights, scale: ranker.scale, bias: biasOf(ranker) };
}

/**
 * Upper limits of what documents alone say about a query. They read a part of what the features
 * do: what needs passages or neighbours is replaced by the most that it can be.
 */
export class EvidenceLimits {
  readonly #context: QueryContext;
  readonly #withCosine: Readonly<Record<'turn' | 'text', Limits>>;
  readonly #withoutCosine: Readonly<Record<'turn' | 'text', Limits>>;
  readonly #hasVector: boolean;
  readonly #hasRareFeatures: boolean;
  readonly #factSupportMax: number;

  /** @param biasOf what the evidence contains besides the weighted features */
  constructor(context: QueryContext, biasOf: (ranker: RankerWeights) => number) {
    const { ranker, query, withPhrase, factSupport, speaker, isAboutSelf, passages } = context;
    this.#context = context;
    this.#withCosine = {
      turn: limitsOf(ranker.turn, biasOf),
      text: limitsOf(ranker.text, biasOf),
    };
    const { turn, text } = rankers.keyword;
    this.#withoutCosine = { turn: limitsOf(turn, biasOf), text: limitsOf(text, biasOf) };
    this.#hasVector = query.vector !== null;
    this.#factSupportMax = Math.max(0, ...factSupport.values());
    this.#hasRareFeatures =
      withPhrase.size > 0 ||
      factSupport.size > 0 ||
      query.intent.times.length > 0 ||
      query.intent.asksWhen ||
      speaker >= 0 ||
      isAboutSelf ||
      passages !== null;
  }

  /**
   * Sets, for each document, at least scale · Σ weight · feature + boosts. All in one loop: it runs
   * for most matches of a search.
   */
  fill(documents: Int32Array, out: Float64Array): void {
    const { index, buffers, keywords } = this.#context;
    const { flags, inverseNorm, session, words } = index.columns;
    const { semantic, sessionSimilarity, sessionScore, wholeKeyword, ownIdfSum } = buffers;
    const hasWords = this.#context.matches.idfSum > 0;
    for (let i = 0; i < documents.length; i += 1) {
      const document = documents[i] as number;
      const isOfTurn = ((flags[document] as number) & turnFlag) !== 0;
      const hasCosine = this.#hasVector && (inverseNorm[document] as number) > 0;
      const rankers = hasCosine ? this.#withCosine : this.#withoutCosine;
      const weights = isOfTurn ? rankers.turn : rankers.text;
      const similarity = Math.max(0, semantic[document] as number);
      let sum = (weights.keyword / 10) * keywords.limitOf(document) + weights.semantic * similarity;
      if (!hasWords || (ownIdfSum[document] as number) > 0) {
        sum += this.#overlapLimit(document, weights, similarity, hasCosine);
      }
      if (isOfTurn) {
        const number = session[document] as number;
        if (number >= 0) {
          const nearest = sessionSimilarity[number] as number;
          sum += (weights.session / 10) * (sessionScore[number] as number);
          sum += weights.semantic_context * turnKernelSumMax * nearest;
        }
        sum += Math.max(0, weights.question);
      } else {
        sum += (weights.whole_text / 10) * (wholeKeyword[document] as number);
        sum += weights.length * Math.log(3 + (words[document] as number));
      }
      if (this.#hasRareFeatures) sum += this.#rareLimit(document, weights);
      sum *= weights.scale;
      out[i] = sum + boostLimit(index, document, sum) + weights.bias + roundingMax;
    }
  }

  /** Of the features of how many words of the query the document has. */
  #overlapLimit(document: number, weights: Limits, similarity: number, hasCosine: boolean): number {
    const { index, buffers, matches, query, passages } = this.#context;
    if (matches.idfSum === 0) return weights.restated * restatedShare(similarity ** 3);
    const own = buffers.ownIdfSum[document] as number;
    const isLong = ((index.columns.flags[document] as number) & longFlag) !== 0;
    // The best passage of a long text has at most the terms of the whole, corrected or not.
    const share = own / (isLong ? alternativeWeight : 1) / matches.idfSum;
    const coverage = Math.min(1, share);
    let likeness = similarity;
    if (isLong) likeness = Math.max(1, similarity, passages?.best.get(document) ?? 0);
    else if (!hasCosine) {
      likeness = Math.max(similarity, overlapOf(this.#context, document).estimate);
    }
    const restated = weights.restated * restatedShare(coverage * likeness);
    return restated + (query.intent.isLookup ? weights.lookup * coverage * coverage : 0);
  }

  /** Of the features that few queries have. */
  #rareLimit(document: number, weights: Limits): number {
    const { index, query, withPhrase, factSupport, speaker, isAboutSelf, passages } = this.#context;
    const { columns } = index;
    const { times, asksWhen } = query.intent;
    let sum = 0;
    if (withPhrase.has(document)) sum += weights.phrase;
    if (factSupport.has(document)) sum += weights.fact * this.#factSupportMax;
    if (times.length > 0) {
      sum += weights.time * timeProximity(times, columns.occurredAt[document] as number);
      sum += index.dates.overlap(document, times) ? weights.time_said : 0;
    }
    if (asksWhen) sum += weights.states_time * (columns.contextWeight[document] as number);
    const best = passages?.best.get(document) ?? 0;
    sum += weights.semantic_passage * Math.max(0, best);
    if (!isTurn(index, document)) return sum;
    const isNamed = speaker >= 0 && columns.speaker[document] === speaker;
    if (isNamed) sum += weights.speaker + weights.of_speaker;
    return isAboutSelf ? sum + weights.oneself : sum;
  }
}
