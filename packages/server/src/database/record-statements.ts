import {
  type CompiledQuery,
  type Dialect,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
} from 'kysely';
import type { Db } from './engine.ts';

/** A statement as it is sent. */
export interface RecordedStatement {
  readonly text: string;
  /** Why it is about all accounts (`acrossAccounts`); null: it names one. */
  readonly acrossAccounts: string | null;
}

type Recorder = (statement: RecordedStatement) => void;

/** Null in the service: only tests record. */
let recorder: Recorder | null = null;

/** Engines opened from now on pass each statement to `record`, in the call that sends it. */
export function recordStatements(record: Recorder): void {
  recorder = record;
}

const reasons = new WeakMap<QueryId, string>();

/**
 * A handle for statements on tenant tables that cannot name one account: background work and pages
 * of the operator. On a distributed database each of them is sent to all nodes.
 * @param reason what the statement is for
 */
export function acrossAccounts<D extends Db>(db: D, reason: string): D {
  if (recorder === null) return db;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      reasons.set(queryId, reason);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin) as D;
}

class RecordingCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = super.compileQuery(node, queryId);
    recorder?.({ text: compiled.sql, acrossAccounts: reasons.get(queryId) ?? null });
    return compiled;
  }
}

/** The dialect itself, unless statements are recorded. */
export const recordingDialect = (dialect: Dialect): Dialect =>
  recorder === null
    ? dialect
    : {
        createAdapter: () => dialect.createAdapter(),
        createDriver: () => dialect.createDriver(),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => new RecordingCompiler(),
      };
