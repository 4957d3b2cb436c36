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
  'space.created': 'A space was made. data: the space.',
  'space.updated': 'A space changed. data: the space; changes names the fields.',
  'space.deleted': 'A space was removed. data: its id.',
  'feedback.submitted': 'Feedback on a memory arrived. data: the feedback.',
} as const;

export type EventType = keyof typeof eventTypes;
