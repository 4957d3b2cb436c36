import type { KyselyPlugin } from 'kysely';
import type { ServiceOverrides } from '../../packages/server/src/context.ts';
import type { Engine } from '../../packages/server/src/database/index.ts';
import { type NamedEngine, overrideEngine } from '../../packages/server/src/database/testing.ts';
import { type engines, type Service, startService } from './service.ts';

/** An engine that records the SQL of each statement outside transactions; `taken` empties it. */
export function recordStatements(real: Engine): { engine: Engine; taken(): string[] } {
  const statements: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(real.db.getExecutor().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const engine = overrideEngine(real, { db: real.db.withPlugin(plugin) });
  return { engine, taken: () => statements.splice(0) };
}

interface RecordedService extends AsyncDisposable {
  readonly service: Service;
  taken(): string[];
}

/**
 * A service on a new database whose statements are recorded; with a clock that stands still, those
 * of background work are missing.
 */
export async function startRecordedService(
  { name, open }: NamedEngine,
  overrides: Pick<ServiceOverrides, 'clock'> = {},
): Promise<RecordedService> {
  const opened = await open();
  const { engine, taken } = recordStatements(opened.engine);
  const service = await startService(name as (typeof engines)[number], {
    overrides: { engine, ...overrides },
  });
  return {
    service,
    taken,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await opened.cleanup();
    },
  };
}
