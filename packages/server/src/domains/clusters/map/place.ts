import { type MapPoint, placeAmongNeighbours, placingNeighbours } from '@mneme/clustering';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { type App, type Ctx, inSpaces, systemCtx, withTransaction } from '../../ctx.ts';
import { encodeMemories } from '../../memories/index.ts';
import { indexCache, lastIndexedPosition, type NearDocument } from '../../search-index/index.ts';
import {
  findMapById,
  findPlaces,
  insertPlaces,
  listUnplacedAfter,
  type MapPlace,
  type MapRecord,
} from '../store/maps.ts';

export const placeMemoriesKind = 'clusters.place';

const pageRows = 50;
const nilUuid = '00000000-0000-0000-0000-000000000000';
/** Among so many of the nearest memories some have a place, unless many are new. */
const nearestMax = 5 * placingNeighbours;
/** All of these, if none of those has one. */
const farthestMax = 20_000;

/** Queues the job that places new memories, once for each state of the account. */
export async function queuePlacement(ctx: Ctx, { id }: MapRecord): Promise<void> {
  const { accountId } = ctx.actor;
  const position = await lastIndexedPosition(ctx);
  await withTransaction(ctx, ({ tx, clock, ids }) =>
    enqueueJob(tx, {
      id: ids.uuid(),
      accountId,
      kind: placeMemoriesKind,
      payload: { map_id: id },
      spaces: null,
      runAt: clock.now(),
      dedupeKey: `${placeMemoriesKind}:${id}:${position}`,
    }),
  );
}

/** Job: places the memories that were stored or changed after the run that made a map. */
export async function placeMemories(app: App, job: RunningJob): Promise<void> {
  if (job.accountId === null) return;
  const ctx = systemCtx(app, job.accountId);
  const view = { visible: inSpaces(null), owner: {}, now: app.clock.now() };
  for (let after = nilUuid; ; ) {
    const map = await findMapById(app.engine.db, job.accountId, job.payload.map_id as string);
    if (!map) return;
    const cursor = { after, limit: pageRows };
    const page = await listUnplacedAfter(app.engine.db, map, view, cursor);
    const last = page.at(-1);
    if (last === undefined) return;
    await placePage(ctx, map, page);
    await job.saveProgress(0.5);
    after = last;
  }
}

/** Places memories in their order: one that has its place is a neighbour of the next ones. */
async function placePage(ctx: Ctx, map: MapRecord, ids: readonly string[]): Promise<void> {
  await encodeMemories(ctx, ids);
  const nearest = await Promise.all(ids.map((id) => findNearest(ctx, map, id, nearestMax)));
  const nearIds = new Set(nearest.flatMap((found) => (found ?? []).map(({ id }) => id)));
  const places = await findPlaces(ctx.engine.db, map, [...nearIds]);
  const placed: MapPlace[] = [];
  for (const [i, memoryId] of ids.entries()) {
    const found = nearest[i] ?? null;
    const place = found && (await placeOne(ctx, map, memoryId, { found, places }));
    if (place) places.set(memoryId, place);
    placed.push({ memoryId, x: place?.x ?? null, y: place?.y ?? null });
  }
  await withTransaction(ctx, ({ tx }) => insertPlaces(tx, map.account_id, map.id, placed));
}

interface Surroundings {
  readonly found: readonly NearDocument[];
  readonly places: ReadonlyMap<string, MapPoint>;
}

async function placeOne(
  ctx: Ctx,
  map: MapRecord,
  memoryId: string,
  { found, places }: Surroundings,
): Promise<MapPoint> {
  const place = placeAmongNeighbours(placedNeighbours(found, places));
  if (place) return place;
  const all = (await findNearest(ctx, map, memoryId, farthestMax)) ?? [];
  const known = await findPlaces(
    ctx.engine.db,
    map,
    all.map(({ id }) => id),
  );
  // On a map without any place, it is in the middle.
  return placeAmongNeighbours(placedNeighbours(all, known)) ?? { x: 0, y: 0 };
}

function placedNeighbours(found: readonly NearDocument[], places: ReadonlyMap<string, MapPoint>) {
  const placed = found.flatMap(({ id, similarity }) => {
    const place = places.get(id);
    return place ? [{ ...place, distance: Math.sqrt(2 - 2 * similarity) }] : [];
  });
  return placed.slice(0, placingNeighbours);
}

/** The nearest memories of the scope; null: the memory has no vector. */
const findNearest = (
  ctx: Ctx,
  { account_id: accountId, space_id }: MapRecord,
  documentId: string,
  limit: number,
): Promise<readonly NearDocument[] | null> =>
  indexCache.of(ctx).query({
    kind: 'nearest',
    accountId,
    query: {
      source: { documentId },
      spaces: space_id === null ? null : [space_id],
      threshold: 0,
      scale: 'model',
      limit,
    },
  });
