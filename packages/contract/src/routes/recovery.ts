import { defineRoute } from '../route.ts';
import { sampleAccount, sampleMemory, sampleTimestamp } from '../samples.ts';
import {
  deliveryState,
  erasurePage,
  erasureParams,
  erasureReport,
  listErasuresQuery,
} from '../schemas/recovery.ts';

/** What an operator needs after a restore. */
export const recoveryRoutes = {
  pauseDeliveries: defineRoute({
    id: 'admin.pauseDeliveries',
    method: 'POST',
    path: '/admin/deliveries/pause',
    summary: 'Pause webhook calls and mail in all processes',
    description:
      'Within a second no process starts another call or mail; what is under way ends. Events, ' +
      'deliveries and mail go on being queued. Where deliveries are paused, nothing changes.',
    access: 'operator',
    responses: { 200: deliveryState },
    errors: [],
    example: { response: { paused: true, paused_at: sampleTimestamp } },
  }),
  resumeDeliveries: defineRoute({
    id: 'admin.resumeDeliveries',
    method: 'POST',
    path: '/admin/deliveries/resume',
    summary: 'Resume webhook calls and mail',
    description:
      'What is due is sent once, in order; of each digest one mail covers all periods that were ' +
      'missed. A restored service starts with deliveries paused.',
    access: 'operator',
    responses: { 200: deliveryState },
    errors: [],
    example: { response: { paused: false, paused_at: null } },
  }),
  listErasures: defineRoute({
    id: 'admin.listErasures',
    method: 'GET',
    path: '/admin/erasures',
    summary: 'List what was erased for good, newest first: ids and times, no content',
    description:
      'The ledger that is replayed after a restore, so that erased data does not come back. It ' +
      'outlives the accounts, and is kept for MNEME_ERASURES_KEPT_DAYS.',
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
    summary: 'Prove that something erased is gone, and report what files still hold',
    description:
      'Looks for the id in every table. Within a minute of an erasure no row has its content. ' +
      'Files of the database lose it when their tables are vacuumed, older backups when they are ' +
      'removed.',
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
        physical: { complete: false, tables: ['events'], files: 0, backups: [] },
      },
    },
  }),
} as const;
