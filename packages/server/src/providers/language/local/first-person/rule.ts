import type { EntityType, SpeakerPredicate } from '../../text-analyzer.ts';
import { pattern } from '../statements/phrases.ts';
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
  objectsAt(rest: string, match: RegExpExecArray): readonly string[];
  /** The fact ended, although the verb does not say so: "I left". */
  readonly ends?: true;
  readonly confidence: number;
}

export const adverb = pattern`
  now|currently|still|also|really|just|recently|actually|always|mostly|mainly|finally|already|
  absolutely|truly|usually|generally|officially|happily|both|only|do|newly|very much|presently|
  originally|proudly`;
export const i = '^(?:I|[Ww]e)';
export const does = `${i} (?:(?:${adverb}) )*`;
export const has = `${i}(?:'ve| have)? (?:(?:${adverb}) )*`;
export const am = `${i}(?:'m| am|'re| are) (?:(?:${adverb}) )*`;
export const my = '^(?:[Mm]y|[Oo]ur) (?:(?:new|current|present|dear|lovely|own) )*';
export const one = (text: string | null): string[] => (text === null ? [] : [text]);
export const firstOf =
  (read: (rest: string) => string | null) =>
  (rest: string): string[] =>
    one(read(rest));

export type Read = (rest: string) => readonly string[];
export const rule = (
  predicate: SpeakerPredicate,
  type: EntityType | null,
  source: string,
  read: Read,
  more: { readonly ends?: true; readonly confidence?: number } = {},
): SpeakerRule => ({
  predicate,
  type,
  pattern: new RegExp(source, 'u'),
  objectsAt: (rest, match) => {
    const named = match.groups?.b;
    return named === undefined ? read(rest) : read(named);
  },
  ...more,
  confidence: more.confidence ?? 0.8,
});
export const places = firstOf(placeAt);
export const companies = firstOf(organizationAt);
export const persons = firstOf(personAt);
export const jobs = firstOf((rest) => occupationAt(rest));
export const titles = firstOf((rest) => occupationAt(rest, true));
export const days = firstOf(birthdayAt);
export const phrases = firstOf(wholePhrase);
export const things = firstOf(nounPhrase);
export const name = String.raw`\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,2}`;
export const called = "(?:'s name)?(?: is|'s|,)?(?: now)?(?: called| named)?,? ";
