/** Openings that are dropped wherever they stand, with what follows them. */
const openings = [
  'by the way',
  'btw',
  'fyi',
  'for the record',
  'for your information',
  'just so you know',
  'to be honest',
  'tbh',
  'in fact',
  'as (?:i|you) (?:said|know|mentioned)',
  '(?:please )?(?:remember|note|keep in mind)(?: that)?',
  'actually',
  'honestly',
  'anyway',
  'also',
  'well',
  'so',
  'and',
  'but',
  'oh',
  'u+h+',
  'u+m+',
  'hm+',
  'you know',
];
/** Words that may also begin a statement: openings only before a comma. */
const withComma = [
  'ok(?:ay)?',
  'yes',
  'yeah',
  'yep',
  'no',
  'nope',
  'sure',
  'right',
  'look',
  'listen',
  'see',
  'hey',
  'hi',
  'hello',
  'great',
  'cool',
  'perfect',
  'thanks',
  'sorry',
  'then',
  'now',
];
/** How a statement begins after an opening without a comma. */
const statementStart =
  "(?=(?:i|we|my|our|he|she|they|the|let['’]?s|please|always|never|don['’]?t|do not)\\b)";
const filler = new RegExp(
  `^(?:(?:${openings.join('|')})(?:\\s*[,:;…–-]+\\s+|\\s+${statementStart})|` +
    `(?:${withComma.join('|')})\\s*[,!]\\s+)`,
  'iu',
);

/** The sentence without fillers at its start, as one line that begins with a capital letter. */
export function cleanSentence(sentence: string): string {
  let text = sentence.replaceAll(/\s+/gu, ' ').trim();
  for (let next = text.replace(filler, ''); next !== text; next = text.replace(filler, '')) {
    text = next;
  }
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

const fenced = /(```|~~~)[\s\S]*?(?:\1|$)/gu;
const quotedLine = /^[^\S\n]*>.*$/gmu;
/** The text that somebody wrote: without blocks of code and quotations. */
export const withoutQuotations = (text: string): string =>
  text.replaceAll(fenced, '\n').replaceAll(quotedLine, '');

/** Braces, arrows, calls and tags: a sentence of a program, a log or a table. */
export const isCode = (sentence: string): boolean =>
  /[{}|<>]|=>|->|==|\w\(\w*\)|;\s*$|^[$#]\s|\w\.\w+\(/u.test(sentence);
