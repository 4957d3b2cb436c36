import type { EntityType } from '../types.ts';

/** Evidence for each type of a name, in points; a total of 1.5 makes an entity. */
export type TypeScores = Record<Exclude<EntityType, 'date' | 'concept'>, number>;

export const createTypeScores = (): TypeScores => ({
  person: 0,
  organization: 0,
  location: 0,
  product: 0,
  event: 0,
  skill: 0,
});

export type NamedEntityType = keyof TypeScores;

const pointsMin = 1.5;

/** The type with the highest score, the first in case of ties; null if the score is too low. */
export function pickBestType(
  scores: TypeScores,
): { type: NamedEntityType; points: number; lead: number } | null {
  const order = Object.entries(scores) as [NamedEntityType, number][];
  const sorted = order.toSorted((one, other) => other[1] - one[1]);
  const [best, next] = sorted;
  if (!best || best[1] < pointsMin) return null;
  return { type: best[0], points: best[1], lead: best[1] - Math.max(0, next?.[1] ?? 0) };
}
