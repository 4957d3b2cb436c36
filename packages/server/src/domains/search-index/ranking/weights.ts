/** Names of the ranking features; `explain` shows the contribution of each. */
export const featureNames = [
  'keyword',
  'whole_text',
  'restated',
  'lookup',
  'semantic',
  'semantic_passage',
  'semantic_context',
  'length',
  'phrase',
  'fact',
  'session',
  'speaker',
  'of_speaker',
  'oneself',
  'time',
  'time_said',
  'states_time',
  'question',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** A linear ranker, whose sum becomes the log-odds that a document answers the query. */
export interface RankerWeights {
  /** By feature, in the order of `featureNames`. */
  readonly weights: Float64Array;
  /** Log-odds: scale · Σ weight · feature + bias + queryIdf · ln(the query's sum of idf). */
  readonly scale: number;
  readonly bias: number;
  /** A query with more to match reaches a higher sum by chance. */
  readonly queryIdf: number;
  /** Weights of the first result's cosine and coverage, for all results. */
  readonly bestCosine: number;
  readonly bestCoverage: number;
  /** For the first result: weight of ln(1 + its distance to the second). */
  readonly lead: number;
  /** For the others: weight of their distance to the first. */
  readonly behind: number;
}

/** Weights by kind of document. */
export interface Ranker {
  readonly turn: RankerWeights;
  readonly text: RankerWeights;
}

/** By what the similarity is computed with: a model of sentences or of words, or no vector. */
export type RankerName = 'sentence' | 'word' | 'keyword';

function ranker(
  calibration: Omit<RankerWeights, 'weights'>,
  weights: Partial<Record<FeatureName, number>>,
): RankerWeights {
  return { ...calibration, weights: Float64Array.from(featureNames, (name) => weights[name] ?? 0) };
}

/**
 * Fitted on conversations, agent chats, everyday memories, notes, documents and training texts of
 * subjects that the sentence encoder does not know; see training/ranker. A turn of a conversation
 * has neighbours, a session and a speaker; any other text stands alone.
 */
export const rankers: Readonly<Record<RankerName, Ranker>> = {
  // Fitted by training/ranker: begin
  sentence: {
    turn: ranker(
      {
        scale: 0.226,
        bias: -5.33,
        queryIdf: -0.0656,
        bestCosine: 1.98,
        bestCoverage: 1.74,
        lead: 1.06,
        behind: 0.433,
      },
      {
        phrase: 6,
        fact: 3,
        restated: 24.4,
        lookup: 13.3,
        keyword: 3.85,
        semantic: 4.91,
        semantic_passage: 2,
        semantic_context: 2.71,
        session: 3.61,
        speaker: 2.48,
        of_speaker: 1.18,
        oneself: 1.64,
        time: 5.88,
        time_said: 1.74,
        states_time: 2.41,
        question: -0.493,
      },
    ),
    text: ranker(
      {
        scale: 0.305,
        bias: -4.22,
        queryIdf: -0.363,
        bestCosine: 2.64,
        bestCoverage: 0,
        lead: 0.469,
        behind: 0.445,
      },
      {
        phrase: 4,
        fact: 3,
        restated: 18,
        lookup: 9.84,
        time: 1,
        time_said: 0.3,
        states_time: 0.4,
        keyword: 1.02,
        whole_text: 2.47,
        semantic: 11.6,
        semantic_passage: 4,
        length: 1,
      },
    ),
  },
  word: {
    turn: ranker(
      {
        scale: 0.222,
        bias: -4.92,
        queryIdf: 0,
        bestCosine: 0.491,
        bestCoverage: 1.71,
        lead: 0.975,
        behind: 0.423,
      },
      {
        phrase: 6,
        fact: 3,
        restated: 24.8,
        lookup: 13.5,
        keyword: 3.7,
        semantic: 5,
        semantic_context: 3.23,
        session: 4.28,
        speaker: 2.35,
        of_speaker: 1.33,
        oneself: 2.14,
        time: 6,
        time_said: 1.96,
        states_time: 2.71,
        question: -0.316,
      },
    ),
    text: ranker(
      {
        scale: 0.322,
        bias: -2.96,
        queryIdf: -0.425,
        bestCosine: 0,
        bestCoverage: 0,
        lead: 0.259,
        behind: 0.349,
      },
      {
        phrase: 4,
        fact: 3,
        restated: 17.1,
        lookup: 9.32,
        time: 1,
        time_said: 0.3,
        states_time: 0.4,
        keyword: 0.932,
        whole_text: 2.41,
        semantic: 9.99,
        semantic_passage: 3,
        length: 0.796,
      },
    ),
  },
  keyword: {
    turn: ranker(
      {
        scale: 0.284,
        bias: -4.11,
        queryIdf: -0.408,
        bestCosine: 0,
        bestCoverage: 1.28,
        lead: 1.06,
        behind: 0.419,
      },
      {
        phrase: 6,
        fact: 3,
        restated: 37,
        lookup: 10.6,
        keyword: 4.66,
        session: 4.23,
        speaker: 2.56,
        of_speaker: 1.24,
        oneself: 3.09,
        time: 5.84,
        time_said: 1.74,
        states_time: 3.04,
        question: -0.14,
      },
    ),
    text: ranker(
      {
        scale: 0.278,
        bias: -1.51,
        queryIdf: -0.73,
        bestCosine: 0,
        bestCoverage: 0,
        lead: 0.703,
        behind: 0.216,
      },
      {
        phrase: 4,
        fact: 3,
        restated: 37.8,
        lookup: 10.8,
        time: 1,
        time_said: 0.3,
        states_time: 0.4,
        keyword: 2.19,
        whole_text: 3.03,
        length: 0.505,
      },
    ),
  },
  // Fitted by training/ranker: end
};

/** Of the boosts, which are at most 15 % together. */
export const salienceBoostMax = 0.05;

/** The ranker for vectors of an embedding model; the shipped word vectors have one of their own. */
export const rankerNameOf = (model: string): RankerName =>
  model.startsWith('static-') ? 'word' : 'sentence';
