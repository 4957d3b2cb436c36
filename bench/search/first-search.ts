/**
 * The first search of an account after a start, with and without its index segment, in turn:
 * `npm run bench:first-search -- --memories 50000 --database-url postgres://…`. Without a URL the
 * database is the embedded one. Nothing else runs in the background, and vectors are static.
 */

import { rename, rm } from 'node:fs/promises';
import os from 'node:os';
import { parseArgs } from 'node:util';
import type { SearchSize } from '../options.ts';
import { quantile } from '../statistics.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';
import { createQuestion } from './corpus.ts';
import { segmentFolderOf, waitForSegment } from './index-segments.ts';
import { restartServer, setUpServer, toSearchRequest } from './server-under-test.ts';
import { firstSearchBarsMs } from './workload.ts';

const timeoutMs = 600_000;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    'database-url': { type: 'string' },
  },
});
const memories = Number(values.memories);
const rounds = Number(values.rounds);
const databaseUrl = values['database-url'] ?? null;
const name = databaseUrl === null ? 'embedded' : 'PostgreSQL';

await using open = new AsyncDisposableStack();
const texts = createTextGenerator(await readVocabulary(), memories);
const stock = new Set<string>();
while (stock.size < memories) stock.add(texts.memory());
const env = {
  MNEME_EMBEDDING_PROVIDER: 'static',
  ...(databaseUrl === null ? {} : { MNEME_JOBS: 'off' }),
};
const stage = {
  memories,
  accounts: 1,
  thresholdsOf: memories as SearchSize,
  servers: [name],
} as const;
const options = { stage, layout: 'one account', stock: [...stock], texts, env } as const;
const contender = await setUpServer(name, { ...options, databaseUrl, profileDir: null }, open);
print(`stored in ${contender.fillResult.seconds.toFixed(0)} s`);

/** Until a search has results, in ms: the server goes on loading after a request has timed out. */
async function searchOnce(): Promise<number> {
  const question = createQuestion(options.stock, texts, 'all');
  const { path: below, apiKey } = toSearchRequest(contender, question);
  const headers = { authorization: `Bearer ${apiKey}` };
  const begun = performance.now();
  while (performance.now() - begun < timeoutMs) {
    const found = await fetch(`${contender.server.url}/v1${below}`, { headers })
      .then((response) => response.json() as Promise<{ results?: readonly unknown[] }>)
      .catch(() => null);
    if (found?.results?.length) return performance.now() - begun;
  }
  throw new Error(`${below}: no results in time`);
}

const { dataDir } = contender.installation;
const folder = segmentFolderOf(dataDir);
const aside = `${folder}-aside`;

await searchOnce();
const { bytes } = await waitForSegment(dataDir, 0);

const figures: Record<'with' | 'without', number[]> = { with: [], without: [] };
for (let round = 0; round < rounds; round += 1) {
  await restartServer(contender);
  figures.with.push(await searchOnce());
  await contender.server.stop();
  await rename(folder, aside);
  await restartServer(contender);
  figures.without.push(await searchOnce());
  await contender.server.stop();
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder);
}
const median = quantile(figures.with, 0.5);
print(`${name}, ${memories} memories, load ${os.loadavg()[0]?.toFixed(1)}`);
print(`segment: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / memories).toFixed(0)} bytes a memory`);
for (const [kind, times] of Object.entries(figures)) {
  const sorted = times.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0));
  print(`first search ${kind} a segment, ms: ${sorted.join(', ')}`);
}
const bar = firstSearchBarsMs[memories];
if (bar)
  print(renderVerdict(median <= bar, `median with a segment ${median.toFixed(0)} ms (${bar})`));
