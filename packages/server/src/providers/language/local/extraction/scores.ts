import type { EntityType } from '../../text-analyzer.ts';

/** How much speaks for each type of a name. Weights are in points; 1.5 in all make an entity. */
export type TypeScores = Record<Exclude<EntityType, 'date' | 'concept'>, number>;

export const createScores = (): TypeScores => ({
  person: 0,
  organization: 0,
  location: 0,
  product: 0,
  event: 0,
  skill: 0,
});

export type NamedEntityType = keyof TypeScores;

const pointsMin = 1.5;

/** The type that most speaks for, of equals the first; null when too little does. */
export function pickBestType(
  scores: TypeScores,
): { type: NamedEntityType; points: number; lead: number } | null {
  const order = Object.entries(scores) as [NamedEntityType, number][];
  const sorted = order.toSorted((one, other) => other[1] - one[1]);
  const [best, next] = sorted;
  if (!best || best[1] < pointsMin) return null;
  return { type: best[0], points: best[1], lead: best[1] - Math.max(0, next?.[1] ?? 0) };
}
