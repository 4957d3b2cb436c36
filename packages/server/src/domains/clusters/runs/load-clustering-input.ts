import type { ClusterTask, EdgeList } from '@mneme/clustering';
import { type ClusterAlgorithm, clusterAlgorithms } from '@mneme/contract';
import type { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import type { Ctx } from '../../ctx.ts';
import { readContentPrefixes } from '../../memories/index.ts';
import { listWeightedEdges } from '../../relationships/index.ts';
import { readVectors } from '../../search-index/index.ts';
import { listUnclusteredAfter, type RunRecord } from '../store/runs.ts';
import { toUnitVector } from '../vector-sums.ts';

/** The input of a full run. */
export interface ClusteringInput {
  /** By row. */
  readonly ids: readonly string[];
  readonly task: ClusterTask;
  /** Number of memories in the scope without a vector, which cannot be clustered. */
  readonly withoutVectorCount: number;
}

const pageRows = 500;
const textCharactersMax = 500;
const nilUuid = '00000000-0000-0000-0000-000000000000';
/** Fixed, so that the same memories give the same clusters. */
const seed = 20_261_121;

/** Reads the memories of the scope that are in no manual cluster, in short statements. */
export async function loadClusteringInput(
  ctx: Ctx,
  run: RunRecord,
  heartbeat: JobHeartbeat,
): Promise<ClusteringInput> {
  const { engine, actor } = ctx;
  const { accountId } = actor;
  const ids: string[] = [];
  const vectors: Float64Array[] = [];
  const texts: string[] = [];
  let processed = 0;
  for (let after = nilUuid; ; ) {
    const cursor = { after, limit: pageRows };
    const page = await listUnclusteredAfter(engine.db, accountId, run.space_id, 'manual', cursor);
    const stored = await readVectors(engine.db, accountId, page);
    const beginnings = await readContentPrefixes(engine.db, accountId, page, textCharactersMax);
    for (const id of page) {
      const vector = stored.vectors.get(id);
      const unit = vector && toUnitVector(vector);
      // Of a former model, if the account is changing models.
      if (!unit || (vectors[0] && unit.length !== vectors[0].length)) continue;
      ids.push(id);
      vectors.push(unit);
      texts.push(beginnings.get(id) ?? '');
    }
    processed += page.length;
    heartbeat.reportProgress((0.1 * processed) / Math.max(processed, run.memory_count, 1));
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) break;
    after = last;
  }
  const dimension = vectors[0]?.length ?? 1;
  const rows = new Float32Array(ids.length * dimension);
  for (const [row, vector] of vectors.entries()) rows.set(vector, row * dimension);
  const edges = run.algorithm === 'community' ? await readEdges(ctx, ids, heartbeat) : undefined;
  const task: ClusterTask = {
    algorithm: algorithmOf(run),
    minClusterSize: run.min_cluster_size,
    dimension,
    vectors: rows,
    texts,
    ...(edges ? { edges } : {}),
    seed,
  };
  return { ids, task, withoutVectorCount: processed - ids.length };
}

/** Throws for an algorithm that another version of the program has queued. */
function algorithmOf({ algorithm }: RunRecord): ClusterAlgorithm {
  const algorithmName = clusterAlgorithms.find((name) => name === algorithm);
  if (algorithmName === undefined) throw new Error(`unknown clustering algorithm ${algorithm}`);
  return algorithmName;
}

/**
 * Relationships between the rows, as undirected edges; the weights of several between two rows are
 * added.
 */
async function readEdges(
  ctx: Ctx,
  ids: readonly string[],
  heartbeat: JobHeartbeat,
): Promise<EdgeList> {
  const rows = new Map(ids.map((id, row) => [id, row]));
  const weights = new Map<number, number>();
  for await (const ties of listWeightedEdges(ctx)) {
    for (const { from, to, weight } of ties) {
      const [a, b] = [rows.get(from), rows.get(to)];
      if (a === undefined || b === undefined || weight <= 0) continue;
      const key = Math.min(a, b) * ids.length + Math.max(a, b);
      weights.set(key, (weights.get(key) ?? 0) + weight);
    }
    heartbeat.signal.throwIfAborted();
  }
  const keys = [...weights.keys()];
  return {
    from: Uint32Array.from(keys, (key) => Math.floor(key / ids.length)),
    to: Uint32Array.from(keys, (key) => key % ids.length),
    weight: Float64Array.from(weights.values()),
  };
}
