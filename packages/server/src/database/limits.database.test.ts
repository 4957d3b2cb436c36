import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { isConnectionError, isStatementTimeout } from './errors.ts';
import { eachEngine, type TestEngine } from './testing.ts';

const STATEMENT_TIMEOUT_MS = 1_000;
const NUMBERS = 2_000_000_000;
const waitsMs: number[] = [];

const engines = eachEngine({
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  deps: {
    random: () => 0.5,
    sleep: async (ms) => {
      waitsMs.push(ms);
    },
  },
});

describe.each(engines)('limits and retries: $name', ({ open }) => {
  let opened: TestEngine;

  beforeAll(async () => {
    opened = await open();
    await sql`create table notes (id int primary key)`.execute(opened.engine.db);
  });

  afterAll(() => opened.cleanup());

  /** Fails with a serialization failure until the specified attempt. */
  async function conflict(succeedAt: number): Promise<number> {
    let attempt = 0;
    return opened.engine.transaction(async (tx) => {
      attempt += 1;
      await sql`insert into notes values (${100 + succeedAt})`.execute(tx);
      if (attempt < succeedAt) {
        await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(
          tx,
        );
      }
      return attempt;
    });
  }

  it('runs a transaction again after a conflict, waiting longer each time', async () => {
    waitsMs.length = 0;
    expect(await conflict(5)).toBe(5);
    expect(waitsMs).toEqual([7.5, 15, 30, 60]);
  });

  it('gives up after the fifth attempt', async () => {
    waitsMs.length = 0;
    await expect(conflict(6)).rejects.toMatchObject({ code: '40001' });
    expect(waitsMs).toHaveLength(4);
  });

  it('cancels a statement after its timeout, rolls back, and continues', async () => {
    const { engine } = opened;
    const endless = engine.transaction(async (tx) => {
      await sql`insert into notes values (1)`.execute(tx);
      await sql`select count(*) from generate_series(1, ${NUMBERS}::bigint)`.execute(tx);
    });
    const meanwhile = engine.db.executeQuery(sql`select 1 as one`.compile(engine.db));
    const error = await endless.catch((reason: unknown) => reason);
    expect(isStatementTimeout(error)).toBe(true);
    expect((await meanwhile).rows).toEqual([{ one: 1 }]);
    const rows = await sql`select id from notes where id = 1`.execute(engine.db);
    expect(rows.rows).toEqual([]);
  });

  it('ends an idle transaction on a server and releases its locks', async () => {
    const { engine } = opened;
    if (engine.kind === 'embedded') return;
    await sql`insert into notes values (3)`.execute(engine.db);
    const holds = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const silent = engine.transaction(async (tx) => {
      await sql`select from notes where id = 3 for update`.execute(tx);
      holds.resolve();
      await gate.promise;
      await sql`delete from notes where id = 3`.execute(tx);
    });
    const outcome = silent.catch((reason: unknown) => reason);
    await holds.promise;
    const change = sql`update notes set id = 4 where id = 3`;
    const changes = () =>
      change.execute(engine.db).then(
        () => true,
        () => false,
      );
    await eventually(changes, Boolean);
    gate.resolve();
    expect(isConnectionError(await outcome)).toBe(true);
  });

  it('rejects a commit if a statement timeout was ignored', async () => {
    const { engine } = opened;
    const careless = engine.transaction(async (tx) => {
      await sql`insert into notes values (2)`.execute(tx);
      const endless = sql`select count(*) from generate_series(1, ${NUMBERS}::bigint)`;
      await endless.execute(tx).catch(() => {});
    });
    await expect(careless).rejects.toThrow();
    const rows = await sql`select id from notes where id = 2`.execute(engine.db);
    expect(rows.rows).toEqual([]);
  });
});
