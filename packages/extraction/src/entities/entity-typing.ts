import {
  findNameCandidates,
  getNormalizedCandidateText,
  type NameCandidate,
  normalizedWordAt,
  type TokenizedText,
  wordAt,
} from './candidates.ts';
import { scoreTypesByContext } from './context-scores.ts';
import {
  extendByHeadNoun,
  findCommonNounEvents,
  findOrganizationalUnits,
  findProductHeadEnd,
  type HeadNounName,
} from './head-nouns.ts';
import { functionWords } from './lexicon/non-name-words.ts';
import { organizationHeadNouns } from './lexicon/organizations.ts';
import { honorifics, personSubjectVerbs } from './lexicon/people.ts';
import { productMakers } from './lexicon/products.ts';
import { naturalLanguages } from './lexicon/skills.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import { findLowercaseNames } from './lowercase-names.ts';
import { scoreTypesByNameForm } from './name-form-scores.ts';
import {
  createTypeScores,
  type NamedEntityType,
  pickBestType,
  type TypeScores,
} from './type-scores.ts';

/** A name in the text with its type. */
export interface EntityMention extends NameCandidate {
  readonly type: NamedEntityType;
  /** 0..1, from the score of its type and the lead over the next type. */
  readonly confidence: number;
}

/** A run of capitalised words with the scores of its types. */
interface ScoredCandidate extends NameCandidate {
  readonly scores: TypeScores;
  readonly plain: string;
}

/** The names of a text according to the rules. */
export interface MentionTypingResult {
  /** Typed, in order and without overlaps. */
  readonly mentions: readonly EntityMention[];
  /** All candidates, typed or not. */
  readonly scoredCandidates: readonly ScoredCandidate[];
}

export function typeMentions(reading: TokenizedText): MentionTypingResult {
  const candidates = findNameCandidates(reading).flatMap((found) => split(reading, found));
  const headed: HeadNounName[] = [];
  const open: ScoredCandidate[] = [];
  for (const candidate of candidates) {
    const longer = extendByHeadNoun(reading, candidate);
    if (longer) headed.push(longer);
    if (longer && !longer.keepsInnerName) continue;
    const bare = withoutTitle(reading, candidate);
    const scores = createTypeScores();
    if (bare.from > candidate.from) scores.person += 4;
    scoreTypesByNameForm(scores, reading, bare);
    scoreTypesByContext(scores, reading, candidate);
    addAdjective(scores, reading, bare);
    addMaker(scores, reading, bare);
    open.push({ ...bare, scores, plain: getNormalizedCandidateText(reading, bare) });
  }
  shareByName(open);
  shareInLists(reading, open);
  const sure: EntityMention[] = [
    ...headed,
    ...findOrganizationalUnits(reading),
    ...findCommonNounEvents(reading),
    ...findLowercaseNames(reading),
  ].map(({ from, to, type }) => ({ from, to, type, confidence: 0.7 }));
  return { mentions: apart([...decided(reading, open), ...sure]), scoredCandidates: open };
}

function decided(reading: TokenizedText, open: readonly ScoredCandidate[]): EntityMention[] {
  return open.flatMap((candidate) => {
    const best = pickBestType(candidate.scores);
    if (!best) return [];
    const { type, points, lead } = best;
    const confidence = Math.min(0.95, 0.4 + 0.06 * points + 0.05 * Math.min(4, lead));
    const { from } = candidate;
    const to = type === 'product' ? findProductHeadEnd(reading, candidate) : candidate.to;
    return [{ from, to, type, confidence: Math.round(confidence * 100) / 100 }];
  });
}

/** "Herr Dr. Nagel" becomes Nagel; "General Electric" is unchanged. */
function withoutTitle(reading: TokenizedText, { from, to }: NameCandidate): NameCandidate {
  if (reading.gazetteer.isOrganization(getNormalizedCandidateText(reading, { from, to })))
    return { from, to };
  if (organizationHeadNouns.has(normalizedWordAt(reading, to - 1))) return { from, to };
  let start = from;
  while (start < to - 1) {
    const plain = normalizedWordAt(reading, start);
    const dot = normalizedWordAt(reading, start + 1) === '.';
    if (!honorifics.has(plain) || (/^(?:king|queen|lord|lady)$/.test(plain) && to - start < 2))
      break;
    start += dot ? 2 : 1;
  }
  return start < to && start > from ? { from: start, to } : { from, to };
}

/** "Deutsche Bahn Berlin" is one name; two names joined by a dash are two. */
function split(reading: TokenizedText, candidate: NameCandidate): NameCandidate[] {
  const { from, to } = candidate;
  const first = normalizedWordAt(reading, from);
  // A title before a known place; "Dr. …" is handled later.
  return to - from > 1 && first === 'the' ? [{ from: from + 1, to }] : [candidate];
}

/** "the German company": a language name before a noun is an origin. */
function addAdjective(
  scores: TypeScores,
  reading: TokenizedText,
  { from, to }: NameCandidate,
): void {
  const plain = getNormalizedCandidateText(reading, { from, to });
  const next = wordAt(reading, to);
  if (!naturalLanguages.has(plain) || !next || next.kind !== 'word') return;
  const follows = wordPattern(`
  and or but in with for to at on as is from properly well fluently lessons classes course
  teacher too because when since now only a`);
  if (/^(?:is|are|was|were)$/.test(normalizedWordAt(reading, from - 1))) scores.skill -= 3;
  const isFree = functionWords.has(next.plain) || /ly$/.test(next.plain);
  if (isFree || personSubjectVerbs.has(next.plain)) return;
  if (!follows.test(next.plain) && next.sentence === wordAt(reading, from)?.sentence)
    scores.skill -= 3;
}

/** "a Zeiss microscope": a maker before a common noun is the organisation. */
function addMaker(scores: TypeScores, reading: TokenizedText, { from, to }: NameCandidate): void {
  const plain = getNormalizedCandidateText(reading, { from, to });
  if (!productMakers.has(plain) && !reading.gazetteer.isOrganization(plain)) return;
  if (reading.gazetteer.isProduct(plain)) return;
  if (isOwned(reading, { from, to })) scores.product += 3;
  const next = wordAt(reading, to);
  if (next?.kind !== 'word' || next.capital || next.plain === "'s") return;
  if (next.sentence !== wordAt(reading, from)?.sentence) return;
  if (functionWords.has(next.plain) || personSubjectVerbs.has(next.plain)) return;
  scores.organization += 2.5;
}

/** "a Nokia", "her Volvo", without a product noun after it: the product and not its maker. */
function isOwned(reading: TokenizedText, { from, to }: NameCandidate): boolean {
  if (!/^(?:a|an|my|his|her|your)$/.test(normalizedWordAt(reading, from - 1))) return false;
  const next = normalizedWordAt(reading, to);
  return next === '' || /^[.,;:!?)]$/.test(next) || functionWords.has(next);
}

const types: readonly NamedEntityType[] = [
  'person',
  'organization',
  'location',
  'product',
  'event',
  'skill',
];

/** Equal names have one type: evidence for one occurrence counts for the others. */
function shareByName(open: readonly ScoredCandidate[]): void {
  const sums = new Map<string, TypeScores>();
  for (const { plain, scores } of open) {
    const sum = sums.get(plain);
    if (!sum) sums.set(plain, { ...scores });
    else for (const type of types) sum[type] = Math.max(sum[type], scores[type]);
  }
  for (const { plain, scores } of open) Object.assign(scores, sums.get(plain));
}

/** "in Passau, Linz and Budapest": names in a list have one type. */
function shareInLists(reading: TokenizedText, open: readonly ScoredCandidate[]): void {
  const boosts = open.map(() => createTypeScores());
  for (const [at, one] of open.entries()) {
    const two = open[at + 1];
    if (!two || !isListed(reading, one, two)) continue;
    const [first, second] = [pickBestType(one.scores), pickBestType(two.scores)];
    if (first && (first.type === 'product' || !isTo(reading, one, two)))
      (boosts[at + 1] as TypeScores)[first.type] += isTo(reading, one, two)
        ? 2.4
        : Math.min(1.6, 0.4 * first.points);
    if (second && !isTo(reading, one, two))
      (boosts[at] as TypeScores)[second.type] += Math.min(1.6, 0.5 * second.points);
  }
  for (const [at, { scores }] of open.entries()) {
    for (const type of types) scores[type] += (boosts[at] as TypeScores)[type];
  }
}

/** "from Confluence to Outline": what replaces a product is a product. */
const isTo = (reading: TokenizedText, one: NameCandidate, two: NameCandidate): boolean =>
  two.from === one.to + 1 && /^(?:to|for)$/.test(normalizedWordAt(reading, one.to));

function isListed(reading: TokenizedText, one: NameCandidate, two: NameCandidate): boolean {
  const gap = reading.words.slice(one.to, two.from).map(({ plain }) => plain);
  if (wordAt(reading, one.from)?.sentence !== wordAt(reading, two.from)?.sentence) return false;
  if (isTo(reading, one, two)) return true;
  const isEnd = gap.join('') === ',' && two.to >= reading.words.length - 1;
  if (isEnd && !/^[,:]$/.test(normalizedWordAt(reading, one.from - 1))) return false;
  return /^(?:and|or|&|\/|–|, and|, or)$/.test(gap.join(' ')) || gap.join('') === ',';
}

/** Of overlapping names the longer one wins, the first in case of ties. */
function apart(mentions: readonly EntityMention[]): EntityMention[] {
  const sorted = mentions.toSorted(
    (one, other) => other.to - other.from - (one.to - one.from) || one.from - other.from,
  );
  const owner = new Map<number, EntityMention>();
  const kept: EntityMention[] = [];
  for (const mention of sorted) {
    let free = true;
    for (let at = mention.from; at < mention.to; at += 1) {
      const other = owner.get(at);
      // The owner within the name of an event is a person: "Mehmet's retirement dinner".
      if (
        other &&
        !(other.type === 'event' && mention.from === other.from && mention.type === 'person')
      ) {
        free = false;
      }
    }
    if (!free) continue;
    for (let at = mention.from; at < mention.to; at += 1) {
      if (!owner.has(at)) owner.set(at, mention);
    }
    kept.push(mention);
  }
  return kept.sort((one, other) => one.from - other.from || one.to - other.to);
}
