import { z } from 'zod';
import { type EventType, eventTypes } from '../events.ts';
import { cursor, idInput, idOutput, pageLimit, timestampOutput } from '../fields.ts';
import { cursorPage } from '../list-envelope.ts';
import { ownerFiltersOf } from '../owners.ts';
import { cluster, mergedCluster } from './clusters.ts';
import { entityTypes } from './knowledge.ts';
import { feedback, memory } from './memories.ts';
import { relationship } from './relationships.ts';
import { space } from './spaces.ts';
import { importedBatch, importSummary } from './transfers.ts';
import { updateSuggestion } from './update-suggestions.ts';

/** Fields of a memory that memory.updated can list in `changes`. */
const memoryChangeFields = [
  'content',
  'metadata',
  'tags',
  'priority',
  'space_id',
  'session_id',
  'occurred_at',
  'expires_at',
  'is_pinned',
  'protection_level',
  // Topics, a summary, entities or a quality score were created.
  'enrichment',
] as const;

/** Fields of a relationship that relationship.updated can list in `changes`. */
const relationshipChangeFields = [
  'weight',
  'description',
  'metadata',
  'usage_count',
  'last_reinforced_at',
] as const;

/** Fields of a cluster that cluster.updated can list in `changes`: set by a caller or by a run. */
export const clusterChangeFields = [
  'name',
  'description',
  'color',
  'metadata',
  'cluster_type',
  'memory_count',
  'silhouette_score',
  'dbcv_score',
  'cohesion_score',
  'topic_label',
  'topic_keywords',
  'centroid_available',
] as const;

/** Fields of a space that space.updated can list in `changes`. */
const spaceChangeFields = ['name', 'description', 'metadata', 'memory_lifetime_days'] as const;

const envelope = { id: idOutput, created_at: timestampOutput, space_id: idOutput.nullable() };

/** Component name of an event type, such as `MemoryCreatedEvent`. */
const nameOf = (type: string): string =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;

const eventMeta = (type: EventType) => ({ id: nameOf(type), description: eventTypes[type] });

/** An occurrence: it has no previous state. */
const occurrenceEvent = <const T extends EventType, D extends z.ZodType>(type: T, data: D) =>
  z
    .object({
      ...envelope,
      type: z.literal(type),
      data,
      previous_data: z.null(),
      changes: z.null(),
    })
    .meta(eventMeta(type));

/** A change: `data` is the current state, `previous_data` the previous one. */
const changeEvent = <const T extends EventType, D extends z.ZodType, const F extends string>(
  type: T,
  data: D,
  fields: readonly [F, ...F[]],
) =>
  z
    .object({
      ...envelope,
      type: z.literal(type),
      data,
      previous_data: data,
      changes: z.array(z.enum(fields)).min(1),
    })
    .meta(eventMeta(type));

const clientName = z
  .string()
  .optional()
  .meta({ description: 'The program that sent the request, where it came through MCP.' });

const memoryDeleted = z.object({
  id: idOutput,
  soft: z.boolean().meta({ description: 'True: the memory can be restored.' }),
  client: clientName,
});
const reinforced = z.object({ id: idOutput, priority: z.int() });
const updateSuggested = updateSuggestion.pick({
  newer_id: true,
  older_id: true,
  confidence: true,
  reason: true,
});
const superseded = z.object({ id: idOutput, superseded_by: idOutput });
const bulkResult = z.object({ ids: z.array(idOutput), count: z.int() });
const relationshipDeleted = z.object({
  id: idOutput,
  source_id: idOutput,
  target_id: idOutput,
  relationship_type: z.string(),
  type: z.string(),
});
const deletedCluster = z.object({ id: idOutput });
const membership = z.object({ cluster_id: idOutput, memory_id: idOutput, confidence: z.number() });
const removedMembership = z.object({ cluster_id: idOutput, memory_id: idOutput });
const spaceDeleted = z.object({ id: idOutput });

/** Operations that access memories. */
const accessMethods = [
  'get',
  'search',
  'recall',
  'similar',
  'topic',
  'aggregate',
  'global',
] as const;

const accessedMemories = z.object({
  ids: z.array(idOutput),
  via: z.enum(accessMethods),
  query: z.string().optional().meta({
    description: 'The query of a search that was restricted to the space of the event.',
  }),
  topic: z.string().optional(),
  client: clientName,
  memory_id: idOutput
    .optional()
    .meta({ description: 'The memory of a similarity search, in the event of its own space.' }),
});

const entityExtraction = z.object({
  memory_id: idOutput,
  entities: z.array(z.object({ id: idOutput, name: z.string(), type: z.enum(entityTypes) })),
});

/** The event of each type, exactly as GET /events and the stream return it. */
export const eventSchemas = {
  'memory.created': occurrenceEvent('memory.created', memory),
  'memory.updated': changeEvent('memory.updated', memory, memoryChangeFields),
  'memory.deleted': occurrenceEvent('memory.deleted', memoryDeleted),
  'memory.restored': occurrenceEvent('memory.restored', memory),
  'memory.accessed': occurrenceEvent('memory.accessed', accessedMemories),
  'memory.reinforced': occurrenceEvent('memory.reinforced', reinforced),
  'memory.verified': occurrenceEvent('memory.verified', memory),
  'memory.superseded': occurrenceEvent('memory.superseded', superseded),
  'memory.update_suggested': occurrenceEvent('memory.update_suggested', updateSuggested),
  'memory.expired': occurrenceEvent('memory.expired', z.object({ id: idOutput })),
  'memory.bulk_created': occurrenceEvent('memory.bulk_created', bulkResult),
  'memory.bulk_updated': occurrenceEvent('memory.bulk_updated', bulkResult),
  'memory.bulk_deleted': occurrenceEvent('memory.bulk_deleted', bulkResult),
  'memory.bulk_tags_updated': occurrenceEvent('memory.bulk_tags_updated', bulkResult),
  'relationship.created': occurrenceEvent('relationship.created', relationship),
  'relationship.updated': changeEvent(
    'relationship.updated',
    relationship,
    relationshipChangeFields,
  ),
  'relationship.deleted': occurrenceEvent('relationship.deleted', relationshipDeleted),
  'cluster.created': occurrenceEvent('cluster.created', cluster),
  'cluster.updated': changeEvent('cluster.updated', cluster, clusterChangeFields),
  'cluster.deleted': occurrenceEvent('cluster.deleted', deletedCluster),
  'cluster.memory_added': occurrenceEvent('cluster.memory_added', membership),
  'cluster.memory_removed': occurrenceEvent('cluster.memory_removed', removedMembership),
  'cluster.merged': occurrenceEvent('cluster.merged', mergedCluster),
  'space.created': occurrenceEvent('space.created', space),
  'space.updated': changeEvent('space.updated', space, spaceChangeFields),
  'space.deleted': occurrenceEvent('space.deleted', spaceDeleted),
  'feedback.submitted': occurrenceEvent('feedback.submitted', feedback),
  'audio.uploaded': occurrenceEvent('audio.uploaded', memory),
  'audio.transcribed': occurrenceEvent('audio.transcribed', memory),
  'import.batch_stored': occurrenceEvent('import.batch_stored', importedBatch),
  'import.completed': occurrenceEvent('import.completed', importSummary),
  'entity.extracted': occurrenceEvent('entity.extracted', entityExtraction),
} as const satisfies { [T in EventType]: z.ZodType<{ type: T }> };

export type EventOf<T extends EventType> = z.output<(typeof eventSchemas)[T]>;
export type Event = { [T in EventType]: EventOf<T> }[EventType];

const [first, ...others] = Object.values(eventSchemas);
const event = z
  .discriminatedUnion('type', [first as NonNullable<typeof first>, ...others])
  .meta({ id: 'Event' });

const eventNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** An event of any type whose subject has been erased since. */
const erasedEvent = z
  .object({
    ...envelope,
    type: z.enum(eventNames),
    data: z.object({
      id: idOutput.optional(),
      memory_id: idOutput.optional(),
      source_id: idOutput.optional(),
      target_id: idOutput.optional(),
      cluster_id: idOutput.optional(),
      session_id: idOutput.optional(),
      ids: z.array(idOutput).optional().meta({ description: 'What a search found.' }),
      erased: z.literal(true),
    }),
    previous_data: z.null(),
    changes: z.array(z.string()).nullable(),
  })
  .meta({
    id: 'ErasedEvent',
    description: 'An event about something that has been erased since: its ids, without content.',
  });

export const publicEvent = z.union([event, erasedEvent]);
export type PublicEvent = z.output<typeof publicEvent>;

export const listEventsQuery = z.strictObject({
  type: z.enum(eventNames).optional(),
  memory_id: idInput('memory')
    .optional()
    .meta({
      description:
        'Only events about this memory: those with its id in `data.id` or `data.memory_id`. Bulk ' +
        'requests and searches, which list many memories, are not included.',
    }),
  ...ownerFiltersOf('events about memories'),
  limit: pageLimit,
  cursor: cursor.optional(),
});

export const eventPage = cursorPage(publicEvent);

export const streamEventsQuery = z.strictObject({
  type: z.enum(eventNames).optional(),
  ...ownerFiltersOf('events about memories'),
  cursor: cursor.optional().meta({
    description:
      'Starts after this cursor. Without it and without Last-Event-ID, the stream starts with ' +
      'new events.',
  }),
});
