import { z } from 'zod';
import { cursor, idIn, idOut, pageLimit, timestampOut } from './fields.ts';

export const deliveryState = z
  .object({
    paused: z.boolean(),
    paused_at: timestampOut
      .nullable()
      .meta({ description: 'Since when no webhook call and no mail is sent; null: they are.' }),
  })
  .meta({ id: 'DeliveryState' });

/** What can be erased for good by itself; what belongs to one of them goes with it. */
export const erasureKinds = [
  'memory',
  'session',
  'space',
  'account',
  'relationship',
  'cluster',
  'attachment',
  'upload',
  'sender_rule',
  'reaction',
  'digest',
  'webhook',
] as const;

export const listErasuresQuery = z.strictObject({
  account_id: idIn('other').optional(),
  limit: pageLimit,
  cursor: cursor.optional(),
});

const erasure = z
  .object({
    kind: z.enum(erasureKinds),
    id: idOut.meta({ description: 'Of what was erased.' }),
    account_id: idOut,
    erased_at: timestampOut.meta({ description: 'When it went out of every read.' }),
  })
  .meta({ id: 'Erasure' });

export const erasurePage = z.object({
  data: z.array(erasure),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const erasureParams = z.strictObject({ id: idIn('other') });

const tableRowCount = z.object({ table: z.string(), rows: z.int() });

export const erasureReport = z
  .object({
    id: idOut,
    kind: z.enum(erasureKinds),
    account_id: idOut,
    erased_at: timestampOut,
    logical: z
      .object({
        complete: z.boolean(),
        content_removed_at: timestampOut.nullable().meta({
          description:
            'When events, deliveries, answers and mails had lost the content; null: a job does ' +
            'it within a minute.',
        }),
        content: z.array(tableRowCount).meta({
          description: 'Rows that name the id and still have content: none when it is complete.',
        }),
        ids_only: z.array(tableRowCount).meta({
          description: 'Rows that name the id alone, such as the event of a deletion.',
        }),
      })
      .meta({ description: 'What the API, searches, deliveries and later backups can contain.' }),
    physical: z
      .object({
        complete: z.boolean(),
        tables: z.array(z.string()).meta({
          description: 'Tables that were not vacuumed since: their files may still have dead rows.',
        }),
        files: z.int().meta({ description: 'Of the blob store, that a job has yet to remove.' }),
        backups: z.array(z.string()).meta({
          description:
            'Scheduled backups made before: they have it until they are removed by their ' +
            'schedule. A restore erases it again.',
        }),
      })
      .meta({ description: 'What is left in files of the database and in older backups.' }),
  })
  .meta({ id: 'ErasureReport' });

export type DeliveryState = z.output<typeof deliveryState>;
export type ErasureKind = (typeof erasureKinds)[number];
