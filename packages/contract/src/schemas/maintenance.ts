import { z } from 'zod';
import { idOf, idOut, timestampOut } from './common.ts';
import { health, jobStatuses } from './operations.ts';

export const startVerification = z.strictObject({
  account_id: idOf('other')
    .optional()
    .meta({ description: 'Only this account; left out: all that there are.' }),
  repair: z
    .boolean()
    .default(false)
    .meta({ description: 'Makes documents and vectors anew that are not what they should be.' }),
  deep: z.boolean().default(false).meta({
    description: 'Also reads every recording and attachment whole, and compares it by its hash.',
  }),
});

export const queued = z.object({
  job_id: idOut.meta({ description: 'The job that does it: GET /jobs/:id tells how far it is.' }),
});

const fault = z.object({
  account_id: idOut,
  check: z.string().meta({ description: 'The check that found it: `documents`.' }),
  code: z.string().meta({ description: 'What kind of fault it is: `terms_differ`.' }),
  id: idOut.nullable().meta({ description: 'The row it was found at; null: the account.' }),
  message: z.string(),
  repaired: z.boolean(),
});

const damagedPage = z.object({
  relation: z.string().meta({ description: 'The table or index: `memories`.' }),
  page: z.int().min(0).meta({ description: 'Its number in the relation, from 0 on.' }),
  message: z.string(),
});

export const verification = z
  .object({
    id: idOut.meta({ description: 'The id of its job.' }),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    error: z.string().nullable(),
    account_id: idOut.nullable().meta({ description: 'Null: all accounts.' }),
    repair: z.boolean(),
    deep: z.boolean(),
    accounts: z.int().meta({ description: 'How many are done.' }),
    checked: z
      .record(z.string(), z.int())
      .meta({ description: 'How many rows were looked at, by check.' }),
    outdated: z.int().meta({
      description: 'Documents that an earlier version analysed: no fault, and left as they are.',
    }),
    repaired: z.int(),
    stray_blobs: z
      .int()
      .nullable()
      .meta({
        description:
          'Blobs that no row names: bytes on their way in, and what a crash left or a deletion ' +
          'is about to take. Jobs remove them. Null until all accounts are checked.',
      }),
    faults_total: z.int(),
    faults_left: z.int().meta({ description: 'Those that were not repaired.' }),
    faults: z.array(fault).meta({ description: 'The first 1,000.' }),
    damaged_pages: z.array(damagedPage).meta({
      description:
        'Pages of tables and indexes that are not what was written, which are faults, too: the ' +
        'first 1,000. They are looked for where all accounts are checked.',
    }),
    created_at: timestampOut,
    finished_at: timestampOut.nullable(),
  })
  .meta({ id: 'Verification' });

export const reembedding = z
  .object({
    id: idOut.meta({ description: 'The id of its job.' }),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    error: z.string().nullable(),
    model: z.string().meta({ description: 'The model that accounts are changed to.' }),
    dimensions: z.int(),
    accounts: z.int().meta({ description: 'How many are done.' }),
    embedded: z.int().meta({ description: 'Memories that got a vector of the model.' }),
    refused: z.int().meta({
      description: 'Memories whose text the model refuses: words alone find them.',
    }),
    erased: z.int().meta({ description: 'Vectors of other models that went.' }),
    created_at: timestampOut,
    finished_at: timestampOut.nullable(),
  })
  .meta({ id: 'Reembedding' });

const finding = z.object({
  id: idOut,
  kind: z.enum([
    'missing_tail',
    'older_copy',
    'failover',
    'failover_missing_tail',
    'other_cluster',
    'damaged_page',
  ]),
  degrades_health: z.boolean().meta({ description: 'Until it is acknowledged.' }),
  message: z.string().meta({ description: 'What was found.' }),
  action: z.string().meta({ description: 'What to do.' }),
  found_at: timestampOut,
  acknowledged_at: timestampOut.nullable(),
});

export const diagnosis = z
  .object({
    status: health.shape.status,
    checks: health.shape.checks,
    findings: z.array(finding).meta({
      description: 'Of the stored data, as this process found it: the oldest first, 100 at most.',
    }),
  })
  .meta({ id: 'Diagnosis' });

export const acknowledgeFindings = z.strictObject({
  ids: z
    .array(idOf('other'))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only these findings; left out: all that there are.' }),
});

export type Diagnosis = z.output<typeof diagnosis>;
export type Reembedding = z.output<typeof reembedding>;
export type Verification = z.output<typeof verification>;
export type VerificationFault = z.output<typeof fault>;
