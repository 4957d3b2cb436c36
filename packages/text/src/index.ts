export { dayMs, mondayOf } from './dates/calendar.ts';
export {
  type DateRange,
  hasTimeExpression,
  isTemporalQuestion,
  parseDates,
} from './dates/index.ts';
export { decodePlainText } from './decode-plain-text.ts';
export { extractEmailReply, removeEmailSignature } from './email-reply.ts';
export { escapeHtml } from './html.ts';
export { createKeywordScorer, type KeywordQuery, type KeywordScorer } from './keywords.ts';
export { findOccurrences, type Occurrence } from './occurrences.ts';
export { toOneLine } from './one-line.ts';
export {
  contextsOfPassages,
  type Passage,
  passagesInContext,
  splitIntoPassages,
} from './passages/passages.ts';
export { type Sentence, splitSentences } from './sentences.ts';
export { leadingSpeaker, nameFromSpeakerLabel } from './speaker.ts';
export { irregularForms, isStopWord, stem } from './stem.ts';
export { termProbability, unknownTermProbability } from './term-probability.ts';
export { extractTerms, foldAccents, hasUnspacedScript, normalizeText } from './terms.ts';
export { truncateText } from './truncate-text.ts';
export {
  getEnglishWordRanks,
  getWordRank,
  isEnglishWord,
  rankByPosition,
} from './vocabulary.ts';
