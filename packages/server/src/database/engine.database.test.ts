import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tx } from './engine.ts';
import {
  isForeignKeyViolation,
  isUniqueViolation,
  NestedTransaction,
  TransactionAborted,
} from './errors.ts';
import { eachEngine, type TestEngine } from './testing.ts';

describe.each(eachEngine())('engine: $name', ({ open }) => {
  let opened: TestEngine;
  let engine: Engine;

  beforeAll(async () => {
    opened = await open();
    engine = opened.engine;
    await sql`create table counters (
      id int primary key, value int not null, constraint not_negative check (value >= 0)
    )`.execute(engine.db);
    await sql`create table owned (
      id int primary key, counter int constraint owned_counter references counters
    )`.execute(engine.db);
  });

  afterAll(() => opened.cleanup());

  async function counter(id: number): Promise<number | undefined> {
    const query = sql<{ value: number }>`select value from counters where id = ${id}`;
    return (await query.execute(engine.db)).rows[0]?.value;
  }

  it('responds to a ping', async () => {
    await expect(engine.ping()).resolves.toBeUndefined();
  });

  it('commits the writes of a transaction and returns its result', async () => {
    const result = await engine.transaction(async (tx) => {
      await sql`insert into counters values (1, 10)`.execute(tx);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await counter(1)).toBe(10);
  });

  it('rolls back a transaction that throws', async () => {
    const failing = engine.transaction(async (tx) => {
      await sql`insert into counters values (2, 10)`.execute(tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await counter(2)).toBeUndefined();
  });

  it('returns the number of changed rows', async () => {
    await sql`insert into counters values (3, 1), (4, 1)`.execute(engine.db);
    const update = sql`update counters set value = 2 where id in (3, 4)`;
    expect((await update.execute(engine.db)).numAffectedRows).toBe(2n);
    const remove = sql`delete from counters where id = 4`;
    expect((await remove.execute(engine.db)).numAffectedRows).toBe(1n);
    expect((await sql`select 1`.execute(engine.db)).numAffectedRows).toBeUndefined();
  });

  it('rejects a commit if a failed statement was ignored', async () => {
    const careless = engine.transaction(async (tx) => {
      await sql`insert into counters values (5, 1)`.execute(tx);
      await sql`select 1 / 0`.execute(tx).catch(() => {});
    });
    await expect(careless).rejects.toThrow(TransactionAborted);
    expect(await counter(5)).toBeUndefined();
    await engine.ping();
  });

  it('rejects any use of the engine inside a transaction immediately', async () => {
    await expect(engine.transaction(() => engine.ping())).rejects.toThrow(NestedTransaction);
    const inner = engine.transaction(() => engine.transaction(async () => {}));
    await expect(inner).rejects.toThrow(NestedTransaction);
    await engine.ping();
  });

  it('lets work that outlives a transaction use the engine', async () => {
    let later: Promise<void> | undefined;
    const gate = Promise.withResolvers<void>();
    await engine.transaction(async () => {
      later = gate.promise.then(() => engine.ping());
    });
    gate.resolve();
    await expect(later).resolves.toBeUndefined();
  });

  it('loses no update of 50 concurrent transactions', async () => {
    await sql`insert into counters values (6, 0)`.execute(engine.db);
    async function increment(tx: Tx): Promise<void> {
      const read = sql<{ value: number }>`select value from counters where id = 6 for update`;
      const value = (await read.execute(tx)).rows[0]?.value ?? 0;
      await sql`update counters set value = ${value + 1} where id = 6`.execute(tx);
    }
    await Promise.all(Array.from({ length: 50 }, () => engine.transaction(increment)));
    expect(await counter(6)).toBe(50);
  });

  it('returns the right response to each concurrent statement of a transaction', async () => {
    const values = await engine.transaction((tx) =>
      Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const query = sql<{ n: number }>`select ${index}::int as n`;
          return (await query.execute(tx)).rows[0]?.n;
        }),
      ),
    );
    expect(values).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('continues after an error in a prepared statement', async () => {
    const divide = (by: number) =>
      sql<{ n: number }>`select 10 / ${by}::int as n`.execute(engine.db);
    expect((await divide(2)).rows).toEqual([{ n: 5 }]);
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divide(5)).rows).toEqual([{ n: 2 }]);
  });

  it('names the violated constraint', async () => {
    await sql`insert into counters values (7, 0)`.execute(engine.db);
    const twice = await sql`insert into counters values (7, 0)`.execute(engine.db).catch((e) => e);
    expect(isUniqueViolation(twice)).toBe(true);
    expect(isUniqueViolation(twice, 'counters_pkey')).toBe(true);
    expect(isUniqueViolation(twice, 'another')).toBe(false);
    expect(isForeignKeyViolation(twice)).toBe(false);
    const orphan = await sql`insert into owned values (1, 999)`.execute(engine.db).catch((e) => e);
    expect(isForeignKeyViolation(orphan, 'owned_counter')).toBe(true);
    const bad = sql`insert into counters values (8, -1)`.execute(engine.db);
    await expect(bad).rejects.toMatchObject({ code: '23514', constraint: 'not_negative' });
  });

  it('sees a changed table through an earlier statement', async () => {
    await sql`create table changing (a int)`.execute(engine.db);
    await sql`insert into changing values (1)`.execute(engine.db);
    const all = () => sql`select * from changing`.execute(engine.db);
    for (let use = 0; use < 3; use += 1) expect((await all()).rows).toEqual([{ a: 1 }]);
    await sql`alter table changing add b text default 'x'`.execute(engine.db);
    expect((await all()).rows).toEqual([{ a: 1, b: 'x' }]);
  });

  it('lets an open transaction finish before it closes, and rejects later use', async () => {
    const closing = await open();
    const inside = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const work = closing.engine.transaction(async (tx) => {
      await sql`select 1`.execute(tx);
      inside.resolve();
      await gate.promise;
      return (await sql`select 2 as two`.execute(tx)).rows;
    });
    await inside.promise;
    const closed = Promise.all([
      closing.engine[Symbol.asyncDispose](),
      closing.engine[Symbol.asyncDispose](),
    ]);
    gate.resolve();
    expect(await work).toEqual([{ two: 2 }]);
    await closed;
    await expect(closing.engine.ping()).rejects.toThrow();
    await closing.cleanup();
  });
});
