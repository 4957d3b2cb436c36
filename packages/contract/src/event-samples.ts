import type { EventType } from './events.ts';
import {
  sampleCluster,
  sampleEntity,
  sampleJob,
  sampleMemory,
  sampleRelationship,
  sampleSpace,
} from './samples.ts';
import { sampleRecording } from './samples-media.ts';
import type { EventOf } from './schemas/events.ts';

const later = '2026-01-05T10:00:00.000Z';
const { space_id } = sampleMemory;

/** Gives each sample its own id. */
const envelope = (number: number) => ({
  id: `019b8d1c-3a45-7e96-8051-6c7d8e9fa0${number}`,
  created_at: later,
  space_id,
});

const noPreviousData = { previous_data: null, changes: null } as const;
const bulk = { data: { ids: [sampleMemory.id], count: 1 }, ...noPreviousData };
const inSampleSpace = { space_id: sampleSpace.id };
const { id: relationshipId, source_id, target_id, relationship_type, type } = sampleRelationship;

/** One example of each event type, used in the documents. */
export const eventSamples: { readonly [T in EventType]: EventOf<T> } = {
  'memory.created': {
    ...envelope(10),
    type: 'memory.created',
    data: sampleMemory,
    ...noPreviousData,
  },
  'memory.updated': {
    ...envelope(11),
    type: 'memory.updated',
    data: { ...sampleMemory, tags: ['preference', 'drinks'], updated_at: later },
    previous_data: sampleMemory,
    changes: ['tags'],
  },
  'memory.deleted': {
    ...envelope(12),
    type: 'memory.deleted',
    data: { id: sampleMemory.id, soft: true },
    ...noPreviousData,
  },
  'memory.restored': {
    ...envelope(13),
    type: 'memory.restored',
    data: { ...sampleMemory, updated_at: later },
    ...noPreviousData,
  },
  'memory.accessed': {
    ...envelope(14),
    type: 'memory.accessed',
    data: { ids: [sampleMemory.id], via: 'search', query: 'what does Ana drink' },
    ...noPreviousData,
  },
  'memory.reinforced': {
    ...envelope(15),
    type: 'memory.reinforced',
    data: { id: sampleMemory.id, priority: 8 },
    ...noPreviousData,
  },
  'memory.verified': {
    ...envelope(16),
    type: 'memory.verified',
    data: { ...sampleMemory, verified_at: later, updated_at: later },
    ...noPreviousData,
  },
  'memory.update_suggested': {
    ...envelope(38),
    type: 'memory.update_suggested',
    data: { newer_id: source_id, older_id: target_id, confidence: 0.82, reason: 'replaced' },
    ...noPreviousData,
  },
  'memory.superseded': {
    ...envelope(49),
    type: 'memory.superseded',
    data: { id: target_id, superseded_by: source_id },
    ...noPreviousData,
  },
  'memory.expired': {
    ...envelope(50),
    type: 'memory.expired',
    data: { id: sampleMemory.id },
    ...noPreviousData,
  },
  'memory.bulk_created': { ...envelope(17), type: 'memory.bulk_created', ...bulk },
  'memory.bulk_updated': { ...envelope(18), type: 'memory.bulk_updated', ...bulk },
  'memory.bulk_deleted': { ...envelope(19), type: 'memory.bulk_deleted', ...bulk },
  'memory.bulk_tags_updated': { ...envelope(20), type: 'memory.bulk_tags_updated', ...bulk },
  'relationship.created': {
    ...envelope(21),
    type: 'relationship.created',
    data: sampleRelationship,
    ...noPreviousData,
  },
  'relationship.updated': {
    ...envelope(22),
    type: 'relationship.updated',
    data: { ...sampleRelationship, weight: 0.9, strength: 0.9, updated_at: later },
    previous_data: sampleRelationship,
    changes: ['weight'],
  },
  'relationship.deleted': {
    ...envelope(23),
    type: 'relationship.deleted',
    data: { id: relationshipId, source_id, target_id, relationship_type, type },
    ...noPreviousData,
  },
  'space.created': {
    ...envelope(24),
    ...inSampleSpace,
    type: 'space.created',
    data: sampleSpace,
    ...noPreviousData,
  },
  'space.updated': {
    ...envelope(25),
    ...inSampleSpace,
    type: 'space.updated',
    data: { ...sampleSpace, name: 'papers', updated_at: later },
    previous_data: sampleSpace,
    changes: ['name'],
  },
  'space.deleted': {
    ...envelope(26),
    ...inSampleSpace,
    type: 'space.deleted',
    data: { id: sampleSpace.id },
    ...noPreviousData,
  },
  'feedback.submitted': {
    ...envelope(27),
    type: 'feedback.submitted',
    data: {
      id: '019b8d1c-3a50-7e15-9c4d-7f8a9b0c1d2e',
      memory_id: sampleMemory.id,
      helpful: true,
      query: 'what does Ana drink',
      comment: null,
      salience: 0.6,
      created_at: later,
    },
    ...noPreviousData,
  },
  'audio.uploaded': {
    ...envelope(35),
    type: 'audio.uploaded',
    data: sampleRecording,
    ...noPreviousData,
  },
  'audio.transcribed': {
    ...envelope(36),
    type: 'audio.transcribed',
    data: { ...sampleRecording, content: 'Ana ships the importer on Friday.', updated_at: later },
    ...noPreviousData,
  },
  'import.batch_stored': {
    ...envelope(51),
    space_id: null,
    type: 'import.batch_stored',
    data: { import_id: sampleJob.id, kind: 'memories', created: 100, updated: 0 },
    ...noPreviousData,
  },
  'import.completed': {
    ...envelope(52),
    space_id: null,
    type: 'import.completed',
    data: {
      import_id: sampleJob.id,
      records: [{ kind: 'memories', created: 1, updated: 0, unchanged: 0, skipped: 1 }],
    },
    ...noPreviousData,
  },
  'entity.extracted': {
    ...envelope(28),
    type: 'entity.extracted',
    data: {
      memory_id: sampleMemory.id,
      entities: [{ id: sampleEntity.id, name: sampleEntity.name, type: sampleEntity.type }],
    },
    ...noPreviousData,
  },
  'cluster.created': {
    ...envelope(29),
    type: 'cluster.created',
    data: sampleCluster,
    ...noPreviousData,
  },
  'cluster.updated': {
    ...envelope(30),
    type: 'cluster.updated',
    data: { ...sampleCluster, color: '#333', updated_at: later },
    previous_data: sampleCluster,
    changes: ['color'],
  },
  'cluster.deleted': {
    ...envelope(31),
    type: 'cluster.deleted',
    data: { id: sampleCluster.id },
    ...noPreviousData,
  },
  'cluster.memory_added': {
    ...envelope(32),
    type: 'cluster.memory_added',
    data: { cluster_id: sampleCluster.id, memory_id: sampleMemory.id, confidence: 1 },
    ...noPreviousData,
  },
  'cluster.memory_removed': {
    ...envelope(33),
    type: 'cluster.memory_removed',
    data: { cluster_id: sampleCluster.id, memory_id: sampleMemory.id },
    ...noPreviousData,
  },
  'cluster.merged': {
    ...envelope(34),
    type: 'cluster.merged',
    data: {
      ...sampleCluster,
      memory_count: 1,
      centroid_available: true,
      updated_at: later,
      source_ids: ['019b8d1c-3a54-7e50-8f5a-415162738495'],
    },
    ...noPreviousData,
  },
};
