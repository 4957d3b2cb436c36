import { colleagues, friends, kinshipTerms, subordinates, superiors } from './lexicon/people.ts';

/** Whether a word is a relationship between people: "sister", "boss", "friend". */
export const isRelationshipNoun = (word: string): boolean =>
  kinshipTerms.has(word) ||
  friends.has(word) ||
  superiors.has(word) ||
  subordinates.has(word) ||
  colleagues.has(word);
