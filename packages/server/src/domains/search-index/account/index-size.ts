import type { AccountIndex } from './account-index.ts';

// Fitted to the memory that Node 24 used for accounts of 0 to 200 notes of 30 words, and of 15
// of 3,000 words.
const accountBytes = 16_000;
const documentBytes = 500;
const termBytes = 130;
const occurrenceBytes = 24;
const sessionBytes = 400;
/** Of a list of documents with a tag; measured for lists of 1, 8 and 100. */
const tagBytes = 310;
const taggedBytes = 10;
/** Besides one byte per dimension; with the terms of the passage's context. */
const passageVectorBytes = 64;
/** Each space has two sums of vectors, each document one byte per dimension. */
const spaceDimensionBytes = 10;

/** Estimates the memory that an account uses, so that the total can be limited. */
export function estimateIndexBytes({
  columns,
  dimensions,
  passageVectors,
  terms,
  sessions,
  spaces,
  tagDocuments,
}: AccountIndex): number {
  return (
    accountBytes +
    columns.length * (documentBytes + dimensions) +
    (passageVectors?.length ?? 0) * (passageVectorBytes + dimensions) +
    terms.count * termBytes +
    terms.occurrences * occurrenceBytes +
    sessions.all.length * sessionBytes +
    tagDocuments.count * tagBytes +
    tagDocuments.occurrences * taggedBytes +
    spaces.length * dimensions * spaceDimensionBytes
  );
}
