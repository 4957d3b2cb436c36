import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../../../test/support/requirements.ts';
import type { Db, Tx } from '../../../database/index.ts';
import { eachEngine, explaining, type TestEngine } from '../../../database/testing.ts';
import { inSpaces } from '../../ctx.ts';
import { type KeySort, listMemoryRows, type MemoryListFilter } from './list.ts';
import { findMemories, findMemoryRow, lockMemories } from './memories.ts';
import { listSessionMemoryRows } from './session.ts';

const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url));
const account = '00000000-0000-7000-8000-000000000001';
const session = '00000000-0000-7000-8000-000000000002';
const memories = 10_000;
const inSession = 200;
const limit = 101;
const visible = inSpaces(null);
/** The older ones, as it is when newer ones replace them. */
const outdated = 120;
const idOf = (n: number): string => `00000000-0000-7000-9000-${String(n).padStart(12, '0')}`;
const start = Date.parse('2026-03-01T10:00:00Z');
const timeOf = (n: number): string => new Date(start + n * 1_000).toISOString();

describe.each(eachEngine({ migrations }))('a page of many memories on $name', ({ open }) => {
  let test: TestEngine;
  beforeAll(async () => {
    test = await open();
    const { db } = test.engine;
    const id = sql`('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid`;
    const at = sql`${timeOf(0)}::timestamptz + n * interval '1 s'`;
    const rows = sql`generate_series(1, ${memories}::int) as n`;
    // Every second one has other times, in the opposite order.
    const other = sql`case when n % 2 = 0 then ${timeOf(0)}::timestamptz - n * interval '1 s' end`;
    await sql`
      insert into memories (account_id, id, content, content_type, tags, metadata, priority,
        is_pinned, protection_level, created_at, updated_at, occurred_at, session_id,
        session_ordinal)
      select ${account}::uuid, ${id}, 'Note ' || n || repeat(' ', 1000), 'text', '{}', '{}', 5,
        false, 'none', ${at}, coalesce(${other}, ${at}), ${other},
        case when n <= ${inSession} then ${session}::uuid end,
        case when n <= ${inSession} then n end
      from ${rows}`.execute(db);
    await sql`
      insert into documents (account_id, id, kind, content_type, tags, priority, pinned, created_at,
        hidden, position, superseded_by)
      select ${account}::uuid, ${id}, 'memory', 'text', '{}', 5, false, ${at}, false, n,
        case when n <= ${outdated} then array[${idOf(memories)}::uuid] else '{}' end
      from ${rows}`.execute(db);
  });
  afterAll(() => test.cleanup());

  // The first test, since an analysis of the database cannot be undone.
  it.each([
    ['one', (db: Db) => findMemoryRow(db, account, idOf(7))],
    ['some', (db: Db) => findMemories(db, account, [7, 9, 11].map(idOf))],
    ['some to change', (db: Db) => lockMemories(db as Tx, account, [7, 9, 11].map(idOf))],
  ])(
    'memories by id are read by the primary key before there are statistics: %s',
    async (_, read) => {
      const { text } = await explaining(test.engine.db, read);
      expect(text).toMatch(/memories_pkey/);
      expect(text).not.toMatch(/memories_(?!pkey)\w+/);
    },
  );

  describe('with statistics', () => {
    beforeAll(() => sql`analyze memories, documents`.execute(test.engine.db));

    const page = (filter: Partial<MemoryListFilter>) => (db: Db) =>
      listMemoryRows(db, account, {
        visible,
        sort: 'created_at',
        order: 'desc',
        after: null,
        limit,
        includeDeleted: false,
        now: new Date(timeOf(0)),
        ...filter,
      });

    const sorts: readonly KeySort[] = ['created_at', 'updated_at', 'occurred_at', 'priority'];
    const orders = ['asc', 'desc'] as const;
    const afterMemory = (sort: KeySort, n: number) => ({
      value: sort === 'priority' ? '5' : timeOf(n),
      id: idOf(n),
    });
    const all = sorts.flatMap((sort) =>
      orders.flatMap((order) => [
        { sort, order },
        { sort, order, after: afterMemory(sort, memories / 2) },
      ]),
    );
    const current = sorts.map((sort) => ({ sort, outdated: false }));
    const old = orders.flatMap((order) => [
      { order, outdated: true },
      { order, outdated: true, after: afterMemory('created_at', outdated / 2) },
    ]);

    it.each([...all, ...current, ...old])('%j reads its own rows', async (filter) => {
      const { text, rowsRead } = await explaining(test.engine.db, page(filter));
      expect(text).not.toMatch(/Seq Scan|hashed/);
      expect(rowsRead).toBeLessThanOrEqual(8 * limit);
    });

    // By other orders, how many are outdated decides whether they or the list are read.
    const chosen = isAvailable('valuesInPlans') ? sorts : (['created_at'] as const);
    it.each(chosen)('of outdated ones by %s reads no others', async (sort) => {
      const { text, rowsRead } = await explaining(test.engine.db, page({ sort, outdated: true }));
      expect(text).not.toMatch(/Seq Scan/);
      expect(rowsRead).toBeLessThanOrEqual(8 * outdated);
    });

    it('of a session reads its own rows', async () => {
      const { text, rowsRead } = await explaining(test.engine.db, (db) =>
        listSessionMemoryRows(
          db,
          account,
          session,
          { visible, owner: {}, now: new Date(timeOf(0)) },
          { limit, offset: 0 },
        ),
      );
      expect(text).not.toMatch(/Seq Scan|hashed/);
      // It also counts its memories.
      expect(rowsRead).toBeLessThanOrEqual(2 * inSession + 2 * limit);
    });
  });
});
