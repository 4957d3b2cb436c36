import { z } from 'zod';
import { idInput, idOutput, timestampOutput } from '../fields.ts';
import { modelName } from './embedding-models.ts';
import { jobStatuses, waitingReason } from './jobs.ts';
import { health } from './operations.ts';

export const startVerificationBody = z.strictObject({
  account_id: idInput('other')
    .optional()
    .meta({ description: 'Only this account; default: all accounts.' }),
  repair: z
    .boolean()
    .default(false)
    .meta({ description: 'Rebuilds documents and vectors that are inconsistent.' }),
  deep: z.boolean().default(false).meta({
    description: 'Also reads every recording and attachment, and compares its hash.',
  }),
});

export const queuedJob = z.object({
  job_id: idOutput.meta({ description: 'The id of the job. GET /jobs/:id reports its progress.' }),
});

const verificationInconsistency = z.object({
  account_id: idOutput,
  check: z.string().meta({ description: 'The check that reported it, such as `documents`.' }),
  code: z.string().meta({ description: 'Kind of inconsistency, such as `terms_differ`.' }),
  id: idOutput.nullable().meta({ description: 'The inconsistent row; null: the account.' }),
  message: z.string(),
  repaired: z.boolean(),
});

const damagedPage = z.object({
  relation: z.string().meta({ description: 'The table or index, such as `memories`.' }),
  page: z.int().min(0).meta({ description: 'Page number in the relation, starting at 0.' }),
  message: z.string(),
});

export const consistencyVerification = z
  .object({
    id: idOutput.meta({ description: 'The id of the job.' }),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    waiting_reason: waitingReason,
    error: z.string().nullable(),
    account_id: idOutput.nullable().meta({ description: 'Null: all accounts.' }),
    repair: z.boolean(),
    deep: z.boolean(),
    accounts: z.int().meta({ description: 'Number of accounts processed.' }),
    checked: z
      .record(z.string(), z.int())
      .meta({ description: 'Number of rows checked, by check.' }),
    outdated: z.int().meta({
      description:
        'Documents that an earlier version analysed: they are consistent and not repaired.',
    }),
    repaired: z.int(),
    stray_blobs: z
      .int()
      .nullable()
      .meta({
        description:
          'Blobs that no row references: uploads in progress, leftovers of a crash, and blobs of ' +
          'a running deletion. Jobs remove them. Null until all accounts are checked.',
      }),
    faults_total: z.int(),
    faults_left: z.int().meta({ description: 'Inconsistencies that were not repaired.' }),
    faults: z
      .array(verificationInconsistency)
      .meta({ description: 'The first 1,000 inconsistencies.' }),
    damaged_pages: z.array(damagedPage).meta({
      description:
        'Pages of tables and indexes with invalid content, which also count as inconsistencies: ' +
        'the first 1,000. Only a check of all accounts reads them.',
    }),
    created_at: timestampOutput,
    finished_at: timestampOutput.nullable(),
  })
  .meta({ id: 'Verification' });

export const startReembeddingBody = z
  .strictObject({
    model: modelName.optional().meta({
      description:
        'Change to this model: an installed one, one of the configured endpoint, `encoder`, ' +
        '`static` or `configured`. Default: the current model.',
    }),
    dimensions: z
      .int()
      .min(1)
      .max(8_192)
      .optional()
      .meta({ description: 'Of the vectors, if the model offers several; only with `model`.' }),
  })
  .refine(({ model, dimensions }) => model !== undefined || dimensions === undefined, {
    path: ['dimensions'],
    message: 'requires a model',
  });

export const reembedding = z
  .object({
    id: idOutput.meta({ description: 'The id of the job.' }),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    waiting_reason: waitingReason,
    error: z.string().nullable(),
    model: z.string().meta({ description: 'The target model.' }),
    dimensions: z.int(),
    accounts: z.int().meta({ description: 'Number of accounts processed.' }),
    embedded: z.int().meta({ description: 'Number of memories with a new vector.' }),
    refused: z.int().meta({
      description:
        'Number of memories whose text the model rejected: only keyword search finds them.',
    }),
    erased: z.int().meta({ description: 'Number of deleted vectors of other models.' }),
    created_at: timestampOutput,
    finished_at: timestampOutput.nullable(),
  })
  .meta({ id: 'Reembedding' });

/** Findings about the stored data; they stay listed after they are acknowledged. */
export const storedFindingKinds = [
  'missing_tail',
  'older_copy',
  'failover',
  'failover_missing_tail',
  'other_cluster',
  'damaged_page',
] as const;

/** Problems at the time of the diagnosis; no longer listed once they are fixed. */
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
  id: idOutput.nullable().meta({
    description:
      'Id for the acknowledgement; null for a problem that stays until its cause is removed.',
  }),
  kind: z.enum([...storedFindingKinds, ...currentFindingKinds]),
  severity: z.enum(['error', 'warning']),
  degrades_health: z
    .boolean()
    .meta({ description: 'Whether it degrades the health until it is acknowledged.' }),
  message: z.string().meta({ description: 'Description of the finding.' }),
  action: z.string().meta({ description: 'What to do.' }),
  found_at: timestampOutput,
  acknowledged_at: timestampOutput.nullable(),
});

export const diagnosis = z
  .object({
    status: health.shape.status,
    checks: health.shape.checks,
    data_dir: z
      .string()
      .nullable()
      .meta({ description: 'The data folder; null if the settings are invalid.' }),
    findings: z.array(finding).meta({
      description:
        'Current problems first, then findings about the stored data by this process: oldest ' +
        'first, at most 100.',
    }),
  })
  .meta({ id: 'Diagnosis' });

export const acknowledgeFindingsBody = z.strictObject({
  ids: z
    .array(idInput('other'))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only these findings; default: all.' }),
});

export type CurrentFindingKind = (typeof currentFindingKinds)[number];
export type StoredFindingKind = (typeof storedFindingKinds)[number];
export type Diagnosis = z.output<typeof diagnosis>;
export type Reembedding = z.output<typeof reembedding>;
export type Verification = z.output<typeof consistencyVerification>;
export type VerificationInconsistency = z.output<typeof verificationInconsistency>;
