import { setTimeout as wait } from 'node:timers/promises';
import { InFlightCalls } from '../load/in-flight-calls.ts';
import { type CallRecord, KeepAliveClient } from '../load/keep-alive-client.ts';
import { StallMonitor, stalledMs } from '../load/stalls.ts';
import type { TextGenerator } from '../text-generator.ts';
import { type Corpus, createLongQuestion, createQuestion } from './corpus.ts';
import { ParallelClients } from './parallel-clients.ts';
import {
  type NeighbourAccount,
  restartServer,
  type ServerUnderTest,
  toSearchRequest,
} from './server-under-test.ts';

const readEveryMs = 10;
const longQueryClients = 4;
/** Before and after the account is loaded. */
const marginMs = 500;

/** Point reads of one account, in ms, while another did something. */
export interface ReadLatencies {
  readonly latenciesMs: readonly number[];
  /** Without the moments in which the client's own event loop stood still. */
  readonly withoutStallsMs: readonly number[];
}

export interface ReadFigures {
  readonly idle: ReadLatencies;
  readonly longQueries: ReadLatencies;
  /** Long queries that were answered meanwhile, in ms. */
  readonly queriesMs: readonly number[];
  readonly coldLoad: ReadLatencies;
  /** The search that loads the account. */
  readonly loadMs: number;
}

/** How long a neighbour waits for what it reads. The server has been restarted afterwards. */
export async function measureReads(
  contender: ServerUnderTest,
  stock: Corpus,
  texts: TextGenerator,
  readingMs: number,
): Promise<ReadFigures | null> {
  const { neighbour } = contender;
  if (!neighbour) return null;
  const idle = await readDuring(contender, neighbour, wait(readingMs));
  const queries = runLongQueries(contender, stock, texts, readingMs);
  const longQueries = await readDuring(contender, neighbour, queries);
  await restartServer(contender);
  const loading = loadAccount(contender, stock, texts);
  const coldLoad = await readDuring(contender, neighbour, loading);
  return { idle, longQueries, queriesMs: await queries, coldLoad, loadMs: await loading };
}

/** Reads at an even pace until the other work has ended, whether or not answers are late. */
async function readDuring(
  { server }: ServerUnderTest,
  { apiKey, ids }: NeighbourAccount,
  work: Promise<unknown>,
): Promise<ReadLatencies> {
  using line = new KeepAliveClient(server.url, apiKey, Number.POSITIVE_INFINITY);
  using watch = new StallMonitor();
  const abort = new AbortController();
  const flight = new InFlightCalls(abort);
  const heard: CallRecord[] = [];
  let isOver = false;
  flight.add(
    work.then(() => {
      isOver = true;
    }),
  );
  const begun = performance.now();
  for (let n = 0; !isOver && !abort.signal.aborted; n += 1) {
    await wait(Math.max(0, begun + n * readEveryMs - performance.now()));
    const call = line.send({ method: 'GET', path: `/memories/${ids[n % ids.length]}` });
    flight.add(call.then((one) => void heard.push(assertFound(one))));
  }
  await flight.waitForAll();
  return {
    latenciesMs: heard.map(({ latencyMs }) => latencyMs),
    withoutStallsMs: heard.map(
      ({ sentMs, latencyMs }) => latencyMs - stalledMs(watch.stalls, sentMs, sentMs + latencyMs),
    ),
  };
}

function assertFound(heard: CallRecord): CallRecord {
  if (heard.status !== 200) throw new Error(`a read was answered with ${heard.status}`);
  return heard;
}

async function runLongQueries(
  contender: ServerUnderTest,
  stock: Corpus,
  texts: TextGenerator,
  forMs: number,
) {
  using clients = new ParallelClients(contender.server, longQueryClients);
  const untilMs = performance.now() + forMs;
  const { latenciesMs } = await clients.search(
    (function* () {
      while (performance.now() < untilMs) {
        yield toSearchRequest(contender, createLongQuestion(stock, texts));
      }
    })(),
  );
  return latenciesMs.flat();
}

async function loadAccount(
  contender: ServerUnderTest,
  stock: Corpus,
  texts: TextGenerator,
): Promise<number> {
  using client = new ParallelClients(contender.server, 1);
  await wait(marginMs);
  const run = await client.search([
    toSearchRequest(contender, createQuestion(stock, texts, 'all')),
  ]);
  await wait(marginMs);
  return run.latenciesMs.flat()[0] ?? Number.NaN;
}
