import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { migrate } from '../migrate.ts';
import { openEngine } from '../open.ts';
import { makeTestDatabase, silentLog } from '../testing.ts';
import { findClusterProblems } from './check-cluster.ts';
import { distributeTables } from './distribute.ts';
import { readTableStates } from './table-states.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const deps = { log: silentLog };
const clusterUrl = process.env.MNEME_TEST_DATABASE_URL ?? '';

describe.runIf(isAvailable('citus'))('a distributed database', () => {
  it('has the new tables of a migration where they belong, in the same colocation', async () => {
    await using ending = new AsyncDisposableStack();
    const { url, drop } = await makeTestDatabase(clusterUrl);
    ending.defer(drop);
    const settings = { kind: 'server', url, poolMax: 1 } as const;
    {
      await using engine = await openEngine(settings, deps);
      // 46 and 49 create tenant tables, and others change distributed ones.
      await migrate(engine, migrations, { ...deps, upTo: 45 });
      await distributeTables(engine, { onTable: () => undefined });
      await sql`alter database ${sql.id(new URL(url).pathname.slice(1))}
        set citus.shard_count = 3`.execute(engine.db);
    }
    const engine = ending.use(await openEngine(settings, deps));
    const { applied } = await migrate(engine, migrations, deps);
    expect(applied[0]).toBe('0046_maps_and_bulk_changes.sql');
    const states = await readTableStates(engine.db);
    expect(states.filter(({ isPlaced }) => !isPlaced)).toEqual([]);
    expect(states.filter(({ placement }) => placement === 'tenant').length).toBeGreaterThan(50);
  });

  it('names a worker that is missing, or inactive', async () => {
    await using ending = new AsyncDisposableStack();
    const { url, drop } = await makeTestDatabase(clusterUrl);
    ending.defer(drop);
    const engine = ending.use(await openEngine({ kind: 'server', url, poolMax: 1 }, deps));
    expect(await findClusterProblems(engine.db)).toEqual([]);
    await sql`select citus_disable_node(nodename, nodeport, synchronous => true)
      from pg_dist_node where groupid = (select max(groupid) from pg_dist_node)`.execute(engine.db);
    expect(await findClusterProblems(engine.db)).toEqual([
      expect.stringMatching(/^The worker 127\.0\.0\.1:\d+ is not active: /),
    ]);
    await sql`select citus_remove_node(nodename, nodeport) from pg_dist_node
      where groupid > 0`.execute(engine.db);
    expect(await findClusterProblems(engine.db)).toEqual([
      expect.stringContaining('The cluster has no workers'),
    ]);
  });
});
