import { colleagues, friends, kinshipTerms, subordinates, superiors } from './lexicon/people.ts';

/** Whether a word says what one person is to another: "sister", "boss", "friend". */
export const isRelation = (word: string): boolean =>
  kinshipTerms.has(word) ||
  friends.has(word) ||
  superiors.has(word) ||
  subordinates.has(word) ||
  colleagues.has(word);
