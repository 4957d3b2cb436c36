import { dayMs } from '../../../text/dates/calendar.ts';
import type { AccountIndex } from '../account/account-index.ts';
import {
  pinnedFlag,
  questionAtEndFlag,
  questionFlag,
  turnFlag,
  userFlag,
} from '../account/columns.ts';
import { turnKernelRadius, turnKernelWeight } from '../account/sessions.ts';
import type { SearchBuffers } from './buffers.ts';
import type { IndexQuery, TimeRange } from './query.ts';

/**
 * Weights of the linear ranker, fitted by experiment on conversations, agent chats and isolated
 * documents. Every feature depends only on the document and the query.
 */
const weights = {
  keyword: 8,
  semantic: 5.5,
  semantic_context: 4,
  session: 0.55,
  speaker: 3.0,
  of_speaker: 1.2,
  oneself: 2.4,
  time: 5.2,
  time_said: 1.55,
  states_time: 2.05,
  question: -0.37,
  length: 0.72,
} as const;

export type FeatureName = keyof typeof weights;
export const featureNames = Object.keys(weights) as FeatureName[];
/** The index of each contribution in the list. */
const featureIndex = Object.fromEntries(
  featureNames.map((name, place) => [name, place]),
) as Readonly<Record<FeatureName, number>>;

/**
 * The full-match score is this factor times the sum of idf of the query. In a conversation the
 * words are spread over several turns, so less overlap is significant; an isolated text must
 * contain them itself.
 */
const turnFullMatchFactor = 0.8;
const textFullMatchFactor = 1.6;
const lengthWordsMax = 15;
/** Time proximity: decays by a factor of e per this many days, 0 from `timeDaysMax` on. */
const timeDays = 7;
const yearDays = 90;
const timeDaysMax = 28;
/** All boosts together are at most 15 %. */
const priorityBoostMax = 0.09;
const salienceBoostMax = 0.05;
const salienceHalfLifeDays = 30;

/** Values shared by all features of one query. */
export interface QueryContext {
  readonly index: AccountIndex;
  readonly buffers: SearchBuffers;
  readonly query: IndexQuery;
  /** Number of the one speaker that the query names, −1 without one. */
  readonly speaker: number;
  readonly isAboutSelf: boolean;
  /** BM25 of a full match; 0 if no term matches. */
  readonly fullMatch: number;
  readonly bestSession: number;
}

/** Fills `out` with the contribution of each feature, in the order of `featureNames`. */
export function computeFeatureContributions(
  context: QueryContext,
  document: number,
  out: Float64Array,
): void {
  const { index, buffers, query } = context;
  const { columns } = index;
  const flags = columns.flags[document] as number;
  const lends = columns.contextWeight[document] as number;
  const keyword = buffers.keyword[document] as number;
  const session = columns.session[document] as number;
  const sessionScore = session >= 0 ? (buffers.sessionScore[session] as number) : 0;
  const similarity = Math.max(0, buffers.semantic[document] as number);
  const isTurn = (flags & turnFlag) !== 0;
  out[featureIndex.keyword] =
    context.fullMatch > 0 ? (weights.keyword * keyword) / context.fullMatch : 0;
  out[featureIndex.semantic] = weights.semantic * Math.sqrt(lends) * similarity;
  out[featureIndex.semantic_context] =
    weights.semantic_context * contextSimilarity(context, document);
  out[featureIndex.session] =
    weights.session * (context.bestSession > 0 ? sessionScore / context.bestSession : 0);
  const isNamed = context.speaker >= 0 && columns.speaker[document] === context.speaker;
  out[featureIndex.speaker] = isNamed ? weights.speaker : 0;
  out[featureIndex.of_speaker] = isNamed
    ? weights.of_speaker * (columns.firstPersonBalance[document] as number)
    : 0;
  out[featureIndex.oneself] = context.isAboutSelf && (flags & userFlag) !== 0 ? weights.oneself : 0;
  out[featureIndex.time] =
    weights.time * timeProximity(query.intent.times, columns.occurredAt[document] as number);
  out[featureIndex.time_said] = overlaps(query.intent.times, index.dates[document] ?? null)
    ? weights.time_said
    : 0;
  out[featureIndex.states_time] =
    query.intent.asksWhen && statesTime(context, document) ? weights.states_time * lends : 0;
  out[featureIndex.question] =
    isTurn && (flags & questionFlag) !== 0 ? weights.question * lends : 0;
  const words = columns.words[document] as number;
  out[featureIndex.length] = weights.length * Math.log(3 + Math.min(lengthWordsMax, words));
}

/**
 * BM25 of a full match among the results: the highest BM25 score, but not less than the query's
 * total weight, so that one common word of many does not count as a full match.
 * @param mass sum of the query's idf
 */
export function computeFullMatchScore(
  index: AccountIndex,
  scratch: SearchBuffers,
  mass: number,
): number {
  const documents = scratch.documents.view();
  let best = 0;
  let turns = 0;
  for (const document of documents) {
    best = Math.max(best, scratch.keyword[document] as number);
    if (((index.columns.flags[document] as number) & turnFlag) !== 0) turns += 1;
  }
  if (best === 0) return 0;
  const share = turns / documents.length;
  return Math.max(best, mass * (turnFullMatchFactor * share + textFullMatchFactor * (1 - share)));
}

/** Similarity of the neighbouring turns, weighted as their words are. */
function contextSimilarity({ index, buffers }: QueryContext, document: number): number {
  const { columns, sessions } = index;
  const session = sessions.all[columns.session[document] as number];
  if (!session) return 0;
  const { flags, contextWeight } = columns;
  const position = columns.sessionPosition[document] as number;
  const borrowerAsks = ((flags[document] as number) & questionAtEndFlag) !== 0;
  let sum = 0;
  for (let step = -turnKernelRadius; step <= turnKernelRadius; step += 1) {
    const lender = step === 0 ? undefined : session.turns[position + step];
    if (lender === undefined) continue;
    const lenderAsks = ((flags[lender] as number) & questionAtEndFlag) !== 0;
    const similarity = Math.max(0, buffers.semantic[lender] as number);
    sum +=
      turnKernelWeight(step, borrowerAsks, lenderAsks) *
      (contextWeight[lender] as number) *
      similarity;
  }
  return sum * (columns.neighbourWeight[document] as number);
}

/** 1 inside the requested time range; decreases with the distance in days. */
function timeProximity(times: readonly TimeRange[], at: number): number {
  let nearest = 0;
  for (const { from, to, isYear } of times) {
    const days = Math.max(0, from - at, at - to) / dayMs;
    if (days >= timeDaysMax) continue;
    nearest = Math.max(nearest, Math.exp(-days / (isYear ? yearDays : timeDays)));
  }
  return nearest;
}

function overlaps(times: readonly TimeRange[], text: Float64Array | null): boolean {
  if (text === null) return false;
  for (let i = 0; i + 1 < text.length; i += 2) {
    const [from, to] = [text[i] as number, text[i + 1] as number];
    if (times.some((time) => from < time.to && time.from < to)) return true;
  }
  return false;
}

export function bestPassageOf({ index, buffers }: QueryContext, document: number): number {
  return (buffers.bestGain[document] as number) > 0
    ? (buffers.bestPassage[document] as number)
    : (index.columns.firstPassage[document] as number);
}

const statesTime = (on: QueryContext, document: number): boolean =>
  on.index.passageStatesTime.at(bestPassageOf(on, document)) === 1;

/** Factors of at least 1, at most 1.15 together. */
export function boostsOf(
  { index, query }: QueryContext,
  document: number,
): { priority: number; salience: number } {
  const { columns } = index;
  const salience = columns.salience[document] as number;
  const isPinned = ((columns.flags[document] as number) & pinnedFlag) !== 0;
  const days = Math.max(0, query.now - (columns.salienceAt[document] as number)) / dayMs;
  const remaining = isPinned ? 1 : 0.5 ** (days / salienceHalfLifeDays);
  return {
    priority: 1 + (priorityBoostMax * (columns.priority[document] as number)) / 10,
    salience: 1 + (Number.isNaN(salience) ? 0 : salienceBoostMax * salience * remaining),
  };
}
