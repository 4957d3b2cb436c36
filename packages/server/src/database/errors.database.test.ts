import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accountRow } from './account-row.ts';
import {
  isConnectionError,
  isDamagedDataError,
  isForeignKeyViolation,
  isStorageError,
  isUniqueViolation,
} from './errors.ts';
import { openServer } from './server/server.ts';
import { eachEngine, openTestEmbedded, silentLog } from './testing.ts';

const thrownBy = (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(eachEngine())('a storage error: $name', ({ open }) => {
  it('is distinguished from an error of the request', async () => {
    const { engine, cleanup } = await open();
    const raised = (state: string) =>
      thrownBy(() =>
        sql`do $$ begin raise exception 'x' using errcode = '${sql.raw(state)}'; end $$`.execute(
          engine.db,
        ),
      );
    for (const state of ['08006', '40P01', '53100', '53300', '55P03', '57P01', '58030']) {
      expect(isStorageError(await raised(state)), state).toBe(true);
    }
    for (const state of ['22012', '23505', '42P01', '54001', '55006', 'P0001', 'XX000']) {
      expect(isStorageError(await raised(state)), state).toBe(false);
      expect(isDamagedDataError(await raised(state)), state).toBe(false);
    }
    // Damage affects only some rows and is no reason for other work to wait.
    for (const state of ['XX001', 'XX002', '58P01']) {
      expect(isStorageError(await raised(state)), state).toBe(false);
      expect(isDamagedDataError(await raised(state)), state).toBe(true);
    }
    const kinds = engine.integrity.findings.map(({ kind }) => kind);
    // A repeated message is not logged again.
    expect(kinds).toEqual(['damaged_page']);
    await cleanup();
  });

  it('is a connection closed by the server; the process continues with another', async () => {
    const { engine, cleanup } = await open();
    if (engine.kind === 'server') {
      const end = sql`select pg_terminate_backend(pg_backend_pid())`;
      const amidst = (): Promise<unknown> =>
        engine.transaction(async (tx) => {
          await end.execute(tx).catch(() => undefined);
          return sql`select 1`.execute(tx);
        });
      for (const ending of [() => end.execute(engine.db), amidst]) {
        expect(isStorageError(await thrownBy(ending))).toBe(true);
        await engine.ping();
      }
    }
    await cleanup();
  });
});

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Nodes of a distributed database report that of a shard. */
describe.each(eachEngine({ migrations }))('a violated constraint: $name', ({ open }) => {
  it('has its name, of one row and of several', async () => {
    const { engine, cleanup } = await open();
    const account = randomUUID();
    const now = new Date();
    const row = { id: account, name: 'a', plan: 'free', created_at: now, updated_at: now } as const;
    await engine.db.insertInto('accounts').values(row).execute();
    await engine.db.insertInto('account_positions').values({ account_id: account }).execute();
    const addSpace = (name: string) => sql`
      insert into spaces (account_id, id, name, metadata, created_at, updated_at)
      values (${account}::uuid, ${randomUUID()}::uuid, ${name}, '{}', ${now}, ${now})`;
    const addSpaces = (names: readonly string[]) => sql`
      insert into spaces (account_id, id, name, metadata, created_at, updated_at)
      select account_id, id, name, '{}', ${now}, ${now} from ${accountRow(account)},
        json_to_recordset(${JSON.stringify(names.map((name) => ({ id: randomUUID(), name })))})
          as row (id uuid, name text)`;
    await addSpace('a').execute(engine.db);
    for (const repeated of [addSpace('a'), addSpaces(['b', 'a'])]) {
      const error = await thrownBy(() => repeated.execute(engine.db));
      expect(isUniqueViolation(error, 'spaces_name')).toBe(true);
      expect(isUniqueViolation(error, 'memories_content')).toBe(false);
    }
    const addMemory = sql`
      insert into memories (account_id, id, space_id, content, content_type, tags, metadata,
        priority, is_pinned, protection_level, created_at, updated_at)
      select account.account_id, ${randomUUID()}::uuid, ${randomUUID()}::uuid, 'x', 'text', '{}',
        '{}', 0, false, 'none', ${now}, ${now}
      from ${accountRow(account)}`;
    const missing = await thrownBy(() => addMemory.execute(engine.db));
    expect(isForeignKeyViolation(missing, 'memories_space')).toBe(true);
    await cleanup();
  });
});

describe.each(eachEngine())('a transaction: $name', ({ open }) => {
  it('throws the error of its statement, also if its connection is discarded', async () => {
    const { engine, cleanup } = await open();
    const beyond = (): Promise<unknown> =>
      engine.transaction((tx) => sql`select 9007199254740993::int8 as n`.execute(tx));
    expect(await thrownBy(beyond)).toBeInstanceOf(RangeError);
    expect(isConnectionError(await thrownBy(beyond))).toBe(false);
    await cleanup();
  });
});

describe('a storage error', () => {
  it('is a closed embedded engine', async () => {
    const { engine, cleanup } = await openTestEmbedded();
    await cleanup();
    expect(isStorageError(await thrownBy(() => engine.ping()))).toBe(true);
  });

  it('is an unreachable server', async () => {
    const url = 'postgres://127.0.0.1:1/none';
    const opening = () => openServer({ kind: 'server', url, poolMax: 1 }, { log: silentLog });
    const { cause, message } = (await thrownBy(opening)) as Error;
    expect(isStorageError(cause)).toBe(true);
    expect(isConnectionError(cause)).toBe(true);
    expect(message).toContain('PostgreSQL at 127.0.0.1:1 cannot be used');
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'postmaster was shut down, exiting',
  ])('is a lost connection: %s', (message) => {
    expect(isStorageError(new Error(message))).toBe(true);
  });

  it.each([undefined, null, 'text', new Error('x'), Object.assign(new Error('x'), { code: 7 })])(
    'is nothing else: %s',
    (error) => {
      expect(isStorageError(error)).toBe(false);
    },
  );
});
