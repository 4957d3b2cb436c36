import type { ExtractedFact, FactPredicate } from '../types.ts';
import type { DateMention } from './dates.ts';
import { rulesFor } from './fact-rules.ts';
import { findValidityPeriod, isNoLongerMarker } from './fact-time.ts';
import { departmentHeadNouns, departmentNames } from './lexicon/organizations.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import type { FactRule } from './rule.ts';
import type { SentenceSlot, SlottedSentence } from './slotted-sentences.ts';
import { findVerbSubject, hasAllowedType } from './verb-subject.ts';

/** The input of the fact rules: entities by name, and dates. */
export interface FactRuleInput {
  readonly names: readonly string[];
  readonly dates: readonly DateMention[];
  readonly at: Date;
  readonly speaker: number | null;
}

type Fact = ExtractedFact & { readonly place: number };

const factsMax = 200;

/** Matches the rules against the sentences; subjects and objects are entity indices. */
export function matchFactRules(
  text: string,
  sentences: readonly SlottedSentence[],
  subjects: FactRuleInput,
): ExtractedFact[] {
  const found = new Map<string, Fact>();
  for (const sentence of sentences) {
    if (sentence.isQuestion) continue;
    for (const rule of rulesFor(sentence.text)) {
      for (const match of sentence.text.matchAll(rule.pattern)) {
        for (const fact of read(text, sentence, rule, match, subjects)) keep(found, fact);
        if (found.size >= factsMax) break;
      }
    }
  }
  return [...found.values()]
    .sort((one, other) => one.place - other.place)
    .map(({ place: index, ...fact }) => fact);
}

const symmetric: ReadonlySet<FactPredicate> = new Set(['collaborates_with', 'related_to', 'knows']);

/** Each fact once, with the higher confidence; times are preserved. */
function keep(found: Map<string, Fact>, fact: Fact): void {
  const { subject, object, predicate } = fact;
  const turn = symmetric.has(predicate) && subject > object;
  const [one, other] = turn ? [object, subject] : [subject, object];
  const key = `${one} ${predicate} ${other}`;
  const known = found.get(key);
  if (!known) found.set(key, fact);
  else if (fact.confidence > known.confidence) found.set(key, { ...known, ...fact });
}

function read(
  text: string,
  sentence: SlottedSentence,
  rule: FactRule,
  match: RegExpExecArray,
  subjects: FactRuleInput,
): Fact[] {
  const { a, b } = match.groups ?? {};
  const first = slotAt(sentence, match.index);
  const after = slotAt(sentence, match.index + match[0].trimEnd().length - 1) + 1;
  if (isDenied(sentence, first, after, rule)) return [];
  const subject =
    a === undefined
      ? (findVerbSubject(sentence, first, rule.subjects) ??
        sayerOf(sentence, first, rule, subjects))
      : slotOf(sentence, a, first, after);
  if (!subject || !hasAllowedType(subject, rule.subjects)) return [];
  const object = b === undefined ? null : slotOf(sentence, b, first, after, a === b);
  if (!object && !rule.among) return [];
  if (object && sentence.slots[after]?.text === "'s" && sentence.slots[after - 1] === object)
    return [];
  const subjectAt = Math.max(0, sentence.slots.indexOf(subject));
  if (isDenied(sentence, Math.min(subjectAt + 1, first), first, rule)) return [];
  const pairs = !object
    ? paired(subject.ids)
    : rule.turned
      ? crossed(object.ids, subject.ids)
      : crossed(subject.ids, object.ids);
  const valid = findValidityPeriod(
    sentence,
    [Math.min(first, subjectAt), first, after],
    rule,
    subjects.dates,
    subjects.at,
  );
  // A fact that starts later is a plan.
  if (valid.from && valid.from > subjects.at.toISOString().slice(0, valid.from.length)) return [];
  const begin = Math.min(subject.start, sentence.slots[first]?.start ?? subject.start);
  const statement = text.slice(begin, sentence.slots[after - 1]?.end ?? begin);
  return pairs.flatMap(([one, other]): Fact[] => {
    const predicate = predicateOf(rule, subjects.names[other] ?? '', subjects.names[one] ?? '');
    if (!predicate) return [];
    return [
      {
        subject: one,
        predicate,
        object: other,
        statement,
        confidence: rule.confidence,
        place: begin,
        ...(valid.from === undefined ? {} : { validFrom: valid.from }),
        ...(valid.to === undefined ? {} : { validTo: valid.to }),
      },
    ];
  });
}

const told = /^(?:\p{L}+ed|\p{L}+ing|met|ran|left|got|bought|went|learnt|came|taught|took)$/u;

/** "Met Ana yesterday": without a subject, the speaker is the subject. */
function sayerOf(
  { slots }: SlottedSentence,
  first: number,
  rule: FactRule,
  { speaker }: FactRuleInput,
): SentenceSlot | null {
  const verb = slots[first];
  if (speaker === null || !verb || !rule.subjects.includes('p') || !told.test(verb.text))
    return null;
  if (
    slots.slice(0, first).some(({ text }) => !/^(?:just|finally|,|and|today|yesterday)$/.test(text))
  ) {
    return null;
  }
  const { start } = verb;
  return {
    text: `<p:${speaker}>`,
    kind: 'name',
    type: 'person',
    ids: [speaker],
    start,
    end: start,
  };
}

const crossed = (ones: readonly number[], others: readonly number[]): [number, number][] =>
  ones.flatMap((one) =>
    others.filter((other) => other !== one).map((other): [number, number] => [one, other]),
  );

const paired = (ids: readonly number[]): [number, number][] =>
  ids.flatMap((one, at) => ids.slice(at + 1).map((other): [number, number] => [one, other]));

/** The slot that contains a character of the sentence's text. */
function slotAt({ offsets }: SlottedSentence, character: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] as number) <= character) low = middle;
    else high = middle - 1;
  }
  return low;
}

function slotOf(
  { slots }: SlottedSentence,
  sign: string,
  first: number,
  after: number,
  last = false,
): SentenceSlot | null {
  const within = slots.slice(first, after);
  const found = last
    ? within.findLast(({ text }) => text === sign)
    : within.find(({ text }) => text === sign);
  return found ?? null;
}

const unitHead = new RegExp(
  '\\b(?:team|crew|squad|desk|guild|group|unit|department|dept|division|ward|committee|board)$|' +
    '\\b(?:Department|Division|Committee|Guild|Squad|Club|FC|HB|SC|Rovers)$|^(?:FC|SC) ',
);

/** Teams, clubs and departments: people are part of these, but work at companies. */
export const isOrganizationalUnit = (name: string): boolean =>
  unitHead.test(name) ||
  departmentNames.has(name.toLowerCase()) ||
  /^Team /.test(name) ||
  departmentHeadNouns.has(name.toLowerCase().split(' ').at(-1) ?? '');

function predicateOf(rule: FactRule, object: string, subject: string): FactPredicate | null {
  if (rule.subjects === 'u' && !isOrganizationalUnit(subject)) return null;
  if (rule.subjects === 'pm' && !isOrganizationalUnit(object)) return null;
  if (rule.predicate !== 'member') return rule.predicate;
  return isOrganizationalUnit(object) ? 'part_of' : 'works_at';
}

const denials = wordPattern(`
  not never nobody neither nor without no hardly if whether unless might may would could
  should maybe perhaps probably possibly almost nearly refused declined refuses wants want
  wanted hopes hoping plans planning wish wishes will gonna considering consider thinks
  rumour rumor supposedly allegedly instead contrary cannot cant longer applied applies shall
  must can`);

/**
 * Whether the words between two positions, or the three before, negate the fact or place it in the
 * future.
 */
function isDenied({ slots }: SlottedSentence, from: number, to: number, rule: FactRule): boolean {
  const but = slots.findLastIndex(({ text }, index) => index < to && text === 'but');
  for (let at = Math.max(0, from - 3, but + 1); at < to; at += 1) {
    const { text } = slots[at] as SentenceSlot;
    if (at < from && /^[,;:.]$/.test(text)) {
      // A negation before a comma does not apply.
      return rest(slots, at + 1, to);
    }
    // "can speak Welsh" is knowledge.
    if (text === 'can' && rule.predicate === 'knows' && slots[at + 1]?.text !== 'not') continue;
    // Events have a location before they take place.
    if (text === 'will' && rule.subjects === 'e') continue;
    if (denials.test(text) && !isNoLongerMarker(slots, at)) return true;
  }
  return false;
}

function rest(slots: readonly SentenceSlot[], from: number, to: number): boolean {
  return slots.some(
    ({ text }, at) => at >= from && at < to && denials.test(text) && !isNoLongerMarker(slots, at),
  );
}
