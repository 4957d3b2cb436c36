import { beginOf } from '../../../../text/begin.ts';
import type { ExtractedFact, Extraction, SourceText } from '../../language.ts';
import { nameOf, type Reading } from './candidates.ts';
import { type DateMention, datesOf } from './dates.ts';
import { factsOf } from './facts.ts';
import { groupsOf, type Named } from './grouping.ts';
import { knowledge } from './knowledge.ts';
import { sentencesOf } from './template.ts';
import { mentionsOf } from './typing.ts';
import { readWords, type Word } from './words.ts';

/**
 * Entities and facts of a text by rules alone: its first 20,000 characters are read. The same text
 * gives the same answer. Names are found by their capitals (in chats without any, by lists), typed
 * by what their own words and those around them say, and grouped; facts are read from patterns
 * over the typed names.
 */
export function extract(source: SourceText): Extraction {
  const text = beginOf(source.text);
  const words = readWords(text);
  const dates = datesOf(text, source.at);
  const reading: Reading = {
    text,
    words,
    known: knowledge(),
    taken: takenBy(words, dates),
    small: isSmall(words),
  };
  const groups = groupsOf(reading, mentionsOf(reading));
  const speaker = speakerOf(reading, groups, source.speaker);
  const things = speaker.groups;
  const sentences = sentencesOf(reading, things, dates, speaker.id);
  const names = things.map(({ name }) => name);
  const facts = factsOf(text, sentences, {
    names,
    dates,
    at: source.at,
    speaker: speaker.id,
  });
  return assembled(reading, things, dates, facts);
}

/** Who says "I": as told, or who wrote the letter. One whom the text does not name is added. */
function speakerOf(
  reading: Reading,
  groups: readonly Named[],
  told: string | undefined,
): { id: number | null; groups: readonly Named[] } {
  if (told === undefined) return { id: writerOf(reading, groups), groups };
  const known = groups.findIndex(
    ({ type, name }) => type === 'person' && (name === told || told.startsWith(`${name} `)),
  );
  if (known >= 0) return { id: known, groups };
  const speaker: Named = { type: 'person', name: told, mentions: [], confidence: 0.95 };
  return { id: groups.length, groups: [...groups, speaker] };
}

/** The person behind "From:", or the one who signs at the end. */
function writerOf({ text, words }: Reading, groups: readonly Named[]): number | null {
  const people = groups
    .map((group, id) => ({ id, group, last: group.mentions.at(-1), first: group.mentions[0] }))
    .filter(({ group }) => group.type === 'person');
  const header = people.find(({ first }) =>
    /(?:^|\n)From: *$/.test(text.slice(0, words[first?.from ?? 0]?.start ?? 0)),
  );
  if (header) return header.id;
  const signed = people.find(({ last }) => {
    if (!last) return false;
    const start = words[last.from]?.start ?? 0;
    const end = words[last.to - 1]?.end ?? 0;
    const behind = text.slice(end, end + 80).trimEnd();
    const isEnd = text.length - end < 80 && !/[.!?]\s/.test(behind);
    return (
      isEnd &&
      /(?:\n\s*(?:[-–/*]*\s?)(?:(?:Prof|Dr|Mr|Ms|Mrs)\.? )?|[.!?,] |\/)$/.test(
        text.slice(0, start),
      ) &&
      start > 30
    );
  });
  return signed?.id ?? null;
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
