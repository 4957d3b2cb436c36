import { truncateText } from '../../../../text/truncate-text.ts';
import type { ExtractedFact, Extraction, SourceText } from '../../text-analyzer.ts';
import { getName, getPlainName, plainTextAt, type TokenizedText } from './candidates.ts';
import { type DateMention, findDates } from './dates.ts';
import { type EntityMention, typeMentions } from './entity-typing.ts';
import { matchFactRules } from './facts.ts';
import { getGazetteer } from './gazetteer.ts';
import { groupMentions, type NamedEntity } from './grouping.ts';
import { languages } from './lexicon/skills.ts';
import { type FactContext, predictFacts } from './model/facts.ts';
import { tagNames } from './model/tagger.ts';
import { unifyMentionTypes } from './model/type-consistency.ts';
import type { Weights } from './model/weights.ts';
import { buildSlotSentences } from './sentence-slots.ts';
import { resolveSpeaker } from './speaker.ts';
import { tokenizeWords, type Word } from './words.ts';

/** Weights in place of the shipped ones, to be measured. */
export interface ExtractionModels {
  readonly names?: Weights;
  readonly facts?: Weights;
}

/**
 * Entities and facts of a text: its first 20,000 characters are read. The same text gives the same
 * answer. Rules propose names and facts, by lists, points and patterns; two linear models that
 * were learnt from labelled texts decide, with what the rules say as some of their signs. Dates are
 * read by rules alone.
 */
export function extract(source: SourceText, models: ExtractionModels = {}): Extraction {
  const { reading, dates: all } = tokenizeSource(source);
  const mentions = findNames(reading, models.names);
  const dates = all.filter((date) => !isWithin(reading, date, mentions));
  const told = buildFactContext(source, reading, dates, mentions);
  return assembleExtraction(reading, told.entities, dates, predictFacts(told, models.facts));
}

/** The learnt names, and the owners in them: "Mehmet's retirement dinner" names Mehmet too. */
function findNames(reading: TokenizedText, weights: Weights | undefined): EntityMention[] {
  const verdicts = typeMentions(reading);
  const tagged = tagNames(reading, verdicts, weights).filter(
    (mention) => !isAdjective(reading, mention, verdicts.mentions),
  );
  const mentions = unifyMentionTypes(reading, [
    ...tagged,
    ...findCompanyForms(verdicts.mentions, tagged),
  ]);
  const owners = verdicts.mentions.filter(
    ({ type, from, to }) =>
      type === 'person' &&
      plainTextAt(reading, to) === "'s" &&
      mentions.some((event) => event.type === 'event' && event.from === from && event.to > to + 1),
  );
  return [...mentions, ...owners].sort((one, other) => one.from - other.from || one.to - other.to);
}

/** How sure rules are of what carries the form of a company: "Acme Corp.". */
const formSure = 0.95;

/** Companies by their form that the weights take for nothing at all. */
const findCompanyForms = (
  ruled: readonly EntityMention[],
  tagged: readonly EntityMention[],
): EntityMention[] =>
  ruled.filter(
    ({ type, confidence, from, to }) =>
      type === 'organization' &&
      confidence >= formSure &&
      !tagged.some((mention) => mention.from < to && mention.to > from),
  );

/** "his Spanish bike": a tongue that the rules see nobody speak is where something is from. */
const isAdjective = (
  reading: TokenizedText,
  mention: EntityMention,
  ruled: readonly EntityMention[],
): boolean =>
  mention.type === 'skill' &&
  languages.has(getPlainName(reading, mention)) &&
  !ruled.some(({ from, type }) => from === mention.from && type === 'skill');

/** A date that a name holds is none: "Q3 offsite". */
const isWithin = (
  { words }: TokenizedText,
  { start, end }: DateMention,
  mentions: readonly EntityMention[],
): boolean =>
  mentions.some(
    ({ from, to }) => (words[from]?.start ?? end) <= start && (words[to - 1]?.end ?? 0) >= end,
  );

/** What a text says of the names in it: its sentences as slots, and what the rules read there. */
export function buildFactContext(
  source: SourceText,
  reading: TokenizedText,
  dates: readonly DateMention[],
  mentions: readonly EntityMention[],
): FactContext {
  const { id, groups } = resolveSpeaker(reading, groupMentions(reading, mentions), source.speaker);
  const sentences = buildSlotSentences(reading, groups, dates, id);
  const names = groups.map(({ name }) => name);
  const subjects = { names, dates, at: source.at, speaker: id };
  const facts = matchFactRules(reading.text, sentences, subjects);
  return { text: reading.text, entities: groups, sentences, inputs: subjects, ruleFacts: facts };
}

/** A text as its words, and the dates in it. */
export function tokenizeSource({ text: whole, at }: SourceText): {
  reading: TokenizedText;
  dates: DateMention[];
} {
  const text = truncateText(whole);
  const words = tokenizeWords(text);
  const dates = findDates(text, at);
  const taken = takenBy(words, dates);
  return {
    reading: {
      text,
      words,
      gazetteer: getGazetteer(),
      dateWords: taken,
      isLowercase: isSmall(words),
    },
    dates,
  };
}

/** Things and dates in the order of the text; facts point to their places in it. */
function assembleExtraction(
  reading: TokenizedText,
  groups: readonly NamedEntity[],
  dates: readonly DateMention[],
  facts: readonly ExtractedFact[],
): Extraction {
  const told = new Set(facts.flatMap(({ subject, object }) => [subject, object]));
  const things = groups.flatMap((group, id) => {
    const start = reading.words[group.mentions[0]?.from ?? -1]?.start;
    if (start === undefined && !told.has(id)) return [];
    const { name, type, confidence } = group;
    const mentions = [...new Set(group.mentions.map((mention) => getName(reading, mention)))];
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
