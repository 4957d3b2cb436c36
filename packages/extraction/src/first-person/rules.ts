import { activityRules } from './activity-rules.ts';
import { familyRules } from './family-rules.ts';
import { homeAndWorkRules } from './home-and-work-rules.ts';
import type { SpeakerRule } from './rule.ts';
import { tasteRules } from './taste-rules.ts';

export const speakerRules: readonly SpeakerRule[] = [
  ...homeAndWorkRules,
  ...familyRules,
  ...tasteRules,
  ...activityRules,
];
