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
  /** By hand: a run that keeps the cluster keeps the name. */
  readonly is_named: boolean;
  readonly description: string | null;
  readonly color: string | null;
  readonly metadata: Record<string, unknown>;
  /** Who is in it. */
  readonly set_id: string;
  /** The run that is still putting it together; null: it is there for all. */
  readonly run_id: string | null;
  /** Active memories. */
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

/** How a run finds the account's clusters. */
export interface ClusterSettings {
  readonly algorithm: ClusterAlgorithm;
  readonly min_cluster_size: number;
  readonly auto_enabled: boolean;
}

/** As names are compared: in any letter case, however their marks are written. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** #aabbcc for #ABC. */
export const fullColor = (color: string): string =>
  (color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color).toLowerCase();

/** Every way to write a colour, in small letters. */
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

/** @param present which of the representatives may still be shown */
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

/** With its ETag, which stands for all that is shown of the cluster, its count included. */
export const replyWith = (record: ClusterRecord): Reply<Cluster> =>
  new Reply(presentCluster(record), { headers: { etag: etagOf(record) } });

export const etagHeader = (record: ClusterRecord) => ({ headers: { etag: etagOf(record) } });

/** Throws 412 precondition_failed when the caller's ETag is no longer the cluster's. */
export function requireIfMatch(record: ClusterRecord, ifMatch: readonly string[] | null): void {
  if (ifMatch === null || ifMatch.includes('*') || ifMatch.includes(String(record.revision)))
    return;
  throw new AppError('precondition_failed', { details: { etag: etagOf(record) } });
}

/** What a run of the whole account found tells of the memories of every space. */
export const coversEverySpace = ({ type, space_id }: Pick<ClusterRecord, 'type' | 'space_id'>) =>
  space_id === null && type !== 'manual';

/** Throws 403 space_access_denied. */
export function requireClusterAccess(actor: Actor, record: ClusterRecord): void {
  requireSpaceAccess(actor, record.space_id);
  if (actor.spaces === null || !coversEverySpace(record)) return;
  throw new AppError('space_access_denied', {
    message: 'The cluster was found among the memories of every space.',
  });
}

export const nameTakenError = (name: string, clusterId: string): AppError =>
  new AppError('conflict', {
    message: 'A cluster of this scope has the name.',
    details: { name, cluster_id: clusterId },
  });
