/** Which fields a table shows. `*` marks a text that may be truncated; `a|b` is the first set. */
export type ColumnSet = readonly string[];

const memory = ['id', 'created_at', 'tags', 'content*'];
const entity = ['id', 'type', 'name*', 'created_at'];
const fact = [
  ...['id', 'subject_name', 'predicate', 'object_value|statement*', 'valid_from', 'valid_to'],
];
const session = ['id', 'status', 'type', 'memory_count', 'last_active_at', 'name*'];
const activation = ['id', 'session_key*', 'memory_count', 'is_closed', 'last_active_at'];
const cluster = ['id', 'cluster_type', 'memory_count', 'name*'];
const edge = ['source_id', 'relationship_type', 'target_id', 'weight'];
const delivery = [
  ...['id', 'event_type', 'status', 'attempt_count', 'response_status', 'created_at'],
  'error*',
];

/** Columns of the records of an operation. */
export const columnsOfOperation: Readonly<Record<string, ColumnSet>> = {
  'memories.list': ['id', 'created_at', 'deleted_at', 'tags', 'content*'],
  'memories.suggestions': ['newer_id', 'older_id', 'status', 'confidence', 'reason*'],
  'memories.topics': ['name*', 'category', 'relevance'],
  'search.post': ['score', 'id|audio_file_id', 'content|text*'],
  'search.topic': memory,
  'search.similar': ['similarity', 'memory.id', 'memory.content*'],
  'search.listPresets': ['name*', 'limit', 'threshold', 'is_built_in'],
  'search.aggregate': ['key*', 'count', 'avg_score'],
  'spaces.list': ['id', 'name*', 'memory_lifetime_days', 'created_at', 'description*'],
  'cliSessions.list': session,
  'cliSessions.active': session,
  'cliSessions.memories': memory,
  'sessions.list': activation,
  'sessions.active': activation,
  'sessions.memories': memory,
  'relationships.related': ['hops', 'score', 'memory.id', 'memory.content*'],
  'knowledge.entities': entity,
  'knowledge.atTime': entity,
  'knowledge.facts': fact,
  'knowledge.timeline': ['at', 'kind', 'fact.statement|detail*'],
  'knowledge.relationships': ['direction', 'relationship_type', 'target_entity_id', 'target_name*'],
  'clusters.list': cluster,
  'clusters.ofMemory': cluster,
  'clusters.memories': memory,
  'clusters.runs': ['id', 'kind', 'algorithm', 'status', 'cluster_count', 'created_at', 'error*'],
  'account.audit': ['created_at', 'action', 'target_id', 'actor.api_key_id|actor*'],
  'auth.listTokens': ['id', 'api_key_id', 'user_id', 'created_at', 'expires_at'],
  'keys.list': ['id', 'prefix', 'expires_at', 'revoked_at', 'name*'],
  'admin.listAccounts': ['id', 'plan', 'suspended', 'created_at', 'name*'],
  'admin.listJobs': ['id', 'account_id', 'queue', 'kind', 'status', 'created_at', 'error*'],
  'admin.listQueues': ['name', 'paused_at', 'queued', 'running', 'failed', 'oldest_due_seconds'],
  'admin.listErasures': ['erased_at', 'kind', 'id', 'account_id'],
  'admin.getDiagnosis': ['found_at', 'severity', 'kind', 'message*'],
  'email.listAddresses': ['id', 'email*', 'is_active', 'created_at', 'accepts_until'],
  'email.listHistory': ['id', 'created_at', 'status', 'sender*', 'subject*'],
  'email.listAttachments': ['id', 'mime_type', 'file_size', 'filename*', 'memory_id'],
  'email.listSenders': ['email_pattern', 'rule_type', 'created_at', 'reason*'],
  'email.listReactions': ['id', 'trigger_type', 'is_active', 'sent_today', 'name*'],
  'email.listDigests': ['id', 'schedule_type', 'is_active', 'next_run_at', 'name*'],
  'email.listOutbound': ['id', 'created_at', 'kind', 'status', 'recipient*', 'subject*'],
  'email.listSuppressions': ['email*', 'reason', 'created_at', 'detail*'],
  'webhooks.list': ['id', 'is_active', 'failed_deliveries', 'name*', 'url*', 'events*'],
  'webhooks.listDeliveries': delivery,
  'webhooks.eventTypes': ['type', 'description*'],
  'events.list': ['created_at', 'type', 'space_id', 'data.id|data.memory_id'],
};

/** Columns of a list inside of a record, by its name. */
const ofField: Readonly<Record<string, ColumnSet>> = {
  memories: memory,
  relationships: ['relationship_type', 'source_id|direction', 'target_id|target_name*', 'weight'],
  outgoing: ['relationship_type', 'target_id', 'weight', 'description*'],
  incoming: ['relationship_type', 'source_id', 'weight', 'description*'],
  facts: fact,
  entities: ['id', 'type', 'name*'],
  nodes: ['id', 'type', 'name*'],
  edges: edge,
  segments: ['start', 'end', 'speaker', 'text*'],
  frames: ['time', 'description*'],
};

type JsonRecord = Readonly<Record<string, unknown>>;

/** Fields with a text, for lists without a row in the tables above. */
const textFields = /^(?:name|content|text|description|title|message|url|subject|statement)$/;
const fallbackColumnsMax = 6;

/**
 * The columns of a list: those of its operation if it is the only list, those of its name, or the
 * scalar fields of its records. Columns without any value are omitted.
 */
export function columnsOf(
  operation: string | null,
  field: string | null,
  records: readonly JsonRecord[],
): ColumnSet {
  const declared =
    (operation === null ? undefined : columnsOfOperation[operation]) ??
    (field === null ? undefined : ofField[field]) ??
    [];
  const filled = declared.filter((column) =>
    records.some((record) => ![null, ''].includes(cellValue(record, column) as string | null)),
  );
  return filled.length >= Math.min(2, declared.length) && filled.length > 0
    ? filled
    : scalarColumns(records);
}

function scalarColumns(records: readonly JsonRecord[]): ColumnSet {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const isScalar = (name: string): boolean =>
    records.every((record) => typeof record[name] !== 'object' || record[name] === null) &&
    records.some((record) => record[name] !== null && record[name] !== undefined);
  const scalars = names.filter(isScalar);
  const texts = scalars.filter((name) => textFields.test(name)).slice(0, 2);
  const others = scalars.filter((name) => !textFields.test(name));
  return [
    ...others.slice(0, fallbackColumnsMax - texts.length),
    ...texts.map((name) => `${name}*`),
  ];
}

/** The value of a column; null if none of its fields has one. */
export function cellValue(record: JsonRecord, column: string): unknown {
  for (const path of column.replace('*', '').split('|')) {
    const value = path
      .split('.')
      .reduce<unknown>((inner, name) => (inner as JsonRecord | null)?.[name], record);
    const isEmpty = value === null || value === undefined;
    if (!isEmpty && !(Array.isArray(value) && value.length === 0)) return value;
  }
  return null;
}

/** `CREATED AT`; of alternatives the first one that has a value, of nested fields the last. */
export function columnTitle(column: string, records: readonly JsonRecord[]): string {
  const paths = column.replace('*', '').split('|');
  const used = paths.find((path) => records.some((record) => cellValue(record, path) !== null));
  return fieldLabel((used ?? paths[0] ?? '').split('.').at(-1) ?? '').toUpperCase();
}

/** `created at` for `created_at` and `createdAt`. */
export const fieldLabel = (field: string): string =>
  field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
