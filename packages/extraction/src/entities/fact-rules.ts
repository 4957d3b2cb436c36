import { locationRules, usageRules } from './location-and-usage-rules.ts';
import { nounRules } from './noun-rules.ts';
import { collaborationRules, peopleRules, skillRules } from './people-rules.ts';
import { type FactRule, objectLettersOf } from './rule.ts';
import { verbFrameRules } from './verb-frame-rules.ts';
import { employmentRules, membershipRules } from './work-rules.ts';

/** All patterns that extract facts. */
const factRules: readonly FactRule[] = [
  ...employmentRules,
  ...membershipRules,
  ...peopleRules,
  ...skillRules,
  ...collaborationRules,
  ...locationRules,
  ...usageRules,
  ...verbFrameRules,
  ...nounRules,
];

const rulesWithObjects = factRules.map((rule) => ({ rule, objects: objectLettersOf(rule) }));

/**
 * The rules that may find a fact in a sentence: those whose object may have the type of one of its
 * names, and those for lists. Most sentences need few of the patterns, which are slow to compile.
 */
export function rulesFor(sentence: string): FactRule[] {
  const letters = Array.from(sentence.matchAll(/<([a-z]):/g), ([, letter]) => letter as string);
  if (letters.length === 0) return [];
  const hasList = /<[a-z]:\d+\+/.test(sentence);
  return rulesWithObjects
    .filter(({ rule, objects }) =>
      rule.among ? hasList : letters.some((letter) => objects.has(letter)),
    )
    .map(({ rule }) => rule);
}
