import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine, explaining, type TestEngine } from '../database/testing.ts';
import { readEvents } from './outbox.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const account = '00000000-0000-7000-8000-000000000001';
const memory = '00000000-0000-7000-8000-000000000002';
const othersRows = 20_000;
const ownRows = othersRows / 1_000;

describe.each(eachEngine({ migrations }))('events of one owner among many on $name', ({ open }) => {
  let test: TestEngine;
  beforeAll(async () => {
    test = await open();
    // Autovacuum would write statistics of an empty table while the insertion has not ended.
    await sql`alter table events set (autovacuum_enabled = off)`.execute(test.engine.db);
    await sql`
      insert into events
        (account_id, position, id, type, user_id, agent_id, run_id, data, created_at)
      select ${account}::uuid, n, gen_random_uuid(), 'memory.created',
        case when n % 1000 = 0 then 'ana' else 'user' || n % 500 end,
        case when n % 1000 = 0 then 'cook' else 'agent' end,
        case when n % 1000 = 0 then 'r1' end,
        case when n % 1000 = 0 then ${`{"id":"${memory}"}`}::json else '{}' end, now()
      from generate_series(1, ${othersRows}::int) as n`.execute(test.engine.db);
  });
  afterAll(() => test.cleanup());

  const plan = (owner: object, hiddenTypes?: readonly string[]) =>
    explaining(test.engine.db, (db) =>
      readEvents(db, account, { after: 0, limit: 101, owner, hiddenTypes, spaces: null }),
    );

  it.each([
    ['user_id', { user_id: 'ana' }],
    ['agent_id', { agent_id: 'cook' }],
    ['run_id', { run_id: 'r1' }],
    ['user_id', { user_id: 'nobody' }],
  ])('are read by the index of %s, with statistics and without: %o', async (_, owner) => {
    const [name = ''] = Object.keys(owner);
    const index = `events_${name.replace('_id', '')}`;
    for (const statement of [sql`select 1`, sql`analyze events`]) {
      await statement.execute(test.engine.db);
      for (const hidden of [undefined, ['memory.accessed', 'entity.extracted']]) {
        const { text, rowsRead } = await plan(owner, hidden);
        expect(text).toContain(`using ${index} `);
        expect(text).not.toMatch(/Seq Scan|Sort/);
        expect(rowsRead).toBeLessThanOrEqual(ownRows);
      }
    }
  });

  it('or of one memory by its index', async () => {
    for (const statement of [sql`select 1`, sql`analyze events`]) {
      await statement.execute(test.engine.db);
      const { text, rowsRead } = await explaining(test.engine.db, (db) =>
        readEvents(db, account, { after: 0, limit: 101, memoryId: memory, spaces: null }),
      );
      expect(text).toContain('using events_memory ');
      expect(text).not.toMatch(/Seq Scan|Sort/);
      expect(rowsRead).toBeLessThanOrEqual(ownRows);
    }
  });
});
