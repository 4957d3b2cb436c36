import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../test/support/requirements.ts';
import {
  type Engine,
  migrate,
  openEngine,
  readTableStates,
  requireCompleteDistribution,
} from '../database/index.ts';
import { makeTestDatabase, silentLog } from '../database/testing.ts';
import { requireEmptyDatabase } from '../restore/target.ts';
import { runCommand } from './testing.ts';
import { isUserFacingError } from './user-facing-errors.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const serverUrl = process.env.MNEME_TEST_DATABASE_URL ?? '';
const deps = { log: silentLog };

/** Runs `mneme-server distribute`. */
const run = (parameters: readonly string[], env: Record<string, string>) =>
  runCommand(['distribute', ...parameters], env);

async function failure(env: Record<string, string>): Promise<string> {
  const error: unknown = await run([], env).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(isUserFacingError(error)).toBe(true);
  return String(error);
}

/** A database, with the variables that name it and a connection of a process of Mneme. */
async function makeDatabase(upTo?: number) {
  const { url, drop } = await makeTestDatabase(serverUrl);
  const open = (): Promise<Engine> => openEngine({ kind: 'server', url, poolMax: 2 }, deps);
  if (upTo !== 0) {
    await using engine = await open();
    await migrate(engine, migrations, { ...deps, ...(upTo !== undefined && { upTo }) });
  }
  return { env: { MNEME_DATABASE_URL: url }, open, [Symbol.asyncDispose]: drop };
}

const account = '01a228e6-0000-7000-8000-000000000001';

async function insertAccount({ db }: Engine): Promise<void> {
  await sql`insert into accounts (id, name, plan, created_at, updated_at)
    values (${account}::uuid, 'first', 'free', now(), now())`.execute(db);
  await sql`insert into api_keys (id, key_id, account_id, name, created_at, secret_hash, scopes)
    values (${account}::uuid, 'k', ${account}::uuid, 'key', now(), '\\x00', '{}')`.execute(db);
  await sql`insert into account_positions (account_id, position)
    values (${account}::uuid, 7)`.execute(db);
}

const readAccount = async ({ db }: Engine): Promise<unknown> =>
  (
    await sql`select a.name, k.name as key, p.position::int as position from accounts a
      join account_positions p on p.account_id = a.id
      cross join (select name from api_keys) as k
      where a.id = ${account}::uuid and p.account_id = ${account}::uuid`.execute(db)
  ).rows;

/** The names of tables that are not where they belong. */
const misplaced = async ({ db }: Engine): Promise<string[]> =>
  (await readTableStates(db)).filter(({ isPlaced }) => !isPlaced).map(({ name }) => name);

it('the embedded database is not distributed', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  expect(await failure({ MNEME_DATA_DIR: folder })).toContain('`mneme move --to <url>`');
  await fs.rm(folder, { recursive: true });
});

describe.runIf(serverUrl !== '' && !isAvailable('citus'))('distribute on PostgreSQL', () => {
  it('asks for Citus, and shows so where it only checks', async () => {
    await using database = await makeDatabase();
    expect(await failure(database.env)).toContain('`create extension citus`');
    const { printed, code } = await run(['--check', '--json'], database.env);
    expect(JSON.parse(printed)).toMatchObject({ distributed: false, tables: [] });
    expect(code).toBe(1);
  });
});

describe.runIf(isAvailable('citus'))('distribute on Citus', () => {
  it('keeps the data, shows each step, and has nothing to do again', async () => {
    await using database = await makeDatabase();
    {
      await using engine = await database.open();
      await insertAccount(engine);
      expect(engine.isDistributed).toBe(false);
    }
    const first = await run([], database.env);
    expect(first.warned).toContainEqual(
      expect.stringMatching(/^\d+ of \d+: Distributing memories \(tenant\) …$/),
    );
    expect(first).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/ where they belong\.$/),
    });
    await using engine = await database.open();
    expect(engine.isDistributed).toBe(true);
    expect(await readAccount(engine)).toEqual([{ name: 'first', key: 'key', position: 7 }]);
    const copies = (await readTableStates(engine.db)).filter(({ hasLocalCopy }) => hasLocalCopy);
    expect(copies).toEqual([]);
    await engine[Symbol.asyncDispose]();
    expect((await run([], database.env)).warned).toEqual([]);
  });

  it('checks without a change, and continues what was interrupted', async () => {
    await using database = await makeDatabase();
    {
      await using engine = await database.open();
      await insertAccount(engine);
      await sql`select create_reference_table('accounts')`.execute(engine.db);
      await sql`select create_distributed_table('spaces', 'account_id')`.execute(engine.db);
      const before = await misplaced(engine);
      expect(before).toContain('memories');
      expect(before).not.toContain('spaces');
      await expect(requireCompleteDistribution(engine)).rejects.toThrow('only in part');
      await engine[Symbol.asyncDispose]();
      const { printed, code } = await run(['--check'], database.env);
      expect(code).toBe(1);
      expect(printed).toMatch(/^memories +tenant +missing$/m);
      expect(printed).toMatch(/^spaces +tenant +ok$/m);
    }
    expect((await run([], database.env)).code).toBe(0);
    await using engine = await database.open();
    await requireCompleteDistribution(engine);
    expect(await misplaced(engine)).toEqual([]);
    expect(await readAccount(engine)).toEqual([{ name: 'first', key: 'key', position: 7 }]);
  });

  it('waits for no server: it names what to do', async () => {
    await using database = await makeDatabase();
    await using engine = await database.open();
    await engine.ping();
    expect(await failure(database.env)).toContain('stop them first');
    expect((await misplaced(engine)).length).toBeGreaterThan(50);
  });

  it('needs the schema of this version; a move needs a database without one', async () => {
    await using empty = await makeDatabase(0);
    await requireEmptyDatabase(empty.env.MNEME_DATABASE_URL, deps);
    expect(await failure(empty.env)).toContain('has no tables');
    await using older = await makeDatabase(45);
    expect(await failure(older.env)).toContain('schema of an older version');
  });
});
