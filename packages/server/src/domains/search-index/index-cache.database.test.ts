import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { onlyMemoryResults } from '../../../../../test/support/memory-results.ts';
import { startService } from '../../../../../test/support/service.ts';
import { eachEngine } from '../../database/testing.ts';
import { indexCache } from './index-cache.ts';
import { createHoldableEngine } from './testing.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

describe.each(eachEngine({ migrations }))('the index shelf on $name', ({ name, open }) => {
  it('has no older rows from a catch-up that ran when the account was dropped', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await open();
    ending.defer(() => opened.cleanup());
    const { engine, hold, release } = createHoldableEngine(
      opened.engine,
      'case when hidden then null',
    );
    const service = await startService(name as 'embedded', { overrides: { engine } });
    ending.defer(() => service.stop());
    const { id: accountId, client } = await service.createAccount();
    const found = async (q: string) => {
      const { results, facets } = await client.search.post({ body: { q } });
      const matches = onlyMemoryResults(results).slice(0, facets.memories);
      return matches.map(({ content }) => content);
    };
    const { id } = await client.memories.create({ body: { content: 'The zebra is striped' } });

    const read = hold();
    const held = found('zebra');
    await read;
    await client.memories.update({ params: { id }, body: { content: 'Violins need strings' } });
    indexCache.of(service.running.context.app).evict(accountId);
    expect(await found('violin')).toEqual(['Violins need strings']);
    release();
    expect(await held).toEqual([]);
    expect(await found('violin')).toEqual(['Violins need strings']);
  });

  it('has what another process commits between two searches after quiet ones', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await open();
    ending.defer(() => opened.cleanup());
    const { engine } = opened;
    const service = await startService(name as 'embedded', { overrides: { engine } });
    ending.defer(() => service.stop());
    const { id: accountId, client } = await service.createAccount();
    const created = await Promise.all(
      ['one', 'two', 'three'].map((number) =>
        client.memories.create({ body: { content: `The zebra ${number} is striped` } }),
      ),
    );
    const found = async () => {
      const { facets } = await client.search.post({ body: { q: 'zebra' } });
      return facets.memories;
    };
    const { encodingWorker, extractionWorker } = service.running.context;
    await encodingWorker.drain();
    await extractionWorker.drain();
    for (const [gone, { id }] of created.entries()) {
      for (let search = 0; search < 3; search += 1) expect(await found()).toBe(3 - gone);
      // As another process removes it: this one learns of it by the position alone.
      await sql`
        update account_positions set position = position + 1, index_position = position + 1
        where account_id = ${accountId}::uuid`.execute(engine.db);
      await sql`
        update documents set terms = null, deleted_at = now(), position = (
          select index_position from account_positions where account_id = ${accountId}::uuid
        ) where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(engine.db);
    }
    expect(await found()).toBe(0);
  });
});
