import http from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../packages/server/src/kernel/clock.ts';
import { createIds } from '../../packages/server/src/kernel/ids.ts';
import { createFolderBlobStore } from '../../packages/server/src/providers/blobs/index.ts';
import { ApiClient } from '../api-client.ts';
import { BackgroundSearcher } from '../background-searcher.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createRandom } from '../random.ts';
import { createInstallation, type RunningServer, type ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';

const mb = 2 ** 20;
const sampleMs = 50;
const idleSeconds = 30;
/** Quiet after the stores: readings of memories and checkpoints must not count as the backup's. */
const settleSeconds = 60;
const p95RatioMax = 2;
const riseMaxMb = 100;

interface Size {
  readonly memories: number;
  readonly blobs: number;
  readonly blobMb: number;
}

const fullSize: Size = { memories: 100_000, blobs: 40, blobMb: 50 };
const quickSize: Size = { memories: 500, blobs: 2, blobMb: 1 };

interface Figures {
  readonly server: ServerName;
  readonly archiveMb: number;
  readonly seconds: number;
  readonly memoryRiseMb: number;
  readonly idleP95Ms: number;
  readonly busyP95Ms: number;
}

/** A backup of many memories and large files: time, memory, and searches beside it. */
export async function runBackup(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const size = options.quick ? quickSize : fullSize;
  say(`\nBackup of ${size.memories} memories and ${size.blobs} files of ${size.blobMb} MB`);
  const vocabulary = await readVocabulary();
  const servers: ServerName[] = [
    'embedded',
    ...(options.databaseUrl ? ['PostgreSQL' as const] : []),
  ];
  for (const server of servers) {
    const figures = await measure(server, options, size, createTextGenerator(vocabulary, 1));
    for (const line of describe(figures)) say(line);
  }
  return [];
}

function describe({
  server,
  archiveMb,
  seconds,
  memoryRiseMb,
  idleP95Ms,
  busyP95Ms,
}: Figures): string[] {
  const ratio = busyP95Ms / idleP95Ms;
  const p95s = `${idleP95Ms.toFixed(1)} → ${busyP95Ms.toFixed(1)} ms`;
  return [
    `${server}: ${archiveMb.toFixed(0)} MB in ${seconds.toFixed(1)} s`,
    renderVerdict(
      memoryRiseMb <= riseMaxMb,
      `memory rises by ${memoryRiseMb.toFixed(0)} MB (${riseMaxMb})`,
    ),
    renderVerdict(
      ratio <= p95RatioMax,
      `search p95 ${p95s}, ${ratio.toFixed(2)} times (${p95RatioMax})`,
    ),
  ];
}

async function measure(
  server: ServerName,
  { databaseUrl, quick }: BenchmarkOptions,
  size: Size,
  texts: TextGenerator,
): Promise<Figures> {
  await using installation = await createInstallation(server, { databaseUrl, profileDir: null });
  const known = Array.from({ length: size.memories }, () => texts.memory());
  const filling = await installation.start();
  try {
    using client = new ApiClient(filling, 2);
    await client.run(bulkCreateRequests(known));
    await writeBlobs(installation.dataDir, size);
  } finally {
    await filling.stop();
  }
  // A fresh process: what storing left in memory would hide what the backup needs.
  const running = await installation.start();
  try {
    await wait(quick ? 0 : settleSeconds * 1_000);
    return { server, ...(await measureRunning(running, known, texts, quick ? 1 : idleSeconds)) };
  } finally {
    await running.stop();
  }
}

async function measureRunning(
  server: RunningServer,
  known: readonly string[],
  texts: TextGenerator,
  seconds: number,
): Promise<Omit<Figures, 'server'>> {
  using searcher = new BackgroundSearcher(server, known, texts);
  const until = performance.now() + seconds * 1_000;
  await searcher.run(() => performance.now() > until - (seconds * 1_000) / 2);
  const idle = await sampleMemoryDuring(server, () =>
    searcher.run(() => performance.now() > until),
  );
  let isOver = false;
  const begun = performance.now();
  const busy = await sampleMemoryDuring(server, async () => {
    const searching = searcher.run(() => isOver);
    const bytes = await download(server).finally(() => {
      isOver = true;
    });
    const took = (performance.now() - begun) / 1_000;
    return { bytes, took, millis: await searching };
  });
  return {
    archiveMb: busy.result.bytes / mb,
    seconds: busy.result.took,
    memoryRiseMb: busy.peakMb - idle.peakMb,
    idleP95Ms: quantile(idle.result, 0.95),
    busyP95Ms: quantile(busy.result.millis, 0.95),
  };
}

/** The result of some work, and the most that the server held meanwhile. */
async function sampleMemoryDuring<T>(
  server: RunningServer,
  work: () => Promise<T>,
): Promise<{ result: T; peakMb: number }> {
  let peakMb = 0;
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      peakMb = Math.max(peakMb, (await server.rss()).currentMb);
      await wait(sampleMs);
    }
  })();
  const result = await work().finally(() => {
    isOver = true;
  });
  await sampling;
  return { result, peakMb };
}

/** Reads the archive as fast as it comes, and keeps nothing of it. */
function download({ url, apiKey }: RunningServer): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return new Promise((resolve, reject) => {
    http
      .get(`${url}/v1/admin/backup`, { headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`backup: ${response.statusCode}`));
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => resolve(bytes));
      })
      .on('error', reject);
  });
}

/** Files that do not compress, as recordings. No row names them; they count as new for a day. */
async function writeBlobs(dataDir: string, { blobs, blobMb }: Size): Promise<void> {
  const random = createRandom(1);
  const clock = systemClock;
  const store = createFolderBlobStore(path.join(dataDir, 'blobs'), {
    ids: createIds(clock),
    clock,
  });
  for (let i = 0; i < blobs; i += 1) {
    const words = Uint32Array.from({ length: mb / 4 }, () => random() * 2 ** 32);
    const piece = new Uint8Array(words.buffer);
    await store.write(repeat(piece, blobMb), { bytesMax: Number.POSITIVE_INFINITY });
  }
}

async function* repeat(piece: Uint8Array, count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i += 1) yield piece;
}
