import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startService } from '../../../../../test/support/service.ts';
import { eachEngine, withLostAccounts } from '../../database/testing.ts';
import { usageBuffer } from './usage-buffer.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

describe.each(eachEngine({ migrations }))('buffered counters on $name', ({ name, open }) => {
  it('are written for accounts after one whose database node is lost, which follows', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await open();
    ending.defer(() => opened.cleanup());
    const lost = new Set<string>();
    const engine = withLostAccounts(opened.engine, lost);
    const service = await startService(name as 'embedded', { overrides: { engine } });
    ending.defer(() => service.stop());
    const buffer = usageBuffer.of(service.running.context.app);
    const ids = [(await service.createAccount()).id, (await service.createAccount()).id];
    const read = async (): Promise<unknown[]> => {
      const { rows } = await sql`select account_id, used from usage_counters
        where metric = 'test' order by account_id`.execute(opened.engine.db);
      return rows;
    };
    for (const accountId of ids) buffer.add({ accountId, metric: 'test', period: 'total' }, 2);
    lost.add(ids[0] ?? '');
    await buffer.flush();
    expect(await read()).toEqual([{ account_id: ids[1], used: 2 }]);
    lost.clear();
    await buffer.flush();
    expect(await read()).toEqual(ids.toSorted().map((account_id) => ({ account_id, used: 2 })));
  });
});
