/** Predicates that extraction uses; manual facts can use any other of the same form. */
export const factPredicates = [
  'works_at',
  'reports_to',
  'collaborates_with',
  'located_in',
  'uses',
  'knows',
  'part_of',
  'related_to',
  // What people say of themselves.
  'lives_in',
  'job_title',
  'partner_of',
  'parent_of',
  'pet',
  'allergic_to',
  'likes',
  'dislikes',
  'prefers',
  'owns',
  'studies',
  'birthday',
  'plans',
  'decided',
] as const;

/** Predicates with one value at a time: the next one ends the previous one. */
export const singleValuedPredicates: readonly string[] = [
  'works_at',
  'reports_to',
  'located_in',
  'lives_in',
  'job_title',
  'partner_of',
  'birthday',
];
