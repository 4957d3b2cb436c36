import { splitSentences, truncateText } from '@mneme/text';
import { cleanSentence, withoutQuotations } from '../statements/clean.ts';
import type { SpeakerFact } from '../types.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { speakerRules } from './rules.ts';
import { toFirstPerson } from './third-person.ts';

/** Letters have an author of their own, who need not be the owner of the memory. */
const letter =
  /^(?:From|To|Subject|Date): |^(?:Dear|Kind regards|Best regards|Sincerely|Yours)\b/mu;
const firstPerson = /\b(?:I|i|my|My|we|We|our|Our)\b|^(?:Just|Currently|Now) /u;
const ofUser = /\b[Uu]ser\b/u;
/** So many facts of one text are a list that nobody says. */
const factsMax = 100;

/**
 * What a text says of its author, and of "the user", in its first 20,000 characters, in the order
 * of the text. Of sentences longer than 400 characters nothing is read, so that the time is linear.
 */
export function findSpeakerFacts(text: string): SpeakerFact[] {
  const plain = truncateText(text);
  const isLetter = letter.test(plain);
  if (isLetter || !(firstPerson.test(plain) || ofUser.test(plain))) return [];
  const found = new Map<string, SpeakerFact>();
  for (const sentence of splitSentences(withoutQuotations(plain))) {
    if (found.size >= factsMax) break;
    for (const fact of factsOf(sentence.text)) {
      found.set(`${fact.about} ${fact.predicate} ${fact.object.toLowerCase()}`, fact);
    }
  }
  return [...found.values()].slice(0, factsMax);
}

const statementCharactersMax = 400;

function factsOf(sentence: string): SpeakerFact[] {
  if (sentence.length > statementCharactersMax) return [];
  const stated = ofUser.test(sentence) ? toFirstPerson(cleanSentence(sentence)) : null;
  if (stated !== null) {
    return clausesOf(stated).flatMap((clause) => factsIn(clause, { sentence, about: 'user' }));
  }
  if (!firstPerson.test(sentence)) return [];
  return clausesOf(sentence).flatMap((clause) => factsIn(clause, { sentence, about: 'author' }));
}

function factsIn(
  { text, isEnded }: Clause,
  { sentence, about }: { readonly sentence: string; readonly about: SpeakerFact['about'] },
): SpeakerFact[] {
  const facts = speakerRules.flatMap((rule): SpeakerFact[] => {
    const match = rule.pattern.exec(text);
    if (!match) return [];
    const { predicate, confidence } = rule;
    const rest = match.groups?.b ?? text.slice(match.index + match[0].length);
    return rule.read(rest).map((object) => ({
      about,
      predicate,
      object,
      // Only what has a name is an entity.
      objectType: /^\p{Ll}?\p{Lu}/u.test(object) || rule.type !== 'product' ? rule.type : null,
      statement: sentence,
      confidence,
      isEnded: isEnded || rule.ends === true,
    }));
  });
  return [...new Map(facts.map((one) => [`${one.predicate} ${one.object}`, one])).values()];
}
