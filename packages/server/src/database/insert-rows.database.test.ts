import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../instance/open-database.ts';
import { insertRows, type RowColumn } from './insert-rows.ts';
import { eachEngine, type TestEngine } from './testing.ts';

interface Row {
  readonly id: string;
  readonly vector: Uint8Array;
  readonly data: object;
  readonly tags: readonly string[];
  readonly user?: string | null;
  readonly at: Date;
}

const rows: readonly Row[] = [
  {
    id: '018f0000-0000-7000-8000-000000000001',
    vector: new Uint8Array([0, 1, 254, 255]),
    data: { text: 'A "quoted" \\ line\nend', number: 1.5, nothing: null, list: [1, 'ü'] },
    tags: ['a,b', '{c}', '"d"', ''],
    user: 'ana',
    at: new Date('2026-01-02T03:04:05.678Z'),
  },
  {
    id: '018f0000-0000-7000-8000-000000000002',
    vector: new Uint8Array(1),
    data: {},
    tags: [],
    user: null,
    at: new Date(0),
  },
  {
    id: '018f0000-0000-7000-8000-000000000003',
    vector: new Uint8Array(300).fill(7),
    data: { a: 'null' },
    tags: ['null'],
    at: new Date('2026-11-30T00:00:00Z'),
  },
];

/** In columns of real tables, since a distributed database knows no others. */
const eventColumns: readonly RowColumn<Row>[] = [
  { name: 'id', type: 'uuid', value: ({ id }) => id },
  { name: 'type', type: 'text', value: () => 'memory.created' },
  { name: 'user_id', type: 'text', value: ({ user }) => user },
  { name: 'data', type: 'json', value: ({ data }) => data },
  { name: 'changes', type: 'text[]', value: ({ tags }) => tags },
  { name: 'created_at', type: 'timestamptz', value: ({ at }) => at },
  {
    name: 'position',
    type: 'bigint',
    value: ({ id }) => Number(id.slice(-1)),
    stored: (value) => sql`100 - ${value}`,
  },
];

const vectorColumns: readonly RowColumn<Row>[] = [
  { name: 'document_id', type: 'uuid', value: ({ id }) => id },
  { name: 'dimensions', type: 'smallint', value: ({ vector }) => vector.length },
  { name: 'vector', type: 'bytea', value: ({ vector }) => vector },
];

describe.each(eachEngine({ migrations: migrationsFolder }))('insertRows on $name', ({ open }) => {
  let opened: TestEngine;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.cleanup());

  const addAccount = async (): Promise<string> => {
    const id = crypto.randomUUID();
    const { db } = opened.engine;
    await sql`insert into accounts (id, name, plan, settings, created_at, updated_at)
      values (${id}::uuid, 'a', 'free', '{}', now(), now())`.execute(db);
    await sql`insert into account_positions (account_id) values (${id}::uuid)`.execute(db);
    return id;
  };

  it('stores the same rows one by one and together', async () => {
    const { db } = opened.engine;
    const stored: unknown[] = [];
    for (const groups of [[rows], rows.map((row) => [row])]) {
      const accountId = await addAccount();
      for (const group of groups) {
        await insertRows('events', accountId, eventColumns, group).execute(db);
        const documents = [
          ...vectorColumns.slice(0, 1).map((column) => ({ ...column, name: 'id' })),
          { name: 'kind', expression: sql`'memory'` },
          { name: 'content_type', expression: sql`'text'` },
          { name: 'tags', expression: sql`'{}'::text[]` },
          { name: 'priority', expression: sql`3` },
          { name: 'pinned', expression: sql`false` },
          { name: 'created_at', expression: sql`'2026-01-01'::timestamptz` },
          { name: 'hidden', expression: sql`false` },
          { name: 'position', expression: sql`1` },
        ];
        await insertRows('documents', accountId, documents, group).execute(db);
        const vectors = [...vectorColumns, { name: 'model', expression: sql`'m'` }];
        await insertRows('vectors', accountId, vectors, group).execute(db);
      }
      const events = await sql`
        select id, type, user_id, data, changes, created_at, position from events
        where account_id = ${accountId}::uuid order by id`.execute(db);
      const vectors = await sql`
        select document_id, dimensions, vector, model from vectors
        where account_id = ${accountId}::uuid order by document_id`.execute(db);
      stored.push({ events: events.rows, vectors: vectors.rows });
    }
    const [together, apart] = stored;
    expect(apart).toEqual(together);
    expect(together).toMatchObject({
      events: rows.map(({ id, data, tags, user = null, at }) => ({
        id,
        data,
        changes: tags,
        user_id: user,
        created_at: at,
        position: 100 - Number(id.slice(-1)),
      })),
      vectors: rows.map(({ id, vector }) => ({ document_id: id, dimensions: vector.length })),
    });
  });

  it('leaves out rows that do not fulfil the condition, also a single one', async () => {
    const { db } = opened.engine;
    const accountId = await addAccount();
    const limit: RowColumn<Row> = { name: 'limit_at', type: 'timestamptz', value: ({ at }) => at };
    const filter = { columns: [limit], condition: sql`given.limit_at < '2026-06-01'` };
    await insertRows('events', accountId, eventColumns, rows, { filter }).execute(db);
    await insertRows('events', accountId, eventColumns, rows.slice(2), { filter }).execute(db);
    const found = await sql<{ id: string }>`
      select id from events where account_id = ${accountId}::uuid order by id`.execute(db);
    expect(found.rows.map(({ id }) => id)).toEqual(rows.slice(0, 2).map(({ id }) => id));
  });

  it('inserts nothing into an erased account where that is required', async () => {
    const { db } = opened.engine;
    const accountId = crypto.randomUUID();
    const options = { requiresAccount: true };
    await insertRows('events', accountId, eventColumns, rows.slice(0, 1), options).execute(db);
    const found = await sql`
      select from events where account_id = ${accountId}::uuid`.execute(db);
    expect(found.rows).toEqual([]);
  });
});
