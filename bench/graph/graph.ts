import type { ResponseBody, routes } from '@mneme/contract';
import { systemCtx } from '../../packages/server/src/domains/ctx.ts';
import type { Handler } from '../../packages/server/src/domains/handler.ts';
import { relationshipModule } from '../../packages/server/src/domains/relationships/module.ts';
import { startInProcessService } from '../authentication/in-process-service.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createRandom } from '../random.ts';
import type { ServerName } from '../servers.ts';
import { type GraphFigures, graphTable, graphVerdict } from './report.ts';
import { fullGraphs, type GraphSize, quickGraphs, seedGraph } from './seed.ts';

const depth = 3;

/** How long a walk over many relationships takes, in this process, without HTTP. */
export async function runGraph(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const extents = options.quick ? quickGraphs : fullGraphs;
  say(`\nThe graph: walks of depth ${depth} over ${extents[0]?.relationships} relationships`);
  const all: GraphFigures[] = [];
  for (const extent of extents) {
    all.push(await measure('embedded', null, extent));
    if (options.databaseUrl) all.push(await measure('PostgreSQL', options.databaseUrl, extent));
  }
  say(`\n${graphTable(all)}\n\n${all.map(graphVerdict).join('\n')}`);
  return [];
}

type Related = ResponseBody<typeof routes.relationships.related>;

async function measure(
  server: ServerName,
  databaseUrl: string | null,
  extent: GraphSize,
): Promise<GraphFigures> {
  await using inside = await startInProcessService(databaseUrl);
  const { app } = inside;
  const accountId = app.ids.uuid();
  const ids = await seedGraph(app, accountId, extent);
  const ctx = systemCtx(app, accountId);
  const random = createRandom(7);
  const walkOnce = async (): Promise<Related> => {
    const memoryId = ids[Math.floor(random() * ids.length)];
    const query = { depth, direction: 'both', limit: 500 };
    return (await related.run(ctx, { params: { memoryId }, query } as never)) as Related;
  };
  // A service that has run for a while: what is called often has been compiled.
  for (let i = 0; i < extent.walks; i += 1) await walkOnce();
  const figures = { millis: [] as number[], sizes: [] as number[] };
  for (let i = 0; i < extent.walks; i += 1) {
    const from = performance.now();
    const { memories } = await walkOnce();
    figures.millis.push(performance.now() - from);
    figures.sizes.push(memories.length);
  }
  return { server, graph: extent.name, ...figures };
}

const related = relationshipModule.handlers.find(
  ({ route }) => route.id === 'relationships.related',
) as Handler;
