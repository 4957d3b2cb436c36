import { systemCtx } from '../../packages/server/src/domains/ctx.ts';
import { graphRouteHandlers } from '../../packages/server/src/domains/graph/index.ts';
import type { Handler } from '../../packages/server/src/domains/handler.ts';
import { AppError } from '../../packages/server/src/kernel/errors.ts';
import { startInProcessService } from '../authentication/in-process-service.ts';
import { createRandom } from '../random.ts';
import type { ServerName } from '../servers.ts';
import { seedEntities } from './seed.ts';
import type { EntityGraphSize } from './workload.ts';

const hops = 5;

export interface WalkFigures {
  readonly server: ServerName;
  readonly graph: string;
  readonly subgraphMs: readonly number[];
  /** Nodes of each subgraph. */
  readonly sizes: readonly number[];
  readonly pathMs: readonly number[];
  /** Hops of each path that there is. */
  readonly lengths: readonly number[];
}

/** Subgraphs of five hops, and shortest paths of at most five, in this process, without HTTP. */
export async function measureWalks(
  server: ServerName,
  databaseUrl: string | null,
  extent: EntityGraphSize,
): Promise<WalkFigures> {
  await using inside = await startInProcessService(databaseUrl);
  const { app } = inside;
  const accountId = app.ids.uuid();
  const ids = await seedEntities(app, accountId, extent);
  const ctx = systemCtx(app, accountId);
  const random = createRandom(7);
  const any = (): string => ids[Math.floor(random() * ids.length)] ?? '';
  const walkOnce = async (): Promise<number> => {
    const query = { hops, includeRelationships: true };
    const given = { params: { entityId: any() }, query } as never;
    return ((await subgraph.run(ctx, given)) as { nodes: unknown[] }).nodes.length;
  };
  const findOnce = async (): Promise<number[]> => {
    const query = { from: any(), to: any(), maxHops: hops };
    try {
      return [((await path.run(ctx, { query } as never)) as { length: number }).length];
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return [];
      throw error;
    }
  };
  const subgraphs = await measureCalls(extent.queries, walkOnce);
  const paths = await measureCalls(extent.queries, findOnce);
  return {
    server,
    graph: extent.name,
    subgraphMs: subgraphs.millis,
    sizes: subgraphs.answers,
    pathMs: paths.millis,
    lengths: paths.answers.flat(),
  };
}

/** As many go before: what a running service calls often has been compiled. */
async function measureCalls<T>(
  count: number,
  ask: () => Promise<T>,
): Promise<{ millis: number[]; answers: T[] }> {
  for (let i = 0; i < count; i += 1) await ask();
  const asked = { millis: [] as number[], answers: [] as T[] };
  for (let i = 0; i < count; i += 1) {
    const from = performance.now();
    asked.answers.push(await ask());
    asked.millis.push(performance.now() - from);
  }
  return asked;
}

const handlerOf = (id: string): Handler =>
  graphRouteHandlers.find(({ route }) => route.id === id) as Handler;
const subgraph = handlerOf('knowledge.subgraph');
const path = handlerOf('knowledge.path');
