import { getWordMeaning, type WordMeaning } from './lexicon.ts';

/** A word, a run of digits and what joins them, or one other character. */
export interface Token {
  readonly kind: 'word' | 'number' | 'stamp' | 'break' | 'mark' | 'none';
  /** Words in lower case; numbers without the letters that follow them. */
  readonly text: string;
  /** Letters right behind a number: "th" in 7th. */
  readonly suffix: string;
  readonly isCapitalized: boolean;
  /** No space stands between this token and the one before. */
  readonly isAttached: boolean;
  readonly meaning: WordMeaning | null;
  readonly start: number;
  readonly end: number;
}

// ISO date with a time, and dates with characters of their own between the numbers.
const isoStamp =
  '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?' +
  '(?:Z|[+-]\\d\\d:?\\d\\d)?(?!\\d)';
const eastDay = '\\d{1,2}\\s?[月월]\\s?\\d{1,2}\\s?[日号號일]';
const eastStamp = `\\d{4}\\s?[年년](?:\\s?\\d{1,2}\\s?[月월](?:\\s?\\d{1,2}\\s?[日号號일])?)?|${eastDay}`;
// Latin with its accents, Greek, Cyrillic and what lies between: only their runs matter here.
const letter = 'A-Za-z_\\u00aa-\\u02af\\u0300-\\u1fff';
const tokenPattern = new RegExp(
  `(${isoStamp}|${eastStamp})|` +
    `(\\d+(?:[.,:/–—-]\\d+)*)([${letter}][${letter}\\d]*)?|` +
    `([${letter}][${letter}\\d]*)|(\\n[ \\t\\r]*\\n)|\\S`,
  'g',
);

const none: Token = {
  kind: 'none',
  text: '',
  suffix: '',
  isCapitalized: false,
  isAttached: false,
  meaning: null,
  start: 0,
  end: 0,
};

/** The tokens of a text in order, in time linear in its length. */
export function tokenizeDateText(text: string): Token[] {
  const tokens: Token[] = [];
  let end = -1;
  for (const match of text.matchAll(tokenPattern)) {
    const [whole, stamp, number, suffix, word] = match;
    const start = match.index;
    const glued = start === end;
    end = start + whole.length;
    if (word !== undefined) {
      const lower = word.toLowerCase();
      const capital = lower.charCodeAt(0) !== word.charCodeAt(0);
      const meaning = getWordMeaning(lower);
      tokens.push({
        kind: 'word',
        text: lower,
        suffix: '',
        isCapitalized: capital,
        isAttached: glued,
        meaning,
        start,
        end,
      });
      continue;
    }
    const kind = stamp ? 'stamp' : number ? 'number' : match[5] ? 'break' : 'mark';
    tokens.push({
      ...none,
      kind,
      text: number ?? whole,
      suffix: suffix?.toLowerCase() ?? '',
      isAttached: glued,
      start,
      end,
    });
  }
  return tokens;
}

/**
 * `told`: it has been, unless the sentence speaks of what will be. `written`: as notes, letters and
 * minutes have it, which plan as often as they tell, and in the present tense.
 */
export type TextGenre = 'told' | 'written';

/** What is read, and how: `sure` when the words before leave no doubt that a date follows. */
export interface DateContext {
  readonly tokens: readonly Token[];
  readonly isCertain: boolean;
  /** Words that join two ends of one span here. */
  readonly connectors: ReadonlySet<string>;
  /** What a date without a year or week is, in a sentence that does not say. */
  readonly genre: TextGenre;
  /** How many dates this one is part of: bounds "the day before the day before …". */
  readonly depth: number;
}

export const tokenAt = ({ tokens }: DateContext, at: number): Token => tokens[at] ?? none;

export const textAt = (reading: DateContext, at: number): string => tokenAt(reading, at).text;

/** The place behind an optional word or mark. */
export const skipOptional = (
  reading: DateContext,
  at: number,
  ...texts: readonly string[]
): number => (texts.includes(textAt(reading, at)) ? at + 1 : at);
