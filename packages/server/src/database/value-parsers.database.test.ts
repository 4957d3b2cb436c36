import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine, type TestEngine } from './testing.ts';

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
const uuid = '0199a3c4-7d51-7cc2-8d0b-3f1a52c9e0aa';
const text = 'é "quoted" \\ {a,b} \n 日本 🙂 \'';
const vectors = [bytes, new Uint8Array(0)];

/** An expression and the JavaScript value that every engine returns for it. */
const table: [string, RawBuilder<unknown>, unknown][] = [
  ['text', sql`${text}::text`, text],
  ['empty text', sql`${''}::text`, ''],
  ['null', sql`${null}::text`, null],
  ['uuid', sql`${uuid}::uuid`, uuid],
  ['boolean true', sql`${true}::boolean`, true],
  ['boolean false', sql`${false}::boolean`, false],
  ['int2', sql`${-5}::int2`, -5],
  ['int4', sql`${2 ** 31 - 1}::int4`, 2 ** 31 - 1],
  ['int8', sql`${Number.MAX_SAFE_INTEGER}::int8`, Number.MAX_SAFE_INTEGER],
  ['int8 from bigint', sql`${-7n}::int8`, -7],
  ['count', sql`(select count(*) from generate_series(1, 3))`, 3],
  ['numeric', sql`${'12.50'}::numeric`, '12.50'],
  ['float4', sql`${0.5}::float4`, 0.5],
  ['float8', sql`${0.1 + 0.2}::float8`, 0.1 + 0.2],
  ['float8 tiny', sql`${5e-324}::float8`, 5e-324],
  ['float8 not a number', sql`${Number.NaN}::float8`, Number.NaN],
  ['float8 infinite', sql`${-Infinity}::float8`, -Infinity],
  [
    'timestamptz',
    sql`${new Date('2026-01-02T03:04:05.678Z')}::timestamptz`,
    new Date('2026-01-02T03:04:05.678Z'),
  ],
  [
    'timestamptz with microseconds',
    sql`'2026-01-02 05:04:05.678999+02'::timestamptz`,
    new Date('2026-01-02T03:04:05.678Z'),
  ],
  ['timestamptz before 1970', sql`${new Date(-1)}::timestamptz`, new Date(-1)],
  ['date', sql`'2026-02-28'::date`, '2026-02-28'],
  ['jsonb', sql`${JSON.stringify({ a: [1, null, text] })}::jsonb`, { a: [1, null, text] }],
  ['jsonb null', sql`'null'::jsonb`, null],
  ['json', sql`'[1,2]'::json`, [1, 2]],
  ['bytea', sql`${bytes}::bytea`, bytes],
  ['bytea empty', sql`${new Uint8Array(0)}::bytea`, new Uint8Array(0)],
  ['bytea from Buffer', sql`${Buffer.from(bytes)}::bytea`, bytes],
  ['text[]', sql`${[text, '', 'NULL', null]}::text[]`, [text, '', 'NULL', null]],
  ['text[] empty', sql`${[]}::text[]`, []],
  ['uuid[]', sql`${[uuid]}::uuid[]`, [uuid]],
  ['int4[]', sql`${[1, -2, null]}::int4[]`, [1, -2, null]],
  ['int8[]', sql`${[2 ** 40]}::int8[]`, [2 ** 40]],
  ['float8[]', sql`${[0.1, 1e300, Number.NaN]}::float8[]`, [0.1, 1e300, Number.NaN]],
  ['float4[]', sql`${[0.25]}::float4[]`, [0.25]],
  ['boolean[]', sql`${[true, false]}::boolean[]`, [true, false]],
  ['bytea[]', sql`${vectors}::bytea[]`, vectors],
  ['timestamptz[]', sql`${[new Date(0)]}::timestamptz[]`, [new Date(0)]],
  ['jsonb[]', sql`${['{"a":"b,c"}']}::jsonb[]`, [{ a: 'b,c' }]],
  ['nested array', sql`array[[1, 2], [3, 4]]`, [[1, 2], [3, 4]]], // biome-ignore format: one row
  ['interval', sql`'1 day 02:00'::interval`, '1 day 02:00:00'],
];

describe.each(eachEngine())('values: $name', ({ open }) => {
  let opened: TestEngine;

  beforeAll(async () => {
    opened = await open();
  });

  afterAll(() => opened.cleanup());

  async function select(expression: RawBuilder<unknown>): Promise<unknown> {
    const query = sql<{ value: unknown }>`select ${expression} as value`;
    return (await query.execute(opened.engine.db)).rows[0]?.value;
  }

  it.each(table)('%s is read as it was written', async (_, expression, expected) => {
    // The second run uses the prepared statement and its own formats.
    expect(await select(expression)).toStrictEqual(expected);
    expect(await select(expression)).toStrictEqual(expected);
  });

  it('returns bytes in a separate buffer, so that wider typed arrays can view them', async () => {
    const floats = Float32Array.of(1, 0.5, -2);
    for (let run = 0; run < 2; run += 1) {
      const value = await select(sql`${new Uint8Array(floats.buffer)}::bytea`);
      if (!(value instanceof Uint8Array)) throw new TypeError('not bytes');
      expect(new Float32Array(value.buffer)).toEqual(floats);
    }
  });

  it('rejects an integer beyond the safe range', async () => {
    await expect(select(sql`9007199254740993::int8`)).rejects.toThrow(RangeError);
    await opened.engine.ping();
  });

  it('rejects a timestamp that a Date cannot represent', async () => {
    await expect(select(sql`'infinity'::timestamptz`)).rejects.toThrow(RangeError);
    await expect(select(sql`'0044-03-15 BC'::timestamptz`)).rejects.toThrow(RangeError);
  });

  it.each([
    ['undefined', undefined],
    ['a plain object', { a: 1 }],
    ['a symbol', Symbol('a')],
    ['undefined in an array', [undefined]],
    ['an invalid date', new Date(Number.NaN)],
  ])('rejects %s as a parameter before anything is sent', async (_, value) => {
    await expect(select(sql`${value}::text`)).rejects.toThrow(/parameter|Invalid time value/);
    await opened.engine.ping();
  });

  it('inserts rows in bulk through unnest', async () => {
    await sql`create table bulk (id uuid, label text, vector bytea)`.execute(opened.engine.db);
    const ids = Array.from(
      { length: 100 },
      (_, n) => uuid.slice(0, -2) + String(n).padStart(2, '0'),
    );
    const labels = ids.map((id) => `label ${id} ${text}`);
    const insert = sql`insert into bulk select * from unnest(
      ${ids}::uuid[], ${labels}::text[], ${ids.map(() => bytes)}::bytea[])`;
    expect((await insert.execute(opened.engine.db)).numAffectedRows).toBe(100n);
    const rows = await sql`select * from bulk order by id`.execute(opened.engine.db);
    expect(rows.rows).toStrictEqual(ids.map((id, n) => ({ id, label: labels[n], vector: bytes })));
  });

  it('reads a response of many megabytes', async () => {
    const query = sql<{ n: number; pad: string }>`
      select n, repeat('é', 500) as pad from generate_series(1, 5000) as n`;
    const { rows } = await query.execute(opened.engine.db);
    expect(rows).toHaveLength(5000);
    expect(rows[4999]).toEqual({ n: 5000, pad: 'é'.repeat(500) });
  });
});
