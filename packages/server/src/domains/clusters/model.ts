import type { Cluster, ClusterAlgorithm, ClusterType } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Actor, requireSpaceAccess } from '../ctx.ts';
import { Reply } from '../handler.ts';

interface Term {
  readonly term: string;
  readonly weight: number;
}

export interface ClusterRecord {
  readonly account_id: string;
  readonly id: string;
  readonly space_id: string | null;
  readonly type: string;
  readonly name: string;
  /** Named manually: a run that keeps the cluster keeps the name. */
  readonly is_named: boolean;
  readonly description: string | null;
  readonly color: string | null;
  readonly metadata: Record<string, unknown>;
  /** The member set. */
  readonly member_set_id: string;
  /** The run that is still creating it; null: it is visible. */
  readonly run_id: string | null;
  /** Number of active memories. */
  readonly memory_count: number;
  readonly has_centroid: boolean;
  readonly silhouette_score: number | null;
  readonly dbcv_score: number | null;
  readonly cohesion_score: number | null;
  readonly computed_at: Date | null;
  readonly topic_label: string | null;
  readonly topic_terms: Term[] | null;
  readonly representatives: string[] | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The account's settings for cluster runs. */
export interface ClusterSettings {
  readonly algorithm: ClusterAlgorithm;
  readonly min_cluster_size: number;
  readonly auto_enabled: boolean;
}

/** The comparable form of a name: case-insensitive and with normalised accents. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** #aabbcc for #ABC. */
export const fullColor = (color: string): string =>
  (color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color).toLowerCase();

/** All ways to write a colour, in lower case. */
export function colorForms(color: string): string[] {
  const full = fullColor(color);
  const short = full.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3');
  return [...new Set([full, short])];
}

export const presentCluster = (record: ClusterRecord): Cluster => ({
  id: record.id,
  name: record.name,
  description: record.description,
  space_id: record.space_id,
  cluster_type: record.type as ClusterType,
  color: record.color,
  metadata: record.metadata,
  memory_count: record.memory_count,
  silhouette_score: record.silhouette_score,
  dbcv_score: record.dbcv_score,
  cohesion_score: record.cohesion_score,
  topic_label: record.topic_label,
  topic_keywords: record.topic_terms?.map(({ term }) => term) ?? null,
  centroid_available: record.has_centroid && record.memory_count > 0,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
});

export const presentMetrics = (record: ClusterRecord) => ({
  silhouette_score: record.silhouette_score,
  dbcv_score: record.dbcv_score,
  cohesion_score: record.cohesion_score,
  computed_at: record.computed_at?.toISOString() ?? null,
});

/** @param present the representatives that may still be shown */
export function presentTopic(record: ClusterRecord, present: ReadonlySet<string>) {
  const { topic_label, topic_terms: terms, representatives } = record;
  return {
    topic_label,
    topic_keywords: terms?.map(({ term }) => term) ?? null,
    representation: terms && {
      terms,
      memory_ids: (representatives ?? []).filter((id) => present.has(id)),
    },
  };
}

const etagOf = (record: ClusterRecord): string => `"${record.revision}"`;

/** With its ETag, which covers everything shown of the cluster, including its count. */
export const replyWithETag = (record: ClusterRecord): Reply<Cluster> =>
  new Reply(presentCluster(record), { headers: { etag: etagOf(record) } });

export const etagHeader = (record: ClusterRecord) => ({ headers: { etag: etagOf(record) } });

/** Throws 412 precondition_failed if the caller's ETag is outdated. */
export function requireETagMatchIfGiven(
  record: ClusterRecord,
  ifMatch: readonly string[] | null,
): void {
  if (ifMatch === null || ifMatch.includes('*') || ifMatch.includes(String(record.revision)))
    return;
  throw new AppError('precondition_failed', { details: { etag: etagOf(record) } });
}

/** An account-wide automatic cluster reveals memories of every space. */
export const coversEverySpace = ({ type, space_id }: Pick<ClusterRecord, 'type' | 'space_id'>) =>
  space_id === null && type !== 'manual';

/** Throws 403 space_access_denied. */
export function requireClusterAccess(actor: Actor, record: ClusterRecord): void {
  requireSpaceAccess(actor, record.space_id);
  if (actor.spaces === null || !coversEverySpace(record)) return;
  throw new AppError('space_access_denied', {
    message: 'The cluster covers every space, but the key is limited to some.',
  });
}

export const nameTakenError = (name: string, clusterId: string): AppError =>
  new AppError('conflict', {
    message: 'Another cluster of this scope has this name.',
    details: { name, cluster_id: clusterId },
  });
