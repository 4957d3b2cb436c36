import { datedEventNounPattern } from './dates.ts';
import type { Gazetteer } from './gazetteer.ts';
import { eventHeadNouns, weakEventHeadNouns } from './lexicon/events.ts';
import { functionWords, nonNameCapitals } from './lexicon/non-name-words.ts';
import {
  companyForms,
  departmentHeadNouns,
  departmentNames,
  nonNamingModifiers,
  organizationHeadNouns,
  organizationHeadsBeforeOf,
} from './lexicon/organizations.ts';
import { honorifics, nameParticles, personSubjectVerbs } from './lexicon/people.ts';
import { placeHeadNouns } from './lexicon/places.ts';
import { productHeadNouns, productMakers } from './lexicon/products.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import type { Word } from './words.ts';

const regionWords = wordPattern(`
  new north south east west american european african sun april may june august`);
const notLast = wordPattern(`
  I PM AM OK Re Fwd KC QC PhD MD MBA MSc BSc FRS OBE MP RN Esq`);
const greetingWords = wordPattern(`
  hi hello hey dear thanks cheers best regards subject re fwd present moin hola ciao bonjour`);

/** Words [from, to) that may be a name. */
export interface NameCandidate {
  readonly from: number;
  readonly to: number;
}

/** A tokenized text with the resources for its analysis. */
export interface TokenizedText {
  readonly text: string;
  readonly words: readonly Word[];
  readonly gazetteer: Gazetteer;
  /** Indices of words in dates. */
  readonly dateWords: ReadonlySet<number>;
  /** Written without capitals, as chats are. */
  readonly isLowercase: boolean;
}

const nameWordsMax = 8;

/** Verbs that start imperatives and headings: never part of the name after them. */
const orders = new Set(
  `ask use add move remove update make join meet call send tell visit book buy get give take bring
  write read check fix show see find keep put set run start stop open close change replace rename
  rewrite port switch swap drop kill undo revert bump merge split handle support allow make let try
  follow chase order pay sign review test teach learn watch play drive ride bumped met saw
  told asked
  banner draft reported thanks draught cc heard saw board trial partner former
  ex current our my their his her undo vendor reminder per via ping email invite cover contact
  debrief attended caught told visited thank miss love hate talked spoke spoken lunch dinner coffee
  call meeting notes minutes back flight train bus
  landlord host deputy nurse supplier vendor client customer contractor sponsor candidate`.split(
    /\s+/,
  ),
);

export const wordAt = (reading: TokenizedText, at: number): Word | null =>
  reading.words[at] ?? null;

export const normalizedWordAt = (reading: TokenizedText, at: number): string =>
  reading.words[at]?.plain ?? '';

export const getCandidateText = (
  { text, words }: TokenizedText,
  { from, to }: NameCandidate,
): string => text.slice(words[from]?.start ?? 0, words[to - 1]?.end ?? 0);

export const getNormalizedCandidateText = (
  reading: TokenizedText,
  { from, to }: NameCandidate,
): string =>
  reading.words
    .slice(from, to)
    .map(({ plain }) => plain)
    .join(' ');

/** Runs of capitalised words, in order and without overlaps. */
export function findNameCandidates(reading: TokenizedText): NameCandidate[] {
  const found: NameCandidate[] = [];
  for (let at = 0; at < reading.words.length; at += 1) {
    if (!begins(reading, at)) continue;
    const to = endOf(reading, at);
    const candidate =
      trimCandidate(reading, { from: at, to }) ?? datedOne(reading, { from: at, to });
    if (candidate) found.push(candidate);
    at = to - 1;
  }
  return found;
}

/** "October strike", "18 August outage", "Q3 offsite": a date is the first part of a name. */
function datedOne(
  { text, words }: TokenizedText,
  { from, to }: NameCandidate,
): NameCandidate | null {
  const only = words[from];
  if (!only || to - from !== 1 || !datedEventNounPattern.test(text.slice(only.end, only.end + 14)))
    return null;
  const number = words[from - 1];
  const dated = number?.kind === 'number' && /^\d{1,2}$/.test(number.text);
  return months.test(only.plain) ? { from: dated ? from - 1 : from, to } : null;
}

const months = wordPattern(`
  january february march april may june july august september october november december
  q1 q2 q3 q4`);

/** A word that may be part of a name: capitalised, or with an inner capital, as in "iPhone". */
export function canBeNamePart(reading: TokenizedText, at: number): boolean {
  const word = wordAt(reading, at);
  if (word?.kind !== 'word' || reading.dateWords.has(at)) return false;
  if (/^['’]s$/.test(word.text)) return false;
  // "iPhone", "al-Rashid", "d'Arcy".
  return word.capital || /^\p{Ll}+[-'’]?\p{Lu}/u.test(word.text);
}

function begins(reading: TokenizedText, at: number): boolean {
  if (!canBeNamePart(reading, at)) return false;
  const word = reading.words[at] as Word;
  const next = canBeNamePart(reading, at + 1) && sameRun(reading, at + 1);
  if (functionWords.has(word.plain) && word.text !== 'IT' && word.text !== 'US') {
    return isGivenName(reading, at, next);
  }
  if (!word.first) return true;
  return next ? !orders.has(word.plain) || honorifics.has(word.plain) : isNameAtStart(reading, at);
}

/** "Will Hope", "Will said": a name at the start of a sentence that is also a function word. */
function isGivenName(reading: TokenizedText, at: number, next: boolean): boolean {
  const { plain, first } = reading.words[at] as Word;
  if (plain !== 'will' && plain !== 'may') return false;
  return next || (!first && personSubjectVerbs.has(normalizedWordAt(reading, at + 1)));
}

/** Whether a single word at the start of a sentence is a name. */
function isNameAtStart(reading: TokenizedText, at: number): boolean {
  const { gazetteer } = reading;
  const word = reading.words[at] as Word;
  const { plain, text } = word;
  if (/^\p{Ll}+\p{Lu}|\p{Ll}\p{Lu}/u.test(text)) return true;
  if (text.length > 1 && text === text.toUpperCase()) return true;
  const next = normalizedWordAt(reading, at + 1);
  if (
    gazetteer.isGivenName(plain) &&
    (!gazetteer.isEverydayWord(plain) || personSubjectVerbs.has(next))
  )
    return true;
  if (gazetteer.isPlace(plain) && !gazetteer.isEverydayWord(plain)) return true;
  if (gazetteer.isProduct(plain) && (!gazetteer.isEverydayWord(plain) || isVerb(next))) return true;
  if (gazetteer.isOrganization(plain) && (!gazetteer.isEverydayWord(plain) || isVerb(next)))
    return true;
  if (gazetteer.isSkill(plain) || gazetteer.isEvent(plain)) return true;
  if (departmentNames.has(plain) && (isVerb(next) || next === 'and')) return true;
  if (honorifics.has(plain)) return false;
  if (hasLowercaseHead(reading, at)) return true;
  if (leadsEvent.test(next) && !orders.has(plain) && !gazetteer.isEverydayWord(plain)) return true;
  if (isVerb(next) && !gazetteer.isEverydayWord(plain)) return true;
  if (gazetteer.isGivenName(plain) && /^(?:and|from|,|:|&|\(|'s)$/.test(next)) return true;
  return (
    !gazetteer.isEnglishWord(plain) ||
    (gazetteer.isGivenName(plain) && !gazetteer.isEverydayWord(plain))
  );
}

/** Lower-case head nouns of events that make a sentence's first word a name. */
const leadsEvent = wordPattern(`
  trial outage incident strike wedding funeral offsite workshop hackathon meetup summit festival
  conference derby marathon blackout breach hearing vote`);

const isVerb = (word: string): boolean => personSubjectVerbs.has(word);

/** Lower-case head nouns that make the word before them a name: "Rust guild". */
function hasLowercaseHead(reading: TokenizedText, at: number): boolean {
  const word = wordAt(reading, at + 1);
  if (!word || word.capital || orders.has(normalizedWordAt(reading, at))) return false;
  const units = ['guild', 'unit', 'crew', 'squad', 'committee', 'club', 'society', 'board', 'team'];
  if (!units.includes(word.plain) || nonNamingModifiers.has(normalizedWordAt(reading, at)))
    return false;
  return /^[.:,(]$/.test(normalizedWordAt(reading, at + 2)) || units.indexOf(word.plain) < 4;
}

const sameRun = (reading: TokenizedText, at: number): boolean =>
  wordAt(reading, at)?.sentence === wordAt(reading, at - 1)?.sentence;

/** The index after the longest run that starts at a word. */
function endOf(reading: TokenizedText, from: number): number {
  let to = from + 1;
  while (to < from + nameWordsMax) {
    const next = stepFrom(reading, from, to);
    if (next === to) break;
    to = next;
  }
  return to;
}

function stepFrom(reading: TokenizedText, from: number, to: number): number {
  const word = wordAt(reading, to);
  if (!word || !sameRun(reading, to) || reading.dateWords.has(to)) return to;
  if (canBeNamePart(reading, to)) return mayFollow(reading, from, to) ? to + 1 : to;
  if (word.kind === 'number') return numberBelongs(reading, from, to) ? to + 1 : to;
  if (
    word.text === '.' &&
    word.glued &&
    /^(?:st|jr|sr|dr|mr|mrs|ms|prof|co|corp|inc|ltd|rev|fr)$/.test(
      normalizedWordAt(reading, to - 1),
    )
  ) {
    const titled = /^(?:co|corp|inc|ltd|jr)$/.test(normalizedWordAt(reading, to - 1));
    return titled || canBeNamePart(reading, to + 1) ? to + 1 : to;
  }
  if (word.text === '&' && canBeNamePart(reading, to + 1)) return to + 2;
  if (/^[–]$/.test(word.text) && word.glued && wordAt(reading, to + 1)?.glued) return to;
  return joiner(reading, from, to);
}

/** "de la", "of", "for" between the parts of a name. */
function joiner(reading: TokenizedText, from: number, to: number): number {
  const plain = normalizedWordAt(reading, to);
  const next = to + 1;
  if (plain === 'of' || plain === 'on' || plain === 'for') {
    const the = normalizedWordAt(reading, next) === 'the' ? next + 1 : next;
    if (!canBeNamePart(reading, the) || !mayFollow(reading, from, the)) return to;
    const head = normalizedWordAt(reading, to - 1);
    if (plain === 'of') return organizationHeadsBeforeOf.has(head) ? the + 1 : to;
    return ['school', 'conference', 'workshop', 'institute', 'centre', 'center'].includes(head) &&
      !wordAt(reading, from)?.first
      ? the + 1
      : ['school', 'institute'].includes(head) && to - from > 1
        ? the + 1
        : to;
  }
  if (!nameParticles.has(plain) || wordAt(reading, to)?.capital) return to;
  let end = next;
  while (end < next + 2 && nameParticles.has(normalizedWordAt(reading, end))) end += 1;
  return canBeNamePart(reading, end) ? end + 1 : to;
}

/** Titles and common capitalised words do not start a later part of a name. */
function mayFollow(reading: TokenizedText, from: number, to: number): boolean {
  const { plain, text } = reading.words[to] as Word;
  if (text === 'I') return false;
  if (honorifics.has(plain) && !honorifics.has(normalizedWordAt(reading, to - 1))) {
    return !/^(?:mr|mrs|ms|dr|prof|herr|frau)$/.test(plain);
  }
  if (!nonNameCapitals.has(plain)) return true;
  return (
    eventHeadNouns.has(plain) ||
    organizationHeadNouns.has(plain) ||
    departmentHeadNouns.has(plain) ||
    companyForms.has(plain) ||
    to - from > 1 ||
    plain === 'ai' ||
    regionWords.test(plain)
  );
}

const series = wordPattern(`
  iphone ipad ipod pixel galaxy model windows playstation xbox airbus boeing note`);

/** "Peugeot 404", "iPhone 15", "EF-12"; but in "Vite 6" the name is Vite. */
function numberBelongs(reading: TokenizedText, from: number, to: number): boolean {
  const word = reading.words[to] as Word;
  const before = normalizedWordAt(reading, to - 1);
  if (productMakers.has(normalizedWordAt(reading, from))) return true;
  if (streetLike(reading, to - 1)) return true;
  return series.test(before) || (/\p{L}/u.test(word.text) && word.text.length < 5);
}

const streetLike = (reading: TokenizedText, at: number): boolean =>
  /(?:strasse|straße|allee|gasse|gade|vej|gatan|gata|straat|laan|weg)$/.test(
    normalizedWordAt(reading, at),
  );

/** Removes titles before the name, and a sentence's first word that is not part of it. */
function trimCandidate(reading: TokenizedText, run: NameCandidate): NameCandidate | null {
  let { from, to } = run;
  const first = wordAt(reading, from);
  if (first?.first && to - from > 1 && isOpener(reading, from, to)) from += 1;
  while (from < to - 1 && isHeading(reading, from)) from += 1;
  while (to > from && notLast.test(wordAt(reading, to - 1)?.text ?? '')) to -= 1;
  if (from >= to) return null;
  const only = to - from === 1 ? (reading.words[from] as Word) : null;
  if (only && isPlainOnly(reading, from, only)) return null;
  return { from, to };
}

/** Greetings and labels before a name that is capitalised itself. */
const isHeading = (reading: TokenizedText, at: number): boolean =>
  greetingWords.test(normalizedWordAt(reading, at));

/** Kinds that are part of the name after them. */
const titled = wordPattern('project operation plan storm hurricane typhoon cyclone');

/** "Calendar says", "Old Street": a common word stays only before a head noun. */
function isOpener(reading: TokenizedText, from: number, to: number): boolean {
  const { gazetteer } = reading;
  const { plain } = reading.words[from] as Word;
  if (orders.has(plain)) return true;
  if (honorifics.has(plain) || titled.test(plain)) return false;
  const last = normalizedWordAt(reading, to - 1);
  const whole = getNormalizedCandidateText(reading, { from, to });
  if (gazetteer.isPlace(whole) || gazetteer.isOrganization(whole) || gazetteer.isEvent(whole))
    return false;
  if (gazetteer.isGivenName(plain) || gazetteer.isFamilyName(plain) || gazetteer.isPlace(plain))
    return false;
  if (gazetteer.isProduct(plain) || gazetteer.isOrganization(plain) || productMakers.has(plain))
    return false;
  if (organizationHeadNouns.has(last) || eventHeadNouns.has(last) || placeHeadNouns.has(last))
    return false;
  if (companyForms.has(last) || departmentHeadNouns.has(last) || productHeadNouns.has(last))
    return false;
  if (organizationHeadNouns.has(plain) || organizationHeadsBeforeOf.has(plain)) return false;
  if (/^(?:team|fc|hotel|bar|cafe|club|radio|board)$/.test(plain)) return plain === 'board';
  if (
    !gazetteer.isEverydayWord(plain) &&
    (gazetteer.isFamilyName(last) || !gazetteer.isEnglishWord(last))
  )
    return false;
  return gazetteer.isEnglishWord(plain);
}

function isPlainOnly(reading: TokenizedText, at: number, word: Word): boolean {
  const { gazetteer } = reading;
  if (word.text.length === 1) return !/^[CR]$/.test(word.text);
  if (/^\p{Lu}\.$/u.test(word.text)) return true;
  if (/^(?:IT|HR|US|UK|UN|EU)$/.test(word.text)) return false;
  if (!nonNameCapitals.has(word.plain))
    return honorifics.has(word.plain) && !gazetteer.isGivenName(word.plain);
  if (gazetteer.isSkill(word.plain)) return false;
  if (eventHeadNouns.has(word.plain) && word.first && !gazetteer.isGivenName(word.plain))
    return true;
  // "Mark and April": months are names next to names.
  const beside =
    /^(?:and|&|,)$/.test(normalizedWordAt(reading, at - 1)) && canBeNamePart(reading, at - 2);
  if (beside && /^(?:april|may|june|august)$/.test(word.plain)) return false;
  return (
    weakEventHeadNouns.has(word.plain) || !/^(?:april|june|august)$/.test(word.plain) || word.first
  );
}
