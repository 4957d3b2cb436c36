import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eachEngine, type TestEngine } from '../database/testing.ts';
import { systemClock as clock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { Journal, type NewEvent } from './journal.ts';
import { readEvents } from './outbox.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

describe.each(eachEngine({ migrations }))('the journal on $name', ({ open }) => {
  let test: TestEngine;
  const ids = createIds(clock);
  const account = ids.uuid();

  beforeAll(async () => {
    test = await open();
  });
  afterAll(() => test.cleanup());
  beforeEach(async () => {
    await sql`truncate events, usage_counters, accounts cascade`.execute(test.engine.db);
    const now = clock.now();
    const row = { id: account, name: 'a', plan: 'free', created_at: now, updated_at: now };
    await test.engine.db.insertInto('accounts').values(row).execute();
    await test.engine.db.insertInto('account_positions').values({ account_id: account }).execute();
  });

  const event = (n: number): NewEvent => ({
    accountId: account,
    type: 'space.created',
    spaceId: null,
    data: { n },
  });
  const write = (n: number, thenFail = false) =>
    test.engine.transaction(async (tx) => {
      const journal = new Journal();
      journal.addEvent(event(n));
      await journal.flush(tx, { clock, ids, engine: test.engine });
      if (thenFail) throw new Error('no');
    });

  it('allocates positions in order of commit', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)));
    const filter = { after: 0, limit: 100, spaces: null };
    const events = await readEvents(test.engine.db, account, filter);
    expect(events).toHaveLength(20);
    const positions = events.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(20);
  });

  it.each([
    ['in one statement', false],
    ['in a statement for each write, as a distributed database needs it', true],
  ])('passes the position and the former model to writes, %s', async (_, isDistributed) => {
    const { db } = test.engine;
    await sql`update account_positions set model = 'a', position = 6, index_position = 4`.execute(
      db,
    );
    const journal = new Journal();
    for (const n of [1, 2]) journal.addEvent(event(n));
    journal.addPositionedWrite(account, ({ position, model }) =>
      ['x', 'y'].map(
        (metric) => sql`insert into usage_counters (account_id, metric, period, used)
          select account_id, ${metric} || ${model}, 'total', ${position} from account_positions
          where account_id = ${account}::uuid`,
      ),
    );
    await test.engine.transaction((tx) =>
      journal.flush(tx, { clock, ids, engine: { isDistributed } }),
    );
    const counters = await sql`select metric, used from usage_counters order by metric`.execute(db);
    expect(counters.rows).toEqual([
      { metric: 'xa', used: 9 },
      { metric: 'ya', used: 9 },
    ]);
    expect(journal.indexMoves.get(account)).toEqual({ from: 4, to: 9, model: 'a' });
    const events = await readEvents(db, account, { after: 0, limit: 100, spaces: null });
    expect(events.map(({ position }) => position)).toEqual([8, 9]);
  });

  it('rejects an event of an account that no longer exists', async () => {
    await sql`delete from account_positions`.execute(test.engine.db);
    await expect(write(1)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('shows no event of a transaction that is rolled back', async () => {
    await expect(write(1, true)).rejects.toThrow('no');
    const filter = { after: 0, limit: 100, spaces: null };
    expect(await readEvents(test.engine.db, account, filter)).toEqual([]);
  });
});
