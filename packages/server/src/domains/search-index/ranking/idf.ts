import { inverseDocumentFrequency } from '../model.ts';

/** Weight of the English prior, in documents: an account may have few of its own. */
const priorDocuments = 300;

/**
 * Inverse document frequency over the account and an English prior: in an account of ten notes, a
 * word that occurs in one of them is not necessarily rare.
 * @param chance probability that a text of plain English contains the term
 */
export const smoothedIdf = (documents: number, frequency: number, chance: number): number =>
  inverseDocumentFrequency(documents + priorDocuments, frequency + priorDocuments * chance);
