/**
 * What an installation takes as it grows: processor time to store and read memories, memory of the
 * process, disk, and time of searches. `npm run bench:capacity -- --memories 1000,5000,20000` for
 * the embedded engine with its default models, `--static` with word vectors only.
 */
import { readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from './api-client.ts';
import { bulkCreateRequests } from './memory-requests.ts';
import { createInstallation, type RunningServer } from './servers.ts';
import { quantile } from './statistics.ts';
import { createTextGenerator, readVocabulary } from './text-generator.ts';

const searches = 60;
const warmSearches = 10;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '1000,5000,20000' },
    static: { type: 'boolean', default: false },
  },
});
const sizes = values.memories.split(',').map(Number);
const model = values.static ? 'embedded (static)' : 'embedded';

const texts = createTextGenerator(await readVocabulary(), 3);
await using installation = await createInstallation(model, { databaseUrl: null, profileDir: null });
const { dataDir } = installation;
const [cores, load] = [os.availableParallelism(), os.loadavg()[0]?.toFixed(1)];
print(`${model}, ${cores} cores, load ${load}`);

/** Bytes of the files below a folder; 0 if it does not exist. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const below = path.join(folder, entry.name);
    bytes += entry.isDirectory() ? await folderBytes(below) : (await stat(below)).size;
  }
  return bytes;
}

/** Median and 95th percentile of uncached searches whose words are in a memory, in ms. */
async function measureSearches(server: RunningServer, stored: readonly string[]) {
  using client = new ApiClient(server, 1);
  const asks = Array.from({ length: searches }, (_, i) => {
    const text = stored[Math.floor((stored.length * i) / searches)] ?? '';
    const q = encodeURIComponent(text.split(' ').slice(0, 6).join(' '));
    return { method: 'GET', path: `/search?limit=10&q=${q}` } as const;
  });
  const { latenciesMs } = await client.run(asks);
  const measured = latenciesMs.slice(warmSearches);
  return { p50: quantile(measured, 0.5), p95: quantile(measured, 0.95) };
}

const toMb = (bytes: number): string => (bytes / 1e6).toFixed(0);
const row = (cells: readonly (string | number)[]): void => print(`| ${cells.join(' | ')} |`);
row([
  'memories',
  'CPU to store, ms each',
  'CPU with its background work, ms each',
  'RSS, MB',
  'RSS after a restart and searches, MB',
  'disk, MB',
  'of which index segments',
  'search p50 / p95, ms',
]);
row(Array.from({ length: 8 }, () => '---'));

let server = await installation.start();
try {
  await server.waitUntilIdle();
  const { currentMb: emptyMb } = await server.rss();
  row([0, '–', '–', emptyMb.toFixed(0), '–', toMb(await folderBytes(dataDir)), 0, '–']);
  const stored: string[] = [];
  for (const size of sizes) {
    const added = Array.from({ length: size - stored.length }, () => texts.memory());
    const begun = await server.cpuSeconds();
    using client = new ApiClient(server, 1);
    await client.run(bulkCreateRequests(added));
    const answered = await server.cpuSeconds();
    await server.waitUntilIdle();
    const idle = await server.cpuSeconds();
    stored.push(...added);
    const found = await measureSearches(server, stored);
    const grown = await server.rss();
    await server.stop();
    const disk = await folderBytes(dataDir);
    const segments = await folderBytes(path.join(dataDir, 'index-segments'));
    server = await installation.start();
    await measureSearches(server, stored);
    await server.waitUntilIdle();
    const restarted = await server.rss();
    row([
      size,
      (((answered - begun) * 1_000) / added.length).toFixed(2),
      (((idle - begun) * 1_000) / added.length).toFixed(1),
      grown.currentMb.toFixed(0),
      restarted.currentMb.toFixed(0),
      toMb(disk),
      toMb(segments),
      `${found.p50.toFixed(1)} / ${found.p95.toFixed(1)}`,
    ]);
  }
} finally {
  await server.stop();
}
