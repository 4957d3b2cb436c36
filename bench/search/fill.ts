import { ApiClient, type ApiRequest } from '../api-client.ts';
import { memoriesPerBulk } from '../memory-requests.ts';
import type { RunningServer } from '../servers.ts';
import { type Corpus, memoryAt } from './corpus.ts';
import { type MemoryLayout, memoriesPerSession } from './workload.ts';

/** A server and its database work at the same time; more gain nothing on two cores. */
const connections = 2;
/** Answers are large: they are looked at and forgotten after so many calls. */
const callsPerBatch = 40;

export interface FillResult {
  /** By the memory's place. */
  readonly ids: readonly string[];
  readonly createdAt: readonly Date[];
  readonly seconds: number;
}

/** Whose memory it is, where all accounts have as many. */
export const accountIndexOf = (place: number, memories: number, accounts: number): number =>
  Math.floor(place / Math.ceil(memories / accounts));

/**
 * Stores all through POST /memories/bulk, 100 a call and each account's in its own calls.
 * @param apiKeys one for each account; undefined where a server knows no accounts
 */
export async function fillServer(
  server: RunningServer,
  apiKeys: readonly (string | undefined)[],
  layout: MemoryLayout,
  stock: Corpus,
): Promise<FillResult> {
  using client = new ApiClient(server, connections);
  const begun = performance.now();
  const sessions =
    layout === 'in sessions' ? await createSessions(client, apiKeys[0], stock.length) : null;
  const placeOf = new Map(stock.map((content, place) => [content, place]));
  const ids: string[] = Array.from({ length: stock.length });
  const createdAt: Date[] = Array.from({ length: stock.length });
  const ranges = bulkRanges(stock.length, apiKeys.length);
  for (let from = 0; from < ranges.length; from += callsPerBatch) {
    const asks = ranges.slice(from, from + callsPerBatch).map((range): ApiRequest => {
      const apiKey = apiKeys[accountIndexOf(range[0], stock.length, apiKeys.length)];
      const body = { memories: memoryBodies(range, stock, sessions) };
      return { method: 'POST', path: '/memories/bulk', body, apiKey };
    });
    const { responses } = await client.run(asks);
    for (const memory of (responses as Stored[]).flatMap(({ memories }) => memories)) {
      const place = placeOf.get(memory.content) ?? -1;
      ids[place] = memory.id;
      createdAt[place] = new Date(memory.created_at);
    }
  }
  const missing = stock.findIndex((_, place) => ids[place] === undefined);
  if (missing >= 0) throw new Error(`memory ${missing} was not stored`);
  return { ids, createdAt, seconds: (performance.now() - begun) / 1_000 };
}

interface Stored {
  readonly memories: readonly {
    readonly id: string;
    readonly content: string;
    readonly created_at: string;
  }[];
}

type Range = readonly [from: number, until: number];

/** Places of one account each, 100 at most. */
export function bulkRanges(memories: number, accounts: number): Range[] {
  const share = Math.ceil(memories / accounts);
  const ranges: Range[] = [];
  for (let from = 0; from < memories; ) {
    const end = (accountIndexOf(from, memories, accounts) + 1) * share;
    const until = Math.min(from + memoriesPerBulk, end, memories);
    ranges.push([from, until]);
    from = until;
  }
  return ranges;
}

const memoryBodies = ([from, until]: Range, stock: Corpus, sessions: readonly string[] | null) =>
  Array.from({ length: until - from }, (_, i) => ({
    ...memoryAt(stock, from + i),
    ...(sessions && { session_id: sessions[Math.floor((from + i) / memoriesPerSession)] }),
  }));

async function createSessions(
  client: ApiClient,
  apiKey: string | undefined,
  memories: number,
): Promise<string[]> {
  const { responses } = await client.run(
    Array.from({ length: Math.ceil(memories / memoriesPerSession) }, (_, i) => ({
      method: 'POST',
      path: '/cli-sessions',
      body: { name: `session ${i}` },
      apiKey,
    })),
  );
  return (responses as { id: string }[]).map(({ id }) => id);
}
