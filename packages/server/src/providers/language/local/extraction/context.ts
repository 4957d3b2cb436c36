import { type Candidate, isNamed, plainAt, type Reading, wordAt } from './candidates.ts';
import { wordPattern } from './lexicon/lines.ts';
import {
  colleagues,
  friends,
  honorifics,
  kin,
  personVerbs,
  roles,
  subordinates,
  superiors,
} from './lexicon/people.ts';
import { productHeads } from './lexicon/products.ts';
import type { Scores } from './scores.ts';

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
  configured try tried prefers takes take prescribed gets`,
);
const usagesTo = set('switch switched switches migrate migrated migrating upgrade upgraded moved');
const joinings = set(
  'joined joins join left leaves leave leaving quit founded cofounded runs acquired',
);
const motions = set(
  `moved moves move moving flew fly flies flying went go goes going gone trip travel travels
  travelled
  back came comes come drove drive drives headed relocated relocates commute commutes train flight
  hiked walked hike walk cycled sailed rowed bus ferry ride rode shuttle arrives arrived
  arriving ship shipped sails sailed returned returns up down over`,
);
const learnings = set(
  `knows know knew speak speaks spoke spoken learn learns learnt learned learning teach
  teaches taught
  teaching study studies studied studying practise practises fluent written write writes rewrite
  rewritten understands reads talks`,
);
/** What people make, rather than companies. */
const works = set(
  `translations bindings drawings photos strings notes slides patches fixes edits changes comments
  lyrics designs illustrations words poems songs talks reviews tests pictures is was does has`,
);
const owned = set(
  `hub branch unit subsidiary ceo cto cfo coo team office people buyer staff board lab group
  engineers department hr lawyers
  api support plant factory headquarters hq customers shares employees representative lawyer press
  website store shop branch campus driver`,
);
const ownPerson = set(
  `birthday wedding funeral deputy desk house flat place phone laptop email car room idea plan
  talk proposal draft patch review comment leave manager boss wife husband retirement dinner`,
);

export const isRelation = (word: string): boolean =>
  kin.has(word) ||
  friends.has(word) ||
  superiors.has(word) ||
  subordinates.has(word) ||
  colleagues.has(word);

/** What the words around a name say of its type. */
export function addContext(scores: Scores, reading: Reading, candidate: Candidate): void {
  addBefore(scores, reading, candidate);
  addAfter(scores, reading, candidate);
  addPlace(scores, reading, candidate);
}

/** The place of the word before, past articles, quotes and small words. */
function before(reading: Reading, from: number): number {
  let at = from - 1;
  while (at >= 0 && /^(?:the|["'“”‘(]|new|our|old|their|his|her|my)$/.test(plainAt(reading, at))) {
    at -= 1;
  }
  return at;
}

const sameSentence = (reading: Reading, one: number, two: number): boolean =>
  wordAt(reading, one)?.sentence === wordAt(reading, two)?.sentence;

function addBefore(scores: Scores, reading: Reading, { from }: Candidate): void {
  const at = before(reading, from);
  const direct = plainAt(reading, from - 1);
  if (direct === '@' && wordAt(reading, from)?.glued) scores.person += 5;
  const comma = direct === ',' ? plainAt(reading, from - 2) : direct;
  if (greetings.has(comma)) scores.person += 3;
  if (at < 0 || !sameSentence(reading, at, from)) return;
  const word = plainAt(reading, at);
  const earlier = plainAt(reading, at - 1);
  if ((roles.has(direct) || isRelation(direct)) && !isNamed(reading, from - 1)) scores.person += 3;
  if (direct === ',' && (roles.has(earlier) || isRelation(earlier))) scores.person += 1;
  if (honorifics.has(direct) || (direct === '.' && honorifics.has(earlier))) scores.person += 3;
  if (meetings.has(word)) scores.person += 1.5;
  if (direct === 'the') scores.person -= 1.6;
  if (word === 'with' || word === 'by' || word === 'and') scores.person += 0.4;
  addPrepositions(scores, reading, at, from);
  addVerbs(scores, reading, at, from);
}

function addPrepositions(scores: Scores, reading: Reading, at: number, from: number): void {
  const word = plainAt(reading, at);
  const earlier = plainAt(reading, at - 1);
  switch (word) {
    case 'in':
    case 'near':
    case 'around':
    case 'across':
    case 'outside':
    case 'through':
    case 'throughout':
      scores.location += 2.2;
      if (
        learnings.has(earlier) ||
        wordPattern(`
  course training certified trained expert experience skilled lessons`).test(earlier)
      ) {
        addLearning(scores);
      }
      return;
    case 'to':
      if (motions.has(earlier) || motions.has(plainAt(reading, at - 2))) {
        scores.location += 1.6;
      }
      if (plainAt(reading, at - 2) === 'from' && scores.location < 1) scores.organization += 1.3;
      if (usagesTo.has(earlier)) scores.product += 2;
      if (earlier === 'report' || earlier === 'reports' || earlier === 'belongs')
        scores.person += 1;
      return;
    case 'at':
      if (/^(?:works?|worked|working|job|position|started|role)$/.test(earlier))
        scores.organization += 2;
      scores.organization += at === from - 1 ? 1.8 : 1.2;
      scores.event += 0.7;
      scores.location += at === from - 1 ? 0.3 : 0.8;
      return;
    case 'from':
      scores.organization += isNamed(reading, at - 1) ? 2 : 0.8;
      if (plainAt(reading, from + 1) === 'to' && scores.location < 1) scores.organization += 1;
      else scores.location += motions.has(earlier) ? 1.8 : 0.9;
      if (
        wordPattern(`
  quote offer tiles parts feed data order delivery deliveries letter email invoice
  spreadsheet report seats support licence license grant funding bought ordered supplied
  delivered`).test(earlier)
      )
        scores.organization += 1.4;
      return;
    case 'for':
      scores.organization +=
        /^work/.test(earlier) || earlier === 'play' || earlier === 'plays' ? 2.5 : 0.5;
      return;
    case 'of':
      if (isRelation(earlier)) {
        scores.person += 2;
        return;
      }
      if (isNamed(reading, at - 1)) scores.organization += 1.6;
      scores.organization += roles.has(earlier) || owned.has(earlier) ? 2 : 0.4;
      scores.location += wordPattern(`
  city town capital part north south east west outside`).test(earlier)
        ? 2
        : 0.3;
      return;
    case 'on':
      if (
        wordPattern(`
  runs running run built based works hosted deployed everything backups`).test(earlier)
      ) {
        scores.product += 2;
      } else if (/^(?:live|lives|lived|living|stays|island)$/.test(earlier)) scores.location += 2.2;
      else scores.product += 0.8;
      return;
    case 'by':
      // "drawn by Ana", "notes by Ana", but "new seats by Recaro".
      if (/s$/.test(earlier) && !works.has(earlier)) scores.organization += 1.5;
      else scores.person += 0.9;
      return;
    default:
  }
}

/** A tool that somebody is said to master is a skill, and so is a tongue. */
function addLearning(scores: Scores): void {
  if (scores.product > 1) scores.skill += scores.product + 0.5;
  scores.skill += scores.skill > 0.5 ? 2 : 1;
}

function addVerbs(scores: Scores, reading: Reading, at: number, from: number): void {
  const article = /^(?:a|an)$/.test(plainAt(reading, at));
  const place = article ? at - 1 : at;
  const word = plainAt(reading, place);
  if (usages.has(word)) scores.product += scores.location > 2 ? 0.8 : 2.5;
  else if (article) scores.product += 1.6;
  if (joinings.has(word)) {
    if (scores.location > 2) scores.location += 1;
    else scores.organization += 2;
  }
  if (learnings.has(word)) addLearning(scores);
  if (word === 'instead' || word === 'swap' || word === 'replace' || word === 'drop') {
    scores.product += 1.2;
  }
  if (word === 'attended' || word === 'during' || word === 'attend') scores.event += 1.6;
  if (/^(?:add|adds|added)$/.test(word) && plainAt(reading, from) !== '') scores.skill += 0.3;
}

function addAfter(scores: Scores, reading: Reading, { to, from }: Candidate): void {
  const next = plainAt(reading, to);
  if (!sameSentence(reading, to, from)) return;
  const past = plainAt(reading, to + 1);
  if (next === "'s") {
    if (isRelation(past) || ownPerson.has(past)) scores.person += 1.6;
    else if (owned.has(past)) scores.organization += 1.2;
    else scores.person += 0.6;
    return;
  }
  if (
    wordPattern(`
  is was has will uses used would could had joined joins runs did does can`).test(next)
  ) {
    scores.person += 0.7;
  } else if (personVerbs.has(next)) scores.person += 1.6;
  if (!/ss$/.test(next) && /^\p{Ll}{3,}(?:s|ed)$/u.test(next) && !personVerbs.has(next))
    scores.person += 0.9;
  if (next === 'who' || (next === ',' && past === 'who')) scores.person += 2.5;
  if (next === 'and' && past === 'i') scores.person += 2.5;
  if (next === 'from' || next === '&') scores.person += 0.6;
  if (next === ',' && isRole(reading, to + 1)) scores.person += 1.8;
  if (next === '(' && isRole(reading, to + 1)) scores.person += 1.8;
  if (productHeads.has(next)) {
    scores.product += scores.product > 1 ? 1.4 : 0.6;
    scores.organization += scores.organization > 2 ? 1.6 : 0.8;
  }
  if (next === 'family') scores.person += 4;
  const number = wordAt(reading, to);
  if (number?.kind === 'number' && !reading.taken.has(to) && /^\d{1,4}(?:\.\d+)*$/.test(next)) {
    scores.product += 1.6;
  }
  if (
    wordPattern(`
  office hub lab branch plant airport warehouse site factory studio`).test(next)
  ) {
    scores.location += 2;
    scores.organization -= 1;
  }
}

/** "the drummer", "my old boss", "chair": a role behind a comma or bracket. */
function isRole(reading: Reading, at: number): boolean {
  for (let i = at; i < at + 4; i += 1) {
    const word = plainAt(reading, i);
    if (roles.has(word) || isRelation(word)) return true;
    if (
      !wordPattern(`
  the a an our my his her their old new former union head chief senior vice`).test(word)
    ) {
      return false;
    }
  }
  return false;
}

const attendance = wordPattern(`
  present attendees attending participants from to cc bcc apologies absent thanks`);
const signatures = wordPattern(`
  co-authored-by signed-off-by reviewed-by reported-by tested-by acked-by`);

/** Where in the text it stands: lists of who was there, signatures, speakers. */
function addPlace(scores: Scores, reading: Reading, { from, to }: Candidate): void {
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
    isNamed(reading, from - 2)
  ) {
    if (scores.location > 1) scores.location += 1;
    else scores.organization += 2;
    scores.person -= 1.5;
  }
  if (isLast && ahead.endsWith('/') && behind === '') scores.person += 2;
}

/** Whether what stands at a place ends a letter: on a line of its own, or after a full stop. */
const isSignature = (text: string, start: number): boolean =>
  start > 20 && /(?:[.!?]\s|\n[^\n]{0,3}|[-–]{1,2}\s?|,\s)$/.test(text.slice(start - 8, start));
