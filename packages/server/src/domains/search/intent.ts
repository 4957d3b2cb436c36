import {
  foldAccents,
  hasUnspacedScript,
  isStopWord,
  isTemporalQuestion,
  parseDates,
} from '@mneme/text';
import type { QueryIntent } from '../search-index/index.ts';

const firstPerson = /\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours)\b/i;
const requestToAssistant = /\b(?:can|could|would|will) you\b/i;
const speechVerbs =
  'recommend|recommended|suggest|suggested|advise|advised|said|say|tell|told|mention|mentioned|' +
  'propose|proposed|explain|explained|answer|answered|list|listed|give|gave|write|wrote';
const refersToAssistant = new RegExp(
  `\\b(?:did|have|had|do) you (?:\\w+ )?(?:${speechVerbs})\\b|\\byou (?:${speechVerbs})\\b|` +
    '\\byour (?:advice|answer|explanation|list|proposal|recommendations?|response|suggestions?)\\b',
  'i',
);
/** "Can you tell me …" is a request, not a reference to an earlier statement. */
const politeRequest = /\b(?:can|could|would|will) you (?:please )?(?:\w+ )?/gi;
const word = /[\p{L}\p{N}]+/gu;
/** More words describe what is looked for, in words that the text need not have. */
const lookupWordsMax = 3;

const pastWords =
  'used to|before|previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|at first|' +
  'back then|earlier|until';
const pastTimes = 'in (?:19|20)\\d\\d|last (?:week|month|year|spring|summer|autumn|fall|winter)';
/** Words of questions about what held before. */
const past = new RegExp(
  `\\b(?:${pastWords}|${pastTimes}|(?:has|have|had|did) \\w+ changed?|did \\w+ use to)\\b`,
  'i',
);

/** Parses what a question requests beyond its words; dates in it are relative to `now`. */
export function parseQueryIntent(text: string, now: Date): QueryIntent {
  const withoutRequests = text.replaceAll(politeRequest, ' ');
  const times = parseDates(text, now).map(({ from, to, grain }) => ({
    from,
    to,
    isYear: grain === 'year' || grain === 'decade',
  }));
  const isAboutPast = past.test(text);
  const mentionsUser = firstPerson.test(text) || requestToAssistant.test(text);
  return {
    names: findNames(text),
    isAboutSelf: mentionsUser && !refersToAssistant.test(withoutRequests),
    asksWhen: isTemporalQuestion(text),
    isAboutPast,
    pastPeriodEnd: isAboutPast ? pastPeriodEnd(times, now) : null,
    isLookup: isLookup(text),
    times,
  };
}

/** The end of the latest of these periods that are over; null: none is. */
function pastPeriodEnd(times: QueryIntent['times'], now: Date): number | null {
  const ends = times.map(({ to }) => to).filter((to) => to <= now.getTime());
  return ends.length > 0 ? Math.max(...ends) : null;
}

/** A few words without grammar, e.g. a name or an error code: texts that contain them are meant. */
function isLookup(text: string): boolean {
  if (/[?\uff1f]/.test(text) || hasUnspacedScript(text)) return false;
  const words = foldAccents(text).match(word) ?? [];
  return (
    text.trim().split(/\s+/).length <= lookupWordsMax &&
    !words.some((one) => isStopWord(one.toLowerCase()))
  );
}

/** Words written like names; in a text without capitals any word may be a name. */
function findNames(text: string): string[] {
  const hasCapitals = /\p{Lu}/u.test(text.slice(1));
  const names = new Set<string>();
  for (const [name] of foldAccents(text).matchAll(word)) {
    const plain = name.toLowerCase();
    if (isStopWord(plain)) continue;
    if (!hasCapitals || /^\p{Lu}/u.test(name)) names.add(plain);
  }
  return [...names];
}
