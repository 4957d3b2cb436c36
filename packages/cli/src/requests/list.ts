import type { Client, ListOperation, Operation } from '@mneme/sdk';
import type { CommandData } from '../command-data.ts';
import type { CommandContext } from '../context.ts';
import type { RequestInput } from './input.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

const defaultLimit = 50;
/** Progress is shown from this time on. */
const quietMs = 1_000;

interface ListRead {
  readonly context: Pick<CommandContext, 'progress' | 'monotonicMs'>;
  readonly command: CommandData;
  readonly operation: Operation;
  readonly client: Pick<Client, 'paginate'>;
  readonly input: RequestInput;
  readonly options: { readonly limit?: number; readonly all?: boolean };
}

/** Reads pages until there are `limit` records, by default 50, or with `all` to the end. */
export async function readRecords({
  context,
  command,
  operation,
  client,
  input,
  options,
}: ListRead): Promise<{ readonly records: readonly JsonRecord[]; readonly hasMore: boolean }> {
  const limit = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? defaultLimit);
  // One more than is shown says whether there are more.
  const pageLimit = Math.min(limit + 1, command.pageMax ?? 100);
  const query = { ...input.query, limit: limit > 0 ? pageLimit : limit };
  const records: JsonRecord[] = [];
  const progress = context.progress();
  const startMs = context.monotonicMs();
  try {
    for await (const record of client.paginate(operation as ListOperation, { ...input, query })) {
      if (records.length >= limit) return { records, hasMore: true };
      records.push(record as JsonRecord);
      if (context.monotonicMs() - startMs > quietMs) progress.count(`${records.length} read`);
    }
  } finally {
    progress.end();
  }
  return { records, hasMore: false };
}
