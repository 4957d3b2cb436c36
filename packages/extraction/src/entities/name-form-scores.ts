import {
  getNormalizedCandidateText,
  type NameCandidate,
  type TokenizedText,
} from './candidates.ts';
import { eventHeadNouns, weakEventHeadNouns } from './lexicon/events.ts';
import {
  companyForms,
  departmentHeadNouns,
  departmentNames,
  organizationHeadNouns,
  organizationHeadsBeforeOf,
  teamHeadNouns,
} from './lexicon/organizations.ts';
import { personSubjectVerbs } from './lexicon/people.ts';
import { placeHeadNouns, streetSuffixPattern } from './lexicon/places.ts';
import { productHeadNouns, productMakers } from './lexicon/products.ts';
import { naturalLanguages } from './lexicon/skills.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import type { TypeScores } from './type-scores.ts';

const projectHeads = wordPattern(`
  project operation study programme program initiative law act regulation`);
const eventHeadsBeforeOf = wordPattern(`
  gulf bay isle cape republic kingdom state city town conference festival congress symposium
  workshop feast battle day summer`);
/** "RustFest", "AlpineConf", "DevOpsDays". */
const namedAsEvent = new RegExp(
  '\\p{L}(?:Conf|Fest|Con|Camp|Days?|Cup|Jam|Expo|Meet|Slam|Summit|Week|Hack|Nation|Forum|World)$' +
    '|^Hack\\p{Lu}|\\p{L}athon$',
  'u',
);
const clubStarts = wordPattern(`
  tu eth fh rwth team fc sc hb vfl ac as bar cafe hotel radio port maison casa cirque st`);

interface Form {
  readonly reading: TokenizedText;
  readonly texts: readonly string[];
  readonly plains: readonly string[];
  readonly whole: string;
  readonly first: string;
  readonly last: string;
  /** Followed by a verb of people. */
  readonly acts: boolean;
}

/** Scores the types of a name by its own words. */
export function scoreTypesByNameForm(
  scores: TypeScores,
  reading: TokenizedText,
  candidate: NameCandidate,
): void {
  const words = reading.words.slice(candidate.from, candidate.to);
  const plains = words.map(({ plain }) => plain).filter((plain) => plain !== '.');
  const form: Form = {
    reading,
    texts: words.map(({ text }) => text),
    plains,
    whole: getNormalizedCandidateText(reading, candidate).replaceAll(' .', ''),
    first: plains[0] ?? '',
    last: plains.at(-1) ?? '',
    acts: personSubjectVerbs.has(reading.words[candidate.to]?.plain ?? ''),
  };
  if (projectHeads.test(form.first) && plains.length > 1) {
    for (const type of ['person', 'organization', 'product'] as const) scores[type] -= 6;
  }
  if (titles.has(form.last) && plains.length > 1) {
    for (const type of ['person', 'organization', 'product', 'location'] as const)
      scores[type] -= 8;
  }
  addPerson(scores, form);
  addOrganization(scores, form);
  addLocation(scores, form);
  addThing(scores, form);
}

/** "Chief Medical Officer" is not a name. */
const titles: ReadonlySet<string> = new Set(
  `officer director manager engineer president professor secretary chair chairman treasurer editor
  developer designer analyst consultant coordinator administrator scientist architect supervisor
  specialist representative assistant executive ceo cto cfo`.split(/\s+/),
);

const alone = (form: Form): boolean => form.plains.length === 1;

function addPerson(scores: TypeScores, form: Form): void {
  const { plains, texts, first, last, reading } = form;
  const { gazetteer } = reading;
  const count = plains.length;
  if (/[\d&]/.test(form.whole) || count > 5) {
    scores.person -= 5;
    return;
  }
  if (texts.every((text) => text.length > 1 && text === text.toUpperCase())) scores.person -= 1;
  const hyphened = first.split('-')[0] ?? '';
  const given =
    gazetteer.isGivenName(first) ||
    (first.includes('-') && !gazetteer.isEnglishWord(hyphened) && gazetteer.isGivenName(hyphened));
  if (given && count > 1) scores.person += 2.6;
  if (given && count === 1)
    scores.person += gazetteer.isEverydayWord(first) && !isCap(form) ? 1.4 : 2.2;
  if (count > 1 && gazetteer.isFamilyName(last)) scores.person += given ? 1.2 : 1;
  if (count === 1 && gazetteer.isFamilyName(last) && !given) scores.person += 0.9;
  if (count > 1 && texts.some((text) => /^\p{Lu}\.$/u.test(text))) scores.person += 2;
  if (count > 1 && (organizationHeadNouns.has(last) || organizationHeadNouns.has(first)))
    scores.person -= 1.6;
  if (count === 1 && /(?:[a-z]ian|ean|ese|nish|lish|dish)$/.test(first) && !given)
    scores.person -= 2;
  const strange = plains.every((plain) => !gazetteer.isEnglishWord(plain));
  const hyphens = plains.flatMap((plain) => plain.split('-'));
  if (!given && hyphens.length > 1 && hyphens.every((part) => gazetteer.isEnglishWord(part))) {
    scores.person -= gazetteer.isFamilyName(last) && !gazetteer.isEverydayWord(last) ? 0 : 2;
  }
  if (count === 1 && gazetteer.isEverydayWord(first) && !isCap(form)) scores.person -= 1;
  const listed = given || gazetteer.isFamilyName(last);
  if (strange) scores.person += strangeness(count, listed);
  else if (count > 1 && count < 4 && !plains.every((plain) => gazetteer.isEverydayWord(plain))) {
    scores.person += plains.some((plain) => gazetteer.isEverydayWord(plain)) ? 0.9 : 1.5;
  }
}

/** Unknown words are weak evidence, unless a list of names contains one of them. */
function strangeness(count: number, listed: boolean): number {
  if (count === 1) return listed ? 0.9 : 0.7;
  return count < 4 ? (listed ? 1.4 : 1.2) : 0;
}

const isCap = (form: Form): boolean => /^\p{Lu}\p{Ll}/u.test(form.texts[0] ?? '');

function addOrganization(scores: TypeScores, form: Form): void {
  const { plains, texts, whole, first, last, reading } = form;
  const { gazetteer } = reading;
  if (gazetteer.isOrganization(whole)) {
    const doubtful =
      alone(form) && (gazetteer.isEverydayWord(whole) || gazetteer.isGivenName(whole));
    scores.organization += doubtful ? 1.6 : 3;
  }
  if (companyForms.has(last) && plains.length > 1) scores.organization += 6;
  const of = plains.indexOf('of');
  if (of > 0 && organizationHeadsBeforeOf.has(plains[of - 1] ?? '')) {
    scores[eventHeadsBeforeOf.test(plains[of - 1] ?? '') ? 'event' : 'organization'] += 4;
  }
  if (plains.length > 1) {
    if (
      (gazetteer.isOrganization(first) || productMakers.has(first)) &&
      !gazetteer.isGivenName(first)
    ) {
      scores.organization += 1.6;
      scores.person -= 2;
    }
    if (organizationHeadNouns.has(last)) scores.organization += 3.4;
    else if (teamHeadNouns.has(last)) scores.organization += 3;
    else if (organizationHeadNouns.has(first)) scores.organization += 2.8;
    else if (clubStarts.test(first)) {
      scores.organization += first === 'st' ? 0.5 : 2.6;
    } else if (plains.some((plain) => organizationHeadNouns.has(plain))) scores.organization += 2.4;
    if (texts.includes('&')) scores.organization += 3;
    if (departmentHeadNouns.has(last)) scores.organization += 2.2;
    if (texts.some((text) => /^\p{Ll}?\p{Lu}{2,}$|\p{Ll}\p{Lu}/u.test(text)))
      scores.organization += 0.6;
    if (plains.length === 2 && isPlaceAndWord(form)) {
      scores.organization += 1.4;
      scores.person -= 1;
    }
    scores.organization += 0.6;
    return;
  }
  if (departmentNames.has(first)) {
    scores.organization += 2;
    scores.person -= 2;
    if (form.acts) {
      scores.organization += 2;
      scores.skill -= 2;
    }
  }
  if (/^\p{Lu}{2,6}$/u.test(texts[0] ?? '')) scores.organization += 0.6;
  if (/\p{Ll}\p{Lu}/u.test(texts[0] ?? '')) scores.organization += 0.7;
  if (
    gazetteer.isEverydayWord(first) &&
    !gazetteer.isOrganization(first) &&
    !departmentNames.has(first)
  ) {
    scores.organization -= 1;
  }
  scores.organization += 0.5;
}

/** "Izmir Aquatics", "Bergen Bearings": a place and a common noun. */
const isPlaceAndWord = ({ first, last, reading: { gazetteer } }: Form): boolean =>
  gazetteer.isPlace(first) &&
  !gazetteer.isGivenName(first) &&
  gazetteer.isEnglishWord(last) &&
  !gazetteer.isPlace(last) &&
  !gazetteer.isGivenName(last) &&
  !placeHeadNouns.has(last);

function addLocation(scores: TypeScores, form: Form): void {
  const { plains, whole, first, last, reading } = form;
  const { gazetteer } = reading;
  if (gazetteer.isPlace(whole)) {
    const person = gazetteer.isGivenName(whole) || gazetteer.isFamilyName(whole);
    scores.location +=
      plains.length > 1 ? 3.4 : gazetteer.isEverydayWord(whole) && person ? 1.2 : 2.5;
  }
  if (streetSuffixPattern.test(first) || streetSuffixPattern.test(last)) scores.location += 3.5;
  if (plains.length < 2) return;
  if (placeHeadNouns.has(last)) scores.location += 3;
}

/** Products, events and skills. */
function addThing(scores: TypeScores, form: Form): void {
  const { plains, texts, whole, first, last, reading } = form;
  const { gazetteer } = reading;
  const everyday = alone(form) && gazetteer.isEverydayWord(whole);
  if (gazetteer.isProduct(whole)) scores.product += everyday ? 1.7 : 3.2;
  if (/\p{Ll}\p{Lu}/u.test(texts.join(' '))) scores.product += 0.9;
  if (plains.length > 1) {
    if (productMakers.has(first) && (!gazetteer.isEnglishWord(last) || gazetteer.isProduct(last)))
      scores.product += 2.8;
    if (/^(?:\p{L}{0,4}-?\d|\d)/u.test(last) && last.length < 8) scores.product += 2;
    if (productHeadNouns.has(last)) scores.product += 2.4;
    if (gazetteer.isProduct(first) && !gazetteer.isEverydayWord(first)) scores.product += 1.2;
    if (eventHeadNouns.has(last)) scores.event += weakEventHeadNouns.has(last) ? 3.2 : 4.2;
    if (gazetteer.isEvent(first)) scores.event += 3.2;
    const inner = plains.at(-2) ?? '';
    if (plains.length > 2 && eventHeadNouns.has(inner) && gazetteer.isPlace(last)) {
      scores.event += 4;
      scores.organization -= 1.5;
    }
    if (/^(?:day|days|week|weekend|night|nights|conference|summit|festival)$/.test(last)) {
      scores.organization -= 2;
    }
    if (/^(?:storm|hurricane|typhoon|cyclone)$/.test(first)) {
      scores.event += 6;
      scores.person -= 6;
    }
    if (/\b(?:summer|winter|spring|autumn) school\b/.test(whole)) scores.event += 6;
    if (/^(?:tour|conference|feast|festival|summit)$/.test(first)) scores.event += 3.6;
    if (/^(?:20|')?\d\d$/.test(last)) scores.event += 1;
  } else if (/^\p{Lu}{1,4}-?\d{1,5}\p{L}?$/u.test(whole.toUpperCase()) && /\d/.test(whole)) {
    scores.product += 1.8;
  }
  if (gazetteer.isEvent(whole)) scores.event += 3.6;
  if (alone(form) && namedAsEvent.test(texts[0] ?? '')) scores.event += 3;
  if (naturalLanguages.has(whole)) {
    scores.skill += 3;
    scores.person -= 4;
    scores.location -= 3;
  } else if (gazetteer.isSkill(whole)) scores.skill += 3;
}
