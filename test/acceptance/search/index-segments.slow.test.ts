import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';

const memories = 2_000;
const timeoutMs = 60_000;

describe.each(engines)('a large account on %s', (engine) => {
  it('is loaded from its segment after a start; erased words leave that in a minute', async () => {
    const place = await createDataLocation(engine);
    await using ending = new AsyncDisposableStack();
    ending.defer(() => place.remove());
    const folder = path.join(place.dataDir, 'index-segments');
    const files = () => readdir(folder).catch((): string[] => []);
    const written = async () => (await files()).filter((name) => name.endsWith('.segment'));
    const texts = async () =>
      Promise.all(
        (await written()).map((name) =>
          readFile(path.join(folder, name), 'latin1').catch(() => ''),
        ),
      );
    const found = async (client: ReturnType<typeof server.client>, q: string) => {
      const { results } = await client.search.get({ query: { q, limit: 5 } });
      return results.map(({ id, score }) => ({ id, score }));
    };
    let server = ending.use(await startServerProcess(place));
    const ids: string[] = [];
    for (let from = 0; from < memories; from += 100) {
      const some = Array.from({ length: 100 }, (_, i) => ({
        content: from + i === 7 ? 'A quagga in Lisbon' : `Horse number ${from + i} drinks`,
      }));
      const stored = await server.client().memories.bulkCreate({ body: { memories: some } });
      ids.push(...stored.memories.map(({ id }) => id));
    }
    const before = await found(server.client(), 'quagga');
    expect(before[0]?.id).toBe(ids[7]);
    await eventually(written, ({ length }) => length === 1, timeoutMs);
    expect((await texts()).join('')).toContain('quagga');

    await server.kill('SIGTERM');
    server = ending.use(await startServerProcess(place));
    expect((await found(server.client(), 'quagga'))[0]?.id).toBe(ids[7]);
    const metrics = await server.client().request({ method: 'GET', path: '/metrics' });
    expect(String(metrics.body)).toContain('mneme_index_segment_loads_total{result="loaded"} 1');

    await server.client().memories.remove({ params: { id: ids[7] as string } });
    const left = await found(server.client(), 'quagga');
    expect(left.map(({ id }) => id)).not.toContain(ids[7]);
    const isGone = async () => !(await texts()).join('').includes('quagga');
    await eventually(isGone, (gone) => gone, timeoutMs);
  }, 180_000);
});
