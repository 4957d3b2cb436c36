import pg from 'pg';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import { readMetric } from '../metrics.ts';
import { createQuestion } from '../search/corpus.ts';
import { findNewestSegment, waitForSegment } from '../search/index-segments.ts';
import { ParallelClients } from '../search/parallel-clients.ts';
import { restartServer, type ServerUnderTest } from '../search/server-under-test.ts';
import { parallelClients } from '../search/workload.ts';
import type { Installation } from '../servers.ts';
import { quantile } from '../statistics.ts';
import type { TextGenerator } from '../text-generator.ts';
import type { GrowthFigures, Latency, SearchCost } from './figures.ts';

const warmSearches = 100;
/** Of each kind of search: at least so many, and for at least so long. */
const searches = 240;
const searchMs = 8_000;
const reads = 400;
const lists = 60;
const creates = 100;
const starts = 3;
/** Smaller accounts have no segment. */
const segmentDocumentsMin = 2_000;
const bytesPerMb = 1e6;

export interface GrowthSubject {
  readonly contender: ServerUnderTest;
  /** What is stored. */
  readonly stock: readonly string[];
  readonly ids: readonly string[];
  readonly texts: TextGenerator;
}

/** All figures of one size. The server starts anew several times, and ends as it was at first. */
export async function measureSize(subject: GrowthSubject): Promise<GrowthFigures> {
  const { contender, stock } = subject;
  const { dataDir } = contender.installation;
  const filledAt = Date.now();
  await searchFor(subject, 1, warmSearches, 0);
  if (stock.length >= segmentDocumentsMin) await waitForSegment(dataDir, filledAt);
  await contender.server.waitUntilIdle();
  const one = await searchFor(subject, 1, searches, searchMs);
  const sixteen = await searchFor(subject, parallelClients, searches, searchMs);
  const requests = await measureRequests(subject);
  const { currentMb } = await contender.server.rss();
  const [indexBytes = 0] = (await readMetric(contender.server, 'mneme_index_bytes')).values();
  const firstSearchMs: number[] = [];
  for (let i = 0; i < starts; i += 1) {
    await restartServer(contender);
    firstSearchMs.push((await searchFor(subject, 1, 1, 0)).p50);
  }
  const segment = await findNewestSegment(dataDir);
  return {
    memories: stock.length,
    one,
    sixteen,
    ...requests,
    firstSearchMs: quantile(firstSearchMs, 0.5),
    rssMb: currentMb,
    indexMb: indexBytes / bytesPerMb,
    segmentMb: segment && segment.bytes / bytesPerMb,
    databaseMb: await readDatabaseMb(contender.installation),
  };
}

/** Each query is a new one. */
async function searchFor(
  { contender, stock, texts }: GrowthSubject,
  clients: number,
  count: number,
  ms: number,
): Promise<SearchCost> {
  using client = new ParallelClients(contender.server, clients);
  const [apiKey] = contender.apiKeys;
  const until = performance.now() + ms;
  function* asks(): Generator<ApiRequest> {
    for (let i = 0; i < count || performance.now() < until; i += 1) {
      yield { method: 'GET', path: createQuestion(stock, texts, 'all').path, apiKey };
    }
  }
  const before = await contender.server.cpuSeconds();
  const { latenciesMs } = await client.search(asks());
  const cpuSeconds = (await contender.server.cpuSeconds()) - before;
  const all = latenciesMs.flat();
  return { ...toLatency(all), cpuMs: (cpuSeconds * 1_000) / all.length };
}

const toLatency = (latenciesMs: readonly number[]): Latency => ({
  p50: quantile(latenciesMs, 0.5),
  p95: quantile(latenciesMs, 0.95),
});

async function measureRequests({ contender, ids, texts }: GrowthSubject) {
  const [apiKey] = contender.apiKeys;
  using client = new ApiClient(contender.server, 1);
  const measure = async (count: number, ask: () => ApiRequest): Promise<Latency> => {
    const { latenciesMs } = await client.run(
      Array.from({ length: count }, () => ({ ...ask(), apiKey })),
    );
    return toLatency(latenciesMs);
  };
  const readOne = (): ApiRequest => ({
    method: 'GET',
    path: `/memories/${ids[texts.integerBelow(ids.length)]}`,
  });
  await measure(warmSearches, readOne);
  return {
    read: await measure(reads, readOne),
    list: await measure(lists, () => ({ method: 'GET', path: '/memories?limit=100' })),
    create: await measure(creates, () => ({
      method: 'POST',
      path: '/memories',
      body: { content: texts.memory() },
    })),
  };
}

async function readDatabaseMb({ databaseUrl }: Installation): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
    return Number(rows[0].bytes) / bytesPerMb;
  } finally {
    await client.end();
  }
}
