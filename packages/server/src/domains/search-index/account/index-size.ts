import type { AccountIndex } from './account-index.ts';

// Fitted to what Node 24 held of accounts of 0 to 200 notes of 30 words, and of 15 of 3,000 words.
const accountBytes = 16_000;
const documentBytes = 500;
const termBytes = 130;
const occurrenceBytes = 24;
const sessionBytes = 400;
/** Two sums of vectors are kept for each space, and of each document one byte a dimension. */
const spaceDimensionBytes = 10;

/** About how much memory an account takes, so that what is held can be bounded. */
export function estimateIndexBytes({
  columns,
  dimensions,
  terms,
  sessions,
  spaces,
}: AccountIndex): number {
  return (
    accountBytes +
    columns.length * (documentBytes + dimensions) +
    terms.count * termBytes +
    terms.occurrences * occurrenceBytes +
    sessions.all.length * sessionBytes +
    spaces.length * dimensions * spaceDimensionBytes
  );
}
