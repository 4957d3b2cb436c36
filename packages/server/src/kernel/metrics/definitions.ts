/** A metric as /metrics shows it. Names and units follow the conventions of Prometheus. */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly description: string;
  /** Never accounts, users or texts: who may read metrics may not read what is stored. */
  readonly labels?: readonly string[];
  /** Of a counter with one label: it starts with 0 for each, so that the first increase is seen. */
  readonly labelValues?: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** Of requests and stages that mostly take milliseconds. */
const shortSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Of work that may take minutes. */
const longSeconds = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** All metrics; `npm run metrics` writes docs/metrics.md from them. */
export const metricDefinitions = {
  mneme_build_info: {
    kind: 'gauge',
    description: 'Always 1; the labels tell the versions and the engine of the database',
    labels: ['version', 'node', 'engine'],
  },
  mneme_health_check: {
    kind: 'gauge',
    description: '1 if the check of GET /health succeeds, otherwise 0',
    labels: ['check'],
  },
  mneme_metrics_failures_total: {
    kind: 'counter',
    description: 'Groups of metrics that could not be read, for example without a database',
  },
  mneme_http_request_duration_seconds: {
    kind: 'histogram',
    description:
      'Time from the arrival of a request to the end of its response, without event streams. The ' +
      'operation is the operationId of the OpenAPI document, or `other`',
    labels: ['operation', 'status'],
    buckets: shortSeconds,
  },
  mneme_http_connections: { kind: 'gauge', description: 'Open connections of clients' },
  mneme_event_streams: { kind: 'gauge', description: 'Open streams of GET /events/stream' },
  mneme_search_stage_duration_seconds: {
    kind: 'histogram',
    description:
      'Time of one stage of a search: `embed` makes the vector of the query, `rank` finds a page ' +
      'in the index, `read` reads its rows, `rewrite` and `rerank` call other models',
    labels: ['stage'],
    buckets: shortSeconds,
  },
  mneme_events_total: {
    kind: 'counter',
    description: 'Committed events, by type: memories created, facts added and so on',
    labels: ['type'],
  },
  mneme_event_consumer_lag_events: {
    kind: 'gauge',
    description:
      'Events that a consumer has still to process, over all accounts: `webhooks` and ' +
      '`email_reactions` of the slowest of each account, `extraction`',
    labels: ['consumer'],
  },
  mneme_memories_to_encode: {
    kind: 'gauge',
    description: 'Memories whose vector the sentence encoder has not made yet',
  },
  mneme_jobs: {
    kind: 'gauge',
    description: 'Jobs by kind that are `queued`, `running`, or have `failed` for good',
    labels: ['kind', 'status'],
  },
  mneme_job_oldest_due_seconds: {
    kind: 'gauge',
    description: 'How long the oldest job that is due has waited; 0 without one',
  },
  mneme_job_duration_seconds: {
    kind: 'histogram',
    description:
      'Time of one run of a job. Outcomes: `completed`, `continued` or `retried` later, `failed`',
    labels: ['kind', 'outcome'],
    buckets: longSeconds,
  },
  mneme_webhook_attempt_duration_seconds: {
    kind: 'histogram',
    description: 'Time of one call of a webhook. Outcomes: `success`, `failure`',
    labels: ['outcome'],
    buckets: shortSeconds,
  },
  mneme_webhook_deliveries: {
    kind: 'gauge',
    description: 'Deliveries of webhooks that are `pending` or `retrying`',
    labels: ['status'],
  },
  mneme_outbound_mails: {
    kind: 'gauge',
    description: 'Mails that are waiting to be sent',
  },
  mneme_index_accounts: { kind: 'gauge', description: 'Accounts whose search index is in memory' },
  mneme_index_documents: { kind: 'gauge', description: 'Documents of the indexes in memory' },
  mneme_index_bytes: { kind: 'gauge', description: 'Estimated memory of these indexes' },
  mneme_index_bytes_max: {
    kind: 'gauge',
    description:
      'MNEME_INDEX_MEMORY_MB in bytes; an account that is larger alone is loaded in addition',
  },
  mneme_search_threads: {
    kind: 'gauge',
    description: 'Running search threads, at most MNEME_SEARCH_THREADS',
  },
  mneme_search_thread_failures_total: {
    kind: 'counter',
    description:
      'Search threads that stopped unexpectedly; they restart, and load their accounts again. ' +
      'Also second threads for large accounts, which do not restart: searches continue, slower',
  },
  mneme_index_load_duration_seconds: {
    kind: 'histogram',
    description: 'Time to read the index of an account that was not in memory',
    buckets: longSeconds,
  },
  mneme_index_segment_loads_total: {
    kind: 'counter',
    description:
      'Files with the index of an account that were to be read, by result: `loaded`, `missing`, ' +
      '`damaged`, `outdated` (of another version or model), `dropped` (the account was evicted)',
    labels: ['result'],
  },
  mneme_index_segment_writes_total: {
    kind: 'counter',
    description:
      'Files with the index of an account that were written, by result: `ok`, `discarded` ' +
      '(something was erased meanwhile), `failed` (such as a full disk)',
    labels: ['result'],
  },
  mneme_index_evictions_total: {
    kind: 'counter',
    description:
      'Indexes that made room for others in memory, without those of accounts that are larger ' +
      'than the limit alone',
  },
  mneme_index_oversized_loads_total: {
    kind: 'counter',
    description:
      'Loads of accounts that are larger than the limit alone, by source: `segment`, or ' +
      '`database`, which takes longer',
    labels: ['source'],
    labelValues: ['segment', 'database'],
  },
  mneme_live_processes: {
    kind: 'gauge',
    description:
      'Servers of the same version that divide the searches, as this process knows them; absent ' +
      'without MNEME_PEER_URL',
  },
  mneme_forwarded_searches_total: {
    kind: 'counter',
    description:
      'Searches of the index that this process forwarded, by outcome: `answered`, `refused` (the ' +
      'other process was at capacity or stopping), `failed` (no valid response in time), ' +
      '`aborted` (the client disconnected). This process runs refused and failed ones itself',
    labels: ['outcome'],
    labelValues: ['answered', 'refused', 'failed', 'aborted'],
  },
  mneme_searches_for_peers_total: {
    kind: 'counter',
    description:
      'Searches of the index that other processes forwarded to this one, by outcome: `answered`, ' +
      '`failed`, `rejected` (no valid signature)',
    labels: ['outcome'],
    labelValues: ['answered', 'failed', 'rejected'],
  },
  mneme_database_connections: {
    kind: 'gauge',
    description:
      'Connections of the pool that are `busy` or `idle`, and callers that are `waiting`; ' +
      'PostgreSQL only',
    labels: ['state'],
  },
  mneme_database_connections_max: {
    kind: 'gauge',
    description: 'MNEME_DATABASE_POOL; PostgreSQL only',
  },
  mneme_database_nodes_unavailable: {
    kind: 'gauge',
    description:
      'Nodes of the database that do not respond, as this process knows them; their accounts get ' +
      '503. Absent where the database is not distributed',
  },
  mneme_disk_free_bytes: {
    kind: 'gauge',
    description: 'Free bytes on the disk of the data',
  },
  mneme_last_backup_timestamp_seconds: {
    kind: 'gauge',
    description: 'Time of the last scheduled backup; absent before the first one',
  },
  mneme_thread_heap_bytes: {
    kind: 'gauge',
    description:
      'Used heap by thread: `main`, `mneme-search` (all search threads), `mneme-database` and so ' +
      'on',
    labels: ['thread'],
  },
  mneme_event_loop_active_seconds_total: {
    kind: 'counter',
    description: 'Time in which the main thread was busy; a rate near 1 slows every request',
  },
  process_cpu_seconds_total: { kind: 'counter', description: 'CPU time of the process' },
  process_resident_memory_bytes: { kind: 'gauge', description: 'Memory of the process' },
  process_start_time_seconds: { kind: 'gauge', description: 'Time at which the process started' },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof metricDefinitions;
