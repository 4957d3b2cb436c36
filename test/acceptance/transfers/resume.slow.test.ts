import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { runCount } from '../../support/run-count.ts';
import {
  createDataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { expireLeases } from '../reembed/kill-rounds.ts';
import { recordsOf } from './archive-files.ts';
import { countsOf, exportBytes } from './transfer.ts';

const memories = runCount(600, 1_500);
const perRequest = 100;
const kills = runCount(2, 4);
const timeoutMs = 120_000;
/** Vectors are not the subject. */
const env = { MNEME_EMBEDDING_PROVIDER: 'static' };

const contentOf = (i: number): string => `Note ${i}: Ana and Ben talk about topic ${i % 7}.`;

async function fill(client: Client): Promise<void> {
  const space = await client.spaces.create({ body: { name: 'Notes' } });
  for (let from = 0; from < memories; from += perRequest) {
    const body = {
      memories: Array.from({ length: perRequest }, (_, i) => ({
        content: contentOf(from + i),
        space_id: (from + i) % 2 === 0 ? space.id : null,
      })),
    };
    const { memories: stored } = await client.memories.bulkCreate({ body });
    await client.relationships.batch({
      body: {
        relationships: stored.slice(1).map(({ id }, i) => ({
          source_id: stored[i]?.id ?? '',
          target_id: id,
          type: 'supports',
        })),
      } as never,
    });
  }
}

const newAccount = async (server: ServerProcess): Promise<string> => {
  const { admin } = server.client();
  const { id } = await admin.createAccount({ body: { name: 'a', plan: 'enterprise' } });
  const { key } = await admin.createKey({
    params: { id },
    body: { name: 'k', scopes: ['admin'] },
  });
  return key;
};

describe.each(engines)('an import on %s', (engine) => {
  it('that is killed again and again continues where it was, and its report is exact', async () => {
    const location = await createDataLocation(engine);
    let server = await startServerProcess(location, { env });
    try {
      const [source, target] = [await newAccount(server), await newAccount(server)];
      await fill(server.client(source));
      const body = await exportBytes(server.client(source));
      const { import_id: id } = await server.client(target).transfers.import({ body });
      const read = () => server.client(target).transfers.getImport({ params: { id } });

      let interrupted = 0;
      for (let i = 1; i <= kills; i += 1) {
        const share = i / (kills + 2);
        const { status } = await eventually(read, ({ progress }) => progress >= share, timeoutMs);
        if (status !== 'completed') interrupted += 1;
        await server.kill('SIGKILL');
        await expireLeases(location);
        server = await startServerProcess(location, { env });
      }
      const report = await eventually(read, ({ status }) => status === 'completed', timeoutMs);

      expect(interrupted).toBeGreaterThan(0);
      const counts = countsOf(report);
      const all = { updated: 0, unchanged: 0, skipped: 0 };
      expect(counts.spaces).toEqual({ ...all, created: 1 });
      expect(counts.memories).toEqual({ ...all, created: memories });
      expect(counts.relationships).toEqual({
        ...all,
        created: (memories / perRequest) * (perRequest - 1),
      });
      const client = server.client(target);
      expect(await recordsOf(await exportBytes(client), 'memories')).toHaveLength(memories);
      const { data } = await client.search.post({ body: { q: 'topic', limit: 10 } });
      expect(data).toHaveLength(10);
    } finally {
      await server.kill('SIGKILL');
      await location.remove();
    }
  }, 400_000);
});
