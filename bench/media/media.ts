import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchmarkOptions, Print } from '../options.ts';
import { nowUs, type ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer, type ServerName } from '../servers.ts';

interface WorkloadSize {
  readonly bytes: number;
  readonly readers: number;
}

const fullWorkload: WorkloadSize = { bytes: 2 * 2 ** 30 - 2 ** 20, readers: 20 };
const quickWorkload: WorkloadSize = { bytes: 32 * 2 ** 20, readers: 20 };
const pollMs = 100;
const raisedMbMax = 100;
const boundary = 'a-boundary-of-the-bench';
const chunkBytes = 1_048_576;

/** What an upload of nearly two gigabytes takes of memory, and how fast twenty read it at once. */
export async function runMedia(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const extent = options.quick ? quickWorkload : fullWorkload;
  const megabytes = Math.round(extent.bytes / 2 ** 20);
  say(`\nMedia: a recording of ${megabytes} MB in, ${extent.readers} readers at once`);
  const windows: ProfileWindow[] = [];
  const names: ServerName[] = ['embedded', ...(options.databaseUrl ? ['PostgreSQL' as const] : [])];
  for (const name of names) {
    await using stack = new AsyncDisposableStack();
    const env = { PATH: process.env.PATH ?? '' };
    const installation = stack.use(await createInstallation(name, { ...options, env }));
    const server = await installation.start();
    stack.defer(() => server.stop());
    const fromUs = nowUs();
    // The first one loads what the others need no more; so does the first text that is read.
    await upload(server, 2 ** 20);
    await readText(server);
    const watched = await measureMemoryDuring(server, () => upload(server, extent.bytes));
    const { raisedMb, seconds } = watched;
    say(`${name}: in ${rate(megabytes, seconds)}, RSS +${raisedMb.toFixed(0)} MB`);
    const read = await measureMemoryDuring(server, () => readAll(server, watched.result, extent));
    say(`${name}: out ${rate(megabytes, read.seconds)}, RSS +${read.raisedMb.toFixed(0)} MB`);
    const holds = raisedMb < raisedMbMax ? 'holds' : 'MISSED';
    say(`${name}: an upload raises RSS by less than ${raisedMbMax} MB: ${holds}`);
    windows.push({ server: name, phase: 'media', fromUs, toUs: nowUs() });
  }
  return windows;
}

const rate = (megabytes: number, seconds: number): string =>
  `${(megabytes / seconds).toFixed(0)} MB/s (${seconds.toFixed(1)} s)`;

/** The highest RSS meanwhile, above that before. */
async function measureMemoryDuring<T>(
  server: RunningServer,
  work: () => Promise<T>,
): Promise<{ result: T; seconds: number; raisedMb: number }> {
  const { currentMb: before } = await server.rss();
  let highest = before;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      highest = Math.max(highest, (await server.rss()).currentMb);
      await wait(pollMs);
    }
  })();
  const begun = performance.now();
  const result = await work().finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - begun) / 1_000;
  await watch;
  return { result, seconds, raisedMb: highest - before };
}

/** Stores a text and waits until it was read for what it says. */
async function readText({ url, apiKey }: RunningServer): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ content: 'Ana Ortiz works at Acme in Lisbon.' });
  await fetch(new URL('/v1/memories', url), { method: 'POST', headers, body });
  for (;;) {
    const answer = await fetch(new URL('/v1/knowledge/entities', url), { headers });
    const { total } = (await answer.json()) as { total: number };
    if (total > 0) return;
    await wait(pollMs);
  }
}

/** WAV of 16 bit, one channel, 8 kHz: as long as its header says. */
function wavHeader(bytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(bytes - 8, 4);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 16_000],
    [40, bytes - 44],
  ] as const) {
    head.writeUInt32LE(value, at);
  }
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const) {
    head.writeUInt16LE(value, at);
  }
  head.write('data', 36);
  return head;
}

/** A form that is made while it is sent. Returns the memory's id. */
async function upload({ url, apiKey }: RunningServer, bytes: number): Promise<string> {
  const disposition = 'content-disposition: form-data; name="file"; filename="x.wav"';
  const before = `--${boundary}\r\n${disposition}\r\n\r\n`;
  const after = `\r\n--${boundary}--\r\n`;
  const sending = request(new URL('/v1/memories', url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': before.length + bytes + after.length,
    },
  });
  const answered = once(sending, 'response');
  const piece = Buffer.alloc(chunkBytes, 'noise of a kind ');
  sending.write(before);
  sending.write(wavHeader(bytes));
  for (let left = bytes - 44; left > 0; left -= chunkBytes) {
    if (!sending.write(piece.subarray(0, left))) await once(sending, 'drain');
  }
  sending.end(after);
  const [response] = await answered;
  let text = '';
  for await (const part of response) text += String(part);
  if (response.statusCode !== 201) throw new Error(`${response.statusCode}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** Each its own range, all at once. */
async function readAll(
  { url, apiKey }: RunningServer,
  id: string,
  { bytes, readers }: WorkloadSize,
): Promise<void> {
  const step = Math.ceil(bytes / readers);
  const reading = Array.from({ length: readers }, async (_, i) => {
    const range = `bytes=${i * step}-${Math.min((i + 1) * step, bytes) - 1}`;
    const headers = { authorization: `Bearer ${apiKey}`, range };
    const response = await fetch(new URL(`/v1/memories/${id}/stream`, url), { headers });
    if (response.status !== 206) throw new Error(`${response.status} for ${range}`);
    for await (const _piece of response.body ?? []);
  });
  await Promise.all(reading);
}
