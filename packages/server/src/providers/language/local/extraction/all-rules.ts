import { nounRules } from './noun-rules.ts';
import { collaborationRules, peopleRules, skillRules } from './people-rules.ts';
import type { Rule } from './rule.ts';
import { placeRules, usageRules } from './thing-rules.ts';
import { verbFrames } from './verb-frames.ts';
import { employmentRules, membershipRules } from './work-rules.ts';

/** All patterns that extract facts. */
export const factRules: readonly Rule[] = [
  ...employmentRules,
  ...membershipRules,
  ...peopleRules,
  ...skillRules,
  ...collaborationRules,
  ...placeRules,
  ...usageRules,
  ...verbFrames,
  ...nounRules,
];
