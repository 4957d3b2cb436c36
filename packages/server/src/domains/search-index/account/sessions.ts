import { type DocumentColumns, liveFlag, questionAtEndFlag } from './columns.ts';
import type { SpaceCounts } from './spaces.ts';

/** The live documents of one session in one space, in the order of the conversation. */
export interface SessionTurns {
  readonly space: number;
  /** Document numbers, by ordinal. */
  readonly turns: number[];
  readonly ordinals: number[];
  words: number;
}

/** Weight of the words of a turn at this distance (negative: earlier turns). */
const kernel: Readonly<Record<number, number>> = {
  [-4]: 0.1,
  [-3]: 0.15,
  [-2]: 0.3,
  [-1]: 0.5,
  1: 0.3,
  2: 0.2,
  3: 0.1,
  4: 0.1,
};
export const turnKernelRadius = 4;
/** A turn and its neighbours. */
export const turnWindowSize = 2 * turnKernelRadius + 1;
/** An answer gets more words from the question before it, a question fewer from its answer. */
const answerBonus = 0.2;
const questionPenalty = 0.15;

const plainKernel = Float64Array.from(
  { length: turnWindowSize },
  (_, i) => kernel[i - turnKernelRadius] ?? 0,
);

/** The weights of all neighbours together are at most this. */
export const turnKernelSumMax = plainKernel.reduce((sum, weight) => sum + weight, answerBonus);

/**
 * @param step distance from the turn to its neighbour, −4..4
 * @param hasTargetQuestion there is a question at the end of the turn
 * @param hasNeighbourQuestion there is a question at the end of the neighbour
 */
export function turnKernelWeight(
  step: number,
  hasTargetQuestion: boolean,
  hasNeighbourQuestion: boolean,
): number {
  const weight = plainKernel[step + turnKernelRadius] as number;
  if (step === -1 && hasNeighbourQuestion) return weight + answerBonus;
  if (step === 1 && hasTargetQuestion) return weight - questionPenalty;
  return weight;
}

/**
 * An account's sessions: the position of each turn, and how many words each turn receives from its
 * neighbours.
 */
export class Sessions {
  readonly all: SessionTurns[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #columns: DocumentColumns;
  readonly #spaces: readonly SpaceCounts[];

  constructor(columns: DocumentColumns, spaces: readonly SpaceCounts[]) {
    this.#columns = columns;
    this.#spaces = spaces;
  }

  /** By number: the id of each session. */
  get ids(): string[] {
    return [...this.#numbers.keys()].map((key) => key.slice(0, key.lastIndexOf(' ')));
  }

  /** Adds a session of a segment; its turns have their columns already. */
  restore(sessionId: string, session: SessionTurns): void {
    this.#numbers.set(`${sessionId} ${session.space}`, this.all.length);
    this.all.push(session);
    const counts = this.#countsOf(session);
    counts.sessions += 1;
    counts.sessionWords += session.words;
  }

  add(number: number, sessionId: string, ordinal: number): void {
    const columns = this.#columns;
    const sessionNumber = this.#numberOf(sessionId, columns.space[number] as number);
    const session = this.all[sessionNumber] as SessionTurns;
    columns.session[number] = sessionNumber;
    const position = insertTurn(session, number, ordinal);
    this.#count(session, number, 1);
    if (session.turns.length === 1) this.#countsOf(session).sessions += 1;
    this.#recomputeFrom(session, position);
  }

  remove(number: number): void {
    const session = this.all[this.#columns.session[number] as number];
    if (!session) return;
    const position = this.#columns.sessionPosition[number] as number;
    this.#columns.session[number] = -1;
    removeTurn(session, position);
    this.#count(session, number, -1);
    if (session.turns.length === 0) this.#countsOf(session).sessions -= 1;
    this.#recomputeFrom(session, position);
  }

  /**
   * Sets the numbers of the turns at the distances −4..4 of a document; −1 where there is none. The
   * turns of most sessions were added one after the other: then only columns are read.
   */
  fillWindow(document: number, window: Int32Array): void {
    const { session, sessionPosition, length } = this.#columns;
    const number = session[document] as number;
    if (number < 0) {
      window.fill(-1);
      return;
    }
    const position = sessionPosition[document] as number;
    const isInside = document >= turnKernelRadius && document + turnKernelRadius < length;
    let turns: readonly number[] | null = null;
    for (let i = 0; i < turnWindowSize; i += 1) {
      const near = document + i - turnKernelRadius;
      const at = position + i - turnKernelRadius;
      if (isInside && session[near] === number && sessionPosition[near] === at) window[i] = near;
      else {
        turns ??= (this.all[number] as SessionTurns).turns;
        window[i] = at < 0 || at >= turns.length ? -1 : (turns[at] as number);
      }
    }
  }

  /**
   * Turns share words only within one session and one space: a caller who sees one turn sees all.
   */
  #numberOf(sessionId: string, space: number): number {
    const key = `${sessionId} ${space}`;
    const existing = this.#numbers.get(key);
    if (existing !== undefined) return existing;
    this.#numbers.set(key, this.all.length);
    return this.all.push({ space, turns: [], ordinals: [], words: 0 }) - 1;
  }

  #countsOf({ space }: SessionTurns): SpaceCounts {
    return this.#spaces[space] as SpaceCounts;
  }

  #count(session: SessionTurns, number: number, sign: 1 | -1): void {
    const words = sign * (this.#columns.words[number] as number);
    session.words += words;
    this.#countsOf(session).sessionWords += words;
  }

  /**
   * After an insertion or removal: updates the positions behind it and the context words around it.
   */
  #recomputeFrom(session: SessionTurns, position: number): void {
    const { turns } = session;
    for (let at = position; at < turns.length; at += 1) {
      this.#columns.sessionPosition[turns[at] as number] = at;
    }
    const last = Math.min(turns.length - 1, position + turnKernelRadius);
    for (let at = Math.max(0, position - turnKernelRadius); at <= last; at += 1)
      this.#recomputeContextWords(session, at);
  }

  #recomputeContextWords(session: SessionTurns, at: number): void {
    const { contextWords, flags, passageCount } = this.#columns;
    const number = session.turns[at] as number;
    const previous = contextWords[number] as number;
    contextWords[number] = this.#contextWords(session.turns, at);
    // Otherwise it is counted later, together with the document's other lengths.
    if (((flags[number] as number) & liveFlag) === 0) return;
    const change = (contextWords[number] as number) - previous;
    this.#countsOf(session).passageLengthSum += change * (passageCount[number] as number);
  }

  #contextWords(turns: readonly number[], at: number): number {
    const { contextWeight, words, neighbourWeight, flags } = this.#columns;
    const hasQuestion = (number: number): boolean =>
      ((flags[number] as number) & questionAtEndFlag) !== 0;
    const borrower = turns[at] as number;
    let sum = 0;
    for (let step = -turnKernelRadius; step <= turnKernelRadius; step += 1) {
      const lender = step === 0 ? undefined : turns[at + step];
      if (lender === undefined) continue;
      const weight = turnKernelWeight(step, hasQuestion(borrower), hasQuestion(lender));
      sum += weight * (contextWeight[lender] as number) * (words[lender] as number);
    }
    return sum * (neighbourWeight[borrower] as number);
  }
}

/** Inserts a document in order and returns its position. Most turns are appended at the end. */
function insertTurn(session: SessionTurns, number: number, ordinal: number): number {
  const { turns, ordinals } = session;
  let position = turns.length;
  while (position > 0 && (ordinals[position - 1] as number) > ordinal) position -= 1;
  turns.splice(position, 0, number);
  ordinals.splice(position, 0, ordinal);
  return position;
}

function removeTurn(session: SessionTurns, position: number): void {
  session.turns.splice(position, 1);
  session.ordinals.splice(position, 1);
}
