import {
  allRelationshipTypes,
  type FieldError,
  inverseOnlyTypes,
  inverseTypeOf,
  limits,
  type Relationship,
  relationshipTypes,
} from '@mneme/contract';
import { fieldError } from '../../kernel/errors.ts';
import type { Actor } from '../ctx.ts';

/** From a newer memory to an older one that it replaces. */
export const supersedesType = 'supersedes';
/** Its inverse. */
export const supersededByType = 'superseded_by';

/** From a memory to one that it is derived from. */
export const derivedFromType = 'derived_from';

export interface RelationshipRecord {
  readonly account_id: string;
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly type: string;
  /** The inverse of a relationship that was created as a pair; it may be deleted by now. */
  readonly inverse_id: string | null;
  readonly description: string | null;
  readonly weight: number;
  readonly weight_set_at: Date;
  readonly decay_rate: number;
  /** How many of the two memories are pinned. */
  readonly pinned_memory_count: number;
  readonly usage_count: number;
  readonly last_reinforced_at: Date | null;
  readonly rules: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  readonly created_at: Date;
  readonly updated_at: Date;
}

type DecayInput = Pick<
  RelationshipRecord,
  'weight' | 'weight_set_at' | 'decay_rate' | 'pinned_memory_count'
>;

const dayMs = 86_400_000;

/**
 * The current weight: weight × (1 − decay_rate) ^ days since it was set, with fractions of days;
 * no decay while one of the memories is pinned.
 */
export function effectiveWeight(record: DecayInput, now: Date): number {
  if (record.pinned_memory_count > 0) return record.weight;
  return decayWeight(
    record.weight,
    record.decay_rate,
    now.getTime() - record.weight_set_at.getTime(),
  );
}

/** The weight after decaying for `ms` milliseconds. */
export const decayWeight = (weight: number, rate: number, ms: number): number =>
  weight * (1 - rate) ** (Math.max(0, ms) / dayMs);

export const toStrength = (weight: number): number => Math.min(1, weight);

/** Computes the changed record of a reinforcement or weakening. */
export type WeightUpdater = (before: RelationshipRecord, now: Date) => RelationshipRecord;

/** Adds to the decayed weight, and counts the use. */
export const reinforceBy =
  (amount: number): WeightUpdater =>
  (before, now) => ({
    ...before,
    weight: Math.min(limits.relationshipWeightMax, effectiveWeight(before, now) + amount),
    weight_set_at: now,
    usage_count: before.usage_count + 1,
    last_reinforced_at: now,
    updated_at: now,
  });

/** Subtracts from the decayed weight, down to 0. */
export const weakenBy =
  (amount: number): WeightUpdater =>
  (before, now) => ({
    ...before,
    weight: Math.max(0, effectiveWeight(before, now) - amount),
    weight_set_at: now,
    updated_at: now,
  });

/** Includes both field names for the type; weight and strength are after decay. */
export function presentRelationship(record: RelationshipRecord, now: Date): Relationship {
  const weight = effectiveWeight(record, now);
  return {
    id: record.id,
    source_id: record.source_id,
    target_id: record.target_id,
    relationship_type: record.type,
    type: record.type,
    description: record.description,
    weight,
    strength: toStrength(weight),
    usage_count: record.usage_count,
    reinforcement_count: record.usage_count,
    last_reinforced_at: record.last_reinforced_at?.toISOString() ?? null,
    decay_rate: record.decay_rate,
    rules: record.rules,
    metadata: record.metadata,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
}

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

const unknownTypeFieldError = (name: string): FieldError => ({
  code: 'invalid_enum_value',
  message: `must be one of ${relationshipTypes.join(', ')}`,
  received: name,
});

type Settings = Actor['settings'];

/** Rejects names of inverse types, and custom types unless the account allows them. */
export function findRelationshipTypeError(settings: Settings, name: string): FieldError | null {
  if (isOneOf(relationshipTypes, name)) return null;
  if (settings.allow_custom_relationship_types && !isOneOf(inverseOnlyTypes, name)) return null;
  return unknownTypeFieldError(name);
}

/** Throws 422 for a type that no relationship of the account can have. */
export function requireKnownType(settings: Settings, name: string | undefined): void {
  if (name === undefined || isOneOf(allRelationshipTypes, name)) return;
  if (!settings.allow_custom_relationship_types)
    throw fieldError('type', unknownTypeFieldError(name));
}

/** The type of the inverse relationship; null for a custom type, which has none. */
export const inverseType = (type: string): string | null =>
  isOneOf(relationshipTypes, type) ? inverseTypeOf[type] : null;

export const tripleKey = (sourceId: string, targetId: string, type: string): string =>
  `${sourceId} ${targetId} ${type}`;
