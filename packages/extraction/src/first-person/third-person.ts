import { pattern } from '../statements/phrases.ts';

/** "The user said that they live in Bonn": what they say of themselves. */
const told = new RegExp(
  pattern`
    ^(?:The |the )?[Uu]ser (?:has |also |just )*
    (?:said|says|mentioned|mentions|stated|states|told (?:me|us|the assistant)|noted|confirmed|
    confirms|shared|reported|explained|added|clarified|revealed|indicated|reports)(?: that|:)?
    [ ](?=(?:they|he|she|their|his|her|the user)\b)`,
  'u',
);
const ofUser = /^(?:The |the )?[Uu]ser['’]s /u;
const subject = /^(?:(?:The |the )?[Uu]ser|they|he|she)(?= )/u;
/** What programs do to users, and users to programs. */
const ofSoftware = new RegExp(
  pattern`
    \b(?:click(?:s|ed)?|buttons?|pages?|forms?|screens?|log(?:s|ged)? (?:in|out)|logins?|endpoints?|
    requests?|sessions?|tokens?|permissions?|roles?|fields?|tables?|rows?|quer(?:y|ies)|interface|
    stor(?:y|ies)|should|must|can|cookies?|passwords?|database|repository|api|input|inputs|
    settings?|menu|dialog|files?|folders?|uploads?|stack|admin|enters?|types?|selects?|scrolls?)\b`,
  'iu',
);
const adverbs = '(?:(?:currently|now|also|still|really|no longer|usually|always|just|mostly) )*';
const finite = new RegExp(`^I (${adverbs})(\\p{Ll}+s)(?= )`, 'u');
const coordinated = new RegExp(
  pattern`
    (\b(?:and|but|who|,) ${adverbs})
    (lives|works|uses|owns|likes|loves|hates|dislikes|prefers|reports|studies|has|drives|plans|runs|
    enjoys|is|doesn't|does not)\b`,
  'gu',
);
const irregular: ReadonlyMap<string, string> = new Map([
  ['is', 'am'],
  ['has', 'have'],
  ['does', 'do'],
  ['was', 'was'],
  ["doesn't", "don't"],
  ['does not', 'do not'],
]);

/** "lives" as "live". */
const toStem = (verb: string): string =>
  irregular.get(verb) ??
  verb
    .replace(/(?<=[^aeiou])ies$/u, 'y')
    .replace(/(?<=ch|sh|ss|x|o)es$/u, '')
    .replace(/s$/u, '');

const auxiliary = /^I (?:(does)(?:n't| not)|doesn’t)(?= )/u;
const someoneElse = /(?<=[^.:] )\p{Lu}\p{Ll}+ (?:and|or) (?:his|her|their)\b/u;

/** A sentence about "the user" as the user would say it; null: it is not about the user. */
export function toFirstPerson(sentence: string): string | null {
  if (ofSoftware.test(sentence)) return null;
  const stated = sentence.trim().replace(told, '');
  const isReported = stated.length < sentence.trim().length;
  if (ofUser.test(stated)) return stated.replace(ofUser, 'My ');
  if (isReported && /^(?:their|his|her) /u.test(stated)) {
    return stated.replace(/^\p{L}+ /u, 'My ');
  }
  const isUser = /^(?:The |the )?[Uu]ser /u.test(stated);
  if (!(isUser || isReported) || someoneElse.test(stated)) return null;
  return stated
    .replace(subject, 'I')
    .replace(auxiliary, "I don't")
    .replace(finite, (_, between: string, verb: string) => `I ${between}${toStem(verb)}`)
    .replace(coordinated, (_, before: string, verb: string) => `${before}${toStem(verb)}`)
    .replaceAll(/\b(?:their|his|her)(?= \p{L})/gu, 'my')
    .replaceAll(/\b(and|but|where|because|,) (?:they|he|she) (?=\p{Ll})/gu, '$1 I ')
    .replaceAll(/^I are\b/gu, 'I am');
}
