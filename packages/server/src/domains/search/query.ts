import { extractTerms, foldAccents, type KeywordQuery } from '@mneme/text';

const expression = /(^|\s)([-+]?)"([^"]+)"|(^|\s)-(?=[\p{L}\p{N}_])(\S+)/gu;

const allTerms = (text: string): string[] => {
  const { words, compounds } = extractTerms(text);
  return [...words, ...compounds];
};

interface Phrase {
  readonly text: string;
  readonly isRequired: boolean;
}

/**
 * Parses a search text: `"…"` is a preferred phrase, `+"…"` a required one, `-word` and `-"…"`
 * exclude; everything else is plain text, which is embedded. Phrases without any other text are
 * required.
 */
export function parseQuery(q: string): KeywordQuery {
  const phrases: Phrase[] = [];
  const excluded: string[][] = [];
  const excludedPhrases: string[] = [];
  const text = q.replaceAll(expression, (_whole, before, sign, phrase, gap, word) => {
    if (phrase === undefined) {
      excluded.push(allTerms(word));
      return gap;
    }
    const plain = String(phrase).replaceAll(/\s+/g, ' ').trim();
    if (plain !== '' && sign === '-') excludedPhrases.push(plain);
    else if (plain !== '') phrases.push({ text: plain, isRequired: sign === '+' });
    return sign === '-' ? before : `${before}${phrase} `;
  });
  const isOnlyPhrases = q.replaceAll(expression, ' ').trim() === '';
  const phrasesThat = (isRequired: boolean): string[] =>
    phrases
      .filter((phrase) => (phrase.isRequired || isOnlyPhrases) === isRequired)
      .map((phrase) => phrase.text);
  const { words, compounds, fragments } = extractTerms(text);
  return {
    text: text.trim(),
    terms: [...words, ...compounds],
    fragments,
    requiredPhrases: phrasesThat(true),
    preferredPhrases: phrasesThat(false),
    excluded: excluded.filter((terms) => terms.length > 0),
    excludedPhrases,
  };
}

/**
 * Parses a text that a model made of a query: all of it is plain text, without operators. The
 * phrases and exclusions of the query hold for it, too.
 */
export function parseRewrite(text: string, query: KeywordQuery): KeywordQuery {
  const { words, compounds, fragments } = extractTerms(text);
  return { ...query, text: text.trim(), terms: [...words, ...compounds], fragments };
}

/** The terms that a document with the phrase contains; none if it has only stop words. */
export const termsOfPhrase = (phrase: string): string[] =>
  extractTerms(foldAccents(phrase)).words.filter(isWholeTerm);

/** A single character of a script without spaces is a term only if it is written separately. */
const isWholeTerm = (term: string): boolean =>
  term.length > 1 || /^[\p{Script=Latin}\p{N}]$/u.test(term);

/** A number as the database writes it in JSON: without an exponent. */
export function toDecimalString(value: number): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value));
  if (!match) return String(value);
  const [, sign = '', lead = '', rest = '', exponent] = match;
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - 1)}${lead}${rest}`
    : `${sign}${lead}${rest.padEnd(shift, '0')}`;
}
