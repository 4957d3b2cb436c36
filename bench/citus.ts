/**
 * What a distributed database costs, compared with one PostgreSQL server in the same minutes: `npm
 * run bench:citus -- --url postgres://… --citus-url postgres://…`, the latter of a database of the
 * coordinator that has the nodes. It creates a database on each, and distributes that of the
 * cluster.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import {
  administer,
  createClusterDatabase,
  databaseUrl,
  onEachNode,
} from '../packages/server/src/database/testing-cluster.ts';
import { ApiClient, type ApiRequest } from './api-client.ts';
import { toServerEnv } from './data-location.ts';
import { bulkCreateRequests, createMemoryRequest, memoriesPerBulk } from './memory-requests.ts';
import { findPostmasters, readPostgresCpuSeconds } from './postgres-cpu.ts';
import { type RunningServer, startServer } from './servers.ts';
import { quantile, ratios, spread } from './statistics.ts';
import { createTextGenerator, readVocabulary } from './text-generator.ts';
import { renderVerdict } from './verdict.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'citus-url': { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', multiple: true },
  },
});
const { url, 'citus-url': citusUrl } = values;
if (!url || !citusUrl) throw new Error('--url and --citus-url are required');
const rounds = Number(values.rounds);

const parallelConnections = 16;
const storedMemories = 1_000;
const settleMs = 200;
/** Calls of one round. `bar`: the highest ratio of the medians. */
const phases = {
  create: { calls: 60, bar: 1.6, writes: true },
  'create, 16 clients': { calls: 192, bar: 1.6, writes: true },
  'bulk of 100': { calls: 4, bar: 1.3, writes: true },
  'PATCH of tags': { calls: 40, bar: null, writes: true },
  GET: { calls: 150, bar: null, writes: false },
  'list of 100': { calls: 30, bar: null, writes: false },
  search: { calls: 60, bar: 1.1, writes: false },
} as const;
type Phase = keyof typeof phases;
const phaseNames = (Object.keys(phases) as Phase[]).filter(
  (name) => !values.only || values.only.includes(name),
);

/** Of one phase, one of each round. */
interface Figures {
  readonly p50Ms: number[];
  /** Of a call: of the server, and of PostgreSQL where that can be read. */
  readonly serverCpuMs: number[];
  readonly databaseCpuMs: number[];
}

interface ServerUnderTest {
  readonly server: RunningServer;
  readonly one: ApiClient;
  readonly many: ApiClient;
  readonly ids: string[];
  readonly readDatabaseCpu: () => Promise<number>;
  readonly figures: Readonly<Record<Phase, Figures>>;
}

const texts = createTextGenerator(await readVocabulary(), 5);
const fresh = (count: number): string[] => Array.from({ length: count }, () => texts.memory());
const stored = fresh(storedMemories);

async function setUpServer(
  serverUrl: string,
  isCluster: boolean,
  stack: AsyncDisposableStack,
): Promise<ServerUnderTest> {
  const database = `mneme_bench_${process.pid}`;
  const onServer = (statement: string): Promise<unknown> =>
    isCluster ? onEachNode(serverUrl, statement) : administer(serverUrl, statement);
  stack.defer(() => onServer(`drop database if exists ${database} with (force)`).then(() => {}));
  if (isCluster) await createClusterDatabase(serverUrl, database);
  else await onServer(`create database ${database}`);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mneme-bench-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const place = { dataDir, databaseUrl: databaseUrl(serverUrl, database) };
  const env = { MNEME_EMBEDDING_PROVIDER: 'static' };
  // The first start creates the tables and the administrator.
  const first = await startServer(place, env);
  await first.stop();
  if (isCluster) await distribute(place);
  // The key of the administrator is in the data folder.
  const server = await startServer(place, env);
  stack.defer(() => server.stop());
  const one = stack.use(new ApiClient(server, 1));
  const many = stack.use(new ApiClient(server, parallelConnections));
  const postmasters = await findPostmasters(place.databaseUrl);
  const readDatabaseCpu = async (): Promise<number> =>
    postmasters ? readPostgresCpuSeconds(postmasters) : Number.NaN;
  const figures = Object.fromEntries(
    Object.keys(phases).map((name) => [name, { p50Ms: [], serverCpuMs: [], databaseCpuMs: [] }]),
  ) as unknown as Record<Phase, Figures>;
  const contender = { server, one, many, ids: [], readDatabaseCpu, figures };
  await fill(contender);
  return contender;
}

async function distribute(place: { dataDir: string; databaseUrl: string }): Promise<void> {
  const program = fileURLToPath(new URL('../packages/server/bin/start.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [program, 'distribute'], {
    env: { ...process.env, ...toServerEnv(place) },
  });
}

/** Loads the index, compiles what is measured, and gives PostgreSQL its statistics. */
async function fill({ server, one, many, ids }: ServerUnderTest): Promise<void> {
  const half = storedMemories / 2;
  const { responses } = await one.run(bulkCreateRequests(stored.slice(0, half)));
  addIds(ids, responses);
  await many.run(stored.slice(half).map(createMemoryRequest));
  for (const phase of phaseNames) await one.run(makeRequests(phase)(ids).slice(0, 20));
  await server.waitUntilIdle();
}

/** The same requests for both servers, but for the ids. */
function makeRequests(phase: Phase): (ids: readonly string[]) => readonly ApiRequest[] {
  const { calls } = phases[phase];
  const numbers = Array.from({ length: calls }, () => texts.integerBelow(storedMemories));
  const perMemory =
    (make: (id: string, number: number) => ApiRequest) => (ids: readonly string[]) =>
      numbers.map((number) => make(ids[number % ids.length] ?? '', number));
  const same = (requests: readonly ApiRequest[]) => () => requests;
  switch (phase) {
    case 'create':
    case 'create, 16 clients':
      return same(fresh(calls).map(createMemoryRequest));
    case 'bulk of 100':
      return same(bulkCreateRequests(fresh(calls * memoriesPerBulk)));
    case 'PATCH of tags': {
      const tags = [`tag-${texts.integerBelow(1_000_000)}`];
      return perMemory((id) => ({ method: 'PATCH', path: `/memories/${id}`, body: { tags } }));
    }
    case 'GET':
      return perMemory((id) => ({ method: 'GET', path: `/memories/${id}` }));
    case 'list of 100':
      return same(numbers.map(() => ({ method: 'GET', path: '/memories?limit=100' })));
    case 'search':
      return same(numbers.map((number) => ({ method: 'GET', path: searchPath(number) })));
  }
}

const searchPath = (number: number): string =>
  `/search?${new URLSearchParams({ q: texts.query(stored[number] ?? ''), limit: '20' })}`;

function addIds(ids: string[], responses: readonly unknown[]): void {
  for (const { memories } of responses as { memories: { id: string }[] }[]) {
    ids.push(...memories.map(({ id }) => id));
  }
}

async function runPhase(
  { server, one, many, readDatabaseCpu, figures }: ServerUnderTest,
  phase: Phase,
  requests: readonly ApiRequest[],
): Promise<void> {
  await wait(settleMs);
  const before = [await server.cpuSeconds(), await readDatabaseCpu()] as const;
  const { latenciesMs } = await (phase === 'create, 16 clients' ? many : one).run(requests);
  const after = [await server.cpuSeconds(), await readDatabaseCpu()] as const;
  const perCall = 1_000 / requests.length;
  figures[phase].p50Ms.push(quantile(latenciesMs, 0.5));
  figures[phase].serverCpuMs.push((after[0] - before[0]) * perCall);
  figures[phase].databaseCpuMs.push((after[1] - before[1]) * perCall);
  // What follows a write must not weigh on the other server.
  if (phases[phase].writes) await server.waitUntilIdle();
}

const describe = async (serverUrl: string): Promise<string> => {
  const settings = ['server_version', 'fsync', 'synchronous_commit'];
  const [row] = await administer(
    serverUrl,
    `select ${settings.map((name) => `current_setting('${name}') as ${name}`).join()}`,
  );
  return JSON.stringify(row);
};

function report(): void {
  print('\n| | p50, ms | × | CPU of a call, ms (server + PostgreSQL) | × |');
  print('| --- | --- | --- | --- | --- |');
  const verdicts: string[] = [];
  for (const phase of phaseNames) {
    const [a, b] = [plain.figures[phase], distributed.figures[phase]];
    const latency = spread(ratios(b.p50Ms, a.p50Ms));
    const cpu = spread(ratios(sums(b), sums(a)));
    const cells = [
      phase,
      `${median(a.p50Ms)} → ${median(b.p50Ms)}`,
      spreadText(latency),
      `${cpuText(a)} → ${cpuText(b)}`,
      spreadText(cpu),
    ];
    print(`| ${cells.join(' | ')} |`);
    const { bar } = phases[phase];
    if (bar === null) continue;
    for (const [name, { median: ratio }] of Object.entries({ p50: latency, CPU: cpu })) {
      if (Number.isNaN(ratio)) continue;
      verdicts.push(
        renderVerdict(ratio <= bar, `${phase}: ${name} ≤ ${bar} ×: ${ratio.toFixed(2)}`),
      );
    }
  }
  print(`\n${verdicts.join('\n')}`);
}

const sums = ({ serverCpuMs, databaseCpuMs }: Figures): number[] =>
  serverCpuMs.map((ms, i) => ms + (databaseCpuMs[i] ?? Number.NaN));
const median = (list: readonly number[]): string => spread(list).median.toFixed(2);
const cpuText = ({ serverCpuMs, databaseCpuMs }: Figures): string =>
  `${median(serverCpuMs)} + ${median(databaseCpuMs)}`;
const spreadText = ({ min, median: middle, max }: ReturnType<typeof spread>): string =>
  `${middle.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;

await using open = new AsyncDisposableStack();
const plain = await setUpServer(url, false, open);
const distributed = await setUpServer(citusUrl, true, open);
const [cores, load] = [os.availableParallelism(), os.loadavg()[0]?.toFixed(1)];
print(`${rounds} rounds, ${cores} cores, load ${load} before; ${await describe(url)};`);
print(`Citus: ${await describe(citusUrl)}`);

for (let round = 0; round < rounds; round += 1) {
  process.stderr.write(`round ${round + 1}\n`);
  for (const phase of phaseNames) {
    const shared = makeRequests(phase);
    // Another one begins each round.
    const order = round % 2 === 0 ? [plain, distributed] : [distributed, plain];
    for (const one of order) await runPhase(one, phase, shared(one.ids));
  }
}
report();
