import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../test/support/requirements.ts';
import { runAutovacuum } from './autovacuum.ts';
import { onlyEngine, openTestEngine, silentLog, type TestEngine } from './testing.ts';

describe.runIf(isAvailable('postgresql'))('the statistics on PostgreSQL', () => {
  let opened: TestEngine;
  beforeAll(async () => {
    opened = await openTestEngine(onlyEngine ?? 'PostgreSQL');
  });
  afterAll(() => opened.cleanup());

  it('of a new table are created once it has grown, and updated only by autovacuum', async () => {
    const { engine } = opened;
    const grow = (rows: number) =>
      engine.transaction(async (tx) => {
        await sql`insert into fresh select i from generate_series(1, ${rows}::int) as i`.execute(
          tx,
        );
        await sql`select pg_stat_force_next_flush()`.execute(tx);
      });
    await sql`create table fresh (id int)`.execute(engine.db);
    await grow(10);
    expect(await runAutovacuum(engine, { log: silentLog })).toEqual([]);
    await grow(1_000);
    expect(await runAutovacuum(engine, { log: silentLog })).toEqual(['fresh']);
    await grow(1_000);
    expect(await runAutovacuum(engine, { log: silentLog })).toEqual([]);
  });
});
