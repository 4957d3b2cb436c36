import { splitSentences } from '../../../../text/sentences.ts';
import { truncateText } from '../../../../text/truncate-text.ts';
import type { SpeakerFact } from '../../text-analyzer.ts';
import { withoutQuotations } from '../statements/clean.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { speakerRules } from './rules.ts';

/** Letters have an author of their own, who need not be the owner of the memory. */
const letter =
  /^(?:From|To|Subject|Date): |^(?:Dear|Sehr geehrte|Kind regards|Best regards|Sincerely|Yours)\b/mu;
const firstPerson = /\b(?:I|i|my|My|we|We|our|Our)\b/u;
/** So many facts of one text are a list that nobody says. */
const factsMax = 100;

/**
 * What the author of a text says of themselves in its first 20,000 characters, in the order of the
 * text. Of sentences longer than 400 characters nothing is read, so that the time is linear.
 */
export function findSpeakerFacts(text: string): SpeakerFact[] {
  const plain = truncateText(text);
  if (!firstPerson.test(plain) || letter.test(plain)) return [];
  const found = new Map<string, SpeakerFact>();
  for (const sentence of splitSentences(withoutQuotations(plain))) {
    if (found.size >= factsMax) break;
    if (!firstPerson.test(sentence.text)) continue;
    for (const clause of clausesOf(sentence.text)) {
      for (const fact of factsIn(clause, sentence.text)) {
        found.set(`${fact.predicate} ${fact.object.toLowerCase()}`, fact);
      }
    }
  }
  return [...found.values()].slice(0, factsMax);
}

const statementCharactersMax = 400;

function factsIn({ text, isEnded }: Clause, sentence: string): SpeakerFact[] {
  const facts = speakerRules.flatMap((rule): SpeakerFact[] => {
    const match = rule.pattern.exec(text);
    if (!match) return [];
    const rest = text.slice(match.index + match[0].length);
    const { predicate, confidence } = rule;
    return rule.objectsAt(rest, match).map((object) => ({
      predicate,
      object,
      // Only what has a name is an entity.
      objectType: /^\p{Lu}/u.test(object) || rule.type !== 'product' ? rule.type : null,
      statement: sentence.slice(0, statementCharactersMax),
      confidence,
      isEnded: isEnded || rule.ends === true,
    }));
  });
  return [...new Map(facts.map((one) => [`${one.predicate} ${one.object}`, one])).values()];
}
