import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { IntegrityFindings } from '../durability/integrity-findings.ts';
import { makeTestDatabase, silentLog } from '../testing.ts';
import { TransactionScope } from '../transaction.ts';
import { openPool } from './pool.ts';
import { SchemaFence } from './schema-fence.ts';

describe.runIf(isAvailable('postgresql'))('the pool of a server database', () => {
  it('reports what may have committed, but no statement that changed nothing', async () => {
    const { url, drop } = await makeTestDatabase(process.env.MNEME_TEST_DATABASE_URL ?? '');
    let commits = 0;
    const pool = openPool({ kind: 'server', url, poolMax: 1 }, new TransactionScope(), {
      log: silentLog,
      integrity: new IntegrityFindings(null, silentLog, { engine: 'server' }),
      fence: new SchemaFence(silentLog),
      onCommit: () => {
        commits += 1;
      },
    });
    const client = await pool.connect();
    const counted: [string, number][] = [];
    const statements = [
      'create table entries (n int)',
      'select n from entries',
      'update entries set n = 1',
      'delete from entries',
      'with added as (insert into entries values (1)) update entries set n = 2',
      'update entries set n = 3',
      'delete from entries',
    ];
    for (const text of statements) {
      const before = commits;
      await client.query(text, []);
      counted.push([text, commits - before]);
    }
    expect(counted.map(([, count]) => count)).toEqual([1, 0, 0, 0, 1, 1, 1]);
    client.release();
    await pool.end();
    await drop();
  });
});
