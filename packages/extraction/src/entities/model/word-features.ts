import type { TokenizedText } from '../candidates.ts';
import type { EntityMention, MentionTypingResult } from '../entity-typing.ts';
import type { Gazetteer } from '../gazetteer.ts';
import { eventHeadNouns, weakEventHeadNouns } from '../lexicon/events.ts';
import { functionWords, nonNameCapitals } from '../lexicon/non-name-words.ts';
import {
  companyForms,
  departmentHeadNouns,
  departmentNames,
  nonNamingModifiers,
  organizationHeadNouns,
  teamHeadNouns,
} from '../lexicon/organizations.ts';
import { honorifics, nameParticles, personSubjectVerbs, roleNouns } from '../lexicon/people.ts';
import { placeHeadNouns, streetSuffixPattern } from '../lexicon/places.ts';
import { productHeadNouns, productMakers } from '../lexicon/products.ts';
import { skillHeadNouns } from '../lexicon/skills.ts';
import { isRelationshipNoun } from '../relationship-nouns.ts';
import type { TypeScores } from '../type-scores.ts';
import type { Word } from '../words.ts';
import { getWordCluster } from './word-clusters.ts';

/** Properties of a word before any decision. */
export interface WordFeatures {
  readonly plain: string;
  /** Its characters by kind: "Xx", "XX", "x", "0", "xX". */
  readonly shape: string;
  /** Frequency in English: 0 common to 3 unknown. */
  readonly rarity: string;
  readonly coarse: string;
  readonly fine: string;
  /** Lists that contain it, or longer names with it. */
  readonly lists: readonly string[];
  /** The decision of the rules: "B-person", "I-event", "O"; "D" within a date. */
  readonly verdict: string;
  readonly sure: string;
  /** The scores of the rules per type, for a candidate. */
  readonly points: readonly string[];
}

const listNames: readonly (readonly [string, (known: Gazetteer, plain: string) => boolean])[] = [
  ['given', (known, plain) => known.isGivenName(plain)],
  ['family', (known, plain) => known.isFamilyName(plain)],
  ['place', (known, plain) => known.isPlace(plain)],
  ['product', (known, plain) => known.isProduct(plain)],
  ['skill', (known, plain) => known.isSkill(plain)],
  ['org', (known, plain) => known.isOrganization(plain)],
  ['event', (known, plain) => known.isEvent(plain)],
  ['honorific', (_, plain) => honorifics.has(plain)],
  ['role', (_, plain) => roleNouns.has(plain)],
  ['relation', (_, plain) => isRelationshipNoun(plain)],
  ['particle', (_, plain) => nameParticles.has(plain)],
  ['acts', (_, plain) => personSubjectVerbs.has(plain)],
  ['form', (_, plain) => companyForms.has(plain)],
  ['orghead', (_, plain) => organizationHeadNouns.has(plain)],
  ['dephead', (_, plain) => departmentHeadNouns.has(plain)],
  ['dep', (_, plain) => departmentNames.has(plain)],
  ['team', (_, plain) => teamHeadNouns.has(plain)],
  ['teamplain', (_, plain) => nonNamingModifiers.has(plain)],
  ['eventhead', (_, plain) => eventHeadNouns.has(plain)],
  ['weakevent', (_, plain) => weakEventHeadNouns.has(plain)],
  ['placehead', (_, plain) => placeHeadNouns.has(plain)],
  ['street', (_, plain) => streetSuffixPattern.test(plain)],
  ['maker', (_, plain) => productMakers.has(plain)],
  ['producthead', (_, plain) => productHeadNouns.has(plain)],
  ['skillhead', (_, plain) => skillHeadNouns.has(plain)],
  ['function', (_, plain) => functionWords.has(plain)],
  ['plaincap', (_, plain) => nonNameCapitals.has(plain)],
];

const phraseWordsMax = 4;

/** The features of all words of a text, based on what the rules found. */
export function extractWordFeatures(
  reading: TokenizedText,
  { mentions, scoredCandidates }: MentionTypingResult,
): WordFeatures[] {
  const verdicts = decisionsOf(reading, mentions);
  const points = pointsOf(scoredCandidates);
  const phrases = phrasesOf(reading);
  return reading.words.map((word, at) => {
    const { plain } = word;
    const found = word.kind === 'word' ? getWordCluster(plain) : null;
    return {
      plain:
        word.kind === 'number' ? plain.replaceAll(/\d/g, '0').slice(0, 12) : plain.slice(0, 40),
      shape: shapeOf(word),
      rarity: rarityOf(reading.gazetteer, word),
      coarse: found ? String(found.coarse) : '-',
      fine: found ? String(found.fine) : '-',
      lists: [...singles(reading.gazetteer, word), ...(phrases[at] ?? [])],
      verdict: verdicts.get(at)?.name ?? 'O',
      sure: verdicts.get(at)?.sure ?? '',
      points: points.get(at) ?? [],
    };
  });
}

const singles = (known: Gazetteer, { kind, plain }: Word): string[] =>
  kind === 'word' ? listNames.filter(([, holds]) => holds(known, plain)).map(([name]) => name) : [];

function rarityOf(known: Gazetteer, { kind, plain }: Word): string {
  if (kind !== 'word') return '-';
  if (known.isEverydayWord(plain)) return '0';
  if (known.isEnglishWord(plain)) return '1';
  return getWordCluster(plain) ? '2' : '3';
}

function shapeOf({ kind, text }: Word): string {
  if (kind === 'mark') return text.length > 1 ? 'code' : text;
  return text
    .slice(0, 20)
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/\p{L}/gu, 'x')
    .replaceAll(/\p{N}/gu, '0')
    .replaceAll(/x+/g, 'x')
    .replaceAll(/XX+/g, 'XX')
    .replaceAll(/0+/g, '0');
}

/** Listed names of several words: the list, and whether the word is the first. */
function phrasesOf({ words, gazetteer }: TokenizedText): string[][] {
  const found: string[][] = words.map(() => []);
  const lists = listNames.filter(([name]) => /^(?:place|product|skill|org|event)$/.test(name));
  for (let from = 0; from < words.length; from += 1) {
    if (words[from]?.kind === 'mark') continue;
    let phrase = words[from]?.plain ?? '';
    for (let to = from + 1; to < from + phraseWordsMax && words[to]?.kind === 'word'; to += 1) {
      phrase += ` ${words[to]?.plain}`;
      for (const [name, holds] of lists) {
        if (!holds(gazetteer, phrase)) continue;
        for (let at = from; at <= to; at += 1)
          found[at]?.push(`${at > from ? 'in' : 'at'} ${name}`);
      }
    }
  }
  return found;
}

interface Decision {
  readonly name: string;
  readonly sure: string;
}

function decisionsOf(
  { dateWords }: TokenizedText,
  mentions: readonly EntityMention[],
): Map<number, Decision> {
  const verdicts = new Map<number, Decision>();
  for (const at of dateWords) verdicts.set(at, { name: 'D', sure: '' });
  for (const { from, to, type, confidence } of mentions) {
    const sure = confidence >= 0.85 ? 'high' : confidence >= 0.65 ? 'mid' : 'low';
    for (let at = from; at < to; at += 1) {
      // Of nested names the longer one, which is first.
      if (verdicts.get(at)?.name.startsWith('B-event') && type === 'person') continue;
      verdicts.set(at, { name: `${at > from ? 'I' : 'B'}-${type}`, sure });
    }
  }
  return verdicts;
}

/** Rounded scores, and the two leading types. */
function pointsOf(open: MentionTypingResult['scoredCandidates']): Map<number, readonly string[]> {
  const points = new Map<number, readonly string[]>();
  for (const { from, to, scores } of open) {
    const sorted = (Object.entries(scores) as [keyof TypeScores, number][]).toSorted(
      (one, other) => other[1] - one[1],
    );
    const [best, next] = sorted;
    if (!best || !next) continue;
    const whole = (value: number): number => Math.max(-2, Math.min(6, Math.round(value)));
    for (let at = from; at < to; at += 1) {
      const place = at > from ? 'I' : 'B';
      points.set(at, [
        ...sorted.map(([type, value]) => `${place} ${type} ${whole(value)}`),
        `${place} ${best[0]} ${whole(best[1])} before ${next[0]}`,
        `${place} ${best[0]} lead ${whole(best[1] - next[1])}`,
      ]);
    }
  }
  return points;
}
