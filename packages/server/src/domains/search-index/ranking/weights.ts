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
}

/** By what the similarity is computed with: a model of sentences or of words, or no vector. */
export type RankerName = 'sentence' | 'word' | 'keyword';

function ranker(
  calibration: Omit<RankerWeights, 'weights'>,
  weights: Partial<Record<FeatureName, number>>,
): RankerWeights {
  return { ...calibration, weights: Float64Array.from(featureNames, (name) => weights[name] ?? 0) };
}

/** Set by hand: quoted phrases and restatements are rare in questions. */
const ofText = { time: 1, time_said: 0.3, states_time: 0.4, phrase: 4, restated: 9 };
const ofTurn = { phrase: 6, restated: 14 };

/**
 * Fitted on conversations, agent chats, everyday memories, notes, documents and training texts of
 * subjects that the sentence encoder does not know; see training/ranker. A turn of a conversation
 * has neighbours, a session and a speaker; any other text stands alone.
 */
export const rankers: Readonly<
  Record<RankerName, { readonly turn: RankerWeights; readonly text: RankerWeights }>
> = {
  sentence: {
    turn: ranker(
      { scale: 0.366, bias: -4.4, queryIdf: -0.69 },
      {
        ...ofTurn,
        keyword: 5.1,
        semantic: 4.4,
        semantic_context: 2.7,
        session: 3.1,
        speaker: 2.3,
        of_speaker: 1.1,
        oneself: 2.6,
        time: 3.8,
        time_said: 1.4,
        states_time: 2.2,
        question: -1,
      },
    ),
    text: ranker(
      { scale: 0.63, bias: -5.6, queryIdf: -0.6 },
      { ...ofText, keyword: 0.6, whole_text: 2.7, semantic: 12.7, length: 1.15 },
    ),
  },
  word: {
    turn: ranker(
      { scale: 0.346, bias: -4.6, queryIdf: -0.52 },
      {
        ...ofTurn,
        keyword: 4.9,
        semantic: 5,
        semantic_context: 2.9,
        session: 3.7,
        speaker: 2.3,
        of_speaker: 1.3,
        oneself: 2.9,
        time: 3.8,
        time_said: 1.6,
        states_time: 2.4,
        question: -0.8,
      },
    ),
    text: ranker(
      { scale: 0.54, bias: -5.9, queryIdf: -0.17 },
      { ...ofText, keyword: 0.3, whole_text: 2.5, semantic: 12, length: 0.96 },
    ),
  },
  keyword: {
    turn: ranker(
      { scale: 0.333, bias: -3.6, queryIdf: -0.88 },
      {
        ...ofTurn,
        keyword: 6,
        session: 3.6,
        speaker: 2.4,
        of_speaker: 1.2,
        oneself: 4,
        time: 3.8,
        time_said: 1.4,
        states_time: 2.7,
        question: -0.6,
      },
    ),
    text: ranker(
      { scale: 0.58, bias: -4.1, queryIdf: -0.53 },
      { ...ofText, keyword: 1.85, whole_text: 3, length: 0.6 },
    ),
  },
};

/** The ranker for vectors of an embedding model; the shipped word vectors have one of their own. */
export const rankerNameOf = (model: string): RankerName =>
  model.startsWith('static-') ? 'word' : 'sentence';
