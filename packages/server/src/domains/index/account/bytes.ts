import type { AccountIndex } from './account-index.ts';

// Measured with Node 24 on accounts of 0 to 5,000 notes, as what each more of them takes.
const accountBytes = 16_000;
const documentBytes = 500;
const termBytes = 130;
const occurrenceBytes = 24;
const sessionBytes = 400;
/** Two sums of vectors are kept for each space, and of each document one byte a dimension. */
const spaceDimensionBytes = 10;

/** About how much memory an account takes, so that what is held can be bounded. */
export function bytesOf({ columns, dimensions, terms, sessions, spaces }: AccountIndex): number {
  return (
    accountBytes +
    columns.length * (documentBytes + dimensions) +
    terms.count * termBytes +
    terms.occurrences * occurrenceBytes +
    sessions.all.length * sessionBytes +
    spaces.length * dimensions * spaceDimensionBytes
  );
}
