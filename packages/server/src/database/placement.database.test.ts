import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placedTables, placementOf } from './placement.ts';
import { openTestEmbedded, type TestEngine } from './testing.ts';

const migrations = path.join(import.meta.dirname, '../../migrations');

describe('the placement of tables', () => {
  let database: TestEngine;
  beforeAll(async () => {
    database = await openTestEmbedded({ migrations });
  });
  afterAll(() => database.cleanup());

  const read = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
    (await query.execute(database.engine.db)).rows;

  it('is decided for every table', async () => {
    const rows = await read(sql<{ name: string }>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
        and relname not like 'schema\\_version\\_%'`);
    expect(rows.map(({ name }) => name).sort()).toEqual([...placedTables].sort());
  });

  it('puts the account into each key of a tenant table', async () => {
    const rows = await read(sql<{ table: string; index: string; columns: string[] }>`
      select c.relname as table, x.relname as index, array(
        select attname from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)
      )::text[] as columns
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
      where i.indisunique and c.relnamespace = current_schema()::regnamespace`);
    const keys = rows.filter(({ table }) => placementOf(table) === 'tenant');
    expect(keys.length).toBeGreaterThan(50);
    expect(keys.filter(({ columns }) => !columns.includes('account_id'))).toEqual([]);
  });

  it('lets foreign keys stay on one node', async () => {
    const rows = await read(sql<{ from: string; to: string; columns: string[] }>`
      select f.relname as from, t.relname as to, array(
        select attname from pg_attribute a where a.attrelid = f.oid and a.attnum = any(c.conkey)
      )::text[] as columns
      from pg_constraint c join pg_class f on f.oid = c.conrelid
        join pg_class t on t.oid = c.confrelid
      where c.contype = 'f'`);
    const isPossible = ({ from, to, columns }: (typeof rows)[number]): boolean => {
      if (placementOf(to) === 'reference') return true;
      return (
        placementOf(from) === placementOf(to) &&
        (placementOf(from) === 'known-local' || columns.includes('account_id'))
      );
    };
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((one) => !isPossible(one))).toEqual([]);
  });
});
