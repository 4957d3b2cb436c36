import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, oneEngine, serverEngine } from '../../support/service.ts';

const memories = 2_000;
const timeoutMs = 60_000;
/** Several processes need PostgreSQL; without it, their tests are defined and do not run. */
const onServer = engines.includes(serverEngine);
/** To read so many memories takes longer than all else here. The embedded engine has no choice. */
const env: Record<string, string> = onServer ? { MNEME_JOBS: 'off' } : {};
const loadedOnce = 'mneme_index_segment_loads_total{result="loaded"} 1';

/** Stores as many memories as get a segment; returns the id of the one with a rare word. */
async function store({ memories: own }: Client): Promise<string> {
  const ids: string[] = [];
  for (let from = 0; from < memories; from += 100) {
    const some = Array.from({ length: 100 }, (_, i) => ({
      content: from + i === 7 ? 'A quagga in Lisbon' : `Horse number ${from + i} drinks`,
    }));
    const stored = await own.bulkCreate({ body: { memories: some } });
    ids.push(...stored.memories.map(({ id }) => id));
  }
  return ids[7] as string;
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

// Segments are files of their own, whatever the engine.
describe.each(onServer ? [serverEngine] : oneEngine)('a large account on %s', (engine) => {
  it('is loaded from its segment after a start; erased words leave that in a minute', async () => {
    await using ending = new AsyncDisposableStack();
    const place = await createDataLocation(engine);
    ending.defer(() => place.remove());
    let server = ending.use(await startServerProcess(place, { env }));
    const rare = await store(server.client());
    expect((await findIds(server.client(), 'quagga'))[0]).toBe(rare);
    await untilSegments(place, (text) => text.includes('quagga'));

    await server.kill('SIGTERM');
    server = ending.use(await startServerProcess(place, { env }));
    expect((await findIds(server.client(), 'quagga'))[0]).toBe(rare);
    expect(await readMetrics(server.client())).toContain(loadedOnce);

    await server.client().memories.remove({ params: { id: rare } });
    expect(await findIds(server.client(), 'quagga')).not.toContain(rare);
    await untilSegments(place, (text) => !text.includes('quagga'));
  }, 180_000);
});

describe.runIf(onServer).each([serverEngine] as const)('two processes on one %s', (engine) => {
  it('have segments of their own, which lose what the other one erases', async () => {
    await using ending = new AsyncDisposableStack();
    const first = await createDataLocation(engine);
    ending.defer(() => first.remove());
    const second = await createSiblingLocation(first);
    ending.defer(() => second.remove());
    const one = ending.use(await startServerProcess(first, { env }));
    const other = ending.use(await startServerProcess(second, { env }));
    const [client, otherClient] = [one.client(), other.client(one.adminKey)];
    const rare = await store(client);
    expect((await findIds(client, 'quagga'))[0]).toBe(rare);
    expect((await findIds(otherClient, 'quagga'))[0]).toBe(rare);
    await untilSegments(first, (text) => text.includes('quagga'));
    await untilSegments(second, (text) => text.includes('quagga'));

    await otherClient.memories.remove({ params: { id: rare } });
    await untilSegments(first, (text) => !text.includes('quagga'));
    await untilSegments(second, (text) => !text.includes('quagga'));
    expect(await findIds(client, 'quagga')).not.toContain(rare);
  }, 180_000);
});

// On the embedded engine the background work searches as well, and starts the thread too.
describe.runIf(onServer)('the search thread of a process without background work', () => {
  it('starts before the first search where there are segments', async () => {
    await using ending = new AsyncDisposableStack();
    const place = await createDataLocation(serverEngine);
    ending.defer(() => place.remove());
    let server = ending.use(await startServerProcess(place, { env }));
    const hasThread = async () =>
      (await readMetrics(server.client())).includes('thread="mneme-search"');
    expect(await hasThread()).toBe(false);
    await store(server.client());
    await findIds(server.client(), 'quagga');
    await untilSegments(place, (text) => text.includes('quagga'));

    await server.kill('SIGTERM');
    server = ending.use(await startServerProcess(place, { env }));
    await eventually(hasThread, (has) => has, timeoutMs);
  }, 180_000);
});
