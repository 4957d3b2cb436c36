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
export const reach = 4;
/** A turn answers the question before it, and asks for what comes after. */
const answersQuestion = 0.2;
const asksForNext = 0.15;

const plain = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => kernel[i - reach] ?? 0);

/**
 * @param step places from the borrowing turn to the lending one, −4..4
 * @param borrowerAsks a question stands at the borrower's end
 * @param lenderAsks a question stands at the lender's end
 */
export function kernelWeight(step: number, borrowerAsks: boolean, lenderAsks: boolean): number {
  const weight = plain[step + reach] as number;
  if (step === -1 && lenderAsks) return weight + answersQuestion;
  if (step === 1 && borrowerAsks) return weight - asksForNext;
  return weight;
}

/** Puts a document in its place; returns the place. Turns mostly come at the end. */
export function insertTurn(session: SessionTurns, number: number, ordinal: number): number {
  const { turns, ordinals } = session;
  let place = turns.length;
  while (place > 0 && (ordinals[place - 1] as number) > ordinal) place -= 1;
  turns.splice(place, 0, number);
  ordinals.splice(place, 0, ordinal);
  return place;
}

export function removeTurn(session: SessionTurns, place: number): void {
  session.turns.splice(place, 1);
  session.ordinals.splice(place, 1);
}
