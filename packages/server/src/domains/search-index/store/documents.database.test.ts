import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../../../../../test/support/service.ts';
import { pruneTombstones, readDocumentChanges, readIndexPosition } from './documents.ts';

const first = { position: 0, id: '00000000-0000-0000-0000-000000000000' };

describe.each(engines)('the index store on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** An account with five memories. */
  async function five() {
    const { id: accountId, client } = await service.createAccount();
    const memories = [1, 2, 3, 4, 5].map((i) => ({ content: `Parcel number ${i} has arrived` }));
    const created = await client.memories.bulkCreate({ body: { memories } });
    return { accountId, client, ids: created.memories.map(({ id }) => id) };
  }

  it('reads changes in pages limited by rows, or by bytes plus one row', async () => {
    const { accountId, ids } = await five();
    const { engine: database, embedder } = service.running.context.app;
    const pages = async (rows: number, bytes: number): Promise<string[][]> => {
      const result: string[][] = [];
      for (let after: typeof first | null = first; after; ) {
        const { model } = embedder;
        const page = await readDocumentChanges(database.db, accountId, after, model, {
          rows,
          bytes,
        });
        result.push(page.rows.map(({ id }) => id));
        after = page.next;
      }
      return result;
    };
    const sizes = (all: string[][]): number[] => all.map(({ length }) => length);
    expect((await pages(10, 1_000_000)).map((page) => page.toSorted())).toEqual([ids.toSorted()]);
    expect(sizes(await pages(2, 1_000_000))).toEqual([2, 2, 1]);
    expect(sizes(await pages(10, 1))).toEqual([1, 1, 1, 1, 1, 0]);
    expect((await pages(10, 1)).flat().toSorted()).toEqual(ids.toSorted());
  });

  it('prunes tombstones in steps, and returns the position that an index needs', async () => {
    const { accountId, client, ids } = await five();
    await client.memories.bulkDelete({ body: { ids: ids.slice(0, 3) } });
    const { engine: database } = service.running.context.app;
    const forget = (before: Date): Promise<boolean> =>
      database.transaction((tx) => pruneTombstones(tx, accountId, before, 2));
    expect(await forget(new Date(0))).toBe(false);
    const later = new Date(Date.now() + 60_000);
    expect([await forget(later), await forget(later), await forget(later)]).toEqual([
      true,
      false,
      false,
    ]);
    const progress = await readIndexPosition(database.db, accountId);
    expect(progress?.compaction_cursor).toBe(progress?.index_position);
    const { results } = await client.search.post({ body: { q: 'parcel' } });
    expect(results.map(({ id }) => id).toSorted()).toEqual(ids.slice(3).toSorted());
  });
});
