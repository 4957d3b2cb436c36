import { colleagues, friends, kin, subordinates, superiors } from './lexicon/people.ts';

/** Whether a word says what one person is to another: "sister", "boss", "friend". */
export const isRelation = (word: string): boolean =>
  kin.has(word) ||
  friends.has(word) ||
  superiors.has(word) ||
  subordinates.has(word) ||
  colleagues.has(word);
