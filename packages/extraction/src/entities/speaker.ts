import type { TokenizedText } from './candidates.ts';
import type { NamedEntity } from './group-mentions.ts';

/**
 * The entity of "I": the specified speaker, or the author of the letter. A speaker that the text
 * does not name is added.
 */
export function resolveSpeaker(
  reading: TokenizedText,
  groups: readonly NamedEntity[],
  told: string | undefined,
): { id: number | null; groups: readonly NamedEntity[] } {
  if (told === undefined) return { id: findWriter(reading, groups), groups };
  const known = groups.findIndex(
    ({ type, name }) => type === 'person' && (name === told || told.startsWith(`${name} `)),
  );
  if (known >= 0) return { id: known, groups };
  const speaker: NamedEntity = { type: 'person', name: told, mentions: [], confidence: 0.95 };
  return { id: groups.length, groups: [...groups, speaker] };
}

/** The person after "From:", or the one who signs at the end. */
function findWriter({ text, words }: TokenizedText, groups: readonly NamedEntity[]): number | null {
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
    const behind = text.slice(end).trimEnd();
    const isEnd = behind.length < 80 && isRestOfSignature(behind);
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

const told = /\b(?:who|which|that|is|was|has|had|will|and|the|her|his|their|our|my)\b/;
const plainWordsMax = 3;

/**
 * "(events, Manningham Trust)", ", Dakar", a line with a company: part of a signature, not of a
 * sentence.
 */
function isRestOfSignature(behind: string): boolean {
  if (!/^(?:\s*\([^)]*\))?\.?(?:$|[\s]*[,/–—&*-]|\s*\n|\s+x+$)/.test(behind)) return false;
  const rest = behind.replace(/^\s*\([^)]*\)/, '');
  if (/[.!?]\s/.test(rest) || told.test(rest)) return false;
  return (rest.match(/(?<![\p{L}\p{N}-])\p{Ll}{2,}/gu) ?? []).length <= plainWordsMax;
}
