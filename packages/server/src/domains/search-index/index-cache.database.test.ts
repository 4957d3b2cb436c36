import { fileURLToPath } from 'node:url';
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
});
