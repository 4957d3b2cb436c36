import type { KyselyConfig, LogEvent } from 'kysely';
import { activeSpan, errorTypeOf } from '../kernel/tracing.ts';
import type { EngineDeps } from './engine.ts';
import type { TransactionScope } from './transaction.ts';

/** The first table of a statement; not the `from` of `extract(epoch from …)` and the like. */
const firstTable =
  /(?<!\bepoch\s)(?<!\bdistinct\s)\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]+)"?/i;
const verb = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/;

/** Such as `SELECT memories`: few values, and nothing that a statement contains. */
function summarize(sql: string): { readonly operation: string; readonly table: string | null } {
  const operation = verb.exec(sql)?.[1]?.toUpperCase() ?? 'OTHER';
  return { operation, table: firstTable.exec(sql)?.[1] ?? null };
}

/** The option of Kysely that records statements, if traces are on. */
export const statementTracing = (
  scope: TransactionScope,
  { isTraced = false }: Pick<EngineDeps, 'isTraced'>,
): Pick<KyselyConfig, 'log'> => (isTraced ? { log: createStatementTracer(scope) } : {});

/** Records a span of each statement outside of a transaction, and counts those inside. */
const createStatementTracer =
  (scope: TransactionScope) =>
  (event: LogEvent): void => {
    const parent = activeSpan();
    if (parent === undefined || scope.countStatement()) return;
    const { operation, table } = summarize(event.query.sql);
    const summary = table === null ? operation : `${operation} ${table}`;
    const span = parent.startChild(summary, {
      kind: 'client',
      startMs: performance.timeOrigin + performance.now() - event.queryDurationMillis,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.summary': summary,
        ...(table === null ? {} : { 'db.collection.name': table }),
      },
    });
    if (event.level === 'error') span.fail(errorTypeOf(event.error));
    span.end();
  };
