import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { minuteMs, readSessionRows, searchWithSession, withoutTimers } from './session-requests.ts';

describe.each(engines)('Activation sessions of a deleted account on %s', (engine) => {
  let service: Service;
  const clock = withoutTimers(createFakeClock());
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const remove = (id: string) =>
    service.operator().admin.deleteAccount({ params: { id }, query: { confirm: true } });
  const drain = () => service.running.context.worker.drain();
  /** Any read writes what was noted, of every account. */
  const flush = () => service.client().sessions.list();
  /** An account that has found something in that many sessions. */
  const finding = async (keys: readonly string[]) => {
    const { client, id } = await service.createAccount();
    await createMemory(client, 'needle one');
    await createMemory(client, 'needle two');
    for (const key of keys) await searchWithSession(client, key, 'needle');
    return { client, id };
  };
  const countOf = async (table: string, id: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where account_id = ${id}::uuid
    `.execute(service.running.context.app.engine.db);
    return rows[0]?.count ?? -1;
  };

  it('are erased with all that they held and taught', async () => {
    const { client, id } = await finding(Array.from({ length: 30 }, (_, i) => `k${i}`));
    await client.sessions.list();
    clock.advance(30 * minuteMs);
    await client.sessions.list();
    await drain();
    const tables = ['activation_sessions', 'activation_accesses', 'co_accesses', 'relationships'];
    for (const table of tables) expect(await countOf(table, id), table).toBeGreaterThan(0);
    await client.cliSessions.create({ body: { name: 'work' } });
    await remove(id);
    await drain();
    for (const table of [...tables, 'cli_sessions']) {
      expect(await countOf(table, id), table).toBe(0);
    }
  });

  it('are not written any more once the account is deleted', async () => {
    const { id } = await finding(['k']);
    await remove(id);
    await flush();
    expect(await readSessionRows(service, id)).toEqual([]);
    await drain();
    expect(await readSessionRows(service, id)).toEqual([]);
  });

  it('are not written when the account is erased before what it found was recorded', async () => {
    const { id } = await finding(['k']);
    const other = await finding(['k']);
    await remove(id);
    await drain();
    await flush();
    expect(await readSessionRows(service, id)).toEqual([]);
    expect(await readSessionRows(service, other.id)).toHaveLength(1);
  });

  it('leave no row, whenever they are written beside the deletion and the erasure', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { client, id } = await finding(['a', 'b']);
      const late = searchWithSession(client, 'late', 'needle').catch(() => []);
      await Promise.all([flush(), remove(id), flush(), late]);
      await Promise.all([flush(), drain(), flush()]);
      await flush();
      await drain();
      expect(await readSessionRows(service, id)).toEqual([]);
    }
  });
});
