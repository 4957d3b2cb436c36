import { setTimeout as wait } from 'node:timers/promises';
import { Flight } from '../load/flight.ts';
import { type Heard, Line } from '../load/line.ts';
import { StallWatch, stalledMs } from '../load/stalls.ts';
import type { Texts } from '../texts.ts';
import { Clients } from './clients.ts';
import { askFor, type Contender, type Neighbour, restart } from './contender.ts';
import { makeLongQuestion, makeQuestion, type Stock } from './stock.ts';

const readEveryMs = 10;
const longQueryClients = 4;
/** Before and after the account is loaded. */
const marginMs = 500;

/** Point reads of one account, in ms, while another did something. */
export interface Reads {
  readonly latenciesMs: readonly number[];
  /** Without the moments in which the client's own event loop stood still. */
  readonly lessStallsMs: readonly number[];
}

export interface ReadFigures {
  readonly idle: Reads;
  readonly longQueries: Reads;
  /** Long queries that were answered meanwhile, in ms. */
  readonly queriesMs: readonly number[];
  readonly coldLoad: Reads;
  /** The search that loads the account. */
  readonly loadMs: number;
}

/** How long a neighbour waits for what it reads. The server has been restarted afterwards. */
export async function measureReads(
  contender: Contender,
  stock: Stock,
  texts: Texts,
  readingMs: number,
): Promise<ReadFigures | null> {
  const { neighbour } = contender;
  if (!neighbour) return null;
  const idle = await readDuring(contender, neighbour, wait(readingMs));
  const queries = askLong(contender, stock, texts, readingMs);
  const longQueries = await readDuring(contender, neighbour, queries);
  await restart(contender);
  const loading = loadAccount(contender, stock, texts);
  const coldLoad = await readDuring(contender, neighbour, loading);
  return { idle, longQueries, queriesMs: await queries, coldLoad, loadMs: await loading };
}

/** Reads at an even pace until the other work has ended, whether or not answers are late. */
async function readDuring(
  { server }: Contender,
  { apiKey, ids }: Neighbour,
  work: Promise<unknown>,
): Promise<Reads> {
  using line = new Line(server.url, apiKey, Number.POSITIVE_INFINITY);
  using watch = new StallWatch();
  const abort = new AbortController();
  const flight = new Flight(abort);
  const heard: Heard[] = [];
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
    flight.add(call.then((one) => void heard.push(requireFound(one))));
  }
  await flight.landed();
  return {
    latenciesMs: heard.map(({ latencyMs }) => latencyMs),
    lessStallsMs: heard.map(
      ({ sentMs, latencyMs }) => latencyMs - stalledMs(watch.stalls, sentMs, sentMs + latencyMs),
    ),
  };
}

function requireFound(heard: Heard): Heard {
  if (heard.status !== 200) throw new Error(`a read was answered with ${heard.status}`);
  return heard;
}

async function askLong(contender: Contender, stock: Stock, texts: Texts, forMs: number) {
  using clients = new Clients(contender.server, longQueryClients);
  const untilMs = performance.now() + forMs;
  const { latenciesMs } = await clients.search(
    (function* () {
      while (performance.now() < untilMs) {
        yield askFor(contender, makeLongQuestion(stock, texts));
      }
    })(),
  );
  return latenciesMs.flat();
}

async function loadAccount(contender: Contender, stock: Stock, texts: Texts): Promise<number> {
  using client = new Clients(contender.server, 1);
  await wait(marginMs);
  const run = await client.search([askFor(contender, makeQuestion(stock, texts, 'all'))]);
  await wait(marginMs);
  return run.latenciesMs.flat()[0] ?? Number.NaN;
}
