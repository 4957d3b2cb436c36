import { idParams } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleAccount, sampleJob, sampleMemory } from '../samples.ts';
import * as s from '../schemas/transfers.ts';

const params = { id: sampleJob.id };
const archiveType = 'application/gzip';
const requestType = {
  type: archiveType,
  /** Not compressed. */
  otherTypes: ['application/x-tar'],
  bytesMax: Number.MAX_SAFE_INTEGER,
};

const sampleImport = {
  id: sampleJob.id,
  status: 'completed' as const,
  progress: 1,
  waiting_reason: null,
  error: null,
  dry_run: false,
  account_ids: [sampleAccount.id],
  records: [{ kind: 'memories' as const, created: 1, updated: 0, unchanged: 0, skipped: 1 }],
  reasons: [{ kind: 'memories' as const, reason: 'duplicate' as const, count: 1 }],
  skipped: [{ kind: 'memories' as const, id: sampleMemory.id, reason: 'duplicate' as const }],
  created_at: sampleJob.created_at,
  finished_at: sampleJob.finished_at,
};

const importErrors = ['invalid_archive', 'payload_too_large', 'conflict'] as const;

/** Export and import of an account by its own keys. */
export const transferRoutes = {
  export: defineRoute({
    id: 'transfers.export',
    method: 'GET',
    path: '/export',
    summary: 'Export the account, a space or a user as a portable archive',
    description:
      'A gzip’d tar file of NDJSON files with everything that the key may read: a key that is ' +
      'limited to spaces exports these, a token of one user exports this user, and a kind of ' +
      'record whose scope the key lacks is left out. It has no vectors and no secrets.',
    access: 'memories:read',
    query: s.exportQuery,
    responses: { 200: null },
    responseType: archiveType,
    errors: ['space_not_found', 'space_access_denied'],
    example: { query: { user_id: 'alice' }, response: null },
  }),
  import: defineRoute({
    id: 'transfers.import',
    method: 'POST',
    path: '/import',
    summary: 'Import an archive into the account',
    description:
      'The whole archive is checked before the response; 422 invalid_archive says what is ' +
      'wrong with it, and then nothing is imported. A job imports it. To import an archive ' +
      'again changes nothing; records of another account get new ids, which depend on the ' +
      'account and the former id. One import of an account runs at a time: 409.',
    access: 'admin',
    query: s.importQuery,
    requestType,
    responses: { 202: s.queuedImport },
    errors: [...importErrors, 'space_access_denied', 'user_access_denied'],
    example: { query: { dry_run: true }, response: { import_id: sampleJob.id } },
  }),
  getImport: defineRoute({
    id: 'transfers.getImport',
    method: 'GET',
    path: '/imports/:id',
    summary: 'Read the progress and the report of an import, for 7 days',
    access: 'admin',
    params: idParams,
    notFound: 'not_found',
    responses: { 200: s.importStatus },
    errors: ['space_access_denied', 'user_access_denied'],
    example: { params, response: sampleImport },
  }),
} as const;

/** Export and import of any account by the operator. */
export const adminTransferRoutes = {
  export: defineRoute({
    id: 'admin.export',
    method: 'GET',
    path: '/admin/export',
    summary: 'Export one account, or all accounts, as a portable archive',
    access: 'operator',
    query: s.adminExportQuery,
    responses: { 200: null },
    responseType: archiveType,
    errors: ['not_found'],
    example: { query: { account_id: sampleAccount.id }, response: null },
  }),
  import: defineRoute({
    id: 'admin.import',
    method: 'POST',
    path: '/admin/import',
    summary: 'Import an archive of one or several accounts',
    description:
      'Each account of the archive is imported into the account with its id; a missing one is ' +
      'created, without keys.',
    access: 'operator',
    query: s.adminImportQuery,
    requestType,
    responses: { 202: s.queuedImport },
    errors: [...importErrors, 'not_found'],
    example: { query: { dry_run: true }, response: { import_id: sampleJob.id } },
  }),
  getImport: defineRoute({
    id: 'admin.getImport',
    method: 'GET',
    path: '/admin/imports/:id',
    summary: 'Read the progress and the report of an import of the operator, for 7 days',
    access: 'operator',
    params: idParams,
    notFound: 'not_found',
    responses: { 200: s.importStatus },
    errors: [],
    example: { params, response: sampleImport },
  }),
} as const;
