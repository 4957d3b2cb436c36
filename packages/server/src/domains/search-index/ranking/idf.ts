import { inverseDocumentFrequency } from '../model.ts';

/** So many texts of plain English weigh in with an account's own, which may be few. */
const priorDocuments = 300;

/**
 * Inverse document frequency, told by the account and by the language together: in an account
 * of ten notes a word that stands in one of them is not therefore a rare one.
 * @param chance that a text of plain English holds the term
 */
export const idfOf = (documents: number, frequency: number, chance: number): number =>
  inverseDocumentFrequency(documents + priorDocuments, frequency + priorDocuments * chance);
