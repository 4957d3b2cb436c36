/** Names of the ranking features; `explain` shows the contribution of each. */
export const featureNames = [
  'keyword',
  'whole_text',
  'restated',
  'semantic',
  'semantic_context',
  'length',
  'phrase',
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
export const rankers: Readonly<
  Record<RankerName, { readonly turn: RankerWeights; readonly text: RankerWeights }>
> = {
  // Fitted by training/ranker: begin
  sentence: {
    turn: ranker(
      {
        scale: 0.2,
        bias: -4.94,
        queryIdf: -0.0453,
        bestCosine: 1.7,
        bestCoverage: 1.6,
        lead: 0.967,
        behind: 0.35,
      },
      {
        phrase: 6,
        restated: 27.5,
        keyword: 3.54,
        semantic: 5.23,
        semantic_context: 2.54,
        session: 3.42,
        speaker: 2.34,
        of_speaker: 0.8,
        oneself: 1.87,
        time: 5.43,
        time_said: 1.36,
        states_time: 2.76,
        question: -0.645,
      },
    ),
    text: ranker(
      {
        scale: 0.306,
        bias: -3.22,
        queryIdf: -0.43,
        bestCosine: 2.08,
        bestCoverage: 0,
        lead: 0.596,
        behind: 0.506,
      },
      {
        phrase: 4,
        restated: 18,
        time: 1,
        time_said: 0.3,
        states_time: 0.4,
        keyword: 1.28,
        whole_text: 2.13,
        semantic: 11.8,
        length: 0.476,
      },
    ),
  },
  word: {
    turn: ranker(
      {
        scale: 0.203,
        bias: -4.54,
        queryIdf: 0,
        bestCosine: 0.278,
        bestCoverage: 1.54,
        lead: 0.916,
        behind: 0.341,
      },
      {
        phrase: 6,
        restated: 27,
        keyword: 3.37,
        semantic: 5.44,
        semantic_context: 3.25,
        session: 4.09,
        speaker: 1.93,
        of_speaker: 1.03,
        oneself: 2.27,
        time: 5.64,
        time_said: 1.51,
        states_time: 3,
        question: -0.414,
      },
    ),
    text: ranker(
      {
        scale: 0.312,
        bias: -2.94,
        queryIdf: -0.295,
        bestCosine: 0.296,
        bestCoverage: 0,
        lead: 0.352,
        behind: 0.372,
      },
      {
        phrase: 4,
        restated: 17.6,
        time: 1,
        time_said: 0.3,
        states_time: 0.4,
        keyword: 1.09,
        whole_text: 2.13,
        semantic: 10,
        length: 0.447,
      },
    ),
  },
  keyword: {
    turn: ranker(
      {
        scale: 0.22,
        bias: -4.81,
        queryIdf: 0,
        bestCosine: 0,
        bestCoverage: 1.29,
        lead: 0.869,
        behind: 0.195,
      },
      {
        phrase: 6,
        restated: 25,
        keyword: 4.04,
        session: 3.65,
        speaker: 2.9,
        of_speaker: 0.821,
        oneself: 2.92,
        time: 5.22,
        time_said: 1.33,
        states_time: 3.41,
        question: -0.386,
      },
    ),
    text: ranker(
      {
        scale: 0.252,
        bias: -1.39,
        queryIdf: -0.584,
        bestCosine: 0,
        bestCoverage: 0,
        lead: 0.702,
        behind: 0.234,
      },
      {
        phrase: 4,
        restated: 21.8,
        time: 1,
        time_said: 0.3,
        states_time: 0.4,
        keyword: 2.01,
        whole_text: 2.8,
        length: 0.169,
      },
    ),
  },
  // Fitted by training/ranker: end
};

/** The ranker for vectors of an embedding model; the shipped word vectors have one of their own. */
export const rankerNameOf = (model: string): RankerName =>
  model.startsWith('static-') ? 'word' : 'sentence';
