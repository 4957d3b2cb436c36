import { scoreTypesByApposition } from './apposition-scores.ts';
import {
  canBeNamePart,
  type NameCandidate,
  normalizedWordAt,
  type TokenizedText,
  wordAt,
} from './candidates.ts';
import { honorifics, personSubjectVerbs, roleNouns } from './lexicon/people.ts';
import { productHeadNouns } from './lexicon/products.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import {
  learningVerbs,
  organizationOwnedNouns,
  raiseSkillScore,
  scoreTypesByPreposition,
} from './preposition-scores.ts';
import { isRelationshipNoun } from './relationship-nouns.ts';
import type { TypeScores } from './type-scores.ts';

const plainVerbs = wordPattern(`
  is was has will can uses used would could had joined joins runs did does can`);
const sites = wordPattern(`
  office hub lab branch plant airport warehouse site factory studio`);
const beforeRoles = wordPattern(`
  the a an our my his her their old new former union head chief senior vice`);

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const greetings = set(
  `hi hello hey dear moin hola ciao bonjour hallo thanks thx cheers regards best sincerely hugs love
  yours greetings cordialement wishes servus salut`,
);
const meetings = set(
  'met meet ask asked tell told thank ping call called remind invite visited saw',
);
const usages = set(
  `use uses used using via install installs installed upgrade upgraded upgrades run runs running
  adopt adopts adopted drives drove rides bought sells sold deploy deployed deploys
  bump bumped pin pinned adopting replace replaces prescribes invoice taking driving riding
  wearing trying configured try tried prefers takes take prescribed gets`,
);
const joinings = set(
  'joined joins join left leaves leave leaving quit founded cofounded runs acquired',
);
const ownPerson = set(
  `birthday wedding funeral deputy desk house flat place phone laptop email car room idea plan
  talk proposal draft patch review comment leave manager boss wife husband retirement dinner`,
);

/** Scores the types of a name by the words around it. */
export function scoreTypesByContext(
  scores: TypeScores,
  reading: TokenizedText,
  candidate: NameCandidate,
): void {
  addBefore(scores, reading, candidate);
  addAfter(scores, reading, candidate);
  addPlace(scores, reading, candidate);
  scoreTypesByApposition(scores, reading, candidate);
}

const between = /^(?:the|["'“”‘(]|new|our|old|their|his|her|my)$/;

/** The index of the word before, skipping articles, quotes and function words. */
function before(reading: TokenizedText, from: number): number {
  let at = from - 1;
  while (at >= 0 && between.test(normalizedWordAt(reading, at))) {
    at -= 1;
  }
  return at;
}

const sameSentence = (reading: TokenizedText, one: number, two: number): boolean =>
  wordAt(reading, one)?.sentence === wordAt(reading, two)?.sentence;

function addBefore(scores: TypeScores, reading: TokenizedText, { from }: NameCandidate): void {
  const at = before(reading, from);
  const direct = normalizedWordAt(reading, from - 1);
  if (direct === '@' && wordAt(reading, from)?.glued) scores.person += 5;
  const comma = direct === ',' ? normalizedWordAt(reading, from - 2) : direct;
  if (greetings.has(comma)) scores.person += 3;
  if (at < 0 || !sameSentence(reading, at, from)) return;
  const word = normalizedWordAt(reading, at);
  const earlier = normalizedWordAt(reading, at - 1);
  if ((roleNouns.has(direct) || isRelationshipNoun(direct)) && !canBeNamePart(reading, from - 1))
    scores.person += 3;
  if (direct === ',' && (roleNouns.has(earlier) || isRelationshipNoun(earlier))) scores.person += 1;
  if (honorifics.has(direct) || (direct === '.' && honorifics.has(earlier))) scores.person += 3;
  if (meetings.has(word)) scores.person += 1.5;
  if (direct === 'the') scores.person -= 1.6;
  if (/^(?:my|his|her|their|our|your)$/.test(direct)) scores.person -= 0.8;
  if (direct === '(' && canBeNamePart(reading, from - 2) && scores.location < 1) {
    scores.organization += 1.4;
    scores.person -= 1;
  }
  if (word === 'with' || word === 'by' || word === 'and') scores.person += 0.4;
  addPersonSign(scores, reading, at, from);
  scoreTypesByPreposition(scores, reading, at, from);
  addVerbs(scores, reading, at, from);
}

/** Properties that only people have. */
const ofPeople = set(
  `qualified certified trained brilliant fluent ill sick happy busy late away pregnant married
  engaged retired allergic vegan
  vegetarian conversant proficient skilled hopeless great good excellent funny kind nervous tired
  sorry afraid keen moving getting learning mother father`,
);
const personObjects = set(
  `hire hires hired hiring promote promotes promoted married marry marries wed mentor mentors
  mentored befriended supervises supervised introduced introduce fired interviewed interview
  congratulate congratulated thanked emailed phoned texted pinged messaged brief briefed adopted
  nominated elected replaced says said called helped asked alongside consult consulted cc`,
);

/** Verbs and nouns whose object is always a person: "hired Ana", "friends with Ana". */
function addPersonSign(scores: TypeScores, reading: TokenizedText, at: number, from: number): void {
  const word = normalizedWordAt(reading, at);
  const earlier = normalizedWordAt(reading, at - 1);
  const article = normalizedWordAt(reading, from - 1) === 'the';
  if (article) return;
  if (personObjects.has(word)) scores.person += 1.3;
  if (word === 'with' && /^(?:friends|sister|brother|lunch|dinner|coffee)$/.test(earlier)) {
    scores.person += 1.6;
  }
  if ((word === 'to' || word === 'and') && isRelationshipNoun(earlier)) scores.person += 1.6;
  if (word === 'of' && earlier === 'all') scores.person += 0.6;
  if (
    word === 'with' &&
    /^(?:up|deal|contract|partnership|partnered|merger|signed)$/.test(earlier)
  ) {
    scores.organization += 1.3;
  }
}

function addVerbs(scores: TypeScores, reading: TokenizedText, at: number, from: number): void {
  const article = /^(?:a|an)$/.test(normalizedWordAt(reading, at));
  const place = article ? at - 1 : at;
  const adverb = /^(?:mostly|some|only|also|mainly|even|better|fluent|basic|now|good|bit|little)$/;
  const shift = adverb.test(normalizedWordAt(reading, place)) ? 1 : 0;
  const word = normalizedWordAt(reading, place - shift);
  if (usages.has(word)) scores.product += scores.location > 2 ? 0.8 : 2.5;
  else if (article && !/(?:ian|ic|ese|ish)$/.test(normalizedWordAt(reading, from)))
    scores.product += 1.6;
  if (joinings.has(word)) {
    if (scores.location > 2) scores.location += 1;
    else scores.organization += 2;
  }
  if (learningVerbs.has(word)) raiseSkillScore(scores);
  if (word === 'instead' || word === 'swap' || word === 'replace' || word === 'drop') {
    scores.product += 1.2;
  }
  addEventVerbs(scores, reading, at);
  if (/^(?:add|adds|added)$/.test(word) && normalizedWordAt(reading, from) !== '')
    scores.skill += 0.3;
}

const attendings = set(
  `attended attend attending during missed skipped skip organised organized organising organizing
  organise organize hosted hosting sponsor sponsors sponsored sponsoring cancelled canceled
  postponed rescheduled attends`,
);
const entries = new RegExp(
  '^(?:tickets|ticket|registered|registration|signed|sign|invitation|invited|entry|prepare|' +
    'preparing|agenda|ready) (?:up )?(?:for|to)$',
);

/** "attended X", "tickets for X", "back from X". */
function addEventVerbs(scores: TypeScores, reading: TokenizedText, at: number): void {
  const [word, earlier] = [normalizedWordAt(reading, at), normalizedWordAt(reading, at - 1)];
  if (attendings.has(word)) scores.event += 1.6;
  if (entries.test(`${earlier} ${word}`)) scores.event += 1.4;
  if (earlier === 'up' && word === 'for') scores.event += 1.2;
}

/** "X takes place", "X was postponed", "X kicks off", "X 2026". */
function addEventSigns(scores: TypeScores, reading: TokenizedText, to: number): void {
  const [one, two, three] = [0, 1, 2].map((on) => normalizedWordAt(reading, to + on)) as [
    string,
    string,
    string,
  ];
  const held = `${one} ${two}`;
  if (/^(?:takes|took|taking) place$|^kicks? off$|^kicked off$/.test(held)) scores.event += 2.2;
  if (
    /^(?:is|was|got|has|gets|been)$/.test(one) &&
    /^(?:been|cancelled|canceled|postponed|moved|rescheduled)$/.test(two)
  ) {
    scores.event +=
      /^been$/.test(two) && !/^(?:cancelled|canceled|postponed|rescheduled)$/.test(three) ? 0 : 2.2;
  }
  if (/^20\d\d$/.test(one)) scores.event += 1.5;
}

function addAfter(scores: TypeScores, reading: TokenizedText, { to, from }: NameCandidate): void {
  const next = normalizedWordAt(reading, to);
  if (next === ',' && /^(?:based|headquartered|founded)$/.test(normalizedWordAt(reading, to + 1))) {
    scores.organization += 2;
  }
  if (!sameSentence(reading, to, from)) return;
  const past = normalizedWordAt(reading, to + 1);
  if (next === "'s") {
    const given = to - from === 1 && reading.gazetteer.isGivenName(normalizedWordAt(reading, from));
    if (given && /^(?:team|office|desk|car|group|lab)$/.test(past)) scores.person += 1.8;
    const behind = [2, 3].map((on) => normalizedWordAt(reading, to + on));
    if (behind.some((word) => isRelationshipNoun(word) || /^(?:skills|birthday)$/.test(word))) {
      scores.person += 1.2;
    }
    if (isRelationshipNoun(past) || ownPerson.has(past)) scores.person += 1.6;
    else if (organizationOwnedNouns.has(past)) scores.organization += 1.2;
    else scores.person += 0.6;
    return;
  }
  addEventSigns(scores, reading, to);
  if (next === '-based') scores.location += 2.5;
  if (/^(?:is|was|'s)$/.test(next) && ofPeople.has(past)) scores.person += 1.4;
  if (plainVerbs.test(next)) {
    scores.person += 0.7;
  } else if (personSubjectVerbs.has(next)) scores.person += 1.6;
  if (!/ss$/.test(next) && /^\p{Ll}{3,}(?:s|ed)$/u.test(next) && !personSubjectVerbs.has(next))
    scores.person += 0.9;
  if (next === 'who' || (next === ',' && past === 'who')) scores.person += 2.5;
  if (next === 'and' && past === 'i') scores.person += 2.5;
  if (next === 'at' && canBeNamePart(reading, to + 1)) scores.person += 1.2;
  if (next === 'from' || next === '&') scores.person += 0.6;
  if (next === ',' && isRole(reading, to + 1)) scores.person += 1.8;
  if (next === '(' && isRole(reading, to + 1)) scores.person += 1.8;
  if (productHeadNouns.has(next)) {
    scores.product += scores.product > 1 ? 1.4 : 0.6;
    scores.organization += scores.organization > 2 ? 1.6 : 0.8;
  }
  if (next === 'family') scores.person += 4;
  const number = wordAt(reading, to);
  if (number?.kind === 'number' && !reading.dateWords.has(to) && /^\d{1,4}(?:\.\d+)*$/.test(next)) {
    scores.product += 1.6;
  }
  if (sites.test(next)) {
    scores.location += 2;
    scores.organization -= 1;
  }
}

/** "the drummer", "my old boss", "chair": a role behind a comma or bracket. */
function isRole(reading: TokenizedText, at: number): boolean {
  for (let i = at; i < at + 4; i += 1) {
    const word = normalizedWordAt(reading, i);
    if (roleNouns.has(word) || isRelationshipNoun(word)) return true;
    if (!beforeRoles.test(word)) {
      return false;
    }
  }
  return false;
}

const attendance = wordPattern(`
  present owner owners assignee reporter minutes guests guest host moderator speaker speakers
  contact present attendees attending participants from to cc bcc apologies absent thanks`);
const signatures = wordPattern(`
  co-authored-by signed-off-by reviewed-by reported-by tested-by acked-by`);

/** Position in the text: attendance lists, signatures, speakers. */
function addPlace(scores: TypeScores, reading: TokenizedText, { from, to }: NameCandidate): void {
  const { words, text } = reading;
  const first = words[from];
  const last = words[to - 1];
  if (!first || !last) return;
  const lineStart = text.lastIndexOf('\n', first.start - 1) + 1;
  const lineEnd = text.indexOf('\n', last.end) < 0 ? text.length : text.indexOf('\n', last.end);
  const lead = text.slice(lineStart, Math.min(first.start, lineStart + 24));
  const label = /^[-*>\s]*([\p{L}-]{2,20})\s?:/u.exec(lead)?.[1]?.toLowerCase();
  if (label && attendance.test(label)) scores.person += 2;
  if (label && signatures.test(label)) scores.person += 4;
  const behind = text.slice(last.end, lineEnd).trim();
  const ahead = text.slice(lineStart, first.start).trim();
  const isLast = lineEnd >= text.trimEnd().length;
  if (isLast && /^[.!]?$/.test(behind) && isSignature(text, first.start)) scores.person += 2.2;
  if (/^[-*]?$/.test(ahead) && /^:/.test(behind) && to - from < 4 && lineStart > 0)
    scores.person += 0.9;
  if (
    isLast &&
    /^[.]?$/.test(behind) &&
    /\p{L},$/u.test(ahead) &&
    from > 1 &&
    canBeNamePart(reading, from - 2)
  ) {
    if (scores.location > 1) scores.location += 1;
    else scores.organization += 2;
    scores.person -= 1.5;
  }
  if (isLast && ahead.endsWith('/') && behind === '') scores.person += 2;
}

/** Whether a position is a letter's signature: on a line of its own, or after a full stop. */
const isSignature = (text: string, start: number): boolean =>
  start > 20 && /(?:[.!?]\s|\n[^\n]{0,3}|[-–]{1,2}\s?|,\s)$/.test(text.slice(start - 8, start));
