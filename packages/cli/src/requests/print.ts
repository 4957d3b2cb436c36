import type { Operation } from '@mneme/sdk';
import type { CommandData } from '../command-data.ts';
import type { CommandContext } from '../context.ts';
import { describeRecords, describeResult } from '../output/describe.ts';
import { visibleParts } from '../output/visible.ts';
import { readRecords } from './list.ts';
import type { OperationCall, SharedOptions, Variation } from './operation-call.ts';

/** Prints the records of a list, and on stderr whether there are more. */
export async function printList(call: OperationCall): Promise<void> {
  const { context, command, operation, options } = call;
  const { records, hasMore } = await readRecords(call);
  if (options.json) await context.writePage([JSON.stringify(records)]);
  else if (options.jsonl) await context.writePage(records.map((one) => JSON.stringify(one)));
  else {
    const visible = visibleParts(records, command.hidden ?? []) as typeof records;
    await context.writePage(describeRecords(operation.id, visible, context.display));
  }
  if (!hasMore) return;
  const count = records.length;
  context.writeStderrLine(`mneme: ${count} shown, more exist: use --limit ${count * 2} or --all.`);
}

const pastTense: Readonly<Record<string, string>> = {
  delete: 'deleted',
  remove: 'removed',
  revoke: 'revoked',
  deactivate: 'deactivated',
};

/** What an empty response means: `{"id", "deleted": true}`. */
export function emptyResult({ command, input }: OperationCall): Record<string, unknown> {
  const [verb = ''] = command.verb.split('-');
  const params = Object.entries(input.params ?? {});
  const [only] = params.length === 1 ? params : [];
  const ids = only ? { id: only[1] } : Object.fromEntries(params);
  return { ...ids, [pastTense[verb] ?? 'done']: true };
}

export async function printResults(
  context: CommandContext,
  operation: Operation,
  { hidden = [] }: CommandData,
  results: readonly unknown[],
  options: SharedOptions,
  describe: Variation['describe'],
): Promise<void> {
  const [only] = results;
  if (results.length === 0) return;
  if (options.json) {
    return context.writePage([JSON.stringify(results.length === 1 ? only : results)]);
  }
  if (options.jsonl) {
    const records = results.length === 1 ? recordsIn(only) : results;
    return context.writePage(records.map((one) => JSON.stringify(one)));
  }
  const lines = results.flatMap((result) =>
    describe
      ? describe(result as never, context)
      : describeOne(operation, visibleParts(result, hidden), context),
  );
  await context.writePage(lines);
}

/** The records of the only list of a result, or the result. */
function recordsIn(result: unknown): readonly unknown[] {
  if (Array.isArray(result)) return result;
  const { data } = Object(result) as { readonly data?: unknown };
  if (Array.isArray(data)) return data;
  const lists = Object.values(Object(result) as object).filter(
    (value): value is unknown[] =>
      Array.isArray(value) && value.every((one) => typeof one === 'object'),
  );
  return lists.length === 1 ? (lists[0] ?? []) : [result];
}

/** `deleted 0198…` for an empty response. */
function describeOne(operation: Operation, result: unknown, { display }: CommandContext): string[] {
  const record = Object(result) as Record<string, unknown>;
  const names = Object.keys(record);
  const last = names.at(-1) ?? '';
  const isEmptyResult = operation.empty === true && record[last] === true;
  if (!isEmptyResult) return describeResult(operation.id, result, display);
  const ids = names.slice(0, -1).map((name) => String(record[name]));
  return [`${last} ${ids.join(' ')}`.trim()];
}
