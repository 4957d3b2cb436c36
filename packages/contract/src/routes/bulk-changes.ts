import { defineRoute } from '../route.ts';
import { sampleRun, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/bulk-changes.ts';

const params = { changeId: sampleRun.id };
const sampleChange = {
  id: sampleRun.id,
  status: 'completed' as const,
  action: { type: 'tag' as const, add: ['checked'] },
  matched_count: 120,
  changed_count: 118,
  skipped_count: 2,
  restored_count: 0,
  left_count: 0,
  created_at: sampleTimestamp,
  completed_at: sampleTimestamp,
  undo_until: sampleTimestamp,
  undone_at: null,
};
export const bulkChangeRoutes = {
  startChange: defineRoute({
    id: 'memories.startChange',
    method: 'POST',
    path: '/bulk-changes',
    summary: 'Change all memories that match a filter, as a job',
    description:
      'Tags, moves, pins, protects, deletes or restores them in small steps. With count_only it ' +
      'changes nothing and answers 200 with the count. Memories that were stored after the ' +
      'request stay as they are. Each changed memory publishes its own event, and each step one ' +
      'memory.bulk_* with its ids.',
    access: 'memories:write',
    idempotent: true,
    body: s.startBulkChangeBody,
    responses: { 200: s.bulkChangeCount, 202: s.bulkChange },
    errors: ['conflict', 'space_not_found', 'space_access_denied'],
    example: {
      body: {
        filter: { tags: ['draft'] },
        action: { type: 'tag', add: ['checked'] },
        count_only: true,
      },
      response: { count: 120, soft_protected: 1, hard_protected: 1 },
    },
  }),
  getChange: defineRoute({
    id: 'memories.getChange',
    method: 'GET',
    path: '/bulk-changes/:changeId',
    summary: 'Read the progress and the result of a bulk change',
    description:
      'A change is kept for 30 days. One that failed for good keeps what it has changed; a retry ' +
      'of its job (POST /jobs/:id/retry) goes on.',
    access: 'memories:read',
    params: s.bulkChangeParams,
    notFound: 'not_found',
    responses: { 200: s.bulkChange },
    errors: ['space_access_denied'],
    example: { params, response: sampleChange },
  }),
  undoChange: defineRoute({
    id: 'memories.undoChange',
    method: 'POST',
    path: '/bulk-changes/:changeId/undo',
    summary: 'Undo a bulk change, as a job',
    description:
      'Within 24 hours after it completed. Restores the changed field of each memory, unless ' +
      'somebody has changed that field since; left_count says how many were left alone. After an ' +
      'undo that failed, another one restores the rest.',
    access: 'memories:write',
    idempotent: true,
    params: s.bulkChangeParams,
    notFound: 'not_found',
    responses: { 202: s.bulkChange },
    errors: ['conflict', 'space_access_denied'],
    example: { params, response: { ...sampleChange, status: 'undoing', undo_until: null } },
  }),
} as const;
