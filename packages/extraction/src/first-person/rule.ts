import { pattern } from '../statements/phrases.ts';
import type { EntityType, SpeakerPredicate } from '../types.ts';
import {
  birthdayAt,
  nounPhrase,
  occupationAt,
  organizationAt,
  personAt,
  placeAt,
  wholePhrase,
} from './objects.ts';

/** What a rule reads: the objects that its match leads to, or that its group `b` names. */
export interface SpeakerRule {
  readonly predicate: SpeakerPredicate;
  readonly pattern: RegExp;
  /** Null: the objects are values. A `product` without a capital letter is a value, too. */
  readonly type: EntityType | null;
  readonly read: Read;
  /** The fact ended, although the verb does not say so: "I left". */
  readonly ends?: true;
  readonly confidence: number;
}

const adverb = pattern`
  now|currently|still|also|really|just|recently|actually|always|mostly|mainly|finally|already|
  absolutely|truly|usually|generally|officially|happily|both|only|do|newly|very much|presently|
  originally|proudly|personally|typically|strongly|often|primarily|even|completely|totally|
  basically|simply|lately|temporarily|permanently|definitely`;
export const i = '^(?:I|[Ww]e)';
export const does = `${i} (?:(?:${adverb}) )*`;
export const has = `${i}(?:'ve| have)? (?:(?:${adverb}) )*`;
export const am = `${i}(?:'m| am|'re| are) (?:(?:${adverb}) )*`;
export const my = '^(?:[Mm]y|[Oo]ur) (?:(?:new|current|present|dear|lovely|own|beloved) )*';
export const name = String.raw`\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,2}`;
export const called = "(?:'s name)?(?: is|'s|,|:)?(?: now)?(?: called| named)?,? ";
export const upper = String.raw`(?=(?:the )?\p{Lu})`;

/** The objects in what follows the match, or in its group. */
export type Read = (text: string) => readonly string[];

/** The rules of one predicate. */
export const rules = (
  { predicate, type = null, read, ends, confidence = 0.8 }: RuleGroup,
  ...sources: readonly string[]
): SpeakerRule[] =>
  sources.map((source) => ({
    predicate,
    type,
    pattern: new RegExp(source, 'u'),
    read,
    ...(ends && { ends }),
    confidence,
  }));

type RuleGroup = Pick<SpeakerRule, 'predicate' | 'read'> &
  Partial<Pick<SpeakerRule, 'type' | 'ends' | 'confidence'>>;

const oneAt =
  (find: (rest: string) => string | null): Read =>
  (rest) => {
    const found = find(rest);
    return found === null ? [] : [found];
  };

export const places = oneAt(placeAt);
export const companies = oneAt(organizationAt);
export const persons = oneAt(personAt);
export const jobs = oneAt((rest) => occupationAt(rest));
export const titles = oneAt((rest) => occupationAt(rest, true));
export const days = oneAt(birthdayAt);
export const phrases = oneAt(wholePhrase);
export const things = oneAt(nounPhrase);
