import { z } from 'zod';
import { aliasOf, withCanonicalNames } from '../aliases.ts';
import { withCanonicalFields } from '../canonical-fields.ts';
import {
  checkDespiteOtherIssues,
  customIssueOptions,
  idInput,
  idOutput,
  individuallyValidated,
  integer,
  itemFailure,
  jsonObjectOutput,
  metadata,
  ratio,
  storableText,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope } from '../list-envelope.ts';
import { memory } from './memories.ts';

/** Types that a create accepts, in the order of the published table. */
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

/** Types that only the inverse of a bidirectional pair can have. */
export const inverseOnlyTypes = [
  'superseded_by',
  'referenced_by',
  'source_of',
  'dependency_of',
  'supported_by',
] as const;

export const allRelationshipTypes = [...relationshipTypes, ...inverseOnlyTypes] as const;
export type RelationshipType = (typeof allRelationshipTypes)[number];

/** The inverse type, for each type that a create accepts. */
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
    customIssueOptions('invalid_enum_value', `must be one of ${relationshipTypes.join(', ')}`),
  )
  .meta({
    maxLength: limits.relationshipTypeCharactersMax,
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'Requires the account setting allow_custom_relationship_types.',
  });

const creatableType = z.union([z.enum(relationshipTypes), customType]);
/** For filters and paths, which also accept inverse-only types. */
const anyType = z.union([z.enum(allRelationshipTypes), customType]);

const weight = z.number().min(0).max(limits.relationshipWeightMax);
const description = storableText({ max: limits.descriptionCharactersMax }).nullable();
const inputAliases = { relationship_type: 'type', weight: 'strength' };

interface TypeFields {
  readonly relationship_type?: string | undefined;
  readonly type?: string | undefined;
}

function requireType(body: TypeFields, context: z.RefinementCtx): void {
  if (body.relationship_type !== undefined || body.type !== undefined) return;
  const path = ['relationship_type'];
  context.addIssue({ code: 'custom', path, ...customIssueOptions('required', 'is required') });
}

const createFields = {
  target_id: idInput('memory'),
  relationship_type: creatableType.optional(),
  type: creatableType.optional(),
  description: description.optional(),
  weight: weight.optional().meta({ description: 'Default: 1.' }),
  strength: weight.optional(),
  decay_rate: ratio.default(limits.decayRateDefault).meta({
    description: 'Ratio of the weight that decays per day.',
  }),
  rules: metadata.optional(),
  metadata: metadata.optional(),
  bidirectional: z.boolean().default(false).meta({
    description: 'Also creates the inverse relationship, with the inverse type.',
  }),
};

export const createRelationshipBody = withCanonicalNames(z.strictObject(createFields), inputAliases)
  .superRefine(requireType, checkDespiteOtherIssues)
  .meta({ id: 'CreateRelationship' });

export const batchRelationshipItem = withCanonicalNames(
  z.strictObject({ source_id: idInput('memory'), ...createFields }),
  inputAliases,
)
  .superRefine(requireType, checkDespiteOtherIssues)
  .meta({ id: 'BatchRelationship' });

export const batchRelationshipsBody = z.strictObject({
  relationships: z
    .array(individuallyValidated(batchRelationshipItem))
    .min(1)
    .max(limits.bulkItemsMax),
});

export const patchRelationshipBody = withCanonicalNames(
  z.strictObject({
    weight: weight.optional(),
    strength: weight.optional(),
    description: description.optional(),
    metadata: metadata
      .optional()
      .meta({ description: 'Merged into the stored value (RFC 7396); null removes a key.' }),
  }),
  { weight: 'strength' },
).meta({ id: 'PatchRelationship' });

export const adjustWeightBody = z.strictObject({
  amount: weight.default(limits.weightStepDefault),
});

/**
 * For a create, the source; for a list, either end. Both routes share one path and therefore one
 * name.
 */
export const relationshipMemoryParams = z.strictObject({ memoryId: idInput('memory') });
export const relationshipTripleParams = z.strictObject({
  sourceId: idInput('memory'),
  targetId: idInput('memory'),
  type: anyType,
});

export const relationshipsQuery = withCanonicalNames(
  z.strictObject({
    direction: z.enum(['outgoing', 'incoming', 'both']).default('both'),
    type: anyType.optional(),
  }),
  { relationship_type: 'type' },
);

export const relatedQuery = withCanonicalNames(
  z.strictObject({
    depth: integer({ min: 1, max: limits.graphDepthMax }).default(limits.graphDepthDefault),
    direction: z.enum(['outgoing', 'incoming', 'both']).default('both'),
    type: anyType.optional(),
    min_weight: weight.optional().meta({
      description: 'Follows only relationships of at least this weight, after decay.',
    }),
    limit: integer({ min: 1, max: limits.graphNodesMax }).default(limits.graphNodesMax),
  }),
  { hops: 'depth', relationship_type: 'type' },
);

const relationshipFields = {
  id: idOutput,
  source_id: idOutput,
  target_id: idOutput,
  relationship_type: z.string(),
  type: aliasOf('relationship_type', z.string()),
  description: z.string().nullable(),
  weight: z.number().meta({ description: 'After decay.' }),
  strength: ratio.meta({ description: 'The weight, capped at 1.' }),
  usage_count: z.int(),
  reinforcement_count: aliasOf('usage_count', z.int()),
  last_reinforced_at: timestampOutput.nullable(),
  decay_rate: ratio,
  rules: jsonObjectOutput,
  metadata: jsonObjectOutput,
  created_at: timestampOutput,
  updated_at: timestampOutput,
};

export const relationship = z.object(relationshipFields).meta({ id: 'Relationship' });

export const createdRelationship = z
  .object({
    ...relationshipFields,
    inverse_relationship: z
      .object({
        id: idOutput,
        source_id: idOutput,
        target_id: idOutput,
        type: z.string(),
        strength: ratio,
      })
      .optional()
      .meta({ description: 'The inverse relationship that a bidirectional create added.' }),
  })
  .meta({ id: 'CreatedRelationship' });

export const relationshipList = listEnvelope(
  z.object({
    memory_id: idOutput,
    outgoing: z.array(relationship).optional(),
    incoming: z.array(relationship).optional(),
    total: z.int(),
  }),
  { records: ['outgoing', 'incoming'], paging: 'all' },
);

export const batchRelationshipsResponse = z.object({
  succeeded: z.array(createdRelationship),
  failed: z.array(itemFailure),
});

export const relatedMemories = listEnvelope(
  withCanonicalFields(
    z.object({
      memory_id: idOutput,
      depth: z.int(),
      memories: z.array(
        withCanonicalFields(
          z.object({
            memory,
            depth: z.int().meta({ description: 'Number of relationships on the shortest path.' }),
            path: z
              .array(idOutput)
              .meta({ description: 'Ids of the relationships on the best path, in order.' }),
            score: ratio.meta({ description: 'Product of the strengths along the path.' }),
          }),
          { hops: 'depth' },
        ),
      ),
      relationships: z
        .array(relationship)
        .meta({ description: 'Every relationship that a path contains, once.' }),
      truncated: z
        .boolean()
        .meta({ description: 'Whether more memories are reachable than are listed.' }),
    }),
    { hops: 'depth' },
  ),
  { records: ['memories'], paging: 'best' },
);

export type Relationship = z.output<typeof relationship>;
export type CreatedRelationship = z.output<typeof createdRelationship>;
export type CreateRelationshipBody = z.output<typeof createRelationshipBody>;
export type BatchRelationshipItem = z.output<typeof batchRelationshipItem>;
export type RelationshipDirection = z.output<typeof relationshipsQuery>['direction'];
