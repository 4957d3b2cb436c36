import { locationRules, usageRules } from './location-and-usage-rules.ts';
import { nounRules } from './noun-rules.ts';
import { collaborationRules, peopleRules, skillRules } from './people-rules.ts';
import type { FactRule } from './rule.ts';
import { verbFrameRules } from './verb-frame-rules.ts';
import { employmentRules, membershipRules } from './work-rules.ts';

/** All patterns that extract facts. */
export const factRules: readonly FactRule[] = [
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
