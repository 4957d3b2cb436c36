import { canBeNamePart, normalizedWordAt, type TokenizedText } from './candidates.ts';
import { roleNouns } from './lexicon/people.ts';
import { wordSet } from './lexicon/word-lists.ts';
import { isRelationshipNoun } from './relationship-nouns.ts';
import type { TypeScores } from './type-scores.ts';

const motions = wordSet(
  `moved moves move moving flew fly flies flying went go goes going gone trip travel travels
  travelled
  back came comes come drove drive drives headed relocated relocates commute commutes train flight
  hiked walked hike walk cycled sailed rowed bus ferry ride rode shuttle arrives arrived
  arriving ship shipped sails sailed returned returns up down over`,
);
export const learningVerbs = wordSet(
  `knows know knew speak speaks spoke spoken learn learns learnt learned learning teach
  teaches masters mastered mastering taught
  teaching study studies studied studying practise practises fluent written write writes rewrite
  rewritten understands reads talks`,
);
export const organizationOwnedNouns = wordSet(
  `hub branch unit subsidiary ceo cto cfo coo team office people buyer staff board lab group
  engineers department hr lawyers
  api support plant factory headquarters hq customers shares employees representative lawyer press
  founder founders investors shareholders spokesperson formerly previously
  website store shop branch campus driver`,
);
/** Works of people rather than products of companies. */
const works = wordSet(
  `translations bindings drawings photos strings notes slides patches fixes edits changes comments
  lyrics designs illustrations words poems songs talks reviews tests pictures is was does has`,
);
const usagesTo = wordSet(
  'switch switched switches migrate migrated migrating upgrade upgraded moved',
);
const courses = wordSet('course training certified trained expert experience skilled lessons');
const jobs = wordSet('work works worked working job position started role');
const goods = wordSet(
  `quote offer tiles parts feed data order delivery deliveries letter email invoice spreadsheet
  report seats support licence license grant funding bought ordered supplied delivered`,
);
const parts = wordSet('city town capital part north south east west outside');
const hosts = wordSet('runs running run built based works hosted deployed everything backups');
const dwellings = wordSet('live lives lived living stays island');
/** Work for a paying client. */
const jobVerbs = new RegExp(
  '^(?:work|play|driv|drove|fly|flies|flew|writ|wrote|cook|consult|volunteer|intern|freelanc|' +
    'clean|sell|sold|sings|row|coach|scout|left|leaves|leaving|edits|swim|swam|sail|dances)',
);
/** Activities at events: "spoke at", "our stand at". */
const speaking = wordSet(`
  spoke speak speaks speaking talk talks keynote keynoted presented presents presenting exhibited
  exhibit exhibiting booth stand poster paper panel panellist demo demoed lightning volunteered ran
  race raced competed compete sang performed medal raffle`);
/** "keeps notes in Bear": software that stores things. */
const keepings = wordSet(`
  keep keeps kept write writes wrote track tracks tracked store stores stored draw draws drew build
  builds built log logs logged edit edits edited manage manages managed plan plans planned`);
const changes = wordSet('switch switches switched switching migrate migrated migrating upgraded');
const within = wordSet('in near around across outside through throughout');

/** A name and its preposition. */
interface Place {
  readonly scores: TypeScores;
  readonly reading: TokenizedText;
  /** Index of the preposition, and of the name's first word. */
  readonly at: number;
  readonly from: number;
  /** The word before the preposition. */
  readonly earlier: string;
}

/** Scores the types of a name by the preposition before it. */
export function scoreTypesByPreposition(
  scores: TypeScores,
  reading: TokenizedText,
  at: number,
  from: number,
): void {
  const word = normalizedWordAt(reading, at);
  const place: Place = { scores, reading, at, from, earlier: normalizedWordAt(reading, at - 1) };
  if (within.has(word)) addWithin(place);
  else if (word === 'to') addTo(place);
  else if (word === 'from') addFrom(place);
  else if (word === 'at') addAt(place);
  else addOther(word, place);
}

function addWithin({ scores, reading, at, from, earlier }: Place): void {
  const known = reading.gazetteer.isPlace(normalizedWordAt(reading, from));
  const software = !known && scores.product > 1.5;
  const passing = !known && /^(?:through|across|throughout)$/.test(normalizedWordAt(reading, at));
  if (passing) scores.product += 1;
  const plain = !known && reading.gazetteer.isEnglishWord(normalizedWordAt(reading, from));
  scores.location += software || passing ? 0.2 : known ? 2.2 : plain ? 1.2 : 1.8;
  if (!known && (keepings.has(normalizedWordAt(reading, at - 2)) || keepings.has(earlier))) {
    scores.product += 2;
  }
  if (learningVerbs.has(earlier) || courses.has(earlier)) raiseSkillScore(scores);
}

function addTo({ scores, reading, at, earlier }: Place): void {
  const before = normalizedWordAt(reading, at - 2);
  if (motions.has(earlier) || motions.has(before)) scores.location += 1.6;
  if (before === 'from' && scores.location < 1) scores.organization += 1.3;
  if (usagesTo.has(earlier)) scores.product += 2;
  if (before === 'from' && changes.has(normalizedWordAt(reading, at - 3))) scores.product += 3;
  if (earlier === 'report' || earlier === 'reports' || earlier === 'belongs') scores.person += 1;
}

function addFrom({ scores, reading, at, from, earlier }: Place): void {
  scores.organization += canBeNamePart(reading, at - 1) ? 2 : 0.8;
  const moved = motions.has(earlier) && !changes.has(earlier) && earlier !== 'moved';
  if (moved && normalizedWordAt(reading, from + 1) === 'to') scores.location += 2.6;
  else if (normalizedWordAt(reading, from + 1) === 'to' && scores.location < 1)
    scores.organization += 1;
  else scores.location += motions.has(earlier) ? 1.8 : 0.9;
  if (goods.has(earlier)) scores.organization += 1.4;
  if (changes.has(earlier)) scores.product += 3;
}

function addAt({ scores, at, from, earlier }: Place): void {
  const direct = at === from - 1;
  if (jobs.has(earlier)) scores.organization += 2;
  scores.organization += direct ? 1.8 : 1.2;
  scores.person -= 1;
  scores.event += speaking.has(earlier) ? 2.6 : 0.7;
  scores.location += direct ? 0.3 : 0.8;
}

function addOther(word: string, { scores, reading, at, earlier }: Place): void {
  if (word === 'for') {
    scores.organization +=
      jobVerbs.test(earlier) || jobVerbs.test(normalizedWordAt(reading, at - 2)) ? 2.5 : 0.5;
  } else if (word === 'of' && isRelationshipNoun(earlier)) {
    scores.person += 2;
  } else if (word === 'of') {
    if (canBeNamePart(reading, at - 1)) scores.organization += 1.6;
    scores.organization += roleNouns.has(earlier) || organizationOwnedNouns.has(earlier) ? 2 : 0.4;
    scores.location += parts.has(earlier) ? 2 : 0.3;
  } else if (
    word === 'with' &&
    (keepings.has(earlier) || keepings.has(normalizedWordAt(reading, at - 2)))
  ) {
    scores.product += 1.6;
  } else if (word === 'with' && roleNouns.has(earlier)) {
    scores.organization += 2;
    scores.person -= 1;
  } else if (word === 'with' && courses.has(earlier)) {
    raiseSkillScore(scores);
  } else if (word === 'on') {
    if (hosts.has(earlier)) scores.product += 2;
    else if (dwellings.has(earlier)) scores.location += 2.2;
    else scores.product += 0.8;
  } else if (word === 'by') {
    // "drawn by Ana", "notes by Ana", but "new seats by Recaro".
    if (/s$/.test(earlier) && !works.has(earlier)) scores.organization += 1.5;
    else scores.person += 0.9;
  }
}

/** A tool that somebody masters is a skill, and so is a language. */
export function raiseSkillScore(scores: TypeScores): void {
  if (scores.product > 1) scores.skill += scores.product + 0.5;
  scores.skill += scores.skill > 0.5 ? 2 : 1;
}
