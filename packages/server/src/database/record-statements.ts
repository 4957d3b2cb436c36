import {
  type CompiledQuery,
  type Dialect,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
} from 'kysely';
import { type AcrossAccounts, findAcrossAccounts, markAsPartial } from './across-accounts.ts';

/** A statement as it is sent. */
export interface RecordedStatement {
  readonly text: string;
  /** Null: it names one account. */
  readonly acrossAccounts: AcrossAccounts | null;
}

type Recorder = (statement: RecordedStatement) => void;

/** Null in the service: only tests record. */
let recorder: Recorder | null = null;

/** From now on each statement is passed to `record`, in the call that sends it. */
export function recordStatements(record: Recorder): void {
  recorder = record;
}

/** Marks partial statements in their text. */
class StatementCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = super.compileQuery(node, queryId);
    const mark = findAcrossAccounts(queryId);
    recorder?.({ text: compiled.sql, acrossAccounts: mark });
    return mark?.isPartial ? { ...compiled, sql: markAsPartial(compiled.sql) } : compiled;
  }
}

/** The dialect with a compiler of its own, which also records statements for tests. */
export const statementDialect = (dialect: Dialect): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => dialect.createDriver(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => new StatementCompiler(),
});
