/** Columns that a terminal needs for a text. */

let segmenter: Intl.Segmenter | undefined;

// East Asian wide and full-width characters, and emoji.
const wide = new RegExp(
  [
    '[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff]',
    '[\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]',
    '\\p{Script=Han}|\\p{Emoji_Presentation}|\\ufe0f',
  ].join('|'),
  'u',
);
const plain = /^[\x20-\x7e]*$/;
const invisible = /^[\p{M}\p{Cf}]+$/u;

function graphemesOf(text: string): string[] {
  // Created for the first text that needs it: this loads data of ICU.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const graphemeWidth = (grapheme: string): number => {
  if (wide.test(grapheme)) return 2;
  return invisible.test(grapheme) ? 0 : 1;
};

/** The number of columns of a text on one line: 2 for wide characters, 0 for combining ones. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** At most `columns` columns of the text; a text that is truncated ends with an ellipsis. */
export function truncateToWidth(text: string, columns: number): string {
  // A grapheme has few code units: the rest of a long text need not be segmented.
  const start = text.slice(0, columns * 16);
  if (start.length === text.length && displayWidth(text) <= columns) return text;
  let width = 0;
  let kept = '';
  for (const grapheme of graphemesOf(start)) {
    width += graphemeWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return columns > 0 ? `${kept.trimEnd()}…` : '';
}

export const padToWidth = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
