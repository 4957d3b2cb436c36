/** Function words carry no topic and would make all texts similar. */
const STOP_WORDS = new Set(
  `a about above after again against all am an and any are aren as at be because been before
  being below between both but by can could couldn d did didn do does doesn doing don down
  during each few for from further get got had hadn has hasn have haven having he her here
  hers herself him himself his how i if in into is isn it its itself just ll m ma me might
  mightn more most must mustn my myself no nor not now o of off on once only or other our ours
  ourselves out over own re s same shan she should shouldn so some such t than that the their
  theirs them themselves then there these they this those through to too under until up ve
  very was wasn we were weren what when where which while who whom why will with won would
  wouldn y you your yours yourself yourselves`.split(/\s+/),
);

const ASCII_WORDS = /[A-Za-z]+|[0-9]+/g;
const WORDS = /\p{L}+|\p{N}+/gu;
const CAMEL_PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
const MARKS = /\p{M}+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII starts at NUL
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * The words of a text in order: runs of letters or of digits, without accents, in lower case,
 * without stop words unless there is nothing else. Scripts without spaces are segmented by the
 * dictionaries of ICU; "someName" is split into its parts.
 * @param isKnown returns true for words that must not be split, such as "iPhone" as "iphone"
 */
export function textWords(text: string, isKnown: (word: string) => boolean): string[] {
  const words: string[] = [];
  for (const run of runsOf(text)) {
    const word = run.toLowerCase();
    if (isKnown(word) || word === run) words.push(word);
    else for (const part of run.match(CAMEL_PARTS) ?? [run]) words.push(part.toLowerCase());
  }
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return content.length > 0 ? content : words;
}

function runsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.match(ASCII_WORDS) ?? [];
  // Segment first: removing accents would also change letters of these scripts.
  const parts = UNSPACED.test(text)
    ? Array.from(segmenter.segment(text), ({ segment }) => segment)
    : [text];
  return parts.flatMap((part) => part.normalize('NFKD').replace(MARKS, '').match(WORDS) ?? []);
}
