import { hedged, hypothetical, question } from '../statements/classify.ts';
import { cleanSentence, isCode } from '../statements/clean.ts';
import { pattern } from '../statements/phrases.ts';

/** A part of a sentence that has the speaker as its subject, or something of the speaker. */
export interface Clause {
  readonly text: string;
  /** It tells of what was, and is not any more. */
  readonly isEnded: boolean;
}

const charactersMax = 400;
const quoted = /"[^"]*"|“[^”]*”|‘[^’]*’|«[^»]*»/gu;
/** Told by others, invented, or not meant. */
const reported = new RegExp(
  pattern`
    \b(?:
      said|says|saying|claims?|claimed|wrote|writes|told|tells|heard|rumou?rs?|according to|
      dreamt|dreamed|joking|kidding|haha|hahaha|lol|pretend|imagine|role-?play|character|novel|
      wrong|untrue|fiction
    )\b`,
  'iu',
);
const byDoctor = new RegExp(
  pattern`^(?:my|the|our) (?:doctor|gp|allergist|dermatologist|dentist) (?:told me|says|said)(?: that)? `,
  'iu',
);
const speaker = "(?:I|I'm|I've|I'll|My|my|We|we|We're|we're|We've|we've|Our|our)";
const verbs = pattern`
  live|lived|moved|work|worked|joined|started|left|quit|got|use|used|own|bought|sold|like|love|hate|
  dislike|prefer|can't stand|report|study|have|listen|drive|am|plan|decided|run|switched`;
const conjunction =
  '(?:and|but|so|now|then|because|while|and so|and then|and now|but now|which is why)';
const splitter = new RegExp(
  pattern`
    (?:(?:,|;|:| [–—-]) (?:${conjunction} )?| ${conjunction} )(?=${speaker}\b)
    (?!I (?:have )?(?:split|broke|separated|divorced|got))|
    (?:,|,? (?:and|but)) (?:then |now |also |just |so )*(?=(?:${verbs})\b)`,
  'u',
);
/** "For notes I use", "Since January, I work". */
const adverbial = new RegExp(
  pattern`
    ^(?:for|at|in|since|on|as|these days|nowadays|currently|now|today|after|before|during|
    hi|hello|hey|quick update|update)\b[^,;:]{0,50}?[,:]? (?=${speaker}\b)`,
  'iu',
);
const conditional = /^(?:if|when|whenever|once|unless|until|suppose|supposing|imagine|in case)\b/iu;
const formerly = /^[Ww]hen I (?:lived|worked|was living|was working|studied)\b/u;

/** The clauses of a sentence of which the speaker is the subject. */
export function clausesOf(sentence: string): Clause[] {
  if (sentence.length > charactersMax || isCode(sentence)) return [];
  const plain = sentence
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[‘’ʼ](?=\p{L})/gu, "'")
    .replaceAll(quoted, '_')
    .replaceAll(/(?<![\p{L}'])i(?=[ '])/gu, 'I');
  const text = cleanSentence(plain).replace(byDoctor, '');
  if (/\?\s*$/u.test(text) || question.test(text) || reported.test(text)) return [];
  if (hedged.test(text) || hypothetical.test(text)) return [];
  if (formerly.test(text)) return endedIn(text);
  if (conditional.test(text)) return [];
  return subjectClauses(text.replace(adverbial, '')).flatMap(toClause);
}

/** "When I lived in Athens I worked at a hotel." */
const endedIn = (text: string): Clause[] => {
  const first = text.slice('When '.length).split(/,| (?=I\b)/u, 1)[0] ?? '';
  return [{ text: toPresent(first), isEnded: true }];
};

const startsWithSpeaker = new RegExp(`^${speaker}\\b`, 'u');
const startsWithVerb = new RegExp(`^(?:${verbs})\\b`, 'u');

/** Clauses with a subject each: "I left A and joined B" has two with "I". */
function subjectClauses(text: string): string[] {
  let isOfSpeaker = false;
  return text.split(splitter).flatMap((part) => {
    const clause = part.trim();
    if (startsWithSpeaker.test(clause)) {
      isOfSpeaker = /^(?:I|[Ww]e)\b/u.test(clause);
      return [clause];
    }
    if (startsWithVerb.test(clause)) return isOfSpeaker ? [`I ${clause}`] : [];
    // "Priya is my manager", "Tom and I split up"
    isOfSpeaker = false;
    return [clause];
  });
}

const noLonger = /^(I|[Ww]e)(?:('m| am|'re| are))? no longer /u;
const notAnyMore = new RegExp(
  pattern`^(I|[Ww]e) (?:don't|do not) (\p{L}.*?)(?: at all)? (?:any ?more|any longer)\b`,
  'u',
);
const usedTo = /^(I|[Ww]e) (?:also )?used to /u;
const stopped = /^(I|[Ww]e)(?:'ve| have)? (?:stopped|quit|gave up|given up) (\p{L}+?)ing /u;
const stems: Readonly<Record<string, string>> = { us: 'use', liv: 'live', driv: 'drive' };
const past = new RegExp(
  pattern`^(I|[Ww]e) (?:lived|worked|studied|reported|owned|used|was living|was working) (?=.)`,
  'u',
);
const usedBefore = /^(?:I|[Ww]e) used .+ before\b/u;
const negated = new RegExp(
  pattern`
    ^(?:I|[Ww]e|[Mm]y \p{L}+|[Oo]ur \p{L}+)(?:'ve| have|'m| am|'re| are)?(?: \p{L}+){0,2}?
    (?: not| never|n't| have no|n't| hardly| barely)\b`,
  'u',
);
const dislike = new RegExp(
  pattern`
    ^(?:I|[Ww]e) (?:
      (?:don't|do not|didn't|never)(?: really| much)? (?:like|liked|love|loved|enjoy|enjoyed|care for)|
      (?:can't|cannot|can not) stand)|
    ^(?:I|[Ww]e)(?:'m| am) not (?:really )?(?:a (?:big )?fan of|fond of|keen on|into)`,
  'u',
);

function toClause(text: string): Clause[] {
  if (dislike.test(text)) return [{ text, isEnded: false }];
  const ended = (replaced: string): Clause[] => [{ text: replaced, isEnded: true }];
  if (noLonger.test(text)) return ended(text.replace(noLonger, '$1$2 '));
  const dropped = notAnyMore.exec(text);
  if (dropped) return ended(`${dropped[1]} ${dropped[2]}`);
  if (negated.test(text)) return [];
  if (usedTo.test(text)) return ended(text.replace(usedTo, '$1 ').replace(/^I be /u, "I'm "));
  const stop = stopped.exec(text);
  if (stop) {
    const stem = stop[2] ?? '';
    return ended(`${stop[1]} ${stems[stem] ?? stem} ${text.slice(stop[0].length)}`);
  }
  if (past.test(text) || usedBefore.test(text)) return ended(toPresent(text));
  return [{ text, isEnded: false }];
}

const presents: readonly (readonly [RegExp, string])[] = [
  [/^(I|[Ww]e) (?:lived|was living)\b/u, '$1 live'],
  [/^(I|[Ww]e) (?:worked|was working)\b/u, '$1 work'],
  [/^(I|[Ww]e) studied\b/u, '$1 study'],
  [/^(I|[Ww]e) reported\b/u, '$1 report'],
  [/^(I|[Ww]e) owned\b/u, '$1 own'],
  [/^(I|[Ww]e) used\b/u, '$1 use'],
];
const toPresent = (text: string): string =>
  presents.reduce((plain, [past, present]) => plain.replace(past, present), text);
