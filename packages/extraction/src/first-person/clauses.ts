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
      said|says|saying|claims?|claimed|told|tells|heard|rumou?rs?|according to|
      dreamt|dreamed|joking|kidding|haha|hahaha|lol|pretend|imagine|role-?play|
      wrong|untrue|fictional|(?:character|hero|heroine|protagonist|narrator|persona)
    )\b|
    ^(?:in|for) (?:the|a|my|this|our) (?:novel|story|game|book|film|movie|play|dream|screenplay)\b|
    \b(?:somebody|someone|she|he|they|who) (?:wrote|writes)\b`,
  'iu',
);
const byDoctor = new RegExp(
  pattern`
    ^(?:my|the|our) (?:doctor|gp|allergist|dermatologist|dentist) (?:told me|says|said)
    (?: that)? `,
  'iu',
);
const speaker = "(?:I|I'm|I've|I'll|My|my|We|we|We're|we're|We've|we've|Our|our)";
const verbs = pattern`
  live|lived|moved|work|worked|joined|started|left|quit|got|use|used|own|bought|sold|like|love|hate|
  dislike|prefer|can't stand|report|study|have|listen|drive|am|plan|decided|run|switched|don't|
  enjoy|no longer|adopted|married|chose`;
const conjunction =
  '(?:and|but|so|now|then|because|while|and so|and then|and now|but now|which is why)';
const splitter = new RegExp(
  pattern`
    (?:(?:,|;|:| [–—-]) (?:${conjunction} )?| ${conjunction} )(?=${speaker}\b)
    (?!I (?:have )?(?:split|broke|separated|divorced|got|are (?:engaged|married)))|
    (?:,|,? (?:and|but)) (?:then |now |also |just |so )*(?=(?:${verbs})\b)|
    ,(?: and)? (?=(?:currently |now )?(?:living|working|based|studying) )`,
  'u',
);
/** "For notes I use", "Since January, I work". */
const adverbial = new RegExp(
  pattern`
    ^(?:for|at|in|since|on|as|these days|nowadays|currently|now|today|after|before|during|next|last|
    this|recently|yesterday|tomorrow|right|until|from|by|every|fun fact|good news|bad news|
    hi|hello|hey|quick update|update|news)\b[^,;:]{0,50}?[,:!]? (?=${speaker}\b)`,
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
  const text = withSubject(cleanSentence(plain).replace(byDoctor, ''));
  if (/\?\s*$/u.test(text) || question.test(text) || reported.test(text)) return [];
  if (hedged.test(text) || hypothetical.test(text)) return [];
  if (formerly.test(text)) return endedIn(text);
  if (conditional.test(text)) return [];
  const asJob = asOccupation.exec(text);
  return [
    ...(asJob ? [{ text: `I am ${asJob[1]}`, isEnded: false }] : []),
    ...subjectClauses(text.replace(adverbial, '')).flatMap(toClause),
  ];
}

/** "As a nurse at Acme, I": who says so is one. */
const asOccupation = /^As ((?:an?|the) [^,;:]{3,50}), (?:I|my|we|our)\b/u;
/** "Karen, my boss, is ill" */
const apposition = /^(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?), (?:my|our) ([\p{Ll} -]{3,25}),/u;
const withoutI =
  /^(?:Just|Recently|Finally) (?=(?:moved|started|joined|bought|adopted|got|quit|left|sold)\b)/u;
const withoutAm =
  /^(?:Currently|Now|Still) (?=(?:living|working|studying|learning|based|using|reading)\b)/u;

/** Notes leave out "I", and put what somebody is behind the name. */
const withSubject = (text: string): string =>
  text.replace(apposition, 'My $2 $1').replace(withoutI, 'I ').replace(withoutAm, 'I am ');

/** "When I lived in Athens I worked at a hotel." */
const endedIn = (text: string): Clause[] => {
  const first = text.slice('When '.length).split(/,| (?=I\b)/u, 1)[0] ?? '';
  return [{ text: toPresent(first), isEnded: true }];
};

const startsWithSpeaker = new RegExp(`^${speaker}\\b`, 'u');
const startsWithParticiple = /^(?:currently |now )?(?:living|working|based|studying) /u;
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
    if (startsWithParticiple.test(clause)) return isOfSpeaker ? [`I am ${clause}`] : [];
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
      (?:don't|do not|didn't|never)(?: really| much| particularly)?
      [ ](?:like|liked|love|loved|enjoy|enjoyed|care for)|
      (?:can't|cannot|can not) (?:stand|bear))|
    ^(?:I|[Ww]e)(?:'m| am) not (?:really |at all )?
    (?:a (?:big |huge |great )?fan of|fond of|keen on|into)`,
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
