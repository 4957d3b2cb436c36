import { truncateText } from '@mneme/text';
import type { ExtractedFact, Extraction, SourceText } from '../types.ts';
import {
  getCandidateText,
  getNormalizedCandidateText,
  normalizedWordAt,
  type TokenizedText,
} from './candidates.ts';
import { type DateMention, findDates } from './dates.ts';
import { type EntityMention, typeMentions } from './entity-typing.ts';
import { getGazetteer } from './gazetteer.ts';
import { groupMentions, type NamedEntity } from './group-mentions.ts';
import { naturalLanguages } from './lexicon/skills.ts';
import { matchFactRules } from './match-fact-rules.ts';
import { tagNames } from './model/name-tagger.ts';
import { type FactModelInput, predictFacts } from './model/predict-facts.ts';
import { unifyMentionTypes } from './model/type-consistency.ts';
import type { Weights } from './model/weights.ts';
import { buildSlottedSentences } from './slotted-sentences.ts';
import { resolveSpeaker } from './speaker.ts';
import { tokenizeWords, type Word } from './words.ts';

/** Replaces the built-in weights, for evaluation. */
export interface ExtractionModels {
  readonly names?: Weights;
  readonly facts?: Weights;
}

/**
 * Extracts entities and facts from the first 20,000 characters of a text; deterministic. Rules
 * propose names and facts by lists, scores and patterns; two linear models trained on labelled
 * texts decide, with the proposals among their features. Dates are found by rules only.
 */
export function extractEntitiesAndFacts(
  source: SourceText,
  models: ExtractionModels = {},
): Extraction {
  const { reading, dates: all } = tokenizeSource(source);
  const mentions = findNames(reading, models.names);
  const dates = all.filter((date) => !isWithin(reading, date, mentions));
  const speakerName = buildFactModelInput(source, reading, dates, mentions);
  return assembleExtraction(
    reading,
    speakerName.entities,
    dates,
    predictFacts(speakerName, models.facts),
  );
}

/**
 * The names that the model finds, and owners within them: "Mehmet's retirement dinner" also names
 * Mehmet.
 */
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
      normalizedWordAt(reading, to) === "'s" &&
      mentions.some((event) => event.type === 'event' && event.from === from && event.to > to + 1),
  );
  return [...mentions, ...owners].sort((one, other) => one.from - other.from || one.to - other.to);
}

/** Confidence of the rules for names with a company form: "Acme Corp.". */
const formSure = 0.95;

/** Names with a company form that the model does not find. */
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

/** "his Spanish bike": a language name that the rules do not type as a skill is an origin. */
const isAdjective = (
  reading: TokenizedText,
  mention: EntityMention,
  ruled: readonly EntityMention[],
): boolean =>
  mention.type === 'skill' &&
  naturalLanguages.has(getNormalizedCandidateText(reading, mention)) &&
  !ruled.some(({ from, type }) => from === mention.from && type === 'skill');

/** A date within a name is not a date: "Q3 offsite". */
const isWithin = (
  { words }: TokenizedText,
  { start, end }: DateMention,
  mentions: readonly EntityMention[],
): boolean =>
  mentions.some(
    ({ from, to }) => (words[from]?.start ?? end) <= start && (words[to - 1]?.end ?? 0) >= end,
  );

/** The input of fact extraction: sentences as slots, and the facts that rules find in them. */
export function buildFactModelInput(
  source: SourceText,
  reading: TokenizedText,
  dates: readonly DateMention[],
  mentions: readonly EntityMention[],
): FactModelInput {
  const { id, groups } = resolveSpeaker(reading, groupMentions(reading, mentions), source.speaker);
  const sentences = buildSlottedSentences(reading, groups, dates, id);
  const names = groups.map(({ name }) => name);
  const subjects = { names, dates, at: source.at, speaker: id };
  const facts = matchFactRules(reading.text, sentences, subjects);
  return { text: reading.text, entities: groups, sentences, inputs: subjects, ruleFacts: facts };
}

/** Tokenizes a text and finds its dates. */
export function tokenizeSource({ text: whole, at }: SourceText): {
  reading: TokenizedText;
  dates: DateMention[];
} {
  const text = truncateText(whole);
  const words = tokenizeWords(text);
  const dates = findDates(text, at);
  const taken = overlapsAny(words, dates);
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

/** Orders entities and dates by position; facts refer to their indices. */
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
    const mentions = [
      ...new Set(group.mentions.map((mention) => getCandidateText(reading, mention))),
    ];
    return [{ id, start: start ?? -1, entity: { name, type, mentions, confidence } }];
  });
  const times = dates.map(({ start, name, value }) => ({
    id: null,
    start,
    entity: { name, type: 'date', mentions: [name], confidence: 0.9, value } as const,
  }));
  const ordered = [...things, ...times].sort((one, other) => one.start - other.start);
  const indices = new Map(ordered.map(({ id }, index) => [id, index]));
  const placeOf = (id: number): number => indices.get(id) as number;
  return {
    entities: ordered.map(({ entity }) => entity),
    facts: facts.map((fact) => ({
      ...fact,
      subject: placeOf(fact.subject),
      object: placeOf(fact.object),
    })),
  };
}

function overlapsAny(words: readonly Word[], dates: readonly DateMention[]): Set<number> {
  const ranges = new Set<number>();
  let at = 0;
  for (const { start, end } of dates) {
    while (at < words.length && (words[at] as Word).end <= start) at += 1;
    for (let i = at; i < words.length && (words[i] as Word).start < end; i += 1) ranges.add(i);
  }
  return ranges;
}

/** Whether a text has no capitals: most of its sentences start in lower case. */
function isSmall(words: readonly Word[]): boolean {
  const firsts = words.filter(({ first, kind }) => first && kind === 'word');
  return firsts.filter(({ capital }) => !capital).length * 2 > firsts.length;
}
