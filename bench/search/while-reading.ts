/**
 * Searches while many new memories are read in the background:
 * `npm run bench:while-reading -- --memories 50000 --database-url postgres://…`. Without a URL the
 * database is the embedded one; `--static` uses word vectors instead of the sentence encoder.
 */
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import { readMetric } from '../metrics.ts';
import { quantile } from '../statistics.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';
import { createQuestion } from './corpus.ts';
import { setUpServer } from './server-under-test.ts';

/** At 50,000 memories, in ms. Queries that are new take as much longer. */
const bars = { memories: 50_000, p50: 12, p95: 40, newQueryMs: 4 };
const questions = 200;
/** One who asks often, not a crowd. */
const pauseMs = 20;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '60' },
    static: { type: 'boolean', default: false },
    'database-url': { type: 'string' },
  },
});
const memories = Number(values.memories);
const databaseUrl = values['database-url'] ?? null;
const name = databaseUrl === null ? 'embedded' : 'PostgreSQL';
const texts = createTextGenerator(await readVocabulary(), 11);
const unique = new Set<string>();
while (unique.size < memories) unique.add(texts.memory());
const stock = [...unique];

await using open = new AsyncDisposableStack();
const contender = await setUpServer(
  name,
  {
    stage: { memories, accounts: 1, thresholdsOf: 50_000, servers: [name] },
    layout: 'one account',
    stock,
    texts,
    databaseUrl,
    profileDir: null,
    env: values.static ? { MNEME_EMBEDDING_PROVIDER: 'static' } : {},
  },
  open,
);
const { server, apiKeys, fillResult } = contender;
print(`${name}, ${memories} memories stored in ${fillResult.seconds.toFixed(0)} s`);

/** How many memories each kind of background work has still to look at. */
async function readBacklog(): Promise<string> {
  const lag = await readMetric(server, 'mneme_event_consumer_lag_events');
  const left = [...lag].filter(([, events]) => events > 0).map(([labels, n]) => `${labels} ${n}`);
  const [toEncode = 0] = (await readMetric(server, 'mneme_memories_to_encode')).values();
  return [...left, `to encode ${toEncode}`].join(', ');
}

/** Each search in ms, one after the other, with a pause between two. */
async function search(paths: Iterable<string>): Promise<number[]> {
  using client = new ApiClient(server, 1);
  const latenciesMs: number[] = [];
  for (const path of paths) {
    const ask: ApiRequest = { method: 'GET', path, apiKey: apiKeys[0] };
    latenciesMs.push(...(await client.run([ask])).latenciesMs);
    await wait(pauseMs);
  }
  return latenciesMs;
}

const newPath = (): string => createQuestion(stock, texts, 'all').path;
const known = Array.from({ length: questions }, newPath);

function* forSeconds(seconds: number, next: (i: number) => string): Generator<string> {
  const until = performance.now() + seconds * 1_000;
  for (let i = 0; performance.now() < until; i += 1) yield next(i);
}

await search(known);
const window = Number(values.seconds) / 2;
for (const [kind, next, allowance] of [
  ['repeated', (i: number) => known[i % questions] ?? '', 0],
  ['new', newPath, bars.newQueryMs],
] as const) {
  print(`backlog: ${await readBacklog()}, load ${os.loadavg()[0]?.toFixed(1)}`);
  const cpuBefore = await server.cpuSeconds();
  const begun = performance.now();
  const latenciesMs = await search(forSeconds(window, next));
  const cores = ((await server.cpuSeconds()) - cpuBefore) / ((performance.now() - begun) / 1_000);
  const [p50, p95] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.95)];
  const says = `${kind} queries, ${latenciesMs.length}: ${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;
  print(`${says}; the server used ${cores.toFixed(2)} cores`);
  if (memories === bars.memories) {
    const most = [bars.p50 + allowance, bars.p95 + allowance] as const;
    const held = p50 <= most[0] && p95 <= most[1];
    print(renderVerdict(held, `${kind} ≤ ${most.join(' / ')} ms`));
  }
}
print(`backlog: ${await readBacklog()}`);
