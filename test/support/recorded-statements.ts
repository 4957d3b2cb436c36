import type { KyselyPlugin } from 'kysely';
import type { Engine } from '../../packages/server/src/database/index.ts';
import { overrideEngine } from '../../packages/server/src/database/testing.ts';

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
