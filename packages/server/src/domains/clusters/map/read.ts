import type {
  ClusterMap,
  ClusterType,
  OwnerFilter,
  ResponseBody,
  routes,
  ValidatedRequest,
} from '@mneme/contract';
import { type Ctx, requestedUser, visibilityOf } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import type { ClusterRecord } from '../model.ts';
import { loadOwnedClusters } from '../owned.ts';
import { requireRunSpaceAccess } from '../runs/queue.ts';
import { listClustersOfScope } from '../store/clusters.ts';
import { findMap, type MapRecord, readMemberships, readPoints } from '../store/maps.ts';
import { encodeMap, type MapHead } from './encode.ts';
import { queuePlacement } from './place.ts';
import { idTexts, type MapColumns, noCluster, toColumns } from './points.ts';

type Query = ValidatedRequest<typeof routes.clusters.map>['query'];

/** The index of a cluster has two bytes. */
const clustersMax = 32_767;

/**
 * The map of a space, or of the whole account, with the memories and clusters that the caller may
 * see. Memories without a place get one soon after. Throws 404 space_not_found, 403
 * space_access_denied or user_access_denied.
 */
export async function getClusterMap(
  ctx: Ctx,
  query: Query,
  acceptsBinary: boolean,
): Promise<Reply<ResponseBody<typeof routes.clusters.map>>> {
  const { actor, engine } = ctx;
  const spaceId = query.space_id ?? null;
  await requireUsableSpace(ctx, spaceId);
  requireRunSpaceAccess(actor, spaceId);
  const user_id = requestedUser(actor, query.user_id);
  const owner = { user_id, agent_id: query.agent_id, run_id: query.run_id };
  const map = await findMap(engine.db, actor.accountId, spaceId);
  const { head, columns } = await readMap(ctx, map, owner);
  const headers = { vary: 'Accept' };
  if (acceptsBinary) {
    const binary = { ...headers, 'content-type': 'application/octet-stream' };
    return new Reply<ClusterMap>(encodeMap(head, columns), { headers: binary });
  }
  return new Reply({ ...head, ...presentColumns(columns) }, { headers });
}

/** Five decimals: a thousandth of what a screen can show. */
const rounded = (values: Float32Array): number[] =>
  Array.from(values, (value) => Math.round(value * 100_000) / 100_000);

const presentColumns = (columns: MapColumns): Pick<ClusterMap, 'ids' | 'x' | 'y' | 'cluster'> => ({
  ids: idTexts(columns),
  x: rounded(columns.x),
  y: rounded(columns.y),
  cluster: Array.from(columns.cluster, (index) => (index === noCluster ? null : index)),
});

/** Without a map: a head without clusters, and no points. */
async function readMap(
  ctx: Ctx,
  map: MapRecord | undefined,
  owner: OwnerFilter,
): Promise<{ readonly head: MapHead; readonly columns: MapColumns }> {
  if (!map) {
    const { columns } = toColumns(new Uint8Array(), new Uint8Array());
    return { head: { map: null, clusters: [], total_count: 0, unplaced_count: 0 }, columns };
  }
  const { engine, actor, clock } = ctx;
  const records = await readClusters(ctx, map.space_id, owner);
  const view = { visible: visibilityOf(actor), owner, now: clock.now() };
  const { points, total, unplaced } = await readPoints(engine.db, map, view);
  const setIds = records.map(({ member_set_id }) => member_set_id);
  const memberships = await readMemberships(engine.db, actor.accountId, setIds);
  if (unplaced > 0) await queuePlacement(ctx, map);
  const { columns, clusters } = toColumns(points, memberships);
  const head = {
    map: {
      clustering_run_id: map.run_id,
      space_id: map.space_id,
      created_at: map.created_at.toISOString(),
    },
    clusters: clusters.map((former, index) => ({
      ...presentMapped(records[former] as ClusterRecord),
      memory_count: columns.clusterCounts[index] as number,
    })),
    total_count: total,
    unplaced_count: unplaced,
  };
  return { head, columns };
}

/** The clusters of the scope as the caller sees them: see `loadOwnedClusters`. */
async function readClusters(
  ctx: Ctx,
  spaceId: string | null,
  owner: OwnerFilter,
): Promise<readonly ClusterRecord[]> {
  const { engine, actor } = ctx;
  if (Object.values(owner).every((name) => name === undefined)) {
    return listClustersOfScope(engine.db, actor.accountId, spaceId, clustersMax);
  }
  const owned = await loadOwnedClusters(ctx, undefined, owner);
  const ofScope = owned.filter(({ space_id }) => space_id === spaceId);
  const isManual = ({ type }: ClusterRecord): number => (type === 'manual' ? 1 : 0);
  return ofScope
    .sort((a, b) => isManual(a) - isManual(b) || b.memory_count - a.memory_count)
    .slice(0, clustersMax);
}

const presentMapped = (record: ClusterRecord) => ({
  id: record.id,
  name: record.name,
  cluster_type: record.type as ClusterType,
  color: record.color,
  topic_keywords: record.topic_terms?.map(({ term }) => term) ?? null,
});
