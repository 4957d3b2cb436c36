/** Event types that the service emits, each with a description of its `data`. */
export const eventTypes = {
  'memory.created': 'A memory was stored. data: the memory.',
  'memory.updated': 'A memory changed. data: the memory; changes lists the changed fields.',
  'memory.deleted': 'A memory was deleted, softly or permanently. data: its id.',
  'memory.restored': 'A soft-deleted memory is active again. data: the memory.',
  'memory.accessed': 'Memories were read or found. data: the ids, and the operation.',
  'memory.reinforced': 'The priority of a memory was raised. data: its id and the new priority.',
  'memory.verified': 'A memory was verified. data: the memory.',
  'memory.superseded': 'A newer memory superseded a memory. data: its id, and the newer one’s.',
  'memory.update_suggested':
    'A memory may outdate an older one. data: both ids, the confidence and the reason.',
  'memory.expired': 'A memory reached its expires_at and was erased. data: its id.',
  'memory.bulk_created': 'A bulk create completed. data: ids and count.',
  'memory.bulk_updated': 'A bulk update completed. data: ids and count.',
  'memory.bulk_deleted': 'A bulk delete completed. data: ids and count.',
  'memory.bulk_tags_updated': 'A bulk change of tags completed. data: ids and count.',
  'relationship.created': 'A relationship was created. data: the relationship.',
  'relationship.updated':
    'A relationship changed. data: the relationship; changes lists the changed fields.',
  'relationship.deleted': 'A relationship was deleted. data: id, source_id, target_id, type.',
  'cluster.created': 'A cluster was created. data: the cluster.',
  'cluster.updated': 'A cluster changed. data: the cluster; changes lists the changed fields.',
  'cluster.deleted': 'A cluster was deleted. data: its id.',
  'cluster.memory_added': 'A memory was added to a cluster. data: both ids, and the confidence.',
  'cluster.memory_removed': 'A memory was removed from a cluster. data: both ids.',
  'cluster.merged':
    'Clusters were merged. data: the resulting cluster, and the ids of the merged clusters.',
  'space.created': 'A space was created. data: the space.',
  'space.updated': 'A space changed. data: the space; changes lists the changed fields.',
  'space.deleted': 'A space was deleted. data: its id.',
  'feedback.submitted': 'Feedback on a memory was submitted. data: the feedback.',
  'audio.uploaded': 'An audio or video memory was stored. data: the memory.',
  'audio.transcribed': 'A recording was transcribed. data: the memory.',
  'import.batch_stored':
    'A batch of an import was stored. data: the import, the kind of record, the counts.',
  'import.completed': 'An import completed. data: the import, and the counts of each kind.',
  'entity.extracted': 'Entities were extracted from a memory. data: memory_id and the entities.',
} as const;

export type EventType = keyof typeof eventTypes;

/** Sent only by POST /webhooks/:webhookId/test; never stored in the outbox. */
export const testEventType = 'webhook.test';

const descriptions: Readonly<Record<string, string>> = {
  ...eventTypes,
  [testEventType]: 'A test of the webhook was requested. data: webhook_id, message, test.',
};

/** The event types of the published API, in its order. */
export const publishedEventTypes = [
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'memory.accessed',
  'relationship.created',
  'relationship.updated',
  'relationship.deleted',
  'cluster.created',
  'cluster.updated',
  'cluster.deleted',
  'cluster.memory_added',
  'cluster.memory_removed',
  'space.created',
  'space.updated',
  'space.deleted',
  'feedback.submitted',
  'audio.uploaded',
  'audio.transcribed',
  testEventType,
] as const;

/**
 * Every event type, the published ones first. The description of a published type that is not
 * emitted is empty.
 */
export const eventTypeDetails: readonly { readonly type: string; readonly description: string }[] =
  [...new Set([...publishedEventTypes, ...Object.keys(descriptions)])].map((type) => ({
    type,
    description: descriptions[type] ?? '',
  }));

/** Whether a webhook can subscribe to the event type. */
export const isKnownEventType = (name: string): boolean => Object.hasOwn(descriptions, name);
