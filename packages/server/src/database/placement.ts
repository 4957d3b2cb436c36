/**
 * Where the rows of a table are once the database is distributed by account (Citus):
 * - `tenant`: on the node of their account. Each key of the table includes `account_id`, and each
 *   statement names one account as a constant (`account_id = $1`), or is marked by
 *   `acrossAccounts`.
 * - `reference`: a copy on every node, so that statements on tenant tables may join it.
 * - `local`: on the coordinator only. No statement joins it with a tenant table.
 * - `known-local`: local, and Citus knows it, so that statements may join it with reference tables.
 */
export type Placement = 'tenant' | 'reference' | 'local' | 'known-local';

interface PlacedElsewhere {
  readonly placement: Exclude<Placement, 'tenant'>;
  readonly reason: string;
}

/** Tables whose rows belong to one account and are read and written with it. */
const tenantTables = [
  'account_positions',
  'activation_accesses',
  'activation_sessions',
  'assertions',
  'audit_log',
  'bulk_change_items',
  'bulk_changes',
  'cli_sessions',
  'cluster_map_points',
  'cluster_maps',
  'cluster_memories',
  'cluster_runs',
  'clustering_settings',
  'clusters',
  'co_accesses',
  'documents',
  'email_attachments',
  'email_confirmations',
  'email_digests',
  'email_reactions',
  'email_sender_rules',
  'email_suppressions',
  'encoding_leases',
  'enrichments',
  'entities',
  'entity_changes',
  'entity_names',
  'events',
  'extraction_cursors',
  'facts',
  'feedback',
  'idempotency',
  'inbound_mails',
  'index_segments',
  'list_snapshots',
  'media_clips',
  'media_files',
  'media_segments',
  'media_upload_parts',
  'media_uploads',
  'memories',
  'mentions',
  'outbound_mails',
  'relationships',
  'search_presets',
  'spaces',
  'transcripts',
  'update_suggestions',
  'usage_counters',
  'vectors',
  'video_interpretations',
  'webhook_deliveries',
  'webhooks',
] as const;

const beforeAccount = 'Looked up by a secret or an address, before the account is known.';
const ofKey = 'References api_keys, which is local, and references accounts.';

/** All other tables. */
const otherTables: Readonly<Record<string, PlacedElsewhere>> = {
  accounts: {
    placement: 'reference',
    reason: 'Tenant tables reference it, and statements that send check for a suspension.',
  },
  embedding_models: {
    placement: 'reference',
    reason: 'A few rows, which each account reads with its own position.',
  },
  installation: {
    placement: 'reference',
    reason: 'A few settings; statements that lease deliveries check for a pause.',
  },
  api_keys: { placement: 'known-local', reason: beforeAccount },
  browser_sessions: { placement: 'known-local', reason: beforeAccount },
  email_addresses: { placement: 'local', reason: beforeAccount },
  oauth_clients: { placement: 'local', reason: 'Clients belong to no account.' },
  oauth_grants: { placement: 'known-local', reason: beforeAccount },
  oauth_tokens: { placement: 'known-local', reason: beforeAccount },
  session_tokens: { placement: 'known-local', reason: ofKey },
  jobs: {
    placement: 'known-local',
    reason: 'Workers lease the next due job of any account, unless its queue is paused.',
  },
  concurrency_slots: { placement: 'local', reason: 'By API key; unlogged.' },
  live_processes: { placement: 'local', reason: 'Processes belong to no account; unlogged.' },
  rate_limit_windows: { placement: 'local', reason: 'By API key or address; unlogged.' },
  erasures: { placement: 'local', reason: 'One ledger, which outlives the accounts.' },
  schema_migrations: { placement: 'local', reason: 'Of the whole database.' },
  unused_blobs: { placement: 'local', reason: 'Names of files, of any account.' },
  worker_heartbeats: { placement: 'local', reason: 'Processes belong to no account; unlogged.' },
};

const tenants: ReadonlySet<string> = new Set(tenantTables);

/** Undefined: there is no such table, or nobody has decided where its rows are. */
export const placementOf = (table: string): Placement | undefined =>
  tenants.has(table) ? 'tenant' : otherTables[table]?.placement;

/** The names of all placed tables. */
export const placedTables: readonly string[] = [...tenantTables, ...Object.keys(otherTables)];
