import { z } from 'zod';
import { type ArchiveKind, archiveKinds } from '../archive-records.ts';
import { customIssueOptions, idOutput, spaceFilter, timestampOutput } from '../fields.ts';
import { ownerId } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { jobStatuses, waitingReason } from './jobs.ts';

const kindNames = archiveKinds as [ArchiveKind, ...ArchiveKind[]];

export const exportQuery = withSpaceName(
  z.strictObject({
    space_id: spaceFilter.optional(),
    user_id: ownerId.optional().meta({ description: 'Only what belongs to this user.' }),
  }),
);

export const adminExportQuery = z.strictObject({
  account_id: z.uuid().optional().meta({ description: 'Only this account; default: all.' }),
});

const mapEntriesMax = 1_000;
const mapCharactersMax = 200;
const mapText = z.string().min(1).max(mapCharactersMax);
const nameMap = z
  .record(mapText, mapText)
  .refine((map) => Object.keys(map).length <= mapEntriesMax, `at most ${mapEntriesMax} names`);

function parseMap(text: string): Record<string, string> | null {
  try {
    return nameMap.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A JSON object in a query: names of the archive, and what they become. */
const mapOf = (what: string, example: string) =>
  z
    .string()
    .max(100_000)
    .refine(
      (text) => parseMap(text) !== null,
      customIssueOptions('invalid_format', `must be a JSON object of texts such as ${example}`),
    )
    .transform((text) => parseMap(text) ?? {})
    .optional()
    .meta({ description: `JSON object: ${what}, such as ${example}.` });

const importOptions = {
  dry_run: z.boolean().default(false).meta({ description: 'Stores nothing; the report counts.' }),
  apply_deletions: z.boolean().default(false).meta({
    description: 'Erases what was erased in the exported account, and applies soft deletes.',
  }),
};

export const importQuery = z.strictObject({
  ...importOptions,
  map_spaces: mapOf('names or ids of spaces, and of the space for each', '{"Work":"Travel"}'),
  map_users: mapOf('each user_id and its new value', '{"alice":"bob"}'),
  map_agents: mapOf('each agent_id and its new value', '{"bot-1":"bot-2"}'),
  map_runs: mapOf('each run_id and its new value', '{"run-1":"run-2"}'),
});

export const adminImportQuery = z.strictObject({
  account_id: z.uuid().optional().meta({
    description: 'Imports an archive of one account into this one; default: by their ids.',
  }),
  ...importOptions,
});

export const queuedImport = z.object({ import_id: idOutput }).meta({ id: 'QueuedImport' });

/** Why a record is not imported. */
export const importSkipReasons = [
  'newer_in_account',
  'erased_in_account',
  'deletion_not_applied',
  'duplicate',
  'expired',
  'protected',
  'content_too_large',
  'quota_exceeded',
  'daily_limit_exceeded',
  'space_missing',
  'memory_missing',
  'entity_missing',
  'cluster_missing',
  'file_missing',
  'file_too_large',
  'file_invalid',
  'limit_exceeded',
] as const;
export type ImportSkipReason = (typeof importSkipReasons)[number];

const kind = z.enum(kindNames);

const recordCounts = {
  kind,
  created: z.int(),
  updated: z.int(),
  unchanged: z.int().meta({ description: 'Stored already, as it is in the archive.' }),
  skipped: z.int(),
};
const importCounts = z.object(recordCounts).meta({ id: 'ImportCounts' });

const report = {
  records: z.array(importCounts),
  reasons: z
    .array(z.object({ kind, reason: z.enum(importSkipReasons), count: z.int() }))
    .meta({ description: 'Why records were skipped, with counts.' }),
};

export const importStatus = z
  .object({
    id: idOutput,
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    waiting_reason: waitingReason,
    error: z.string().nullable(),
    dry_run: z.boolean(),
    account_ids: z.array(idOutput).meta({ description: 'Into which accounts.' }),
    ...report,
    skipped: z
      .array(z.object({ kind, id: idOutput, reason: z.enum(importSkipReasons) }))
      .meta({ description: 'The first 500 skipped records, with their ids in the archive.' }),
    created_at: timestampOutput,
    finished_at: timestampOutput.nullable(),
  })
  .meta({ id: 'Import' });

/** Data of import.batch_stored. */
export const importedBatch = z.object({
  import_id: idOutput,
  kind,
  created: z.int(),
  updated: z.int(),
});

/** Data of import.completed. */
export const importSummary = z.object({ import_id: idOutput, records: z.array(importCounts) });

export type ImportStatus = z.output<typeof importStatus>;
export type ImportQuery = z.output<typeof importQuery>;
