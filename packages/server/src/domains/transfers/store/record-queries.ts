import type { ArchiveKind } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';

/** What of an account is exported. */
export interface ExportScope {
  readonly accountId: string;
  /** Ids of spaces, `default` for the account level; null: all. */
  readonly spaces: readonly string[] | null;
  /** Only memories of this user, and what they alone state; null: all. */
  readonly user: string | null;
  /** The key whose private sessions are included; null: all private sessions. */
  readonly privateSessionsOf: string | null;
  /** Whether sessions are included: otherwise memories name none. */
  readonly hasSessions: boolean;
  /** Whether entities and assertions are included. */
  readonly hasKnowledge: boolean;
  /** Memories that have expired by then are left out. */
  readonly now: Date;
}

/** A page of rows in the order of their keys, read like the backup across the tables of domains. */
export interface RecordQuery {
  /** All of these columns are read; `key` columns are also compared with the last row. */
  readonly columns: RawBuilder<unknown>;
  readonly from: (scope: ExportScope) => RawBuilder<unknown>;
  readonly key: readonly string[];
  readonly keyTypes: readonly string[];
  /** Columns that are read for the export and are no part of the record. */
  readonly internal?: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

const inSpaces = ({ spaces }: ExportScope, column: string): RawBuilder<unknown> =>
  spaces === null
    ? sql``
    : sql`and coalesce(${sql.ref(column)}::text, 'default') = any(${spaces}::text[])`;

/** The condition that a memory is exported. */
const isExported = (scope: ExportScope, alias: string): RawBuilder<unknown> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const { user, now, accountId } = scope;
  return sql`${column('account_id')} = ${accountId}::uuid and ${column('erased_at')} is null
    and (${column('expires_at')} is null or ${column('expires_at')} > ${now}::timestamptz)
    ${inSpaces(scope, `${alias}.space_id`)}
    ${user === null ? sql`` : sql`and ${column('user_id')} = ${user}`}`;
};

/**
 * A look-up by the whole key of which only the result is compared: as a join, the planner would
 * scan the whole account for each row if it has no statistics.
 */
const memoryIsExported = (scope: ExportScope, id: string): RawBuilder<unknown> =>
  sql`coalesce((select ${isExported(scope, 'm')} from memories m
    where m.account_id = ${scope.accountId}::uuid and m.id = ${sql.ref(id)} limit 1), false)`;

/** Of one user only sessions whose memories are all of that user. */
const sessionIsExported = (scope: ExportScope): RawBuilder<unknown> => {
  const { privateSessionsOf: creator, user, accountId } = scope;
  const ofSession = sql`x.account_id = ${accountId}::uuid and x.session_id = s.id
    and x.erased_at is null`;
  return sql`s.account_id = ${accountId}::uuid and s.erased_at is null
    ${inSpaces(scope, 's.space_id')}
    ${creator === null ? sql`` : sql`and (not s.is_private or s.created_by = ${creator}::uuid)`}
    ${
      user === null
        ? sql``
        : sql`and exists (select from memories x where ${ofSession})
          and not exists (
            select from memories x where ${ofSession} and x.user_id is distinct from ${user})`
    }`;
};

const byId = { key: ['id'], keyTypes: ['uuid'] } as const;
const byMemory = { key: ['memory_id'], keyTypes: ['uuid'] } as const;

const ofTable = (table: string, scope: ExportScope, condition: RawBuilder<unknown>) =>
  sql`${sql.table(table)} t where t.account_id = ${scope.accountId}::uuid and ${condition}`;

/** Names and state of an entity as the memories of one user give them, or as stored. */
const entityColumns = (scope: ExportScope): RawBuilder<unknown> => {
  const base = sql`t.id, t.space_id, t.type, t.is_retained, t.speaker, t.created_at, t.updated_at`;
  if (scope.user === null) {
    return sql`${base}, t.name, t.merged_into, t.merged_at,
      coalesce((select json_agg(json_build_object('name', n.name, 'type', n.type,
        'is_manual', n.is_manual) order by n.type, n.key) from entity_names n
        where n.account_id = ${scope.accountId}::uuid and n.entity_id = t.id), '[]') as names,
      coalesce((select json_agg(json_build_object('kind', c.kind, 'detail', c.detail,
        'at', to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        order by c.at, c.id) from entity_changes c
        where c.account_id = ${scope.accountId}::uuid and c.entity_id = t.id), '[]') as changes`;
  }
  return sql`${base}, coalesce(said.first, t.name) as name, null::uuid as merged_into,
    null::timestamptz as merged_at, coalesce(said.names, '[]') as names, '[]'::json as changes`;
};

const entitiesFrom = (scope: ExportScope): RawBuilder<unknown> => {
  const { user, accountId } = scope;
  if (user === null) return ofTable('entities', scope, sql`true ${inSpaces(scope, 't.space_id')}`);
  const own = memoryIsExported(scope, 'x.memory_id');
  return sql`entities t left join lateral (
      select min(one.name) as first, json_agg(distinct jsonb_build_object('name', one.name,
        'type', t.type, 'is_manual', false)) as names
      from mentions x cross join unnest(x.names) as one (name)
      where x.account_id = ${accountId}::uuid and x.entity_id = t.id and ${own}
    ) said on true
    where t.account_id = ${accountId}::uuid and t.merged_into is null and t.id in (
      select x.entity_id from mentions x where x.account_id = ${accountId}::uuid and ${own}
      union select unnest(array[x.subject_id, x.object_id]) from assertions x
        where x.account_id = ${accountId}::uuid and x.retracted_at is null and ${own})`;
};

export const recordQueries: Readonly<Record<ArchiveKind, RecordQuery>> = {
  spaces: {
    columns: sql`t.id, t.name, t.description, t.metadata, t.memory_lifetime_days, t.created_at,
      t.updated_at`,
    from: (scope) =>
      ofTable(
        'spaces',
        scope,
        sql`${scope.spaces === null ? sql`true` : sql`t.id::text = any(${scope.spaces}::text[])`}
          and ${
            scope.user === null
              ? sql`true`
              : sql`exists (
                select from memories m where m.space_id = t.id and ${isExported(scope, 'm')})`
          }`,
      ),
    ...byId,
  },
  sessions: {
    columns: sql`t.id, t.space_id, t.name, t.type, t.status, t.description, t.tags, t.origin_type,
      t.retention_policy, t.retention_days, t.is_private, t.summary, t.message_count,
      t.next_ordinal, t.metadata, t.created_at, t.updated_at, t.last_active_at, t.paused_at,
      t.completed_at, t.archived_at`,
    from: (scope) => sql`(select s.* from cli_sessions s where ${sessionIsExported(scope)}) t
      where true`,
    ...byId,
  },
  memories: {
    columns: sql`t.id, t.space_id, t.user_id, t.agent_id, t.run_id, t.session_id, t.session_ordinal,
      t.content, t.content_type, encode(t.content_hash, 'hex') as content_hash, t.tags, t.metadata,
      t.priority, t.salience, t.salience_at, t.access_count, t.is_pinned, t.protection_level,
      t.quality_score, t.occurred_at, t.expires_at, t.detect_updates, t.verified_at, t.deleted_at,
      t.created_at, t.updated_at, t.has_session, t.has_statements`,
    from: (scope) =>
      sql`(select m.*, ${
        scope.hasSessions
          ? sql`exists (select from cli_sessions s where s.id = m.session_id
            and ${sessionIsExported(scope)})`
          : sql`false`
      } as has_session, ${
        scope.hasKnowledge
          ? sql`exists (select from mentions x
            where x.account_id = ${scope.accountId}::uuid and x.memory_id = m.id)`
          : sql`false`
      } as has_statements from memories m where ${isExported(scope, 'm')}) t where true`,
    internal: ['has_session'],
    ...byId,
  },
  relationships: {
    columns: sql`t.id, t.source_id, t.target_id, t.type, t.inverse_id, t.description, t.weight,
      t.weight_set_at, t.decay_rate, t.usage_count, t.last_reinforced_at, t.rules, t.metadata,
      t.created_at, t.updated_at`,
    from: (scope) =>
      ofTable(
        'relationships',
        scope,
        sql`${memoryIsExported(scope, 't.source_id')}
          and ${memoryIsExported(scope, 't.target_id')}`,
      ),
    ...byId,
  },
  // Its columns depend on the scope: see `columnsOf`.
  entities: { columns: sql``, from: entitiesFrom, ...byId },
  mentions: {
    columns: sql`t.memory_id, t.entity_id, t.confidence, t.names, t.observed_at, t.recorded_at`,
    from: (scope) =>
      ofTable(
        'mentions',
        scope,
        sql`${memoryIsExported(scope, 't.memory_id')} and ${
          scope.user === null
            ? sql`true`
            : sql`exists (select from entities e where e.account_id = ${scope.accountId}::uuid
                and e.id = t.entity_id and e.merged_into is null)`
        }`,
      ),
    key: ['memory_id', 'entity_id'],
    keyTypes: ['uuid', 'uuid'],
  },
  assertions: {
    columns: sql`t.id, t.space_id, t.subject_id, t.predicate, t.object_id, t.object_value,
      t.statement, t.confidence, t.valid_from, t.valid_to, t.observed_at, t.memory_id, t.is_manual,
      t.recorded_at, t.retracted_at, t.retracted_by`,
    from: (scope) =>
      ofTable(
        'assertions',
        scope,
        scope.user === null
          ? sql`case when t.memory_id is null then true ${inSpaces(scope, 't.space_id')}
              else ${memoryIsExported(scope, 't.memory_id')} end`
          : sql`t.retracted_at is null and ${memoryIsExported(scope, 't.memory_id')}`,
      ),
    ...byId,
  },
  clusters: {
    columns: sql`t.id, t.space_id, t.type, t.name, t.is_named, t.description, t.color, t.metadata,
      t.silhouette_score, t.dbcv_score, t.cohesion_score, t.computed_at, t.topic_label,
      t.topic_terms, t.representatives, t.created_at, t.updated_at`,
    from: (scope) => ofTable('clusters', scope, clusterIsExported(scope)),
    ...byId,
  },
  cluster_members: {
    columns: sql`t.cluster_id, t.memory_id, t.confidence, t.added_at`,
    from: (scope) => sql`(
      select c.id as cluster_id, x.memory_id, x.confidence, x.added_at
      from clusters t join cluster_memories x on x.account_id = ${scope.accountId}::uuid
        and x.member_set_id = t.member_set_id cross join lateral (select t.id) c
      where t.account_id = ${scope.accountId}::uuid and ${clusterIsExported(scope)}
        and ${memoryIsExported(scope, 'x.memory_id')}) t where true`,
    key: ['cluster_id', 'memory_id'],
    keyTypes: ['uuid', 'uuid'],
  },
  media: {
    columns: sql`t.memory_id, t.kind, encode(t.sha256, 'hex') as sha256, t.bytes, t.filename,
      t.mime_type, t.duration, t.details, t.created_at, t.blob`,
    from: (scope) => ofTable('media_files', scope, memoryIsExported(scope, 't.memory_id')),
    internal: ['blob'],
    ...byMemory,
  },
  tombstones: {
    columns: sql`t.kind, t.id, t.erased_at`,
    from: (scope) =>
      ofTable(
        'erasures',
        scope,
        // Which space or user an erased record belonged to is not known.
        scope.spaces === null && scope.user === null
          ? sql`t.kind in ('memory', 'session', 'relationship', 'cluster')`
          : sql`false`,
      ),
    key: ['kind', 'id'],
    keyTypes: ['text', 'uuid'],
  },
  transcripts: {
    columns: sql`t.memory_id, t.options, t.ignored_options, t.provider, t.full_transcript,
      t.language, t.language_confidence, t.duration, t.entities, t.chapters, t.summary,
      t.created_at, t.completed_at`,
    from: (scope) =>
      ofTable(
        'transcripts',
        scope,
        sql`t.status = 'completed' and t.completed_attempt is not null
          and ${memoryIsExported(scope, 't.memory_id')}`,
      ),
    ...byMemory,
  },
  interpretations: {
    columns: sql`t.memory_id, t.model, t.summary, t.created_at, t.completed_at`,
    from: (scope) =>
      ofTable(
        'video_interpretations',
        scope,
        sql`t.status = 'completed' and t.completed_attempt is not null
          and ${memoryIsExported(scope, 't.memory_id')}`,
      ),
    ...byMemory,
  },
  segments: {
    columns: sql`t.memory_id, t.modality, t.number, t.start_time, t.end_time, t.text, t.speaker,
      t.confidence, t.labels`,
    from: (scope) =>
      ofTable(
        'media_segments',
        scope,
        sql`exists (${runOf(scope, 'transcripts')} and t.modality = 'speech'
            union all ${runOf(scope, 'video_interpretations')} and t.modality = 'frame')
          and ${memoryIsExported(scope, 't.memory_id')}`,
      ),
    key: ['memory_id', 'modality', 'number'],
    keyTypes: ['uuid', 'text', 'integer'],
  },
};

const runOf = (scope: ExportScope, table: string): RawBuilder<unknown> => sql`
  select from ${sql.table(table)} r where r.account_id = ${scope.accountId}::uuid
    and r.memory_id = t.memory_id and r.status = 'completed' and r.completed_attempt = t.attempt`;

function clusterIsExported(scope: ExportScope): RawBuilder<unknown> {
  // What is in a cluster of all users says something about the others.
  if (scope.user !== null) return sql`false`;
  if (scope.spaces === null) return sql`t.run_id is null`;
  return sql`t.run_id is null and (t.type = 'manual' or t.space_id is not null)
    ${inSpaces(scope, 't.space_id')}`;
}

const columnsOf = (kind: ArchiveKind, scope: ExportScope): RawBuilder<unknown> =>
  kind === 'entities' ? entityColumns(scope) : recordQueries[kind].columns;

/** The next rows after `last`; null: the first rows. */
export async function readRecordPage(
  db: Db,
  kind: ArchiveKind,
  scope: ExportScope,
  last: Row | null,
  limit: number,
): Promise<Row[]> {
  const { from, key, keyTypes } = recordQueries[kind];
  const columns = sql.join(key.map((name) => sql.ref(`t.${name}`)));
  const values = key.map((name, i) => sql`${last?.[name]}::${sql.raw(keyTypes[i] ?? 'text')}`);
  const after = last === null ? sql`` : sql`and (${columns}) > (${sql.join(values)})`;
  const { rows } = await sql<Row>`
    select ${columnsOf(kind, scope)} from ${from(scope)} ${after}
    order by ${columns} limit ${limit}::integer`.execute(db);
  return rows;
}
