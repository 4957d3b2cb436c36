import type { AccountIndex } from './account-index.ts';

// What objects and strings take in Node 24, besides arrays of numbers: fitted to the memory of
// accounts of 0 to 200 notes of 30 words, and of 15 of 3,000 words.
const accountBytes = 16_000;
/** The pointer to its tags. */
const documentBytes = 10;
/** Of the free slots that short lists leave behind when they grow. */
const termBytes = 12;
/** Of a term as a string: some are kept to correct spellings. */
const stringBytes = 48;
/** Of a list with arrays of its own. */
const longListBytes = 500;
/** Of an id that is no UUID. */
const stringIdBytes = 90;
const sessionBytes = 400;
/** Of a list of documents with a tag; measured for lists of 1, 8 and 100. */
const tagBytes = 310;
const taggedBytes = 10;
/** Of what is known to hold instead of a document. */
const successorsBytes = 150;
/** Each space has two sums of vectors, and the numbers of its documents. */
const spaceDimensionBytes = 10;

/** Estimates the memory that an account uses, so that the total can be limited. */
export function estimateIndexBytes(index: AccountIndex): number {
  const { terms, spaces, tagDocuments } = index;
  return (
    accountBytes +
    index.byteLength +
    index.columns.length * documentBytes +
    index.ids.strings * stringIdBytes +
    terms.count * termBytes +
    terms.strings * stringBytes +
    terms.longLists * longListBytes +
    index.sessions.all.length * sessionBytes +
    tagDocuments.count * tagBytes +
    tagDocuments.occurrences * taggedBytes +
    index.successors.size * successorsBytes +
    spaces.reduce((sum, { documents }) => sum + documents.byteLength, 0) +
    spaces.length * index.dimensions * spaceDimensionBytes
  );
}
