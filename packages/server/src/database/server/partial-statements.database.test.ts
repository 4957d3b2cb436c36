import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ProxiedNode, proxyNode } from '../../../../../test/support/cluster-node.ts';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { acrossAccounts, acrossAvailableAccounts } from '../across-accounts.ts';
import type { Db, Engine } from '../engine.ts';
import { NodeUnavailable } from '../errors.ts';
import { openTestEngine, silentLog } from '../testing.ts';
import type { Statement } from './node-commands.ts';
import { PartialStatements } from './partial-statements.ts';
import { UnavailableNodes } from './unavailable-nodes.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const accounts = Array.from({ length: 12 }, (_, i) => uuid(i));

describe.runIf(isAvailable('citus'))('a statement over the accounts of available nodes', () => {
  const ending = new AsyncDisposableStack();
  let engine: Engine;
  let url: string;
  let node: ProxiedNode;
  /** The accounts on the node that a test stops. */
  let lost: string[];
  let others: string[];

  beforeAll(async () => {
    const opened = await openTestEngine('Citus', { migrations });
    ending.defer(opened.cleanup);
    ({ engine, url = '' } = opened);
    node = ending.use(await proxyNode(url));
    const { db } = engine;
    for (const id of accounts) {
      await sql`insert into accounts (id, name, plan, created_at, updated_at)
        values (${id}, 'Test', 'free', now(), now())`.execute(db);
    }
    lost = [];
    for (const id of accounts) if (await node.has(id)) lost.push(id);
    others = accounts.filter((id) => !lost.includes(id));
    expect([lost.length > 1, others.length > 1]).toEqual([true, true]);
  });
  afterAll(() => ending.disposeAsync());
  beforeEach(async () => {
    for (const [i, id] of accounts.entries()) {
      // The later the account, the smaller the number.
      await sql`insert into usage_counters (account_id, metric, period, used) values
        (${id}, 'searches', '2026-11-30', ${100 - i}), (${id}, 'searches', '2026-11-29', 0)
        `.execute(engine.db);
    }
  });
  afterEach(async () => {
    node.proxy.setMode('open');
    const partial = acrossAvailableAccounts(engine.db, 'wait');
    await expect
      .poll(async () => [await readAccounts(partial), engine.unavailableNodes].map((o) => o.length))
      .toEqual([accounts.length, 0]);
    await sql`delete from usage_counters`.execute(engine.db);
  });

  const readAccounts = async (db: Db): Promise<string[]> => {
    const rows = await db.selectFrom('usage_counters').select('account_id').distinct().execute();
    return rows.map((row) => row.account_id).toSorted();
  };
  const partial = (): Db => acrossAvailableAccounts(engine.db, 'a test');

  it.each(['cut', 'silent'] as const)('finds the others at once (%s)', async (mode) => {
    expect(await readAccounts(partial())).toEqual(accounts);
    node.proxy.setMode(mode);
    expect(await readAccounts(partial())).toEqual(others);
    expect(engine.unavailableNodes).toEqual([node.name]);
    expect(await readAccounts(partial())).toEqual(others);
  });

  it('has the order, the limit and the types of the statement', async () => {
    node.proxy.setMode('cut');
    const { rows } = await sql`
      select account_id as "accountId", used, used > ${95}::int as many, ${[1, 2]}::int[] as list,
        timestamptz '2026-11-30 01:02:03.456+01' as at, '\\x00ff'::bytea as bytes, null as none,
        '{"a": [1]}'::jsonb as json, 'it''s $1' as text
      from usage_counters join accounts on accounts.id = account_id
      where period = ${'2026-11-30'} order by usage_counters.used limit ${2}::int`.execute(
      partial(),
    );
    const expected = others.toReversed().slice(0, 2);
    expect(rows).toEqual(
      expected.map((id) => ({
        accountId: id,
        used: 100 - accounts.indexOf(id),
        many: 100 - accounts.indexOf(id) > 95,
        list: [1, 2],
        at: new Date('2026-11-30T00:02:03.456Z'),
        bytes: new Uint8Array([0, 255]),
        none: null,
        json: { a: [1] },
        text: "it's $1",
      })),
    );
  });

  it('merges the rows of several nodes as the statement itself has them', async () => {
    const client = new pg.Client({ connectionString: url });
    await using closing = new AsyncDisposableStack();
    await client.connect();
    closing.defer(() => client.end());
    const run = ({ text, parameters }: Statement) => client.query(text, [...parameters]);
    const nodes = new UnavailableNodes({
      log: silentLog,
      runApart: (query) => client.query(query),
    });
    const statements = new PartialStatements(nodes);
    for (const end of ['order by used limit $1', 'order by used desc, account_id limit $1::int']) {
      const text = `select account_id, used from usage_counters where used > 0 ${end}`;
      const statement = { text, parameters: [7] };
      const { rows } = await statements.run(statement, { run, write: run });
      expect(rows).toEqual((await run(statement)).rows);
      expect(new Set(rows.map((row) => lost.includes(row.account_id))).size).toBe(2);
    }
    const text = 'delete from usage_counters where used = $1';
    const deleted = await statements.run({ text, parameters: [0] }, { run, write: run });
    expect(deleted).toMatchObject({ command: 'DELETE', rowCount: accounts.length });
  });

  it('deletes rows of the others, and returns their number', async () => {
    node.proxy.setMode('cut');
    const { numDeletedRows } = await partial()
      .deleteFrom('usage_counters')
      .where('period', '<', '2026-11-30')
      .executeTakeFirstOrThrow();
    expect(numDeletedRows).toBe(BigInt(others.length));
    const { numAffectedRows } = await sql`
      delete from usage_counters where (account_id, metric, period) in (
        select account_id, metric, period from usage_counters
        where used >= ${99}::int limit ${50}::int)`.execute(partial());
    expect(numAffectedRows).toBe(BigInt(others.filter((id) => accounts.indexOf(id) < 2).length));
  });

  it('waits no longer for a lock on a node than on one server', async () => {
    const [id = ''] = others;
    const { rows } = await engine.transaction((tx) =>
      sql`select current_setting('lock_timeout') as timeout from usage_counters
        where account_id = ${id}::uuid limit 1`.execute(tx),
    );
    expect(rows).toEqual([{ timeout: '10s' }]);
  });

  it('fails in a transaction, and where all accounts are needed', async () => {
    node.proxy.setMode('cut');
    await expect(readAccounts(acrossAccounts(engine.db, 'a test'))).rejects.toThrow(
      NodeUnavailable,
    );
    const inTransaction = engine.transaction((tx) =>
      readAccounts(acrossAvailableAccounts(tx, 'a test')),
    );
    await expect(inTransaction).rejects.toThrow(NodeUnavailable);
  });

  it('fails with the error of a node that responds', async () => {
    node.proxy.setMode('cut');
    await readAccounts(partial());
    const failing = sql`select 1 / (used - used) as n from usage_counters`.execute(partial());
    await expect(failing).rejects.toThrow('division by zero');
    expect(engine.unavailableNodes).toEqual([node.name]);
  });
});
