import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient } from '../api-client.ts';
import { BackgroundSearcher } from '../background-searcher.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import { nowUs, type ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type InstallationOptions, type ServerName } from '../servers.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { plantedTexts } from './planted-texts.ts';
import {
  type ClusterRunFigures,
  clusterRunTable,
  clusterRunVerdicts,
  topicLines,
  topicTable,
} from './report.ts';
import { clusterTopicTexts, readTopicTexts, type TopicSet, topicSets } from './topics.ts';

const fullMemories = 20_000;
const quickMemories = 500;
const idleSearches = 300;
const quickSearches = 30;
const pollMs = 100;
const timeoutSeconds = 1_200;

interface Status {
  readonly run: null | {
    readonly id: string;
    readonly status: string;
    readonly error: unknown;
    readonly cluster_count: number | null;
    readonly noise_count: number | null;
  };
}

/** Whether clusters are the topics of texts, how long a run takes, and searches meanwhile. */
export async function runClusters(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  for (const set of topicSets) await reportTopics(set, say);
  const isLarge = options.memories?.includes(200_000) ?? false;
  const memories = isLarge ? 200_000 : fullMemories;
  const extent = options.quick
    ? { memories: quickMemories, searches: quickSearches }
    : { memories, searches: idleSearches };
  const servers: ServerName[] = [
    ...(isLarge ? [] : ['embedded' as const]),
    ...(options.databaseUrl ? ['PostgreSQL' as const] : []),
  ];
  const all: ClusterRunFigures[] = [];
  const windows: ProfileWindow[] = [];
  for (const name of servers) {
    const { databaseUrl, profileDir } = options;
    const { figures, window } = await measure(name, { databaseUrl, profileDir }, extent);
    all.push(figures);
    windows.push(window);
  }
  say(`\n${clusterRunTable(all)}\n\n${all.flatMap(clusterRunVerdicts).join('\n')}`);
  return windows;
}

/** Each topic's texts stand together: half of each is a half of all. */
async function reportTopics(set: TopicSet, say: Print): Promise<void> {
  const all = await readTopicTexts(set);
  const place = new Map<string, number>();
  const halves = all.map(({ topic }) => {
    const before = place.get(topic) ?? 0;
    place.set(topic, before + 1);
    return before;
  });
  const isFirst = (i: number): boolean =>
    (halves[i] ?? 0) < (place.get(all[i]?.topic ?? '') ?? 0) / 2;
  const first = await clusterTopicTexts(all.filter((_, i) => isFirst(i)));
  const second = await clusterTopicTexts(all.filter((_, i) => !isFirst(i)));
  const whole = await clusterTopicTexts(all);
  say(`\n${topicTable(set, { 'first half': first, 'second half': second, all: whole })}`);
  say(`\n${topicLines(whole)}`);
}

async function measure(
  name: ServerName,
  options: InstallationOptions,
  extent: { readonly memories: number; readonly searches: number },
): Promise<{ figures: ClusterRunFigures; window: ProfileWindow }> {
  const vocabulary = await readVocabulary();
  const texts = createTextGenerator(vocabulary, 1);
  const next = plantedTexts(vocabulary, texts, 2);
  await using stack = new AsyncDisposableStack();
  const server = await stack.use(await createInstallation(name, options)).start();
  stack.defer(() => server.stop());
  const caller = stack.use(new ApiClient(server, 1));
  const contents = Array.from({ length: extent.memories }, next);
  await caller.run(bulkCreateRequests(contents));
  const searcher = stack.use(new BackgroundSearcher(server, contents, texts));
  // A service that has run for a while: what is called often has been compiled.
  await searcher.run(() => searcher.count >= extent.searches / 3);
  const idleMs = await searcher.run(() => searcher.count >= extent.searches);
  const fromUs = nowUs();
  const begun = performance.now();
  await caller.run([{ method: 'POST', path: '/clusters/full', body: {} }]);
  let seconds = 0;
  const running = waitForRun(caller).finally(() => {
    seconds = (performance.now() - begun) / 1_000;
  });
  // A run that fails ends the searches, too, and then the server.
  const [run, busyMs] = await Promise.all([running, searcher.run(() => seconds > 0)]);
  const { peakMb } = await server.rss();
  const mapMs = await timeMap(caller);
  return {
    figures: {
      server: name,
      memories: extent.memories,
      seconds,
      peakMb,
      clusters: run.cluster_count ?? 0,
      noise: (run.noise_count ?? 0) / extent.memories,
      idleMs,
      busyMs,
      mapMs,
    },
    window: { server: name, phase: 'clusters', fromUs, toUs: nowUs() },
  };
}

const mapRequests = 5;

/** The map is read without other requests. */
async function timeMap(caller: ApiClient): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < mapRequests; i += 1) {
    const begun = performance.now();
    await caller.run([{ method: 'GET', path: '/clusters/map' }]);
    times.push(performance.now() - begun);
  }
  return times;
}

async function waitForRun(caller: ApiClient): Promise<NonNullable<Status['run']>> {
  const deadline = performance.now() + timeoutSeconds * 1_000;
  while (performance.now() < deadline) {
    const { responses } = await caller.run([{ method: 'GET', path: '/clusters/status' }]);
    const { run } = responses[0] as Status;
    if (run?.status === 'completed') return run;
    if (run?.status === 'failed') throw new Error(`the run failed: ${JSON.stringify(run.error)}`);
    await wait(pollMs);
  }
  throw new Error('the run takes too long');
}
