import { beginOf } from '../../../../text/begin.ts';
import type { ExtractedEntity, Extraction, SourceText } from '../../language.ts';
import { nameOf, type Reading } from './candidates.ts';
import { type DateMention, datesOf } from './dates.ts';
import { groupsOf } from './grouping.ts';
import { knowledge } from './knowledge.ts';
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
  const entities: (ExtractedEntity & { start: number })[] = groups.map((group) => ({
    start: words[group.mentions[0]?.from ?? 0]?.start ?? 0,
    name: group.name,
    type: group.type,
    mentions: [...new Set(group.mentions.map((mention) => nameOf(reading, mention)))],
    confidence: group.confidence,
  }));
  for (const { start, name, value } of dates) {
    entities.push({ start, name, type: 'date', mentions: [name], confidence: 0.9, value });
  }
  entities.sort((one, other) => one.start - other.start);
  return { entities: entities.map(({ start, ...entity }) => entity), facts: [] };
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
