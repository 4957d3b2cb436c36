import os from 'node:os';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import { bulkCreateRequests, createMemoryRequest } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer, startOtlpSink } from '../servers.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { metricsVerdicts, type Phase, phases, renderCosts } from './report.ts';

interface WorkloadSize {
  readonly memories: number;
  readonly slices: number;
  /** Requests of one slice. */
  readonly requests: Readonly<Record<Phase, number>>;
}

const fullWorkload: WorkloadSize = {
  memories: 1_000,
  slices: 8,
  requests: { search: 200, read: 500, add: 50 },
};
const quickWorkload: WorkloadSize = {
  memories: 200,
  slices: 2,
  requests: { search: 20, read: 20, add: 5 },
};

const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const tracesOnly = { OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' };

interface Variant {
  readonly name: string;
  /** Whether /metrics is read in each slice. */
  readonly isScraped: boolean;
  /** Null: nothing is exported. */
  readonly otel: Readonly<Record<string, string>> | null;
}

const variants: readonly Variant[] = [
  { name: 'off', isScraped: false, otel: null },
  { name: 'metrics', isScraped: true, otel: null },
  { name: 'traces, one of ten', isScraped: false, otel: { ...tracesOnly, ...sampled } },
  { name: 'traces', isScraped: false, otel: tracesOnly },
  { name: 'metrics, traces and logs', isScraped: true, otel: { MNEME_LOG_LEVEL: 'info' } },
];

interface ServerUnderTest extends Variant {
  readonly server: RunningServer;
  readonly client: ApiClient;
  readonly ids: string[];
  readonly costs: Record<Phase, number[]>;
}

/**
 * CPU of a request by the telemetry that is on: one server for each variant, slice by slice in
 * turns, one connection. Static word vectors, so that the model does not hide the cost.
 */
export async function runTelemetry(
  options: BenchmarkOptions,
  say: Print,
): Promise<ProfileWindow[]> {
  const size = options.quick ? quickWorkload : fullWorkload;
  const { slices, requests } = size;
  say(`\nTelemetry: ${slices} slices of ${JSON.stringify(requests)}, ${size.memories} memories`);
  await using open = new AsyncDisposableStack();
  const sink = await startOtlpSink();
  open.defer(() => sink.stop());
  const texts = createTextGenerator(await readVocabulary(), 1);
  const stored = Array.from({ length: size.memories }, () => texts.memory());
  const servers = await Promise.all(
    variants.map((variant) => setUpServer(variant, options, sink.url, stored, open)),
  );
  const makeRequests: Record<Phase, (ids: readonly string[]) => ApiRequest[]> = {
    search: () => stored.slice(0, requests.search).map((text) => searchFor(texts.query(text))),
    read: (ids) => Array.from({ length: requests.read }, (_, i) => readOf(ids[i % ids.length])),
    add: () => Array.from({ length: requests.add }, () => createMemoryRequest(texts.memory())),
  };
  for (let slice = 0; slice < slices; slice += 1) {
    for (const phase of phases) {
      const shared = makeRequests[phase];
      const searches = phase === 'read' ? null : shared([]);
      for (let turn = 0; turn < servers.length; turn += 1) {
        const one = servers[(turn + slice) % servers.length];
        if (one) await runSlice(one, phase, searches ?? shared(one.ids));
      }
    }
  }
  const byVariant = new Map(servers.map(({ name, costs }) => [name, costs]));
  const [off, metrics] = servers;
  if (!off || !metrics) throw new Error('no servers');
  say(`\n${renderCosts(byVariant, off.costs)}`);
  const received = (await (await fetch(`${sink.url}/v1/health`)).json()) as object;
  say(`\nThe sink received ${JSON.stringify(received)}; load ${os.loadavg()[0]?.toFixed(1)}.`);
  for (const line of metricsVerdicts(metrics.costs, off.costs)) say(line);
  return [];
}

const searchFor = (query: string): ApiRequest => ({
  method: 'GET',
  path: `/search?${new URLSearchParams({ q: query })}`,
});

const readOf = (id = ''): ApiRequest => ({ method: 'GET', path: `/memories/${id}` });

async function setUpServer(
  variant: Variant,
  { databaseUrl, profileDir }: BenchmarkOptions,
  sinkUrl: string,
  stored: readonly string[],
  open: AsyncDisposableStack,
): Promise<ServerUnderTest> {
  const env = variant.otel && { OTEL_EXPORTER_OTLP_ENDPOINT: sinkUrl, ...variant.otel };
  const installation = open.use(
    await createInstallation('embedded (static)', {
      databaseUrl,
      profileDir,
      ...(env && { env: { MNEME_EMBEDDING_PROVIDER: 'static', ...env } }),
    }),
  );
  const server = await installation.start();
  open.defer(() => server.stop());
  const client = open.use(new ApiClient(server, 1));
  const { responses } = await client.run(bulkCreateRequests(stored));
  const ids = (responses as { memories: { id: string }[] }[]).flatMap(({ memories }) =>
    memories.map(({ id }) => id),
  );
  // The first search loads the index, and the first requests are compiled.
  await client.run(stored.slice(0, 50).map(searchFor));
  await client.run(ids.slice(0, 200).map(readOf));
  await server.waitUntilIdle();
  return { ...variant, server, client, ids, costs: { search: [], read: [], add: [] } };
}

async function runSlice(
  { server, client, isScraped, costs }: ServerUnderTest,
  phase: Phase,
  requests: readonly ApiRequest[],
): Promise<void> {
  const before = await server.cpuSeconds();
  await client.run(requests);
  if (isScraped) await scrape(server);
  // Memories are read in the background, and traces are sent.
  if (phase === 'add') await server.waitUntilIdle();
  costs[phase].push((((await server.cpuSeconds()) - before) / requests.length) * 1_000);
}

async function scrape({ url, apiKey }: RunningServer): Promise<void> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`/metrics: ${response.status}`);
  await response.text();
}
