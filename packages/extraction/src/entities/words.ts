import { foldAccents } from '@mneme/text';

/** A word, a number, or one other character of a text, with its position. */
export interface Word {
  readonly text: string;
  /** In lower case, without accents. */
  readonly plain: string;
  readonly kind: 'word' | 'number' | 'mark';
  readonly start: number;
  readonly end: number;
  /** Starts with a capital letter. */
  readonly capital: boolean;
  /** No space before it. */
  readonly glued: boolean;
  /** First of its sentence, after bullets and quotes. */
  readonly first: boolean;
  readonly sentence: number;
}

/** Longer sentences are split, so that rules do not scan a long list many times. */
const sentenceWordsMax = 120;

const letter = '[\\p{L}\\p{M}]';
const fileEnds = '(?:md|c|h|cc|cpp|ts|tsx|jsx|py|rb|rs|go|java|sql|json|ya?ml|toml|txt|csv|pdf|sh)';
const pattern = new RegExp(
  [
    // Addresses, code, paths and file names are one token, so that no name is found within.
    'https?://[^\\s]{1,200}',
    '`[^`\\n]{1,80}`',
    `(?<![\\p{L}\\p{N}_.-])[\\p{L}\\p{N}_.+-]{1,64}@[\\p{L}\\p{N}.-]{1,80}`,
    '(?<![\\p{L}\\p{N}_/.-])[a-z\\d_.-]{1,40}(?:/[a-z\\d_.-]{1,40}){0,8}/[a-zA-Z\\d_.-]{0,40}' +
      '(?![\\p{L}\\p{N}_])',
    `(?<![\\p{L}\\p{N}_-])[\\p{L}\\d_-]{1,40}\\.${fileEnds}(?![\\p{L}\\p{N}_])`,
    'A/S(?![\\p{L}\\p{N}])',
    // Initials and abbreviations with dots: "J.", "D.C.", "S.A.".
    `(?<![\\p{L}\\p{N}])(?:\\p{Lu}\\.)+(?!${letter}{2})\\p{Lu}?\\.?`,
    // Possessive "’s" as a separate token.
    `(?<=[\\p{L}\\p{N}])['’]s(?![\\p{L}\\p{N}])`,
    // Words with inner punctuation: "al-Rashid", "O'Neill", "Node.js", "C++".
    `${letter}[\\p{L}\\p{M}\\p{N}_]*(?:(?:['’](?!s(?![\\p{L}\\p{N}]))|-|\\.(?=\\p{Ll}{2})|_)` +
      '[\\p{L}\\p{M}\\p{N}_]+)*(?:\\+\\+|#)?',
    '\\p{N}+(?:[.,:/_-]\\p{N}+)*[\\p{L}\\p{N}_]*',
    '\\n',
    '[^\\s]',
  ].join('|'),
  'gu',
);

const fileName = new RegExp(`\\.${fileEnds}$`);

/** A dot after these does not end a sentence. */
const shortForms = new Set(
  (
    'dr mr mrs ms mx prof st sr jr fr rev hon capt col gen lt sgt gov sen rep no nr vs v etc e.g ' +
    'i.e approx dept est inc ltd corp co vol fig jan feb mar apr jun jul aug sep sept oct nov dec'
  ).split(' '),
);

interface Raw {
  readonly text: string;
  readonly start: number;
  readonly glued: boolean;
}

/** The words of a text in order, in time linear in its length. */
export function tokenizeWords(text: string): Word[] {
  const raws: Raw[] = [];
  let end = -1;
  for (const match of text.matchAll(pattern)) {
    const glued = match.index === end;
    // "Ghent-based" is split into Ghent and "-based".
    const place = /^\p{Lu}/u.test(match[0]) ? match[0].search(/-based$/) : -1;
    if (place > 0) {
      raws.push({ text: match[0].slice(0, place), start: match.index, glued });
      raws.push({ text: '-based', start: match.index + place, glued: true });
    } else raws.push({ text: match[0], start: match.index, glued });
    end = match.index + match[0].length;
  }
  return placed(text, raws);
}

function placed(text: string, raws: readonly Raw[]): Word[] {
  const words: Word[] = [];
  let sentence = 0;
  let length = 0;
  let first = true;
  const cut = (): void => {
    if (length > 0) sentence += 1;
    length = 0;
    first = true;
  };
  for (const [at, raw] of raws.entries()) {
    if (raw.text === '\n') {
      if (endsLine(text, raw.start)) cut();
      continue;
    }
    if (length >= sentenceWordsMax) cut();
    const kind = kindOf(raw.text);
    words.push({
      text: raw.text,
      plain: foldAccents(raw.text).toLowerCase().replaceAll('’', "'"),
      kind,
      start: raw.start,
      end: raw.start + raw.text.length,
      capital: /^\p{Lu}/u.test(raw.text),
      glued: raw.glued,
      first: first && kind !== 'mark',
      sentence,
    });
    length += 1;
    if (kind !== 'mark') first = false;
    if (endsSentence(raws, at)) cut();
  }
  return words;
}

function kindOf(text: string): Word['kind'] {
  if ((/[@`]|\//.test(text) && text !== 'A/S') || fileName.test(text)) return 'mark';
  if (/^[\p{L}\p{M}]/u.test(text) || /^['’]s$/.test(text)) return 'word';
  return /^\p{N}/u.test(text) ? 'number' : 'mark';
}

/** A line continues in the next one only if it is long and the next one starts in lower case. */
function endsLine(text: string, at: number): boolean {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(from, at).trim();
  const next = text.slice(at + 1, at + 3).trimStart();
  if (line === '' || /[.!?:;,]$/.test(line) || line.length < 50) return true;
  return next === '' || /^[-*>•#\d\p{Lu}]/u.test(next);
}

function endsSentence(raws: readonly Raw[], at: number): boolean {
  const raw = raws[at] as Raw;
  const next = raws[at + 1];
  if (next?.glued && !/^["'”’)]$/.test(next.text)) return false;
  if (/^[!?。！？]$/.test(raw.text)) return true;
  if (raw.text !== '.') return false;
  const before = raws[at - 1];
  if (!before || !raw.glued) return true;
  if (!shortForms.has(before.text.toLowerCase())) return true;
  // "Acme Corp. They …": a legal form ends a sentence before a word that starts one.
  const ends = /^(?:inc|ltd|corp|co|etc)$/i.test(before.text);
  return ends && next !== undefined && /^\p{Lu}/u.test(next.text);
}
