import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient, type ApiRequest, type RunResult } from './api-client.ts';
import { bulkCreateRequests, createMemoryRequest, memoriesPerBulk } from './memory-requests.ts';
import { nowUs, type ProfileWindow } from './profile-windows.ts';
import {
  createInstallation,
  type Installation,
  type InstallationOptions,
  type RunningServer,
  type ServerName,
} from './servers.ts';
import { quantile } from './statistics.ts';
import { createTextGenerator, type TextGenerator } from './text-generator.ts';

/** How much is measured; calls are per slice. */
export interface WorkloadSize {
  readonly memories: number;
  /** So many of the memories are stored one by one, the rest in bulk. */
  readonly initialSingleCreates: number;
  readonly timeSlices: number;
  readonly singleCreates: number;
  readonly parallelCreates: number;
  readonly bulks: number;
  readonly searches: number;
  readonly reads: number;
}

export const fullWorkload: WorkloadSize = {
  memories: 5_000,
  initialSingleCreates: 1_000,
  timeSlices: 4,
  singleCreates: 150,
  parallelCreates: 320,
  bulks: 4,
  searches: 60,
  reads: 150,
};

export const quickWorkload: WorkloadSize = {
  memories: 300,
  initialSingleCreates: 100,
  timeSlices: 1,
  singleCreates: 50,
  parallelCreates: 64,
  bulks: 1,
  searches: 20,
  reads: 30,
};

export const figureNames = [
  'single1',
  'single16',
  'bulk',
  'searchP50',
  'searchP95',
  'readP50',
  'rss',
  'rssPeak',
  'startFresh',
  'startSecond',
  'firstSearch',
] as const;
export type FigureName = (typeof figureNames)[number];
/** Rates per second, latencies in ms, memory in MB, starts in s. */
export type RoundFigures = Readonly<Record<FigureName, number>>;

type Phase = 'fill' | 'search' | 'read' | 'single1' | 'single16' | 'bulk';

export const parallelConnections = 16;
const searchLimit = 20;
/** What a server still does after its last answer must not weigh on the next one's slice. */
const settleMs = 100;

/** One server in one round, with the calls that it shares with the others. */
interface ServerUnderTest {
  readonly installation: Installation;
  readonly server: RunningServer;
  readonly one: ApiClient;
  readonly many: ApiClient;
  readonly runs: Record<Phase, RunResult[]>;
  readonly ids: string[];
}

export interface RoundOptions extends InstallationOptions {
  readonly names: readonly ServerName[];
  readonly vocabulary: readonly string[];
  readonly extent: WorkloadSize;
  readonly seed: number;
  readonly onWindow: (window: ProfileWindow) => void;
}

/** All servers fresh, filled, measured slice by slice in turn, then stopped and started again. */
export async function runRound(options: RoundOptions): Promise<Map<ServerName, RoundFigures>> {
  const { extent, names } = options;
  await using open = new AsyncDisposableStack();
  const contenders: ServerUnderTest[] = [];
  for (const name of names) contenders.push(await setUpServer(name, options, open));
  const texts = createTextGenerator(options.vocabulary, options.seed);
  const stored = Array.from({ length: extent.memories }, () => texts.memory());
  for (const contender of contenders) {
    await runPhase(
      options,
      contender,
      'fill',
      stored.slice(0, extent.initialSingleCreates).map(createMemoryRequest),
    );
    await runPhase(
      options,
      contender,
      'fill',
      bulkCreateRequests(stored.slice(extent.initialSingleCreates)),
    );
    // The first search loads the index: that is another figure.
    await contender.one.run(searchRequests(texts, stored, extent.searches));
  }
  await runInterleaved(options, contenders, 'search', () =>
    searchRequests(texts, stored, extent.searches),
  );
  await runInterleaved(options, contenders, 'read', ({ ids }) =>
    readRequests(texts, ids, extent.reads),
  );
  const fresh = (count: number) => Array.from({ length: count }, () => texts.memory());
  await runInterleaved(options, contenders, 'single1', () =>
    fresh(extent.singleCreates).map(createMemoryRequest),
  );
  await runInterleaved(options, contenders, 'single16', () =>
    fresh(extent.parallelCreates).map(createMemoryRequest),
  );
  await runInterleaved(options, contenders, 'bulk', () =>
    bulkCreateRequests(fresh(extent.bulks * memoriesPerBulk)),
  );
  const figures = new Map<ServerName, RoundFigures>();
  for (const contender of contenders) {
    const query = searchRequests(texts, stored, 1);
    figures.set(contender.installation.name, await measureFigures(contender, query));
  }
  return figures;
}

async function setUpServer(
  name: ServerName,
  options: RoundOptions,
  open: AsyncDisposableStack,
): Promise<ServerUnderTest> {
  const installation = open.use(await createInstallation(name, options));
  const server = await installation.start();
  open.defer(() => server.stop());
  const runs = { fill: [], search: [], read: [], single1: [], single16: [], bulk: [] };
  const one = open.use(new ApiClient(server, 1));
  const many = open.use(new ApiClient(server, parallelConnections));
  return { installation, server, one, many, runs, ids: [] };
}

/** Another server begins each slice, so that none is always the one after a certain other. */
async function runInterleaved(
  options: RoundOptions,
  contenders: readonly ServerUnderTest[],
  name: Phase,
  makeAsks: (contender: ServerUnderTest) => readonly ApiRequest[],
): Promise<void> {
  const [first] = contenders;
  for (let slice = 0; slice < options.extent.timeSlices; slice += 1) {
    // The same calls for all, but for the ids, which each server has of its own.
    const shared = name === 'read' || !first ? null : makeAsks(first);
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(turn + slice) % contenders.length];
      if (contender) await runPhase(options, contender, name, shared ?? makeAsks(contender));
    }
  }
}

async function runPhase(
  { onWindow }: RoundOptions,
  contender: ServerUnderTest,
  name: Phase,
  asks: readonly ApiRequest[],
): Promise<void> {
  await wait(settleMs);
  const fromUs = nowUs();
  const run = await (name === 'single16' ? contender.many : contender.one).run(asks);
  onWindow({ server: contender.installation.name, phase: name, fromUs, toUs: nowUs() });
  assertComplete(name, run, contender.ids);
  contender.runs[name].push(run);
}

interface ResponseBody {
  readonly id?: string;
  readonly created?: number;
  readonly memories?: readonly { id: string }[];
  readonly results?: readonly unknown[];
}

/** A figure of calls that did not do their work would be worth nothing. */
function assertComplete(name: Phase, run: RunResult, ids: string[]): void {
  for (const answer of run.responses as ResponseBody[]) {
    if (answer.results) {
      if (answer.results.length === 0) throw new Error('a search found nothing');
    } else if (answer.memories) {
      if (answer.created !== memoriesPerBulk) throw new Error(`bulk: ${JSON.stringify(answer)}`);
      for (const { id } of answer.memories) ids.push(id);
    } else if (!answer.id) {
      throw new Error(`${name}: an answer without an id`);
    } else if (name !== 'read') ids.push(answer.id);
  }
}

const searchRequests = (
  texts: TextGenerator,
  stored: readonly string[],
  count: number,
): ApiRequest[] =>
  Array.from({ length: count }, () => {
    const q = texts.query(stored[texts.integerBelow(stored.length)] ?? '');
    return {
      method: 'GET',
      path: `/search?${new URLSearchParams({ q, limit: `${searchLimit}` })}`,
    };
  });

const readRequests = (texts: TextGenerator, ids: readonly string[], count: number): ApiRequest[] =>
  Array.from({ length: count }, () => ({
    method: 'GET',
    path: `/memories/${ids[texts.integerBelow(ids.length)]}`,
  }));

/** Reads the memory, stops the server and starts it again. */
async function measureFigures(
  contender: ServerUnderTest,
  query: readonly ApiRequest[],
): Promise<RoundFigures> {
  const { installation, server, runs } = contender;
  const rss = await server.rss();
  await server.stop();
  const again = await installation.start();
  using connection = new ApiClient(again, 1);
  // The yardstick forgets all at its end: its first search would be of nothing.
  const searched = installation.name === 'yardstick' ? null : await connection.run(query);
  await again.stop();
  const latencies = (name: Phase): number[] => runs[name].flatMap((run) => run.latenciesMs);
  const rate = (name: Phase): number => {
    const seconds = runs[name].reduce((sum, run) => sum + run.seconds, 0);
    return latencies(name).length / seconds;
  };
  return {
    single1: rate('single1'),
    single16: rate('single16'),
    bulk: rate('bulk') * memoriesPerBulk,
    searchP50: quantile(latencies('search'), 0.5),
    searchP95: quantile(latencies('search'), 0.95),
    readP50: quantile(latencies('read'), 0.5),
    rss: rss.currentMb,
    rssPeak: rss.peakMb,
    startFresh: server.startSeconds,
    startSecond: again.startSeconds,
    firstSearch: searched?.latenciesMs[0] ?? Number.NaN,
  };
}
