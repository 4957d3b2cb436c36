import { isStorableText } from '@mneme/contract';
import {
  type ExtractedEntity,
  type ExtractedFact,
  type Extraction,
  entityTypes,
  factPredicates,
  type SourceText,
} from '@mneme/extraction';
import { z } from 'zod';
import { summaryCharactersMax, topicCharactersMax, topicsMax, truncateLine } from './limits.ts';
import {
  type OutdatedText,
  outdatedReasons,
  type QualityFactors,
  type Topic,
  topicCategories,
} from './text-analyzer.ts';

/** A response schema, and the parser of the response. */
export interface ResponseFormat<T, Source = SourceText> {
  readonly name: string;
  /** For `response_format`: all fields required and no others, as strict schemas need it. */
  readonly schema: Record<string, unknown>;
  /** @returns the value, or the paths in the response that are invalid */
  read(answer: unknown, source: Source): { value: T } | { faults: string };
}

const entitiesMax = 500;
const factsMax = 1_000;
const mentionsMax = 50;
const nameCharactersMax = 200;
const statementCharactersMax = 1_000;
const faultsMax = 3;

/** The schema sent to the model does not express this. */
export const storable = z.string().refine(isStorableText);
const maybe = storable.nullable();

/** `kind` is an enumeration in the schema that is sent, and any string in the one that parses. */
const extractionOf = (kind: (names: readonly string[]) => z.ZodType<string>) =>
  z.object({
    entities: z.array(
      z.object({
        name: storable,
        type: kind(entityTypes),
        mentions: z.array(storable),
        confidence: z.number(),
        value: maybe,
      }),
    ),
    facts: z.array(
      z.object({
        subject: z.number(),
        predicate: kind(factPredicates),
        object: z.number(),
        statement: storable,
        confidence: z.number(),
        valid_from: maybe,
        valid_to: maybe,
      }),
    ),
  });

const topicsOf = (kind: (names: readonly string[]) => z.ZodType<string>) =>
  z.object({
    topics: z.array(
      z.object({ name: storable, relevance: z.number(), category: kind(topicCategories) }),
    ),
  });

const summaryShape = z.object({ summary: storable });
const nonEmptySummaryShape = z.object({ summary: storable.regex(/[^\s\p{Cc}]/u) });
const qualityShape = z.object({
  specificity: z.number(),
  clarity: z.number(),
  actionability: z.number(),
});

export const anyOfThese = (names: readonly string[]): z.ZodType<string> => z.enum(names);
export const anyText = (): z.ZodType<string> => z.string();

export const extractionFormat = createResponseFormat(
  'extraction',
  extractionOf(anyOfThese),
  extractionOf(anyText),
  readExtraction,
);

export const topicsFormat = createResponseFormat(
  'topics',
  topicsOf(anyOfThese),
  topicsOf(anyText),
  (answer) => readTopics(answer.topics),
);

export const summaryFormat = createResponseFormat(
  'summary',
  summaryShape,
  nonEmptySummaryShape,
  (answer, { text }) => truncateLine(toSingleLine(answer.summary), summaryCharactersMax(text)),
);

export const qualityFormat = createResponseFormat(
  'quality',
  qualityShape,
  qualityShape,
  (answer): QualityFactors => ({
    specificity: clamped(answer.specificity),
    clarity: clamped(answer.clarity),
    actionability: clamped(answer.actionability),
  }),
);

const outdatedOf = (kind: (names: readonly string[]) => z.ZodType<string>) =>
  z.object({
    outdated: z.array(
      z.object({ text: z.number(), confidence: z.number(), reason: kind(outdatedReasons) }),
    ),
  });

/** @param count the number of older texts */
export const outdatedFormat = (count: number): ResponseFormat<readonly OutdatedText[]> =>
  createResponseFormat('outdated', outdatedOf(anyOfThese), outdatedOf(anyText), ({ outdated }) => {
    const texts = new Map<number, OutdatedText>();
    for (const { text, confidence, reason: named } of outdated) {
      const reason = outdatedReasons.find((each) => each === named);
      const isKnown = Number.isInteger(text) && text >= 1 && text <= count;
      if (!reason || !isKnown || texts.has(text)) continue;
      texts.set(text, { index: text - 1, confidence: clamped(confidence), reason });
    }
    return [...texts.values()];
  });

/** Creates the schema to send and the one to parse with, which accepts unknown kinds. */
export function createResponseFormat<Wire, T, Source = SourceText>(
  name: string,
  sent: z.ZodType,
  expected: z.ZodType<Wire>,
  convert: (answer: Wire, source: Source) => T,
): ResponseFormat<T, Source> {
  const { $schema: _, ...schema } = z.toJSONSchema(sent) as Record<string, unknown>;
  return {
    name,
    schema,
    read(answer, source) {
      const { success, data, error } = expected.safeParse(answer);
      if (success) return { value: convert(data, source) };
      // Paths and codes only: a message may quote the text.
      const errors = error.issues
        .slice(0, faultsMax)
        .map(({ path, code }) => `${path.join('.') || 'answer'}: ${code}`);
      return { faults: errors.join(', ') };
    },
  };
}

type WireExtraction = z.infer<ReturnType<typeof extractionOf>>;
type WireTopic = z.infer<ReturnType<typeof topicsOf>>['topics'][number];

/** Entities that occur literally in the text, and facts between two of them. */
function readExtraction(answer: WireExtraction, { text }: SourceText): Extraction {
  const entities: ExtractedEntity[] = [];
  const indices = new Map<number, number>();
  const known = new Map<string, number>();
  for (const [i, wire] of answer.entities.slice(0, entitiesMax).entries()) {
    const entity = entityOf(wire, text);
    if (!entity) continue;
    const key = `${entity.type} ${entity.name.toLowerCase()}`;
    const index = known.get(key) ?? entities.push(entity) - 1;
    known.set(key, index);
    indices.set(i, index);
  }
  const facts = answer.facts.slice(0, factsMax).flatMap((wire): ExtractedFact[] => {
    const fact = factOf(wire, indices, entities, text);
    return fact ? [fact] : [];
  });
  return { entities, facts };
}

function entityOf(wire: WireExtraction['entities'][number], text: string): ExtractedEntity | null {
  const type = entityTypes.find((each) => each === wire.type);
  const forms = [wire.name, ...wire.mentions.slice(0, mentionsMax)].map((form) => form.trim());
  const mentions = [...new Set(forms)].filter(
    (form) => form !== '' && form.length <= nameCharactersMax && text.includes(form),
  );
  const [name] = mentions;
  if (!type || name === undefined) return null;
  const value = type === 'date' ? dateValue(wire.value) : undefined;
  const confidence = clamped(wire.confidence);
  return { name, type, mentions, confidence, ...(value === undefined ? {} : { value }) };
}

function factOf(
  wire: WireExtraction['facts'][number],
  indices: ReadonlyMap<number, number>,
  entities: readonly ExtractedEntity[],
  text: string,
): ExtractedFact | null {
  const predicate = factPredicates.find((each) => each === wire.predicate);
  const subject = indices.get(wire.subject);
  const object = indices.get(wire.object);
  if (!predicate || subject === undefined || object === undefined || subject === object) {
    return null;
  }
  const quote = cutStatement(wire.statement.trim());
  const isQuoted = quote !== '' && text.includes(quote);
  const names = [entities[subject]?.name ?? '', entities[object]?.name ?? ''] as const;
  const statement = isQuoted ? quote : between(text, ...names);
  const validFrom = dayValue(wire.valid_from);
  const validTo = dayValue(wire.valid_to);
  const isOrdered = !validFrom || !validTo || validFrom <= validTo;
  return {
    subject,
    predicate,
    object,
    statement,
    confidence: clamped(wire.confidence),
    ...(validFrom ? { validFrom } : {}),
    ...(validTo && isOrdered ? { validTo } : {}),
  };
}

/** The words between the two names, if the model did not quote the text. */
function between(text: string, one: string, other: string): string {
  const [from, to] = [text.indexOf(one), text.indexOf(other)];
  const start = Math.min(from, to);
  const end = Math.max(from + one.length, to + other.length);
  return cutStatement(text.slice(start, end));
}

/** Never cuts a surrogate pair. */
const cutStatement = (text: string): string =>
  text.slice(0, statementCharactersMax).replace(/[\uD800-\uDBFF]$/u, '');

function readTopics(wires: readonly WireTopic[]): Topic[] {
  const topics = new Map<string, Topic>();
  for (const wire of wires) {
    const name = toSingleLine(wire.name);
    const category = topicCategories.find((each) => each === wire.category);
    const key = name.toLowerCase();
    if (!category || name === '' || name.length > topicCharactersMax || topics.has(key)) continue;
    topics.set(key, { name, relevance: clamped(wire.relevance), category });
  }
  return [...topics.values()].sort((a, b) => b.relevance - a.relevance).slice(0, topicsMax);
}

/** One line without control characters, which a terminal would interpret. */
export const toSingleLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const clamped = (value: number): number => Math.min(1, Math.max(0, value));

/** A valid year, month or day. */
function dayValue(written: string | null): string | undefined {
  if (written === null || !/^\d{4}(?:-\d{2}){0,2}$/.test(written)) return undefined;
  const day = new Date(written);
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(written);
  return exists ? written : undefined;
}

/** A single date, or an interval between two. */
function dateValue(written: string | null): string | undefined {
  const parts = (written ?? '').split('/').map(dayValue);
  const [from, to] = parts;
  if (parts.length === 1) return from;
  return parts.length === 2 && from && to && from <= to ? `${from}/${to}` : undefined;
}
