import { type Columns, liveFlag, questionAtEndFlag } from './columns.ts';
import type { SpaceCounts } from './spaces.ts';

/** The live documents of one session in one space, in the order in which they were said. */
export interface SessionTurns {
  readonly space: number;
  /** Document numbers, by ordinal. */
  readonly turns: number[];
  readonly ordinals: number[];
  words: number;
}

/** How much a turn borrows of what stands so many places after it (before it, below 0). */
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
export const kernelRadius = 4;
/** A turn answers the question before it, and asks for what comes after. */
const answerBonus = 0.2;
const questionPenalty = 0.15;

const plainKernel = Float64Array.from(
  { length: 2 * kernelRadius + 1 },
  (_, i) => kernel[i - kernelRadius] ?? 0,
);

/**
 * @param step places from the borrowing turn to the lending one, −4..4
 * @param borrowerAsks a question stands at the borrower's end
 * @param lenderAsks a question stands at the lender's end
 */
export function kernelWeight(step: number, borrowerAsks: boolean, lenderAsks: boolean): number {
  const weight = plainKernel[step + kernelRadius] as number;
  if (step === -1 && lenderAsks) return weight + answerBonus;
  if (step === 1 && borrowerAsks) return weight - questionPenalty;
  return weight;
}

/** An account's sessions: who stands where in them, and how many words each turn borrows. */
export class Sessions {
  readonly all: SessionTurns[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #columns: Columns;
  readonly #spaces: readonly SpaceCounts[];

  constructor(columns: Columns, spaces: readonly SpaceCounts[]) {
    this.#columns = columns;
    this.#spaces = spaces;
  }

  add(number: number, sessionId: string, ordinal: number): void {
    const columns = this.#columns;
    const known = this.#numberOf(sessionId, columns.space[number] as number);
    const session = this.all[known] as SessionTurns;
    columns.session[number] = known;
    const place = insertTurn(session, number, ordinal);
    this.#count(session, number, 1);
    if (session.turns.length === 1) this.#countsOf(session).sessions += 1;
    this.#recomputeFrom(session, place);
  }

  remove(number: number): void {
    const session = this.all[this.#columns.session[number] as number];
    if (!session) return;
    const place = this.#columns.sessionPosition[number] as number;
    removeTurn(session, place);
    this.#count(session, number, -1);
    if (session.turns.length === 0) this.#countsOf(session).sessions -= 1;
    this.#recomputeFrom(session, place);
  }

  /** Turns of one session lend to each other within a space: who sees one sees both. */
  #numberOf(sessionId: string, space: number): number {
    const key = `${sessionId} ${space}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
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

  /** After something came or went at a place: the places behind it, and what is borrowed around. */
  #recomputeFrom(session: SessionTurns, place: number): void {
    const { turns } = session;
    for (let at = place; at < turns.length; at += 1) {
      this.#columns.sessionPosition[turns[at] as number] = at;
    }
    const last = Math.min(turns.length - 1, place + kernelRadius);
    for (let at = Math.max(0, place - kernelRadius); at <= last; at += 1)
      this.#recomputeContextWords(session, at);
  }

  #recomputeContextWords(session: SessionTurns, at: number): void {
    const { contextWords, flags, passageCount } = this.#columns;
    const number = session.turns[at] as number;
    const before = contextWords[number] as number;
    contextWords[number] = this.#contextWords(session.turns, at);
    // Counted with the rest of a document's lengths once it is counted at all.
    if (((flags[number] as number) & liveFlag) === 0) return;
    const change = (contextWords[number] as number) - before;
    this.#countsOf(session).passageLengthSum += change * (passageCount[number] as number);
  }

  #contextWords(turns: readonly number[], at: number): number {
    const { contextWeight, words, neighbourWeight, flags } = this.#columns;
    const asks = (number: number): boolean => ((flags[number] as number) & questionAtEndFlag) !== 0;
    const borrower = turns[at] as number;
    let sum = 0;
    for (let step = -kernelRadius; step <= kernelRadius; step += 1) {
      const lender = step === 0 ? undefined : turns[at + step];
      if (lender === undefined) continue;
      const weight = kernelWeight(step, asks(borrower), asks(lender));
      sum += weight * (contextWeight[lender] as number) * (words[lender] as number);
    }
    return sum * (neighbourWeight[borrower] as number);
  }
}

/** Puts a document in its place; returns the place. Turns mostly come at the end. */
function insertTurn(session: SessionTurns, number: number, ordinal: number): number {
  const { turns, ordinals } = session;
  let place = turns.length;
  while (place > 0 && (ordinals[place - 1] as number) > ordinal) place -= 1;
  turns.splice(place, 0, number);
  ordinals.splice(place, 0, ordinal);
  return place;
}

function removeTurn(session: SessionTurns, place: number): void {
  session.turns.splice(place, 1);
  session.ordinals.splice(place, 1);
}
