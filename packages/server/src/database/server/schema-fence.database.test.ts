import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { runCount, testSeed } from '../../../../../test/support/run-count.ts';
import type { Db, Engine } from '../engine.ts';
import {
  isUniqueViolation,
  MigrationInProgress,
  SchemaChanged,
  TransactionAborted,
} from '../errors.ts';
import { migrate } from '../migrate.ts';
import { openEngine } from '../open.ts';
import { runInSnapshot } from '../snapshot.ts';
import { makeTestDatabase, silentLog } from '../testing.ts';

const FIRST = `create table entries (
  id bigint generated always as identity, writer text, number int, unique (writer, number));`;
/** Marks rows that existed before the migration; slow, so that many writes overlap with it. */
const SECOND = `alter table entries add column is_late boolean not null default false;
  select pg_sleep(0.1); alter table entries alter column is_late set default true;`;

describe.runIf(isAvailable('postgresql'))('the fence of a server database', () => {
  let url: string;
  let drop: () => Promise<void>;
  let oldFolder: string;
  let newFolder: string;
  const opened: Engine[] = [];
  const logged: [Record<string, unknown>, string][] = [];

  beforeAll(async () => {
    oldFolder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-migrations-'));
    newFolder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-migrations-'));
    for (const folder of [oldFolder, newFolder]) {
      await fs.writeFile(path.join(folder, '0001_first.sql'), FIRST);
    }
    await fs.writeFile(path.join(newFolder, '0002_second.sql'), SECOND);
  });
  afterAll(async () => {
    for (const folder of [oldFolder, newFolder]) await fs.rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    ({ url, drop } = await makeTestDatabase(process.env.MNEME_TEST_DATABASE_URL ?? ''));
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine[Symbol.asyncDispose]();
    logged.splice(0);
    await drop();
  });

  async function open(poolMax = 4): Promise<Engine> {
    const error = (fields: Record<string, unknown>, message: string): void =>
      void logged.push([fields, message]);
    const log = { ...silentLog, error };
    const engine = await openEngine({ kind: 'server', url, poolMax }, { log });
    opened.push(engine);
    return engine;
  }
  const upgrade = (engine: Engine, folder = newFolder) =>
    migrate(engine, folder, { log: silentLog });

  /** A process of the previous version. */
  async function openOld(poolMax?: number): Promise<Engine> {
    const engine = await open(poolMax);
    await migrate(engine, oldFolder, { log: silentLog });
    return engine;
  }

  const insert = (db: Db, writer: string, number: number): Promise<unknown> =>
    sql`insert into entries (writer, number) values (${writer}, ${number}::int)`.execute(db);
  const insertByQuery = (db: Db, writer: string, number: number): Promise<unknown> =>
    sql`with added as (insert into entries (writer, number) values (${writer}, ${number}::int)
      returning id) select id from added`.execute(db);
  const insertPlain = (db: Db, writer: string, number: number): Promise<unknown> =>
    sql.raw(`insert into entries (writer, number) values ('${writer}', ${number})`).execute(db);

  /** Each form in which the service writes. */
  const named: Record<string, (engine: Engine, writer: string, n: number) => Promise<unknown>> = {
    'a statement': ({ db }, ...entry) => insert(db, ...entry),
    'a statement in a query': ({ db }, ...entry) => insertByQuery(db, ...entry),
    'a statement without parameters': ({ db }, ...entry) => insertPlain(db, ...entry),
    'a transaction': (engine, ...entry) => engine.transaction((tx) => insert(tx, ...entry)),
    'a longer transaction': (engine, ...entry) =>
      engine.transaction(async (tx) => {
        await sql`select pg_sleep(0.002)`.execute(tx);
        await insertPlain(tx, ...entry);
      }),
  };
  const forms = Object.values(named);

  async function entries(): Promise<string[]> {
    const engine = await open(1);
    const query = sql<{ entry: string }>`
      select writer || ' ' || number as entry from entries order by id`;
    return (await query.execute(engine.db)).rows.map(({ entry }) => entry);
  }

  /** Number of locks on the marker, held by migrations or by transactions waiting for one. */
  async function countLocks({ granted }: { granted: boolean }): Promise<() => Promise<number>> {
    const { db } = await open(1);
    return async () => {
      const query = sql<{ count: number }>`
        select count(*)::int as count from pg_locks as l
        join pg_class as c on c.oid = l.relation and c.relname = 'schema_version_1'
        where l.granted = ${granted} and l.database is not null
          and (not l.granted or l.mode = 'AccessExclusiveLock')`;
      return (await query.execute(db)).rows[0]?.count ?? 0;
    };
  }

  it('commits each transaction before a migration or rejects it', async () => {
    const scenario = fc.record({
      writers: fc.array(fc.array(fc.nat(forms.length - 1), { minLength: 1, maxLength: 5 }), {
        minLength: 4,
        maxLength: 12,
      }),
      /** Number of acknowledged writes when the migration starts. */
      before: fc.nat(60),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ writers, before }) => {
        const processes = [await openOld(), await openOld(3)];
        const acknowledged = new Set<string>();
        const refusals: unknown[] = [];
        const enough = Promise.withResolvers<void>();
        async function write(writer: string, order: readonly number[], engine: Engine) {
          for (let number = 1; ; number += 1) {
            const form = forms[order[number % order.length] ?? 0];
            try {
              await form?.(engine, writer, number);
              acknowledged.add(`${writer} ${number}`);
              if (acknowledged.size >= before) enough.resolve();
            } catch (error) {
              refusals.push(error);
              return;
            }
          }
        }
        const writing = writers.map((order, i) =>
          write(`writer-${i}`, order, processes[i % 2] as Engine),
        );
        await enough.promise;
        await upgrade(await open());
        await Promise.all(writing);
        for (const refusal of refusals) expect(refusal).toBeInstanceOf(SchemaChanged);
        expect(refusals).toHaveLength(writers.length);
        expect(new Set(await entries())).toEqual(acknowledged);
        const late = sql`select from entries where is_late`;
        expect((await late.execute((await open(1)).db)).rows).toEqual([]);
        expect(logged.map(([{ expected, found }]) => [expected, found])).toEqual([
          [1, 2],
          [1, 2],
        ]);
        await Promise.all(opened.splice(0).map((engine) => engine[Symbol.asyncDispose]()));
        logged.splice(0);
        await drop();
        ({ url, drop } = await makeTestDatabase(process.env.MNEME_TEST_DATABASE_URL ?? ''));
      }),
      { numRuns: runCount(8, 200), seed: testSeed, endOnFailure: true },
    );
  });

  it.each(Object.entries(named))(
    'rejects %s, also if the statement was prepared before',
    async (_name, form) => {
      const old = await openOld(1);
      for (let number = 0; number < 8; number += 1) await form(old, 'before', number);
      await upgrade(await open());
      await expect(form(old, 'after', 1)).rejects.toThrow(SchemaChanged);
      await expect(form(old, 'after', 1)).rejects.toThrow(
        'A newer version of Mneme has upgraded the database to schema version 2, and this ' +
          'process supports only version 1. It has stopped reading and writing. Replace it with ' +
          'the newer version.',
      );
      expect(await entries()).toHaveLength(8);
      expect(logged).toHaveLength(1);
    },
  );

  it('rejects reads after the change was detected, and still responds to pings', async () => {
    const old = await openOld();
    const count = sql<{ count: number }>`select count(*)::int as count from entries`;
    expect([old.canWrite, old.schemaChanged]).toEqual([true, null]);
    await upgrade(await open());
    await expect(insert(old.db, 'old', 1)).rejects.toThrow(SchemaChanged);
    expect(old.canWrite).toBe(false);
    expect(old.schemaChanged).toBeInstanceOf(SchemaChanged);
    await expect(count.execute(old.db)).rejects.toThrow(SchemaChanged);
    await expect(runInSnapshot(old, (tx) => count.execute(tx))).rejects.toThrow(SchemaChanged);
    await old.ping();
  });

  it('does not affect processes of the newer version, which may start together', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-migrations-'));
    await fs.cp(newFolder, folder, { recursive: true });
    for (let number = 3; number < 9; number += 1) {
      await fs.writeFile(path.join(folder, `000${number}_more.sql`), 'select 1;');
    }
    const [first, second, third] = [await open(), await open(), await open()];
    const applied = await Promise.all(
      [first, second, third].map((engine) => upgrade(engine, folder)),
    );
    expect(applied.flatMap((one) => one.applied)).toHaveLength(8);
    await insert(first.db, 'first', 1);
    await second.transaction((tx) => insert(tx, 'second', 1));
    await runInSnapshot(third, async (tx) => sql`select from entries`.execute(tx));
    expect((await entries()).sort()).toEqual(['first 1', 'second 1']);
    expect(logged).toEqual([]);
    await fs.rm(folder, { recursive: true });
  });

  it('makes a migration wait for open transactions, and later ones wait for it', async () => {
    const old = await openOld();
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const early = old.transaction(async (tx) => {
      await insert(tx, 'early', 1);
      started.resolve();
      await release.promise;
      await insert(tx, 'early', 2);
    });
    await started.promise;
    let isDone = false;
    const migrating = upgrade(await open()).then(() => {
      isDone = true;
    });
    const waiters = await countLocks({ granted: false });
    await eventually(waiters, (count) => count === 1);
    const late = [old.transaction((tx) => insert(tx, 'late', 1)), insert(old.db, 'late', 2)];
    const refused = Promise.allSettled(late);
    await eventually(waiters, (count) => count === 3);
    expect(isDone).toBe(false);
    release.resolve();
    await early;
    await migrating;
    for (const outcome of await refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'SchemaChanged' } });
    }
    expect(await entries()).toEqual(['early 1', 'early 2']);
  });

  it('opens again after a failed migration', async () => {
    const old = await openOld();
    const broken = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-migrations-'));
    await fs.cp(oldFolder, broken, { recursive: true });
    await fs.writeFile(path.join(broken, '0002_bad.sql'), 'select pg_sleep(0.2); select 1 / 0;');
    const failing = expect(upgrade(await open(), broken)).rejects.toThrow(/division by zero/);
    await eventually(await countLocks({ granted: true }), (count) => count === 1);
    await insert(old.db, 'old', 1);
    await failing;
    await old.transaction((tx) => insert(tx, 'old', 2));
    expect(await entries()).toEqual(['old 1', 'old 2']);
    await fs.rm(broken, { recursive: true });
  });

  it('reports a migration in progress when it exceeds the lock timeout', async () => {
    const old = await openOld(1);
    await sql`set lock_timeout = '20ms'`.execute(old.db);
    const other = await open(1);
    await other.transaction(async (tx) => {
      await sql`lock table schema_version_1 in access exclusive mode`.execute(tx);
      for (const form of forms) {
        await expect(form(old, 'old', 1)).rejects.toThrow(MigrationInProgress);
      }
    });
    expect(old.schemaChanged).toBeNull();
    for (const [number, form] of forms.entries()) await form(old, 'old', number);
    expect(await entries()).toHaveLength(forms.length);
  });

  it.each([
    [
      'one after the other',
      async (insertEach: readonly (() => Promise<unknown>)[]) => {
        const outcomes: PromiseSettledResult<unknown>[] = [];
        for (const one of insertEach) outcomes.push(...(await Promise.allSettled([one()])));
        return outcomes;
      },
    ],
    [
      'at once',
      (insertEach: readonly (() => Promise<unknown>)[]) =>
        Promise.allSettled(insertEach.map((one) => one())),
    ],
  ])('runs no statement of a transaction that did not begin: %s', async (_name, run) => {
    const old = await openOld(1);
    await old.transaction((tx) => insert(tx, 'before', 1));
    await sql`set lock_timeout = '20ms'`.execute(old.db);
    const other = await open(1);
    await other.transaction(async (tx) => {
      await sql`lock table schema_version_1 in access exclusive mode`.execute(tx);
      let outcomes: PromiseSettledResult<unknown>[] = [];
      const ignoring = old.transaction(async (oldTx) => {
        outcomes = await run([1, 2, 3].map((number) => () => insert(oldTx, 'old', number)));
      });
      await expect(ignoring).rejects.toThrow(TransactionAborted);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(outcomes[0]).toMatchObject({ reason: { name: 'MigrationInProgress' } });
    });
    await old.transaction((tx) => insert(tx, 'after', 1));
    expect(await entries()).toEqual(['before 1', 'after 1']);
  });

  it('sends nothing for a transaction without statements', async () => {
    const old = await openOld(1);
    await old.transaction((tx) => insert(tx, 'old', 1));
    const other = await open(1);
    await other.transaction(async (tx) => {
      await sql`lock table schema_version_1 in access exclusive mode`.execute(tx);
      expect(await old.transaction(async () => 'done')).toBe('done');
      const failing = old.transaction(() => Promise.reject(new Error('before any statement')));
      await expect(failing).rejects.toThrow('before any statement');
    });
  });

  it('hides no error of the statement itself', async () => {
    const old = await openOld(1);
    for (const [number, form] of forms.entries()) {
      await form(old, 'old', number);
      const again = await form(old, 'old', number).catch((error: unknown) => error);
      expect(isUniqueViolation(again)).toBe(true);
    }
    await expect(sql`insert into nothing values (${1}::int)`.execute(old.db)).rejects.toThrow(
      'relation "nothing" does not exist',
    );
    expect(old.schemaChanged).toBeNull();
  });

  it('rejects a process whose database was replaced by an older one', async () => {
    const process = await open();
    await upgrade(process);
    const other = await open(1);
    await sql`alter table schema_version_2 rename to schema_version_1`.execute(other.db);
    await sql`delete from schema_migrations where version = 2`.execute(other.db);
    await expect(insert(process.db, 'process', 1)).rejects.toThrow(
      'The schema of the database was replaced while this process used it (version 1, expected 2)',
    );
  });

  it('marks a database that was migrated by a version without markers', async () => {
    await openOld();
    const other = await open(1);
    await sql`drop table schema_version_1`.execute(other.db);
    const old = await openOld();
    await insert(old.db, 'old', 1);
    await upgrade(await open());
    await expect(insert(old.db, 'old', 2)).rejects.toThrow(SchemaChanged);
  });

  it('shows the snapshot of the first statement', async () => {
    const old = await openOld();
    const count = sql<{ count: number }>`select count(*)::int as count from entries`;
    await runInSnapshot(old, async (tx) => {
      const before = (await count.execute(tx)).rows;
      await insert((await open(1)).db, 'other', 1);
      expect((await count.execute(tx)).rows).toEqual(before);
    });
  });
});
