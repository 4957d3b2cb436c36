import type { EntityType } from '@mneme/contract';
import { extractTerms } from '@mneme/text';

/** What a countable noun refers to. */
export interface EntityCategory {
  readonly type: EntityType | null;
  /** Stems that a name must all contain. */
  readonly words: readonly string[];
}

const nouns: Readonly<Record<EntityType, readonly string[]>> = {
  person: ['person', 'people', 'human', 'contact', 'colleague', 'individual'],
  organization: ['organization', 'organisation', 'company', 'team', 'employer', 'institution'],
  location: ['location', 'place', 'city', 'country', 'address'],
  product: ['product', 'tool', 'app'],
  concept: ['concept', 'idea', 'topic'],
  event: ['event', 'meeting', 'conference'],
  skill: ['skill', 'language'],
  date: ['date', 'day'],
};

/** Each noun, singular or plural, under its common stem. */
const typeOfStem = new Map(
  Object.entries(nouns).flatMap(([type, list]) =>
    list.map((noun) => [extractTerms(noun).words[0] ?? noun, type as EntityType] as const),
  ),
);

/** "people" are persons; "python skills" are skills with python in their name. */
export function parseEntityCategory(phrase: string): EntityCategory {
  const stems = extractTerms(phrase).words;
  const typed = stems.findLastIndex((stem) => typeOfStem.has(stem));
  const type = typeOfStem.get(stems[typed] ?? '') ?? null;
  // Without any word stem, the phrase itself is searched for.
  if (stems.length === 0) return { type, words: [phrase.toLowerCase().trim()] };
  return { type, words: stems.filter((_, i) => type === null || i !== typed) };
}
