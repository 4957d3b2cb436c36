import { z } from 'zod';
import { withSnakeCaseNames } from '../aliases.ts';
import type { CustomIssueParams } from '../errors.ts';
import {
  idInput,
  idOutput,
  integer,
  limitField,
  offsetField,
  pagination,
  ratio,
  spaceFilter,
  spaceRef,
  storableText,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope } from '../list-envelope.ts';
import { ownerFilters } from '../owners.ts';
import { factPredicates } from '../predicates.ts';
import { withSpaceName } from '../space-names.ts';

export const entityTypes = [
  'person',
  'organization',
  'location',
  'product',
  'concept',
  'event',
  'skill',
  'date',
] as const;
export type EntityType = (typeof entityTypes)[number];

const entityType = z.enum(entityTypes);
const entityName = storableText({ min: 1, max: limits.nameCharactersMax });
const aliases = z.array(entityName).max(limits.aliasesMax);

const predicate = z
  .string()
  .refine((value) => /^[a-z][a-z0-9_]{0,63}$/.test(value), {
    message: 'must be 1 to 64 lower-case letters, digits and underscores, and start with a letter',
    params: { code: 'invalid_format' } satisfies CustomIssueParams,
  })
  .meta({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: `Extraction uses ${factPredicates.join(', ')}.`,
  });

export const entityParams = z.strictObject({ id: idInput('other') });
export const factParams = z.strictObject({ id: idInput('other') });
export const subgraphParams = z.strictObject({ entityId: idInput('other') });

const entityPage = limitField({ max: limits.entityPageMax, fallback: limits.entityPageDefault });

export const entitiesQuery = withSpaceName(
  z.strictObject({
    space_id: spaceFilter.optional(),
    type: entityType.optional(),
    q: entityName.optional().meta({ description: 'Part of a name or alias, case-insensitive.' }),
    ...ownerFilters,
    limit: entityPage,
    offset: offsetField,
  }),
);

export const entityCountQuery = withSpaceName(
  z.strictObject({
    countable_category: storableText({ min: 1, max: limits.topicCharactersMax }).meta({
      description:
        'An entity type, or a noun phrase that is matched to types and names, singular or plural.',
    }),
    space_id: spaceFilter.optional(),
    time_start: timestampInput
      .optional()
      .meta({ description: 'Only entities mentioned at this time or later.' }),
    time_end: timestampInput
      .optional()
      .meta({ description: 'Only entities mentioned before this time.' }),
    ...ownerFilters,
  }),
);

export const entitiesAtTimeQuery = withSpaceName(
  z.strictObject({
    as_of: timestampInput
      .optional()
      .meta({ description: 'Time in the world (valid time); default: now.' }),
    known_at: timestampInput.optional().meta({
      description: 'Time of the knowledge of the service (transaction time); default: now.',
    }),
    space_id: spaceFilter.optional(),
    type: entityType.optional(),
    ...ownerFilters,
    limit: entityPage,
    offset: offsetField,
  }),
);

export const entityTimelineQuery = z.strictObject({
  ...ownerFilters,
  limit: entityPage,
  offset: offsetField,
});

export const entityRelationshipsQuery = z.strictObject({
  direction: z.enum(['outgoing', 'incoming', 'both']).default('both'),
  session_id: idInput('other').optional().meta({
    description: 'Only relationships from memories of this CLI session.',
  }),
  ...ownerFilters,
  limit: limitField({ max: limits.entityPageMax, fallback: limits.entityPageMax }),
  offset: offsetField,
});

export const factsQuery = z.strictObject({
  predicate: predicate.optional(),
  as_of: timestampInput
    .optional()
    .meta({ description: 'Only facts that were valid at this time.' }),
  known_at: timestampInput.optional().meta({
    description: 'Facts that the service considered true at this time; default: now.',
  }),
  ...ownerFilters,
  limit: limitField({ max: limits.entityPageMax, fallback: limits.factPageDefault }),
  offset: offsetField,
});

export const mergeEntitiesBody = withSpaceName(
  z.strictObject({
    source_id: idInput('other'),
    target_id: idInput('other'),
    space_id: spaceRef.optional().meta({ description: 'Both entities must be in this space.' }),
    force: z
      .boolean()
      .default(false)
      .meta({ description: 'Merges entities of different types, too.' }),
  }),
);

export const subgraphQuery = withSnakeCaseNames(
  z.strictObject({
    hops: integer({ min: 1, max: limits.graphDepthMax }).default(limits.graphDepthDefault),
    includeRelationships: z.boolean().default(true),
    ...ownerFilters,
  }),
);

export const entityPathQuery = withSnakeCaseNames(
  z.strictObject({
    from: idInput('other'),
    to: idInput('other'),
    maxHops: integer({ min: 1, max: limits.pathHopsMax }).default(limits.pathHopsDefault),
    ...ownerFilters,
  }),
);

export const createEntityBody = withSpaceName(
  z.strictObject({
    name: entityName,
    type: entityType,
    aliases: aliases.default([]),
    space_id: spaceRef.optional(),
  }),
);

export const patchEntityBody = z.strictObject({
  name: entityName.optional(),
  type: entityType.optional(),
  aliases: aliases.optional().meta({ description: 'Replaces the stored aliases.' }),
});

interface FactObject {
  readonly object_id?: string | undefined;
  readonly object_value?: string | undefined;
  readonly valid_from?: Date | undefined;
  readonly valid_to?: Date | undefined;
}

function validateFact(body: FactObject, context: z.RefinementCtx): void {
  const addIssue = (path: string, code: CustomIssueParams['code'], message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, params: { code } });
  const objects = [body.object_id, body.object_value].filter((value) => value !== undefined);
  if (objects.length === 0) addIssue('object_id', 'required', 'is required without object_value');
  if (objects.length === 2)
    addIssue('object_value', 'invalid_range', 'cannot be combined with object_id');
  if (body.valid_from && body.valid_to && body.valid_to <= body.valid_from) {
    addIssue('valid_to', 'invalid_range', 'must be later than valid_from');
  }
}

export const createFactBody = z
  .strictObject({
    subject_id: idInput('other'),
    predicate,
    object_id: idInput('other').optional(),
    object_value: storableText({ min: 1, max: limits.factValueCharactersMax }).optional(),
    statement: storableText({ min: 1, max: limits.factValueCharactersMax }).optional().meta({
      description: 'The fact as a sentence; default: built from the names.',
    }),
    confidence: ratio.default(1),
    valid_from: timestampInput.optional(),
    valid_to: timestampInput.optional(),
    source_memory_id: idInput('memory').optional().meta({
      description: 'The source memory: the fact has its visibility and is removed with it.',
    }),
    corrects: idInput('other').optional().meta({
      description: 'A fact that this one invalidates; it stays in the history.',
    }),
  })
  .superRefine(validateFact, {
    when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
  })
  .meta({ id: 'CreateFact' });

export const extractKnowledgeBody = z.strictObject({ memory_id: idInput('memory') });

const listedEntity = {
  id: idOutput,
  name: z.string(),
  type: entityType,
  created_at: timestampOutput,
};

const entityFields = {
  ...listedEntity,
  space_id: idOutput.nullable(),
  aliases: z.array(z.string()),
  updated_at: timestampOutput,
};

export const entity = z.object(entityFields).meta({ id: 'Entity' });

export const entityList = listEnvelope(
  pagination.extend({ entities: z.array(z.object(listedEntity)) }),
  { records: ['entities'], paging: 'offset' },
);

export const entityCount = z.object({
  countable_category: z.string(),
  count: z.int(),
  time_start: timestampOutput.nullable(),
  time_end: timestampOutput.nullable(),
});

export const entitiesAtTime = listEnvelope(
  z.object({
    as_of: timestampOutput,
    known_at: timestampOutput,
    entities: z.array(z.object(listedEntity)),
    total: z.int(),
  }),
  { records: ['entities'], paging: 'offset' },
);

export const entityRelationship = z
  .object({
    id: idOutput.meta({ description: 'The id of the underlying fact.' }),
    direction: z.enum(['outgoing', 'incoming']),
    target_entity_id: idOutput.meta({ description: 'The entity at the other end.' }),
    target_name: z.string(),
    target_type: entityType,
    relationship_type: z.string(),
    weight: ratio.meta({ description: 'The confidence of the fact.' }),
    valid_from: timestampOutput.nullable(),
    valid_to: timestampOutput.nullable(),
  })
  .meta({ id: 'EntityRelationship' });

export const fact = z
  .object({
    id: idOutput,
    subject_id: idOutput,
    subject_name: z.string(),
    predicate: z.string(),
    object_id: idOutput.nullable(),
    object_value: z.string().nullable().meta({
      description: 'The name of the object entity, or the value if there is no entity.',
    }),
    statement: z.string(),
    confidence: ratio,
    source_memory_ids: z.array(idOutput),
    valid_from: timestampOutput.nullable(),
    valid_to: timestampOutput.nullable(),
    recorded_at: timestampOutput,
    invalidated_at: timestampOutput.nullable(),
  })
  .meta({ id: 'Fact' });

const entityWithCounts = { ...entityFields, relationship_count: z.int(), fact_count: z.int() };

export const entityDetail = z
  .object({
    ...entityWithCounts,
    entity: z.object(entityWithCounts).meta({ description: 'The same fields, nested.' }),
    merged_from: idOutput.optional().meta({
      description: 'The requested id, if that entity was merged into this one.',
    }),
    relationships: z.array(entityRelationship),
    facts: z.array(fact),
  })
  .meta({ id: 'EntityDetail' });

export const entityRelationships = listEnvelope(
  z.object({
    entity_id: idOutput,
    relationships: z.array(entityRelationship),
    total: z.int(),
  }),
  { records: ['relationships'], paging: 'offset' },
);

export const entityFacts = listEnvelope(
  z.object({
    entity_id: idOutput,
    facts: z.array(fact),
    total: z.int(),
  }),
  { records: ['facts'], paging: 'offset' },
);

export const timelineKinds = [
  'entity_created',
  'fact_added',
  'fact_invalidated',
  'merged',
  'renamed',
] as const;

export const entityTimeline = listEnvelope(
  z.object({
    entity_id: idOutput,
    entries: z.array(
      z.object({
        at: timestampOutput,
        kind: z.enum(timelineKinds),
        fact: fact.optional(),
        detail: z.string(),
      }),
    ),
    total: z.int(),
  }),
  { records: ['entries'], paging: 'offset' },
);

export const mergeEntitiesResponse = z.object({
  merged: z.literal(true),
  target_id: idOutput,
  source_id: idOutput,
});

const graphEdge = z.object({
  id: idOutput.meta({ description: 'The id of the underlying fact.' }),
  source_id: idOutput,
  target_id: idOutput,
  relationship_type: z.string(),
  weight: ratio,
});

export const subgraph = z.object({
  root: idOutput,
  nodes: z.array(z.object({ ...listedEntity, hops: z.int() })),
  edges: z
    .array(graphEdge)
    .meta({ description: 'Edges between the nodes; empty if not requested.' }),
  truncated: z
    .boolean()
    .meta({ description: 'Whether more entities are reachable than are listed.' }),
});

export const entityPath = z.object({
  from: idOutput,
  to: idOutput,
  length: z.int(),
  nodes: z
    .array(z.object(listedEntity))
    .meta({ description: 'Entities along the path, from `from` to `to`.' }),
  edges: z.array(graphEdge),
});

export const extractKnowledgeResponse = z.object({
  memory_id: idOutput,
  model: z.string(),
  entities: z.array(z.object({ ...listedEntity, confidence: ratio })),
  facts: z.array(fact),
});

export type Entity = z.output<typeof entity>;
export type Fact = z.output<typeof fact>;
export type EntityRelationship = z.output<typeof entityRelationship>;
export type CreateFactBody = z.output<typeof createFactBody>;
