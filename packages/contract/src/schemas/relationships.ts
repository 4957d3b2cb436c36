import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checkDespiteOtherIssues,
  customIssue,
  idIn,
  idOut,
  individuallyValidated,
  integer,
  itemFailure,
  jsonOut,
  metadata,
  ratio,
  text,
  timestampOut,
} from './fields.ts';
import { memory } from './memories.ts';

/** What a create may name, in the order of the published table. */
export const relationshipTypes = [
  'related_to',
  'parent_of',
  'child_of',
  'supersedes',
  'references',
  'derived_from',
  'contradicts',
  'supports',
  'similar_to',
  'depends_on',
  'caused_by',
  'leads_to',
] as const;

/** Types of the other half of a bidirectional pair alone. */
export const inverseOnlyTypes = [
  'superseded_by',
  'referenced_by',
  'source_of',
  'dependency_of',
  'supported_by',
] as const;

export const allRelationshipTypes = [...relationshipTypes, ...inverseOnlyTypes] as const;
export type RelationshipType = (typeof allRelationshipTypes)[number];

/** The type of the other half, for each type that a create may name. */
export const inverseTypeOf: Readonly<Record<(typeof relationshipTypes)[number], RelationshipType>> =
  {
    related_to: 'related_to',
    parent_of: 'child_of',
    child_of: 'parent_of',
    supersedes: 'superseded_by',
    references: 'referenced_by',
    derived_from: 'source_of',
    contradicts: 'contradicts',
    supports: 'supported_by',
    similar_to: 'similar_to',
    depends_on: 'dependency_of',
    caused_by: 'leads_to',
    leads_to: 'caused_by',
  };

const customType = z
  .string()
  .refine(
    (value) => /^[a-z][a-z0-9_]{0,63}$/.test(value),
    customIssue('invalid_enum_value', `must be one of ${relationshipTypes.join(', ')}`),
  )
  .meta({
    maxLength: limits.relationshipTypeCharactersMax,
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'Only with the account setting allow_custom_relationship_types.',
  });

const creatableType = z.union([z.enum(relationshipTypes), customType]);
/** In filters and paths, where the names of inverses are good as well. */
const anyType = z.union([z.enum(allRelationshipTypes), customType]);

const weight = z.number().min(0).max(limits.relationshipWeightMax);
const description = text({ max: limits.descriptionCharactersMax }).nullable();
const strengthAlias = weight.optional().meta({ description: 'Alias of weight.' });

interface AliasedFields {
  readonly weight?: number | undefined;
  readonly strength?: number | undefined;
  readonly relationship_type?: string | undefined;
  readonly type?: string | undefined;
}

/** An alias may stand beside its field when both say the same. */
function requireMatchingAliases(body: AliasedFields, context: z.RefinementCtx): void {
  const differ = (alias: 'strength' | 'type', field: 'weight' | 'relationship_type') => {
    if (body[alias] === undefined || body[field] === undefined) return;
    if (body[alias] === body[field]) return;
    const differs = customIssue('invalid_enum_value', `must equal ${field} when both are given`);
    context.addIssue({ code: 'custom', path: [alias], ...differs });
  };
  differ('strength', 'weight');
  differ('type', 'relationship_type');
}

function requireType(body: AliasedFields, context: z.RefinementCtx): void {
  requireMatchingAliases(body, context);
  if (body.relationship_type !== undefined || body.type !== undefined) return;
  const path = ['relationship_type'];
  context.addIssue({ code: 'custom', path, ...customIssue('required', 'is required') });
}

const createFields = {
  target_id: idIn('memory'),
  relationship_type: creatableType.optional(),
  type: creatableType.optional().meta({ description: 'Alias of relationship_type.' }),
  description: description.optional(),
  weight: weight.optional().meta({ description: '1 where none is given.' }),
  strength: strengthAlias,
  decay_rate: ratio.default(limits.decayRateDefault).meta({
    description: 'The part of the weight that a day takes.',
  }),
  rules: metadata.optional(),
  metadata: metadata.optional(),
  bidirectional: z.boolean().default(false).meta({
    description: 'Also makes the other half, with the inverse type.',
  }),
};

export const createRelationshipBody = z
  .strictObject(createFields)
  .superRefine(requireType, checkDespiteOtherIssues)
  .meta({ id: 'CreateRelationship' });

export const batchRelationshipItem = z
  .strictObject({ source_id: idIn('memory'), ...createFields })
  .superRefine(requireType, checkDespiteOtherIssues)
  .meta({ id: 'BatchRelationship' });

export const batchRelationshipsBody = z.strictObject({
  relationships: z
    .array(individuallyValidated(batchRelationshipItem))
    .min(1)
    .max(limits.bulkItemsMax),
});

export const patchRelationshipBody = z
  .strictObject({
    weight: weight.optional(),
    strength: strengthAlias,
    description: description.optional(),
    metadata: metadata.optional().meta({ description: 'Merged (RFC 7396); null removes a key.' }),
  })
  .superRefine(requireMatchingAliases, checkDespiteOtherIssues)
  .meta({ id: 'PatchRelationship' });

export const adjustWeightBody = z.strictObject({
  amount: weight.default(limits.weightStepDefault),
});

/** Of a create, the source; of a list, either end. One name, since both are one path. */
export const relationshipMemoryParams = z.strictObject({ memoryId: idIn('memory') });
export const relationshipTripleParams = z.strictObject({
  sourceId: idIn('memory'),
  targetId: idIn('memory'),
  type: anyType,
});

export const relationshipsQuery = z.strictObject({
  direction: z.enum(['outgoing', 'incoming', 'both']).default('both'),
  type: anyType.optional(),
});

export const relatedQuery = z.strictObject({
  depth: integer({ min: 1, max: limits.graphDepthMax }).default(limits.graphDepthDefault),
  direction: z.enum(['outgoing', 'incoming', 'both']).default('both'),
  type: anyType.optional(),
  min_weight: weight.optional().meta({
    description: 'Goes along relationships of at least this weight, after decay.',
  }),
  limit: integer({ min: 1, max: limits.graphNodesMax }).default(limits.graphNodesMax),
});

const relationshipFields = {
  id: idOut,
  source_id: idOut,
  target_id: idOut,
  relationship_type: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  weight: z.number().meta({ description: 'After decay.' }),
  strength: ratio.meta({ description: 'The weight, at most 1.' }),
  usage_count: z.int(),
  reinforcement_count: z.int(),
  last_reinforced_at: timestampOut.nullable(),
  decay_rate: ratio,
  rules: jsonOut,
  metadata: jsonOut,
  created_at: timestampOut,
  updated_at: timestampOut,
};

export const relationship = z.object(relationshipFields).meta({ id: 'Relationship' });

export const createdRelationship = z
  .object({
    ...relationshipFields,
    inverse_relationship: z
      .object({
        id: idOut,
        source_id: idOut,
        target_id: idOut,
        type: z.string(),
        strength: ratio,
      })
      .optional()
      .meta({ description: 'The other half, of a bidirectional create.' }),
  })
  .meta({ id: 'CreatedRelationship' });

export const relationshipList = z.object({
  memory_id: idOut,
  outgoing: z.array(relationship).optional(),
  incoming: z.array(relationship).optional(),
  total: z.int(),
});

export const batchRelationshipsResponse = z.object({
  succeeded: z.array(createdRelationship),
  failed: z.array(itemFailure),
});

export const relatedMemories = z.object({
  memory_id: idOut,
  depth: z.int(),
  memories: z.array(
    z.object({
      memory,
      depth: z.int().meta({ description: 'The smallest number of relationships to it.' }),
      path: z.array(idOut).meta({ description: 'The relationships of the best path, in order.' }),
      score: ratio.meta({ description: 'The product of the strengths along the path.' }),
    }),
  ),
  relationships: z.array(relationship).meta({ description: 'All that the paths name, once.' }),
  truncated: z.boolean().meta({ description: 'More is within reach than is shown.' }),
});

export type Relationship = z.output<typeof relationship>;
export type CreatedRelationship = z.output<typeof createdRelationship>;
export type CreateRelationshipBody = z.output<typeof createRelationshipBody>;
export type BatchRelationshipItem = z.output<typeof batchRelationshipItem>;
export type Direction = z.output<typeof relationshipsQuery>['direction'];
