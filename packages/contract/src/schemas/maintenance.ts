import { z } from 'zod';
import { idIn, idOut, timestampOut } from './fields.ts';
import { health, jobStatuses } from './operations.ts';

export const startVerificationBody = z.strictObject({
  account_id: idIn('other')
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

export const queuedJob = z.object({
  job_id: idOut.meta({ description: 'The job that does it: GET /jobs/:id tells how far it is.' }),
});

const verificationInconsistency = z.object({
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
    faults: z.array(verificationInconsistency).meta({ description: 'The first 1,000.' }),
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

/** What was found of the stored data, and stays listed when it is acknowledged. */
export const storedFindingKinds = [
  'missing_tail',
  'older_copy',
  'failover',
  'failover_missing_tail',
  'other_cluster',
  'damaged_page',
] as const;

/** What is wrong at the moment of the diagnosis; gone from it once it is mended. */
export const currentFindingKinds = [
  'invalid_setting',
  'unknown_setting',
  'readable_secret',
  'unusable_folder',
  'foreign_folder',
  'unfinished_files',
  'missing_file',
  'disk_full',
  'disk_low',
  'unusable_database',
  'database_in_use',
  'newer_schema',
  'changed_migration',
  'unreachable_blobs',
  'jobs_due',
  'jobs_failed',
  'jobs_abandoned',
  'backup_failed',
  'backup_missing',
  'check_failed',
] as const;

const finding = z.object({
  id: idOut.nullable().meta({
    description: 'To acknowledge it by; null for what is wrong until its cause is removed.',
  }),
  kind: z.enum([...storedFindingKinds, ...currentFindingKinds]),
  severity: z.enum(['error', 'warning']),
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
    data_dir: z
      .string()
      .nullable()
      .meta({ description: 'The data folder; null where the settings are not valid.' }),
    findings: z.array(finding).meta({
      description:
        'What is wrong now, then what this process found of the stored data: the oldest first, ' +
        '100 at most of the latter.',
    }),
  })
  .meta({ id: 'Diagnosis' });

export const acknowledgeFindingsBody = z.strictObject({
  ids: z
    .array(idIn('other'))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only these findings; left out: all that there are.' }),
});

export type CurrentFindingKind = (typeof currentFindingKinds)[number];
export type StoredFindingKind = (typeof storedFindingKinds)[number];
export type Diagnosis = z.output<typeof diagnosis>;
export type Reembedding = z.output<typeof reembedding>;
export type Verification = z.output<typeof verification>;
export type VerificationInconsistency = z.output<typeof verificationInconsistency>;
