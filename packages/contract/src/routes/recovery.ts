import { defineRoute } from '../route.ts';
import { sampleAccount, sampleMemory, sampleTimestamp } from '../samples.ts';
import {
  deliveryState,
  erasurePage,
  erasureParams,
  erasureReport,
  listErasuresQuery,
} from '../schemas/recovery.ts';

/** Operator routes for deliveries and erasures after a restore. */
export const recoveryRoutes = {
  pauseDeliveries: defineRoute({
    id: 'admin.pauseDeliveries',
    method: 'POST',
    path: '/admin/deliveries/pause',
    summary: 'Pause webhook calls and emails in all processes',
    description:
      'Within a second no process starts another call or email; those in progress complete. ' +
      'Events, deliveries and emails are still queued. No effect while deliveries are paused.',
    access: 'operator',
    responses: { 200: deliveryState },
    errors: [],
    example: { response: { paused: true, paused_at: sampleTimestamp } },
  }),
  resumeDeliveries: defineRoute({
    id: 'admin.resumeDeliveries',
    method: 'POST',
    path: '/admin/deliveries/resume',
    summary: 'Resume webhook calls and emails',
    description:
      'Due deliveries and emails are sent once, in order; one email of each digest covers all ' +
      'missed periods. A restored service starts with deliveries paused.',
    access: 'operator',
    responses: { 200: deliveryState },
    errors: [],
    example: { response: { paused: false, paused_at: null } },
  }),
  listErasures: defineRoute({
    id: 'admin.listErasures',
    method: 'GET',
    path: '/admin/erasures',
    summary: 'List permanent erasures, newest first: ids and times, no content',
    description:
      'The ledger is replayed after a restore, so that erased data does not reappear. Entries ' +
      'outlive their accounts, for MNEME_ERASURES_KEPT_DAYS.',
    access: 'operator',
    query: listErasuresQuery,
    responses: { 200: erasurePage },
    errors: [],
    example: {
      query: { limit: 1 },
      response: {
        data: [
          {
            kind: 'memory',
            id: sampleMemory.id,
            account_id: sampleAccount.id,
            erased_at: sampleTimestamp,
          },
        ],
        has_more: true,
        next_cursor: 'WyJlMXhBUWlnMVhHIiwxXQ',
      },
    },
  }),
  getErasure: defineRoute({
    id: 'admin.getErasure',
    method: 'GET',
    path: '/admin/erasures/:id',
    summary: 'Verify an erasure, and report what files still contain',
    description:
      'Searches every table for the id. Within a minute of an erasure no row has the content. ' +
      'Copies of the search index lose it within a minute, database files when their tables are ' +
      'vacuumed, older backups when they are deleted.',
    access: 'operator',
    params: erasureParams,
    notFound: 'not_found',
    responses: { 200: erasureReport },
    errors: [],
    example: {
      params: { id: sampleMemory.id },
      response: {
        id: sampleMemory.id,
        kind: 'memory',
        account_id: sampleAccount.id,
        erased_at: sampleTimestamp,
        logical: {
          complete: false,
          content_removed_at: null,
          content: [{ table: 'events', rows: 1 }],
          ids_only: [{ table: 'documents', rows: 1 }],
        },
        physical: {
          complete: false,
          tables: ['events'],
          files: 0,
          index_segments: [],
          backups: [],
        },
      },
    },
  }),
} as const;
