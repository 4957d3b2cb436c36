/** Event types that something emits today, with what their `data` holds. */
export const eventTypes = {
  'memory.created': 'A memory was stored. data: the memory.',
  'memory.updated': 'A memory changed. data: the memory; changes names the fields.',
  'memory.deleted': 'A memory was deleted, softly or for good. data: its id.',
  'memory.restored': 'A soft-deleted memory is active again. data: the memory.',
  'memory.accessed': 'Memories were read or found. data: ids and how.',
  'memory.reinforced': 'The priority was raised. data: id and the new priority.',
  'memory.verified': 'A memory was verified. data: the memory.',
  'memory.bulk_created': 'A bulk create ended. data: ids and count.',
  'memory.bulk_updated': 'A bulk update ended. data: ids and count.',
  'memory.bulk_deleted': 'A bulk delete ended. data: ids and count.',
  'memory.bulk_tags_updated': 'A bulk change of tags ended. data: ids and count.',
  'relationship.created': 'A relationship was made. data: the relationship.',
  'relationship.updated': 'A relationship changed. data: the relationship; changes names fields.',
  'relationship.deleted': 'A relationship was removed. data: id, source_id, target_id, type.',
  'cluster.created': 'A cluster was made. data: the cluster.',
  'cluster.updated': 'A cluster changed. data: the cluster; changes names the fields.',
  'cluster.deleted': 'A cluster was removed. data: its id.',
  'cluster.memory_added': 'A memory joined a cluster. data: both ids.',
  'cluster.memory_removed': 'A memory left a cluster. data: both ids.',
  'cluster.merged': 'Clusters became one. data: the cluster, and the ids of those it took in.',
  'space.created': 'A space was made. data: the space.',
  'space.updated': 'A space changed. data: the space; changes names the fields.',
  'space.deleted': 'A space was removed. data: its id.',
  'feedback.submitted': 'Feedback on a memory arrived. data: the feedback.',
  'audio.uploaded': 'An audio or video memory was stored. data: the memory.',
  'audio.transcribed': 'A transcript is there. data: the memory.',
  'entity.extracted': 'Entities were found in a memory. data: memory_id and the entities.',
} as const;

export type EventType = keyof typeof eventTypes;

/** Sent by the test of a webhook, and by nothing else: it is in no outbox. */
export const testEventType = 'webhook.test';

const descriptions: Readonly<Record<string, string>> = {
  ...eventTypes,
  [testEventType]: 'A test of the webhook was asked for. data: webhook_id, message, test.',
};

/** The published list, in its order. */
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

/** Every event type that there is or will be, those of the published list first. */
export const eventTypeDetails: readonly { readonly type: string; readonly description: string }[] =
  [...new Set([...publishedEventTypes, ...Object.keys(descriptions)])].map((type) => ({
    type,
    description: descriptions[type] ?? '',
  }));

/** Whether a webhook may ask to be told of it. */
export const isKnownEventType = (name: string): boolean => Object.hasOwn(descriptions, name);
