import {
  canBeNamePart,
  type NameCandidate,
  normalizedWordAt,
  type TokenizedText,
  wordAt,
} from './candidates.ts';
import { functionWords } from './lexicon/non-name-words.ts';
import {
  nonNamingModifiers,
  organizationHeadNouns,
  teamHeadNouns,
} from './lexicon/organizations.ts';
import { productHeadNouns } from './lexicon/products.ts';
import type { NamedEntityType } from './type-scores.ts';

/** A name that ends with a lower-case word: "Bergen team", "Lisbon hack week". */
export interface HeadNounName extends NameCandidate {
  readonly type: NamedEntityType;
  /** The name before the head is an entity, too: "Mehmet's retirement dinner". */
  readonly keepsInnerName: boolean;
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Lower-case event nouns that are not verbs. */
const smallEvents = set(
  `all-hands vote town-hall ballot trial match final semifinal hearing drill blackout storm
  breach draw incident crash derby
  wedding funeral shower day conference offsite off-site retreat hackathon meetup meet-up
  workshop summit
  festival party pre-party afterparty dinner brunch launch strike protest week weekend evening night
  marathon regatta reunion kickoff kick-off gala fair concert outage exhibition expo tournament
  seminar webinar ceremony flood earthquake congress symposium hackday graduation anniversary
  christening baptism premiere fundraiser picnic barbecue bbq convention jubilee rally festival
  trip hike rehearsal hearing demo pitch quiz fire spill rollout cutover cup race ride walk game gig
  bazaar fiasco disaster tour cruise expedition audit bake-off cook-off screening tasting heatwave
  qualifier playoff playoffs finals recital pageant vigil sleepover potluck ball raid siege
  birthday memorial swap derby carnival election elections relay triathlon pilgrimage vernissage`,
);
const smallOrganizations = set(
  `hospital clinic university school church museum library college chambers brewery bakery
  orchestra choir band foundation institute farm brothers district-office surgery club society
  parish council theatre theater`,
);
const bareUnits = set(`team crew squad guild group department unit division committee desk club
  council taskforce police brigade`);
const between = set(
  `retirement watch hack release launch farewell leaving housewarming birthday engagement kick
  planning team company design book film music jazz beer food street release product board
  garden charity press open baby pilot science sports training wine family school summer
  winter spring
  autumn field study`,
);
const determiners = set("the our their its my his her your 's this");

const isSmall = (reading: TokenizedText, at: number, sentence: number): boolean => {
  const word = wordAt(reading, at);
  return !!word && word.kind === 'word' && !word.capital && word.sentence === sentence;
};

/** Heads that are verbs before an article: "had Ana demo the tool". */
const acts = new RegExp(
  '^(?:demo|pitch|fire|tour|hike|ride|race|walk|launch|strike|match|draw|quiz|raid|game|ball|' +
    'watch)$',
);

/** Extends a candidate by a lower-case head noun if there is one. */
export function extendByHeadNoun(
  reading: TokenizedText,
  candidate: NameCandidate,
): HeadNounName | null {
  const against = matchAt(reading, candidate);
  if (against) return against;
  const { to } = candidate;
  const sentence = wordAt(reading, candidate.from)?.sentence ?? -1;
  const owner = normalizedWordAt(reading, to) === "'s";
  const at = owner ? to + 1 : to;
  if (!isSmall(reading, at, sentence)) return owner ? capitalHead(reading, candidate) : null;
  const head = normalizedWordAt(reading, at);
  if (
    acts.test(head) &&
    /^(?:the|a|an|it|him|her|them|to|his|our)$/.test(normalizedWordAt(reading, at + 1))
  ) {
    return null;
  }
  if (head === 'half' && normalizedWordAt(reading, at + 1) === 'marathon') {
    return event(reading, candidate, at + 1, owner);
  }
  if (smallEvents.has(head) && !owner) return event(reading, candidate, at, false);
  if (between.has(head) && isSmall(reading, at + 1, sentence)) {
    const next = normalizedWordAt(reading, at + 1);
    if (smallEvents.has(next)) return event(reading, candidate, at + 1, owner);
  }
  if (smallEvents.has(head) && owner && !/^(?:week|weekend|evening|night)$/.test(head)) {
    return event(reading, candidate, at, true);
  }
  if (owner) return null;
  if (teamHeadNouns.has(head) || smallOrganizations.has(head)) {
    if (head === 'office' || head === 'lab' || head === 'unit-test') return null;
    return { from: candidate.from, to: at + 1, type: 'organization', keepsInnerName: false };
  }
  return null;
}

/** "Okafor v. Brightline Energy", "Leeds v Hull": a trial or a match. */
function matchAt(reading: TokenizedText, { from, to }: NameCandidate): HeadNounName | null {
  if (!/^(?:v|vs|versus)$/.test(normalizedWordAt(reading, to))) return null;
  const other = normalizedWordAt(reading, to + 1) === '.' ? to + 2 : to + 1;
  let end = other;
  while (end < other + 4 && canBeNamePart(reading, end)) end += 1;
  return end > other ? { from, to: end, type: 'event', keepsInnerName: false } : null;
}

function event(
  reading: TokenizedText,
  { from }: NameCandidate,
  head: number,
  keeps: boolean,
): HeadNounName {
  let begin = from;
  // "Lindqvist–Mbeki wedding".
  const dash = /^[–—/]$/.test(normalizedWordAt(reading, from - 1));
  if (dash && wordAt(reading, from)?.glued) begin = from - 2;
  return { from: Math.max(0, begin), to: head + 1, type: 'event', keepsInnerName: keeps };
}

/** "Queen's University Belfast", "Gray's Inn chambers": the owner is part of the name. */
function capitalHead(reading: TokenizedText, { from, to }: NameCandidate): HeadNounName | null {
  if (!canBeNamePart(reading, to + 1)) return null;
  let end = to + 1;
  let isHead = false;
  while (
    end < to + 5 &&
    (canBeNamePart(reading, end) || smallOrganizations.has(normalizedWordAt(reading, end)))
  ) {
    isHead ||=
      organizationHeadNouns.has(normalizedWordAt(reading, end)) ||
      smallOrganizations.has(normalizedWordAt(reading, end));
    end += 1;
  }
  const short = to - from === 1 || normalizedWordAt(reading, from) === 'st';
  return isHead && short ? { from, to: end, type: 'organization', keepsInnerName: false } : null;
}

/** Units named only in lower case: "the growth team", "our dashboards group". */
export function findOrganizationalUnits(reading: TokenizedText): HeadNounName[] {
  const found: HeadNounName[] = [];
  for (let at = 2; at < reading.words.length; at += 1) {
    const word = reading.words[at];
    if (!word || word.capital || !bareUnits.has(word.plain)) continue;
    const before = wordAt(reading, at - 1);
    if (!before || before.capital || before.kind !== 'word' || before.sentence !== word.sentence) {
      continue;
    }
    if (nonNamingModifiers.has(before.plain) || functionWords.has(before.plain)) continue;
    if (/ed$|ly$/.test(before.plain) || before.plain === "'s") continue;
    const from = unitFrom(reading, at);
    if (from !== null) found.push({ from, to: at + 1, type: 'organization', keepsInnerName: true });
  }
  return found;
}

/** Start of the words between a determiner and a unit: "the incident response team". */
function unitFrom(reading: TokenizedText, head: number): number | null {
  const sentence = wordAt(reading, head)?.sentence;
  for (let at = head - 1; at >= Math.max(0, head - 4); at -= 1) {
    const word = wordAt(reading, at);
    if (word?.sentence !== sentence || !word) return null;
    if (determiners.has(word.plain)) return at < head - 1 ? at + 1 : null;
    if (word.kind !== 'word' || word.capital || functionWords.has(word.plain)) return null;
    if (nonNamingModifiers.has(word.plain) || /ed$|ly$/.test(word.plain)) return null;
  }
  return null;
}

/** Common nouns that can name an event: "the spring kickoff", "our company retreat". */
const telling = set(
  `offsite off-site retreat kickoff kick-off hackathon all-hands summit gala fundraiser hackday
  workshop outage incident migration dinner swap meetup reunion picnic barbecue bbq wedding
  funeral marathon review retro retrospective
  fair`,
);
const tellers = set(
  `spring summer autumn winter company team annual quarterly yearly christmas sprint design alumni
  leadership sales management engineering family charity customer developer community user
  partner board planning strategy security product marketing founders volunteers class school
  village half alumni farewell retirement plant clothes seed book toy`,
);

/** Finds events named by common nouns. */
export function findCommonNounEvents(reading: TokenizedText): HeadNounName[] {
  const found: HeadNounName[] = [];
  for (let at = 1; at < reading.words.length; at += 1) {
    const word = reading.words[at];
    const before = wordAt(reading, at - 1);
    if (!word || word.capital || !telling.has(word.plain)) continue;
    if (!before || before.sentence !== word.sentence) continue;
    const short = /^(?:DNS|SSL|TLS|VPN|API|CPU|PDF|SMS|VAT|CI)$/.test(before.text);
    if (!short && (before.capital || !tellers.has(before.plain))) continue;
    if (!short && /^(?:outage|incident|migration)$/.test(word.plain)) continue;
    if (/^re(?:view|tro|trospective)$/.test(word.plain) && before.plain !== 'sprint') continue;
    if (/^(?:a|an|every|each|any|no)$/.test(normalizedWordAt(reading, at - 2))) continue;
    found.push({ from: at - 1, to: at + 1, type: 'event', keepsInnerName: true });
  }
  return found;
}

/** "the Signal bridge", "Hamilton ventilators": only the head noun shows that it is a product. */
export function findProductHeadEnd(reading: TokenizedText, { from, to }: NameCandidate): number {
  const sentence = wordAt(reading, from)?.sentence ?? -1;
  const heads = set('bridge gateway suite bus ventilators ventilator');
  const head = normalizedWordAt(reading, to);
  return isSmall(reading, to, sentence) && productHeadNouns.has(head) && heads.has(head)
    ? to + 1
    : to;
}
