import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@mneme/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { isAvailable } from '../../support/requirements.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, oneEngine, serverEngine } from '../../support/service.ts';

/** Still enough for a segment when one is erased. */
const memories = 2_100;
const timeoutMs = 60_000;
/** Several processes need PostgreSQL; without it, their tests are defined and do not run. */
const onServer = engines.includes(serverEngine);
/** To read so many memories takes longer than all else here. The embedded engine has no choice. */
const env = {
  MNEME_EMBEDDING_PROVIDER: 'static',
  ...(onServer ? { MNEME_JOBS: 'off' } : {}),
};
const loadedOnce = 'mneme_index_segment_loads_total{result="loaded"} 1';

const rareWords = ['quagga', 'okapi', 'saola'] as const;
type RareWord = (typeof rareWords)[number];

/** Stores as many memories as get a segment; returns the ids of those with a rare word. */
async function store({ memories: own }: Client): Promise<Record<RareWord, string>> {
  const ids: string[] = [];
  for (let from = 0; from < memories; from += 100) {
    const some = Array.from({ length: 100 }, (_, i) => ({
      content: `${rareWords[from + i] ?? 'horse'} number ${from + i} drinks`,
    }));
    const stored = await own.bulkCreate({ body: { memories: some } });
    ids.push(...stored.memories.map(({ id }) => id));
  }
  const [quagga = '', okapi = '', saola = ''] = ids;
  return { quagga, okapi, saola };
}

async function findIds(client: Client, q: string): Promise<string[]> {
  const { results } = await client.search.get({ query: { q, limit: 5 } });
  return results.map(({ id }) => id);
}

/** Everything that the segments in a folder have, as text. */
async function readSegments({ dataDir }: DataLocation): Promise<string> {
  const folder = path.join(dataDir, 'index-segments');
  const names = await readdir(folder).catch((): string[] => []);
  const texts = names
    .filter((name) => name.endsWith('.segment'))
    .map((name) => readFile(path.join(folder, name), 'latin1').catch(() => ''));
  return (await Promise.all(texts)).join('');
}

const untilSegments = (place: DataLocation, holds: (text: string) => boolean) =>
  eventually(
    async () => holds(await readSegments(place)),
    (held) => held,
    timeoutMs,
  );

async function readMetrics(client: Client): Promise<string> {
  const { body } = await client.request({ method: 'GET', path: '/metrics' });
  return String(body);
}

/** Writes of a server beyond so many bytes of a file fail from now on, as on a full disk. */
const limitFiles = ({ pid }: ServerProcess, bytes: number) =>
  execFileSync('/usr/bin/prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);

const ending = new AsyncDisposableStack();
afterAll(() => ending.disposeAsync());

// Segments are files of their own, whatever the engine.
describe.each(onServer ? [serverEngine] : oneEngine)('a large account on %s', (engine) => {
  let place: DataLocation;
  let server: ServerProcess;
  let rare: Record<RareWord, string>;

  // On a server database only: the limit holds for the files of the embedded one, too.
  it.runIf(onServer && isAvailable('prlimit'))(
    'gets no segment while the disk takes a part of it only, and is searched',
    async () => {
      const full = await createDataLocation(engine);
      ending.defer(() => full.remove());
      const limited = ending.use(await startServerProcess(full, { env }));
      limitFiles(limited, 300_000);
      const { quagga } = await store(limited.client());
      expect((await findIds(limited.client(), 'quagga'))[0]).toBe(quagga);
      await eventually(
        () => readMetrics(limited.client()),
        (text) => text.includes('mneme_index_segment_writes_total{result="failed"} 1'),
        timeoutMs,
      );
      expect(await readdir(path.join(full.dataDir, 'index-segments'))).toEqual([]);
      expect((await findIds(limited.client(), 'quagga'))[0]).toBe(quagga);
      expect(limited.output()).toMatch(/EFBIG.*index segment not written/);

      await limited.kill('SIGTERM');
      const next = ending.use(await startServerProcess(full, { env }));
      expect((await findIds(next.client(), 'quagga'))[0]).toBe(quagga);
      await untilSegments(full, (text) => text.includes('quagga'));
    },
    180_000,
  );

  it('gets a segment, from which it is loaded after a start', async () => {
    place = await createDataLocation(engine);
    ending.defer(() => place.remove());
    server = ending.use(await startServerProcess(place, { env }));
    const hasThread = async () =>
      (await readMetrics(server.client())).includes('thread="mneme-search"');
    // On the embedded engine the background work searches as well, and starts the thread too.
    if (onServer) expect(await hasThread()).toBe(false);
    rare = await store(server.client());
    expect((await findIds(server.client(), 'quagga'))[0]).toBe(rare.quagga);
    await untilSegments(place, (text) => text.includes('quagga'));

    await server.kill('SIGTERM');
    server = ending.use(await startServerProcess(place, { env }));
    // The search thread starts before the first search where there are segments.
    await eventually(hasThread, (has) => has, timeoutMs);
    expect((await findIds(server.client(), 'quagga'))[0]).toBe(rare.quagga);
    expect(await readMetrics(server.client())).toContain(loadedOnce);
  }, 180_000);

  it('loses erased words from its segments in a minute, whoever erased them', async () => {
    const client = server.client();
    const places = [place];
    const erased: RareWord[] = ['okapi'];
    if (onServer) {
      const second = await createSiblingLocation(place);
      ending.defer(() => second.remove());
      const other = ending.use(await startServerProcess(second, { env }));
      const otherClient = other.client(server.adminKey);
      expect((await findIds(otherClient, 'quagga'))[0]).toBe(rare.quagga);
      await untilSegments(second, (text) => text.includes('quagga'));
      await otherClient.memories.remove({ params: { id: rare.quagga } });
      places.push(second);
      erased.push('quagga');
    }
    await client.memories.remove({ params: { id: rare.okapi } });
    for (const word of erased) expect(await findIds(client, word)).not.toContain(rare[word]);
    for (const one of places) {
      await untilSegments(one, (text) => !erased.some((word) => text.includes(word)));
      await untilSegments(one, (text) => text.includes('saola'));
    }
    const proof = async () => {
      const { physical } = await client.admin.getErasure({ params: { id: rare.okapi } });
      return physical.index_segments.map(({ stale }) => stale);
    };
    const expected = places.map(() => false);
    const isProven = (stale: readonly boolean[]) => stale.join() === expected.join();
    expect(await eventually(proof, isProven, timeoutMs)).toEqual(expected);
  }, 180_000);
});
