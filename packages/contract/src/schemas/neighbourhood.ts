import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import {
  checkDespiteOtherIssues,
  customIssueOptions,
  idInput,
  idOutput,
  integer,
  limitField,
  ratio,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { ownerFilters } from '../owners.ts';
import { entityTypes, fact } from './knowledge.ts';

export const graphNodeTypes = ['memory', ...entityTypes] as const;
/** What an edge is: an entity named by a memory, a fact of two entities, or a relationship. */
export const graphEdgeKinds = ['mention', 'fact', 'relationship'] as const;
/** The type of each edge of the kind `mention`. */
export const mentionType = 'mentions';

const relationshipType = z
  .string()
  .refine(
    (value) => /^[a-z][a-z0-9_]{0,63}$/.test(value),
    customIssueOptions('invalid_format', 'must be a predicate or a type of relationships'),
  )
  .meta({ pattern: '^[a-z][a-z0-9_]{0,63}$', maxLength: limits.relationshipTypeCharactersMax });

interface Centre {
  readonly memory_id?: string | undefined;
  readonly entity_id?: string | undefined;
}

function requireOneCentre({ memory_id, entity_id }: Centre, context: z.RefinementCtx): void {
  if (memory_id === undefined && entity_id === undefined) {
    const issue = customIssueOptions('required', 'is required without memory_id');
    context.addIssue({ code: 'custom', path: ['entity_id'], ...issue });
  } else if (memory_id !== undefined && entity_id !== undefined) {
    const issue = customIssueOptions('invalid_range', 'cannot be combined with memory_id');
    context.addIssue({ code: 'custom', path: ['entity_id'], ...issue });
  }
}

export const neighbourhoodQuery = withCanonicalNames(
  z.strictObject({
    memory_id: idInput('memory').optional().meta({ description: 'The centre is this memory.' }),
    entity_id: idInput('other').optional().meta({ description: 'The centre is this entity.' }),
    depth: integer({ min: 1, max: limits.neighbourhoodDepthMax }).default(
      limits.neighbourhoodDepthDefault,
    ),
    limit: limitField({
      max: limits.graphNodesMax,
      fallback: limits.neighbourhoodNodesDefault,
    }).meta({
      description: 'The most nodes, the centre included; at most four edges for each of them.',
    }),
    node_types: z.array(z.enum(graphNodeTypes)).min(1).max(graphNodeTypes.length).optional().meta({
      description: 'Comma-separated; only nodes of these types, in addition to the centre.',
    }),
    relationship_types: z
      .array(relationshipType)
      .min(1)
      .max(100)
      .optional()
      .meta({
        description:
          'Comma-separated predicates of facts and types of relationships, or `mentions`; only ' +
          'edges of these types.',
      }),
    as_of: timestampInput.optional().meta({
      description:
        'Time in the world: facts that held then, and memories of what had happened by then. ' +
        'Default: facts that hold now, and all memories.',
    }),
    known_at: timestampInput.optional().meta({
      description: 'Time of the knowledge of the service: what was stored by then; default: now.',
    }),
    ...ownerFilters,
  }),
  { hops: 'depth' },
).superRefine(requireOneCentre, checkDespiteOtherIssues);

export const neighbourhood = z
  .object({
    root: idOutput.meta({ description: 'The id of the centre.' }),
    nodes: z
      .array(
        z.object({
          id: idOutput,
          type: z.enum(graphNodeTypes),
          label: z.string().meta({
            description: 'The name of an entity, or the first 200 characters of a memory.',
          }),
          hops: z.int().meta({ description: 'The distance from the centre.' }),
          hidden_neighbours: z.int().meta({
            description:
              'Neighbours that match the filters and are not in the response. Counted among the ' +
              'strongest edges of each kind: 500 of the centre, 100 of another node.',
          }),
          created_at: timestampOutput,
        }),
      )
      .meta({ description: 'The centre first, then the nearest, the strongest of them first.' }),
    edges: z.array(
      z.object({
        id: idOutput.nullable().meta({
          description: 'The id of the fact or of the relationship; null for a mention.',
        }),
        kind: z.enum(graphEdgeKinds),
        source_id: idOutput,
        target_id: idOutput,
        relationship_type: z.string(),
        weight: ratio.meta({
          description:
            'The confidence of a fact or a mention, or the strength of a relationship after decay.',
        }),
        valid_from: timestampOutput.nullable(),
        valid_to: timestampOutput.nullable(),
      }),
    ),
    truncated: z
      .boolean()
      .meta({ description: 'Whether nodes within `hops`, or edges between nodes, are left out.' }),
  })
  .meta({ id: 'Neighbourhood' });

/** What a memory states, as it was extracted last. */
export const memoryKnowledge = z
  .object({
    memory_id: idOutput,
    entities: z.array(
      z.object({
        id: idOutput,
        name: z.string(),
        type: z.enum(entityTypes),
        created_at: timestampOutput,
        confidence: ratio,
      }),
    ),
    facts: z.array(fact),
  })
  .meta({ id: 'MemoryKnowledge' });

export type GraphNodeType = (typeof graphNodeTypes)[number];
export type GraphEdgeKind = (typeof graphEdgeKinds)[number];
export type Neighbourhood = z.output<typeof neighbourhood>;
