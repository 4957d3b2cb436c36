import { z } from 'zod';
import { type EventType, eventTypes } from '../events.ts';
import { cluster, mergedCluster } from './clusters.ts';
import { cursor, idOut, pageLimit, timestampOut } from './common.ts';
import { entityTypes } from './knowledge.ts';
import { feedback, memory } from './memories.ts';
import { relationship } from './relationships.ts';
import { space } from './spaces.ts';

/** Fields of a memory that memory.updated may name in `changes`. */
const memoryChanges = [
  'content',
  'metadata',
  'tags',
  'priority',
  'space_id',
  'session_id',
  'is_pinned',
  'protection_level',
  // Topics, summary, entities or quality were made.
  'enrichment',
] as const;

/** The same of a relationship. */
const relationshipChanges = [
  'weight',
  'description',
  'metadata',
  'usage_count',
  'last_reinforced_at',
] as const;

/** The same of a cluster: what a caller sets, and what a run finds. */
export const clusterChanges = [
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

/** The same of a space. */
const spaceChanges = ['name', 'description', 'metadata'] as const;

const envelope = { id: idOut, created_at: timestampOut, space_id: idOut.nullable() };

/** `MemoryCreatedEvent`: a component of its own in the documents. */
const nameOf = (type: string): string =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;

const about = (type: EventType) => ({ id: nameOf(type), description: eventTypes[type] });

/** Something happened: there is no former state to show. */
const plain = <const T extends EventType, D extends z.ZodType>(type: T, data: D) =>
  z
    .object({
      ...envelope,
      type: z.literal(type),
      data,
      previous_data: z.null(),
      changes: z.null(),
    })
    .meta(about(type));

/** Something has another state: `data` shows it now, `previous_data` as it was. */
const changed = <const T extends EventType, D extends z.ZodType, const F extends string>(
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
    .meta(about(type));

const memoryDeleted = z.object({
  id: idOut,
  soft: z.boolean().meta({ description: 'True: it can be restored.' }),
});
const reinforced = z.object({ id: idOut, priority: z.int() });
const bulk = z.object({ ids: z.array(idOut), count: z.int() });
const relationshipDeleted = z.object({
  id: idOut,
  source_id: idOut,
  target_id: idOut,
  relationship_type: z.string(),
  type: z.string(),
});
const deletedCluster = z.object({ id: idOut });
const membership = z.object({ cluster_id: idOut, memory_id: idOut, confidence: z.number() });
const formerMembership = z.object({ cluster_id: idOut, memory_id: idOut });
const spaceDeleted = z.object({ id: idOut });

/** How memories were reached. */
const accessWays = ['get', 'search', 'recall', 'similar', 'topic', 'aggregate', 'global'] as const;

const accessed = z.object({
  ids: z.array(idOut),
  via: z.enum(accessWays),
  query: z.string().optional().meta({
    description: 'Of a search that was restricted to the space of the event.',
  }),
  topic: z.string().optional(),
  memory_id: idOut
    .optional()
    .meta({ description: 'What similar ones were looked for, in the event of its own space.' }),
});

const extractedEntities = z.object({
  memory_id: idOut,
  entities: z.array(z.object({ id: idOut, name: z.string(), type: z.enum(entityTypes) })),
});

/** The event of each type, exactly as GET /events and the stream show it. */
export const eventSchemas = {
  'memory.created': plain('memory.created', memory),
  'memory.updated': changed('memory.updated', memory, memoryChanges),
  'memory.deleted': plain('memory.deleted', memoryDeleted),
  'memory.restored': plain('memory.restored', memory),
  'memory.accessed': plain('memory.accessed', accessed),
  'memory.reinforced': plain('memory.reinforced', reinforced),
  'memory.verified': plain('memory.verified', memory),
  'memory.bulk_created': plain('memory.bulk_created', bulk),
  'memory.bulk_updated': plain('memory.bulk_updated', bulk),
  'memory.bulk_deleted': plain('memory.bulk_deleted', bulk),
  'memory.bulk_tags_updated': plain('memory.bulk_tags_updated', bulk),
  'relationship.created': plain('relationship.created', relationship),
  'relationship.updated': changed('relationship.updated', relationship, relationshipChanges),
  'relationship.deleted': plain('relationship.deleted', relationshipDeleted),
  'cluster.created': plain('cluster.created', cluster),
  'cluster.updated': changed('cluster.updated', cluster, clusterChanges),
  'cluster.deleted': plain('cluster.deleted', deletedCluster),
  'cluster.memory_added': plain('cluster.memory_added', membership),
  'cluster.memory_removed': plain('cluster.memory_removed', formerMembership),
  'cluster.merged': plain('cluster.merged', mergedCluster),
  'space.created': plain('space.created', space),
  'space.updated': changed('space.updated', space, spaceChanges),
  'space.deleted': plain('space.deleted', spaceDeleted),
  'feedback.submitted': plain('feedback.submitted', feedback),
  'audio.uploaded': plain('audio.uploaded', memory),
  'audio.transcribed': plain('audio.transcribed', memory),
  'entity.extracted': plain('entity.extracted', extractedEntities),
} as const satisfies { [T in EventType]: z.ZodType<{ type: T }> };

export type EventOf<T extends EventType> = z.output<(typeof eventSchemas)[T]>;
export type Event = { [T in EventType]: EventOf<T> }[EventType];

const [first, ...others] = Object.values(eventSchemas);
const event = z
  .discriminatedUnion('type', [first as NonNullable<typeof first>, ...others])
  .meta({ id: 'Event' });

const eventNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** Of any type, about something that was erased since. */
const erasedEvent = z
  .object({
    ...envelope,
    type: z.enum(eventNames),
    data: z.object({
      id: idOut.optional(),
      memory_id: idOut.optional(),
      source_id: idOut.optional(),
      target_id: idOut.optional(),
      cluster_id: idOut.optional(),
      session_id: idOut.optional(),
      erased: z.literal(true),
    }),
    previous_data: z.null(),
    changes: z.array(z.string()).nullable(),
  })
  .meta({
    id: 'ErasedEvent',
    description: 'An event about something that was erased since: its ids, without content.',
  });

export const shownEvent = z.union([event, erasedEvent]);
export type ShownEvent = z.output<typeof shownEvent>;

export const listEventsQuery = z.strictObject({
  type: z.enum(eventNames).optional(),
  limit: pageLimit,
  cursor: cursor.optional(),
});

export const eventPage = z.object({
  data: z.array(shownEvent),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const streamEventsQuery = z.strictObject({
  type: z.enum(eventNames).optional(),
  cursor: cursor.optional().meta({
    description: 'From here on; without it and without Last-Event-ID: from now on.',
  }),
});
