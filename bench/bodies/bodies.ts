import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiClient } from '../api-client.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer, type ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';
import { textOfBytes, type WorstBodyName, worstBodies } from './worst-bodies.ts';

const delayMsMax = 50;
const memoryRiseMbMax = 200;
/** Between two point reads, and two looks at RSS. */
const pauseMs = 4;
const script = fileURLToPath(new URL('./send-body.ts', import.meta.url));
const runProgram = promisify(execFile);

interface PointReads {
  readonly delaysMs: readonly number[];
  readonly peakMb: number;
}

/** What the largest and most costly bodies that are permitted do to others, and to memory. */
export async function runBodies(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  say('\nBodies: point reads while the worst permitted bodies are processed');
  const names: ServerName[] = ['embedded', ...(options.databaseUrl ? ['PostgreSQL' as const] : [])];
  for (const name of names) await measure(name, options, say);
  return [];
}

async function measure(name: ServerName, options: BenchmarkOptions, say: Print): Promise<void> {
  say(`\n| ${name} | status | s | idle p99, ms | p99, ms | longest, ms | RSS, MB | rises by |`);
  say(`|${' --- |'.repeat(8)}`);
  const verdicts: string[] = [];
  for (const body of Object.keys(worstBodies) as WorstBodyName[]) {
    await using installation = await createInstallation(name, options);
    const server = await installation.start();
    try {
      const { row, held } = await measureBody(server, body, options.quick ? 200 : 2_000);
      say(row);
      verdicts.push(...held);
    } finally {
      await server.stop();
    }
  }
  for (const line of verdicts) say(line);
}

async function measureBody(
  server: RunningServer,
  name: WorstBodyName,
  idleReads: number,
): Promise<{ row: string; held: string[] }> {
  using connection = new ApiClient(server, 1);
  const post = async (path: string, body: unknown): Promise<string> => {
    const { responses } = await connection.run([{ method: 'POST', path, body }]);
    return (responses[0] as { id: string }).id;
  };
  const id = await post('/memories', { content: 'Ana drinks tea' });
  const session = await post('/cli-sessions', { name: 'bench' });
  // An ordinary bulk loads what every later body needs no more: the thread, and the room of a heap.
  const memories = Array.from({ length: 100 }, (_, i) => ({ content: textOfBytes(20_000, i) }));
  await post('/memories/bulk', { memories });
  const read = async (): Promise<number> => {
    const { latenciesMs } = await connection.run([{ method: 'GET', path: `/memories/${id}` }]);
    return latenciesMs[0] ?? Number.NaN;
  };
  for (let i = 0; i < 200; i += 1) await read();
  let reads = 0;
  const idle = await readUntil(server, read, () => ++reads > idleReads);
  const { currentMb } = await server.rss();
  let over = false;
  const begun = performance.now();
  const args = [script, server.url, server.apiKey ?? '', name, session];
  const sent = runProgram(process.execPath, args);
  void sent
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  const busy = await readUntil(server, read, () => over);
  const seconds = (performance.now() - begun) / 1_000;
  const { stdout } = await sent;
  if (stdout !== String(worstBodies[name].status)) throw new Error(`${name}: answered ${stdout}`);
  const [idleP99, p99] = [quantile(idle.delaysMs, 0.99), quantile(busy.delaysMs, 0.99)];
  const raisedMb = busy.peakMb - currentMb;
  const cells = [stdout, seconds.toFixed(1), idleP99.toFixed(1), p99.toFixed(1)];
  cells.push(quantile(busy.delaysMs, 1).toFixed(1), currentMb.toFixed(0), raisedMb.toFixed(0));
  return {
    row: `| ${name} | ${cells.join(' | ')} |`,
    held: [
      renderVerdict(p99 <= idleP99 + delayMsMax, `${name}: p99 within ${delayMsMax} ms of idle`),
      renderVerdict(
        raisedMb <= memoryRiseMbMax,
        `${name}: RSS rises by at most ${memoryRiseMbMax} MB`,
      ),
    ],
  };
}

async function readUntil(
  server: RunningServer,
  read: () => Promise<number>,
  isOver: () => boolean,
): Promise<PointReads> {
  const delaysMs: number[] = [];
  let peakMb = 0;
  while (!isOver()) {
    delaysMs.push(await read());
    peakMb = Math.max(peakMb, (await server.rss()).currentMb);
    await wait(pauseMs);
  }
  return { delaysMs, peakMb };
}
