/** Where the servers' time went: `node bench/profile.ts DIR`, after a run with --cpu-prof DIR. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProfileWindow } from './profile-windows.ts';
import { type CpuProfile, selfTimes } from './self-time.ts';

const linesMax = 20;
const shareMin = 0.005;

const [folder = '.'] = process.argv.slice(2);
const read = async (...steps: string[]): Promise<unknown> =>
  JSON.parse(await readFile(path.join(folder, ...steps), 'utf8'));
const windows = (await read('windows.json')) as ProfileWindow[];

for (const server of new Set(windows.map((window) => window.server))) {
  const files = await readdir(path.join(folder, server)).catch(() => []);
  for (const phase of new Set(windows.map((window) => window.phase))) {
    const own = windows.filter((window) => window.server === server && window.phase === phase);
    const wallMs = own.reduce((sum, { fromUs, toUs }) => sum + (toUs - fromUs) / 1_000, 0);
    for (const [thread, ofThread] of Map.groupBy(files, threadOf)) {
      const profiles = await Promise.all(ofThread.map((file) => read(server, file)));
      const title = `${server}, ${phase}, thread ${thread}: ${wallMs.toFixed(0)} ms`;
      print(title, wallMs, selfTimes(profiles as CpuProfile[], own));
    }
  }
}

/** CPU.<day>.<time>.<process>.<thread>.<number>.cpuprofile; thread 0 is the main one. */
function threadOf(file: string): string {
  return file.split('.')[4] ?? '?';
}

function print(title: string, wallMs: number, times: ReturnType<typeof selfTimes>): void {
  const places = Map.groupBy(times, ({ module: place }) => place);
  const byPlace = [...places].map(([name, list]) => ({
    name,
    ms: list.reduce((sum, { ms }) => sum + ms, 0),
  }));
  const byFunction = times.map(({ name, ms }) => ({ name, ms }));
  process.stdout.write(
    `\n${title}\n${lines(byPlace, wallMs)}\n  --\n${lines(byFunction, wallMs)}\n`,
  );
}

function lines(times: readonly { name: string; ms: number }[], wallMs: number): string {
  return times
    .toSorted((a, b) => b.ms - a.ms)
    .filter(({ ms }) => ms / wallMs >= shareMin)
    .slice(0, linesMax)
    .map(({ name, ms }) => `${((100 * ms) / wallMs).toFixed(1).padStart(6)} %  ${name}`)
    .join('\n');
}
