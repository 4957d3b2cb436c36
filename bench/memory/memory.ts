import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import {
  createInstallation,
  type Installation,
  type RunningServer,
  type ServerName,
} from '../servers.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';
import { measureProcess } from './process-memory.ts';
import { measureRejectedBodies } from './rejected-bodies.ts';

/** What one thread of a server holds after a collection. */
export interface ThreadHeap {
  readonly thread: number;
  readonly heapBytes: number;
  /** Buffers and WebAssembly. */
  readonly externalBytes: number;
}

interface MemoryFigures {
  readonly server: ServerName;
  readonly memories: number;
  readonly rssMb: number;
  readonly threads: readonly ThreadHeap[];
}

const sizes = [0, 5_000, 50_000] as const;
const quickSizes = [0, 200] as const;
const hook = fileURLToPath(new URL('report-heap.ts', import.meta.url));
const reportMs = 3_000;
const mb = 2 ** 20;

/** What a server holds, by its threads, with more and more memories in one account. */
export async function runMemory(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const wanted = options.quick ? quickSizes : sizes;
  say(`\nMemory: heap and RSS at ${wanted.join(', ')} memories, after a start and a search`);
  const vocabulary = await readVocabulary();
  const servers: ServerName[] = [
    'embedded',
    ...(options.databaseUrl ? ['PostgreSQL' as const] : []),
  ];
  const held: MemoryFigures[] = [];
  for (const name of servers) {
    held.push(...(await measure(name, options, wanted, createTextGenerator(vocabulary, 1))));
  }
  say(`\n${table(held)}`);
  await measureProcess(options, vocabulary, say);
  await measureRejectedBodies(say);
  return [];
}

async function measure(
  name: ServerName,
  { databaseUrl }: BenchmarkOptions,
  wanted: readonly number[],
  texts: TextGenerator,
): Promise<MemoryFigures[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-bench-heap-'));
  const env = {
    NODE_OPTIONS: `--expose-gc --import ${hook}`,
    BENCH_HEAP: path.join(folder, 'heap'),
  };
  const held: MemoryFigures[] = [];
  try {
    await using installation = await createInstallation(name, {
      databaseUrl,
      profileDir: null,
      env,
    });
    let stored = 0;
    for (const memories of wanted) {
      if (memories > stored) {
        await withRunningServer(installation, (server) => fill(server, memories - stored, texts));
        stored = memories;
      }
      // A fresh process: what it holds is what the memories need, not what filling left.
      await withRunningServer(installation, async (server) => {
        await search(server);
        held.push({ server: name, memories, ...(await readThreadHeaps(server, folder)) });
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return held;
}

async function withRunningServer(
  installation: Installation,
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await installation.start();
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function fill(server: RunningServer, count: number, texts: TextGenerator): Promise<void> {
  using client = new ApiClient(server, 2);
  await client.run(bulkCreateRequests(Array.from({ length: count }, () => texts.memory())));
}

async function search(server: RunningServer): Promise<void> {
  using client = new ApiClient(server, 1);
  await client.run([{ method: 'GET', path: '/search?q=battery' }]);
}

async function readThreadHeaps(
  server: RunningServer,
  folder: string,
): Promise<Pick<MemoryFigures, 'rssMb' | 'threads'>> {
  process.kill(server.pid, 'SIGUSR2');
  await wait(reportMs);
  const { currentMb } = await server.rss();
  const threads: ThreadHeap[] = [];
  for (const file of await readdir(folder)) {
    threads.push(JSON.parse(await readFile(path.join(folder, file), 'utf8')) as ThreadHeap);
    await rm(path.join(folder, file));
  }
  return { rssMb: currentMb, threads: threads.toSorted((a, b) => a.thread - b.thread) };
}

function table(held: readonly MemoryFigures[]): string {
  const rows = held.map(({ server, memories, rssMb, threads }) => {
    const each = threads.map(
      ({ heapBytes, externalBytes }) => `${inMb(heapBytes)} + ${inMb(externalBytes)}`,
    );
    return `| ${server} | ${memories} | ${rssMb.toFixed(0)} | ${each.join(' · ')} |`;
  });
  const head = '| | memories | RSS, MB | heap + outside of it by thread, MB |';
  return [head, '| --- | --- | --- | --- |', ...rows].join('\n');
}

const inMb = (bytes: number): string => (bytes / mb).toFixed(0);
