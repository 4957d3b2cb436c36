import { extractTerms } from '@mneme/text';
import { type CueGroup, cueGroupNames, hasCue } from './cue-words.ts';

/** Long texts are judged by their beginning. */
const charactersMax = 600;

/** What a pair of an older and a newer text is judged by, once for each text. */
export interface TextFeatures {
  readonly stems: ReadonlySet<string>;
  readonly firstStem: string;
  readonly names: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly words: number;
  readonly isFirstPerson: boolean;
  readonly cues: Readonly<Record<CueGroup, boolean>>;
}

/** Reads the features of one text. */
export function readTextFeatures(fullText: string): TextFeatures {
  const text = fullText.slice(0, charactersMax);
  const { words } = extractTerms(text);
  const names = text.match(/(?<=[^.!?:]\s)\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
  return {
    stems: new Set(words),
    firstStem: words[0] ?? '',
    names: new Set(names.filter((name) => name !== 'I').map((name) => name.toLowerCase())),
    numbers: new Set(text.match(/\d+(?:[.,:]\d+)*/g)),
    words: text.split(/\s+/).length,
    isFirstPerson: /\b(?:i|my|me|we|our|us|mine)\b/i.test(text),
    cues: Object.fromEntries(cueGroupNames.map((group) => [group, hasCue(text, group)])) as Record<
      CueGroup,
      boolean
    >,
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const one of a) if (b.has(one)) shared += 1;
  return shared;
}

/**
 * The features of a pair, between −1 and 1 or nearly.
 * @param similarity the cosine of the vectors of both
 */
export function pairFeatures(
  older: TextFeatures,
  newer: TextFeatures,
  similarity: number,
): number[] {
  const stems = countShared(older.stems, newer.stems);
  const names = countShared(older.names, newer.names);
  const numbers = countShared(older.numbers, newer.numbers);
  const flag = (value: boolean): number => (value ? 1 : 0);
  return [
    similarity,
    share(stems, older.stems.size + newer.stems.size - stems),
    share(stems, older.stems.size),
    share(stems, newer.stems.size),
    flag(stems === 0),
    flag(older.firstStem !== '' && older.firstStem === newer.firstStem),
    flag(names > 0),
    flag(older.names.size > names),
    flag(newer.names.size > names),
    flag(older.numbers.size > 0 && newer.numbers.size > 0),
    flag(numbers > 0),
    flag(newer.numbers.size > numbers),
    Math.log(older.words / Math.max(1, newer.words)),
    Math.log(Math.max(1, newer.words)) / 4,
    flag(older.isFirstPerson),
    flag(newer.isFirstPerson),
    flag(older.isFirstPerson === newer.isFirstPerson),
    flag(older.cues.denied !== newer.cues.denied),
    ...cueGroupNames.map((group) => flag(newer.cues[group])),
    ...cueGroupNames.map((group) => flag(older.cues[group])),
  ];
}
