import { beginOf } from '../../../../text/begin.ts';
import type { ExtractedFact, Extraction, SourceText } from '../../language.ts';
import { nameOf, plainAt, plainOf, type Reading } from './candidates.ts';
import { type DateMention, datesOf } from './dates.ts';
import { factsOf } from './facts.ts';
import { groupsOf, type Named } from './grouping.ts';
import { knowledge } from './knowledge.ts';
import { agreed } from './learnt/agreed.ts';
import { learntFacts, type Telling } from './learnt/facts.ts';
import { taggedNames } from './learnt/tagger.ts';
import type { Weights } from './learnt/weights.ts';
import { tongues } from './lexicon/skills.ts';
import { speakerOf } from './speaker.ts';
import { sentencesOf } from './template.ts';
import { type Mention, verdictsOf } from './typing.ts';
import { readWords, type Word } from './words.ts';

/** Weights in place of the shipped ones, to be measured. */
export interface Models {
  readonly names?: Weights;
  readonly facts?: Weights;
}

/**
 * Entities and facts of a text: its first 20,000 characters are read. The same text gives the same
 * answer. Rules propose names and facts, by lists, points and patterns; two linear models that
 * were learnt from labelled texts decide, with what the rules say as some of their signs. Dates are
 * read by rules alone.
 */
export function extract(source: SourceText, models: Models = {}): Extraction {
  const { reading, dates: all } = readingOf(source);
  const mentions = namesOf(reading, models.names);
  const dates = all.filter((date) => !isWithin(reading, date, mentions));
  const told = tellingOf(source, reading, dates, mentions);
  return assembled(reading, told.things, dates, learntFacts(told, models.facts));
}

/** The learnt names, and the owners in them: "Mehmet's retirement dinner" names Mehmet too. */
function namesOf(reading: Reading, weights: Weights | undefined): Mention[] {
  const verdicts = verdictsOf(reading);
  const tagged = taggedNames(reading, verdicts, weights).filter(
    (mention) => !isAdjective(reading, mention, verdicts.mentions),
  );
  const mentions = agreed(reading, [...tagged, ...formed(verdicts.mentions, tagged)]);
  const owners = verdicts.mentions.filter(
    ({ type, from, to }) =>
      type === 'person' &&
      plainAt(reading, to) === "'s" &&
      mentions.some((event) => event.type === 'event' && event.from === from && event.to > to + 1),
  );
  return [...mentions, ...owners].sort((one, other) => one.from - other.from || one.to - other.to);
}

/** How sure rules are of what carries the form of a company: "Acme Corp.". */
const formSure = 0.95;

/** Companies by their form that the weights take for nothing at all. */
const formed = (ruled: readonly Mention[], tagged: readonly Mention[]): Mention[] =>
  ruled.filter(
    ({ type, confidence, from, to }) =>
      type === 'organization' &&
      confidence >= formSure &&
      !tagged.some((mention) => mention.from < to && mention.to > from),
  );

/** "his Spanish bike": a tongue that the rules see nobody speak is where something is from. */
const isAdjective = (reading: Reading, mention: Mention, ruled: readonly Mention[]): boolean =>
  mention.type === 'skill' &&
  tongues.has(plainOf(reading, mention)) &&
  !ruled.some(({ from, type }) => from === mention.from && type === 'skill');

/** A date that a name holds is none: "Q3 offsite". */
const isWithin = (
  { words }: Reading,
  { start, end }: DateMention,
  mentions: readonly Mention[],
): boolean =>
  mentions.some(
    ({ from, to }) => (words[from]?.start ?? end) <= start && (words[to - 1]?.end ?? 0) >= end,
  );

/** What a text says of the names in it: its sentences as slots, and what the rules read there. */
export function tellingOf(
  source: SourceText,
  reading: Reading,
  dates: readonly DateMention[],
  mentions: readonly Mention[],
): Telling {
  const { id, groups } = speakerOf(reading, groupsOf(reading, mentions), source.speaker);
  const sentences = sentencesOf(reading, groups, dates, id);
  const names = groups.map(({ name }) => name);
  const subjects = { names, dates, at: source.at, speaker: id };
  const facts = factsOf(reading.text, sentences, subjects);
  return { text: reading.text, things: groups, sentences, subjects, facts };
}

/** A text as its words, and the dates in it. */
export function readingOf({ text: whole, at }: SourceText): {
  reading: Reading;
  dates: DateMention[];
} {
  const text = beginOf(whole);
  const words = readWords(text);
  const dates = datesOf(text, at);
  const taken = takenBy(words, dates);
  return { reading: { text, words, known: knowledge(), taken, small: isSmall(words) }, dates };
}

/** Things and dates in the order of the text; facts point to their places in it. */
function assembled(
  reading: Reading,
  groups: readonly Named[],
  dates: readonly DateMention[],
  facts: readonly ExtractedFact[],
): Extraction {
  const told = new Set(facts.flatMap(({ subject, object }) => [subject, object]));
  const things = groups.flatMap((group, id) => {
    const start = reading.words[group.mentions[0]?.from ?? -1]?.start;
    if (start === undefined && !told.has(id)) return [];
    const { name, type, confidence } = group;
    const mentions = [...new Set(group.mentions.map((mention) => nameOf(reading, mention)))];
    return [{ id, start: start ?? -1, entity: { name, type, mentions, confidence } }];
  });
  const times = dates.map(({ start, name, value }) => ({
    id: null,
    start,
    entity: { name, type: 'date', mentions: [name], confidence: 0.9, value } as const,
  }));
  const ordered = [...things, ...times].sort((one, other) => one.start - other.start);
  const places = new Map(ordered.map(({ id }, place) => [id, place]));
  const placeOf = (id: number): number => places.get(id) as number;
  return {
    entities: ordered.map(({ entity }) => entity),
    facts: facts.map((fact) => ({
      ...fact,
      subject: placeOf(fact.subject),
      object: placeOf(fact.object),
    })),
  };
}

function takenBy(words: readonly Word[], dates: readonly DateMention[]): Set<number> {
  const taken = new Set<number>();
  let at = 0;
  for (const { start, end } of dates) {
    while (at < words.length && (words[at] as Word).end <= start) at += 1;
    for (let i = at; i < words.length && (words[i] as Word).start < end; i += 1) taken.add(i);
  }
  return taken;
}

/** Whether a text is written without capitals: most of its sentences begin in small letters. */
function isSmall(words: readonly Word[]): boolean {
  const firsts = words.filter(({ first, kind }) => first && kind === 'word');
  return firsts.filter(({ capital }) => !capital).length * 2 > firsts.length;
}
