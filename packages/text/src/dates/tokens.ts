import { type DateWordMeaning, getDateWordMeaning } from './lexicon.ts';

/** A word, a run of digits with its separators, or one other character. */
export interface Token {
  readonly kind: 'word' | 'number' | 'stamp' | 'break' | 'mark' | 'none';
  /** Words in lower case; numbers without trailing letters. */
  readonly text: string;
  /** Letters directly after a number: "th" in 7th. */
  readonly suffix: string;
  readonly isCapitalized: boolean;
  /** No space precedes the token. */
  readonly isAttached: boolean;
  readonly meaning: DateWordMeaning | null;
  readonly start: number;
  readonly end: number;
}

// ISO date with a time, and dates with East Asian characters between the numbers.
const isoStamp =
  '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?' +
  '(?:Z|[+-]\\d\\d:?\\d\\d)?(?!\\d)';
const eastDay = '\\d{1,2}\\s?[月월]\\s?\\d{1,2}\\s?[日号號일]';
const eastStamp = `\\d{4}\\s?[年년](?:\\s?\\d{1,2}\\s?[月월](?:\\s?\\d{1,2}\\s?[日号號일])?)?|${eastDay}`;
// Latin with accents, Greek, Cyrillic and the ranges between; only runs of letters matter here.
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

/** Tokenizes a text in linear time. */
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
      const meaning = getDateWordMeaning(lower);
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
 * `told`: narrative; dates are past unless the sentence is about the future. `written`: notes,
 * letters and minutes, which plan as often as they report, and in the present tense.
 */
export type TextGenre = 'told' | 'written';

/** Parser state. `isCertain`: the preceding words imply that a date follows. */
export interface DateParserState {
  readonly tokens: readonly Token[];
  readonly isCertain: boolean;
  /** Words that join the two ends of a span. */
  readonly connectors: ReadonlySet<string>;
  /** How to resolve a date without a year or week in an ambiguous sentence. */
  readonly genre: TextGenre;
  /** Nesting depth, which bounds "the day before the day before …". */
  readonly depth: number;
}

export const tokenAt = ({ tokens }: DateParserState, at: number): Token => tokens[at] ?? none;

export const textAt = (context: DateParserState, at: number): string => tokenAt(context, at).text;

/** The index after an optional word or mark. */
export const skipOptional = (
  context: DateParserState,
  at: number,
  ...texts: readonly string[]
): number => (texts.includes(textAt(context, at)) ? at + 1 : at);
