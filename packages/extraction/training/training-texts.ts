import { readdir, readFile } from 'node:fs/promises';
import { readLabels } from '../bench/labels.ts';
import type { EntityType, FactPredicate } from '../src/types.ts';

/** Characters [start, end) of a text that name something. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly type: EntityType;
}

/** A text to learn from: its names where they stand, facts by the names' words. */
export interface TrainingText {
  readonly id: string;
  readonly at: Date;
  readonly speaker?: string;
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
  readonly facts: readonly { subject: string; predicate: FactPredicate; object: string }[];
}

const folder = new URL('texts/', import.meta.url);

/** The texts written to learn from, file by file. */
export async function readTrainingTexts(): Promise<TrainingText[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();
  const lessons = await Promise.all(
    files.map(async (file) => {
      const blocks = (await readFile(new URL(file, folder), 'utf8'))
        .trim()
        .split(/\n\s*\n(?=# \w+ \d)/);
      return blocks.map((block, at) =>
        parseTrainingText(`${file.replace('.txt', '')} ${at + 1}`, block),
      );
    }),
  );
  return lessons.flat();
}

const opening = /^# (?:note|chat|commit|minutes|email) (\d{4}-\d\d-\d\d)$/;
const speaking = '# speaker ';
const bracket = /\[([^[\]|]+)\|([a-z]+)\]/g;

/** Throws where a block has no head that can be read. */
export function parseTrainingText(id: string, block: string): TrainingText {
  const [head = '', ...rest] = block.split('\n');
  const day = opening.exec(head.trim())?.[1];
  if (!day) throw new Error(`training text ${id} does not begin with its kind and day: ${head}`);
  const speaker = rest[0]?.startsWith(speaking)
    ? rest.shift()?.slice(speaking.length).trim()
    : undefined;
  const isFact = (line: string): boolean => /^> [^|[\]]+\|[^|]+\|[^|]+$/.test(line);
  const written = rest
    .filter((line) => !isFact(line))
    .join('\n')
    .trim();
  const facts = rest.filter(isFact).map((line) => {
    const [subject = '', predicate = '', object = ''] = line
      .slice(2)
      .split('|')
      .map((part) => part.trim());
    return { subject, predicate: predicate as FactPredicate, object };
  });
  const { text, spans } = parseBrackets(written);
  return {
    id,
    at: new Date(`${day}T12:00:00Z`),
    ...(speaker ? { speaker } : {}),
    text,
    spans,
    facts,
  };
}

function parseBrackets(written: string): { text: string; spans: LabelledSpan[] } {
  const spans: LabelledSpan[] = [];
  let text = '';
  let end = 0;
  for (const match of written.matchAll(bracket)) {
    text += written.slice(end, match.index);
    const name = match[1] as string;
    spans.push({
      start: text.length,
      end: text.length + name.length,
      type: match[2] as EntityType,
    });
    text += name;
    end = match.index + match[0].length;
  }
  return { text: text + written.slice(end), spans };
}

/** The tuning half as texts to learn from. */
export async function readTuningTexts(): Promise<TrainingText[]> {
  return (await readLabels('tuning')).map(({ id, at, speaker, text, entities, facts }) => {
    const found = entities.flatMap(({ type, mentions }) =>
      mentions.flatMap((mention) =>
        findOccurrences(text, mention).map((start) => ({
          start,
          end: start + mention.length,
          type,
        })),
      ),
    );
    return {
      id,
      at: new Date(at),
      ...(speaker ? { speaker } : {}),
      text,
      spans: withoutOverlaps(found),
      facts,
    };
  });
}

/** Where a form stands as whole words. */
function findOccurrences(text: string, form: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const isWhole =
      !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') &&
      !/[\p{L}\p{N}]/u.test(text[at + form.length] ?? ' ');
    if (isWhole) places.push(at);
  }
  return places;
}

/** Of spans that overlap the longest. */
function withoutOverlaps(spans: readonly LabelledSpan[]): LabelledSpan[] {
  const kept: LabelledSpan[] = [];
  for (const span of spans.toSorted(
    (one, other) => other.end - other.start - (one.end - one.start),
  )) {
    if (!kept.some(({ start, end }) => start < span.end && span.start < end)) kept.push(span);
  }
  return kept.sort((one, other) => one.start - other.start);
}
