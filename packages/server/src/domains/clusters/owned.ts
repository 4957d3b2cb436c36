import type { OwnerFilter, routes, ValidatedRequest } from '@mneme/contract';
import { type Ctx, visibilityOf } from '../ctx.ts';
import { readContentPrefixes } from '../memories/index.ts';
import { type ClusterRecord, colorForms, nameKey } from './model.ts';
import type { ClusterPageQuery, ClusterSortField } from './store/lists.ts';
import { clustersWithOwnMembers, type OwnMembersRow } from './store/owned.ts';
import { extractTopics } from './thread/labels.ts';

type Filters = Omit<ValidatedRequest<typeof routes.clusters.list>['query'], 'include' | 'cursor'>;

/** What a topic of few memories is made of: of so many, and of the start of their texts. */
const topicTextsMax = 10;
const topicCharactersMax = 500;

/**
 * Clusters as a token of one user, or a key that asks for an owner, sees them: those with memories
 * of the owner, and of each what these memories alone give. The topic is computed from their texts;
 * scores and the centroid, of all members, are left out. An automatic cluster is called by
 * this topic, unless a key named it. Descriptions and metadata may tell of other members.
 * @param ids only these
 * @param owner of whom a key asks
 */
export async function loadOwnedClusters(
  ctx: Ctx,
  ids?: readonly string[],
  owner: OwnerFilter = {},
): Promise<ClusterRecord[]> {
  const { engine, actor, clock } = ctx;
  const { accountId } = actor;
  const query = { ids, owner, now: clock.now(), sampleMax: topicTextsMax };
  const rows = await clustersWithOwnMembers(engine.db, accountId, visibilityOf(actor), query);
  const automatic = rows.filter(({ type }) => type !== 'manual');
  const texts = await readContentPrefixes(
    engine.db,
    accountId,
    [...new Set(automatic.flatMap(({ sample }) => sample))],
    topicCharactersMax,
  );
  return rows.map((row) => toOwnedCluster(row, texts));
}

function toOwnedCluster(row: OwnMembersRow, texts: ReadonlyMap<string, string>): ClusterRecord {
  const { own_count, first_added_at, last_added_at, sample, ...record } = row;
  const topic = record.type === 'manual' ? undefined : topicOf(sample, texts);
  const isNamed = record.type === 'manual' || record.is_named;
  return {
    ...record,
    name: isNamed ? record.name : (topic?.label ?? ''),
    description: null,
    metadata: {},
    memory_count: own_count,
    has_centroid: false,
    silhouette_score: null,
    dbcv_score: null,
    cohesion_score: null,
    computed_at: null,
    topic_label: topic?.label ?? null,
    topic_terms: topic ? [...topic.keywords] : null,
    created_at: first_added_at,
    updated_at: last_added_at,
  };
}

function topicOf(ids: readonly string[], texts: ReadonlyMap<string, string>) {
  const known = ids.flatMap((id) => texts.get(id) ?? []);
  return extractTopics(known, [known.map((_, row) => row)])[0];
}

/** A page of such clusters. They are filtered and sorted here: the stored names are of others. */
export async function listOwnedClusters(
  ctx: Ctx,
  filters: Filters,
  page: ClusterPageQuery,
): Promise<{ rows: ClusterRecord[]; total: number }> {
  const { sort, order, after } = page;
  const clusters = (await loadOwnedClusters(ctx, undefined, filters)).filter((one) =>
    matches(one, filters),
  );
  const sign = order === 'asc' ? 1 : -1;
  const compare = (a: Position, b: Position): number =>
    sign * (compareValues(a[0], b[0]) || compareValues(a[1], b[1]));
  const positions = new Map(clusters.map((one) => [one.id, positionOf(one, sort)]));
  const at = ({ id }: ClusterRecord): Position => positions.get(id) ?? ['', id];
  clusters.sort((a, b) => compare(at(a), at(b)));
  const beyond = after
    ? clusters.filter((one) => compare(at(one), [after.value as Position[0], after.id]) > 0)
    : clusters;
  return { rows: beyond.slice(page.offset, page.offset + page.limit), total: clusters.length };
}

type Position = readonly [value: string | number | null, id: string];

/** The position that a cursor names. */
export function positionOf(record: ClusterRecord, sort: ClusterSortField): Position {
  if (sort === 'name') return [nameKey(record.name), record.id];
  const value = record[sort];
  return [value instanceof Date ? value.getTime() : value, record.id];
}

/** Scores are null, for all. */
const compareValues = (a: Position[0], b: Position[0]): number =>
  a === b || a === null || b === null ? 0 : a < b ? -1 : 1;

function matches(record: ClusterRecord, filters: Filters): boolean {
  const { q, space_id, cluster_type, has_memories, color } = filters;
  const colors = color?.flatMap(colorForms);
  return (
    (q === undefined || nameKey(record.name).includes(nameKey(q))) &&
    (space_id === undefined || record.space_id === space_id) &&
    (cluster_type === undefined || record.type === cluster_type) &&
    has_memories !== false &&
    (colors === undefined || colors.includes(record.color?.toLowerCase() ?? ''))
  );
}
