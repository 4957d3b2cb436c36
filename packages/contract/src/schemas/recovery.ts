import { z } from 'zod';
import { cursor, idInput, idOutput, pageLimit, timestampOutput } from '../fields.ts';
import { cursorPage } from '../list-envelope.ts';

export const deliveryState = z
  .object({
    paused: z.boolean(),
    paused_at: timestampOutput.nullable().meta({
      description: 'When deliveries of webhooks and email were paused; null: not paused.',
    }),
  })
  .meta({ id: 'DeliveryState' });

/** Kinds of things that can be erased permanently; dependent rows are erased with them. */
export const erasureKinds = [
  'memory',
  'session',
  'space',
  'account',
  'relationship',
  'cluster',
  'mail',
  'attachment',
  'upload',
  'sender_rule',
  'reaction',
  'digest',
  'webhook',
] as const;

export const listErasuresQuery = z.strictObject({
  account_id: idInput('other').optional(),
  limit: pageLimit,
  cursor: cursor.optional(),
});

const erasure = z
  .object({
    kind: z.enum(erasureKinds),
    id: idOutput.meta({ description: 'The id of what was erased.' }),
    account_id: idOutput,
    erased_at: timestampOutput.meta({ description: 'When it disappeared from every read.' }),
  })
  .meta({ id: 'Erasure' });

export const erasurePage = cursorPage(erasure);

export const erasureParams = z.strictObject({ id: idInput('other') });

const tableRowCount = z.object({ table: z.string(), rows: z.int() });

const indexSegment = z.object({
  id: idOutput,
  created_at: timestampOutput.nullable().meta({
    description: 'Null: the database does not know the file, so no process reads it.',
  }),
  stale: z.boolean().meta({
    description:
      'Whether it is from before the erasure, or unknown: it can contain erased words. A process ' +
      'deletes it within a minute.',
  }),
});

export const erasureReport = z
  .object({
    id: idOutput,
    kind: z.enum(erasureKinds),
    account_id: idOutput,
    erased_at: timestampOutput,
    logical: z
      .object({
        complete: z.boolean(),
        content_removed_at: timestampOutput.nullable().meta({
          description:
            'When the content was removed from events, deliveries, stored responses and emails; ' +
            'null: a job removes it within a minute.',
        }),
        content: z.array(tableRowCount).meta({
          description: 'Rows that contain the id and still have content; empty when complete.',
        }),
        ids_only: z.array(tableRowCount).meta({
          description: 'Rows that contain only the id, such as the event of a deletion.',
        }),
      })
      .meta({ description: 'What the API, searches, deliveries and later backups can contain.' }),
    physical: z
      .object({
        complete: z.boolean(),
        tables: z.array(z.string()).meta({
          description:
            'Tables that have not been vacuumed since: their files can still contain dead rows.',
        }),
        files: z
          .int()
          .meta({ description: 'Files in the blob store that a job has not removed yet.' }),
        index_segments: z.array(indexSegment).meta({
          description:
            'Copies of the search index of the account: all that the database knows, and the ' +
            'files of the process that responds.',
        }),
        backups: z.array(z.string()).meta({
          description:
            'Earlier scheduled backups, which contain the data until their schedule removes ' +
            'them. A restore erases it again.',
        }),
      })
      .meta({ description: 'What remains in the files of the database and in older backups.' }),
  })
  .meta({ id: 'ErasureReport' });

export type DeliveryState = z.output<typeof deliveryState>;
export type ErasureKind = (typeof erasureKinds)[number];
