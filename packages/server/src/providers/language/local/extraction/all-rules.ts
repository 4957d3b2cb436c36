import { locationRules, usageRules } from './location-and-usage-rules.ts';
import { nounRules } from './noun-rules.ts';
import { collaborationRules, peopleRules, skillRules } from './people-rules.ts';
import type { Rule } from './rule.ts';
import { verbFrames } from './verb-frames.ts';
import { employmentRules, membershipRules } from './work-rules.ts';

/** All patterns that extract facts. */
export const factRules: readonly Rule[] = [
  ...employmentRules,
  ...membershipRules,
  ...peopleRules,
  ...skillRules,
  ...collaborationRules,
  ...locationRules,
  ...usageRules,
  ...verbFrames,
  ...nounRules,
];
