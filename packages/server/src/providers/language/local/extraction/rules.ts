import { nounRules } from './noun-rules.ts';
import { people, skills, together } from './people-rules.ts';
import type { Rule } from './rule.ts';
import { places, usage } from './thing-rules.ts';
import { verbFrames } from './verb-frames.ts';
import { employment, memberships } from './work-rules.ts';

/** All patterns that facts are read by. */
export const rules: readonly Rule[] = [
  ...employment,
  ...memberships,
  ...people,
  ...skills,
  ...together,
  ...places,
  ...usage,
  ...verbFrames,
  ...nounRules,
];
