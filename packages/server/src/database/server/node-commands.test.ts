import { describe, expect, it } from 'vitest';
import {
  describeStatement,
  distributedTables,
  mergeRows,
  type Shard,
  toNodeCommand,
} from './node-commands.ts';

const shards: Shard[] = [
  { table: 'webhooks', name: 'public.webhooks_1', range: '0' },
  { table: 'webhooks', name: 'public.webhooks_2', range: '9' },
  { table: 'accounts', name: 'public.accounts_7', range: null },
];
const one = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const merged = (text: string, parameters: readonly unknown[] = []): string => {
  const columns = [
    { name: 'id', type: 'uuid' },
    { name: 'dueAt', type: 'timestamp with time zone' },
  ];
  return one(mergeRows({ text, parameters }, columns, []).text).replace(/^.* order by/, 'order by');
};

describe('a statement for one node', () => {
  it('reads its shards under the names of their tables', () => {
    const text = 'select id from webhooks join accounts on accounts.id = account_id';
    expect(one(toNodeCommand({ text, parameters: [] }, shards))).toBe(
      `with "webhooks" as not materialized (select * from public.webhooks_1 union all select * ` +
        `from public.webhooks_2), "accounts" as not materialized (select * from ` +
        `public.accounts_7) select coalesce(json_agg(found), '[]') from (${text}) as found`,
    );
  });

  it('has the values of its parameters as literals, and leaves quoted text as it is', () => {
    const text = `select '$1', "$2" from webhooks where a = $2 and b = any($1::text[]) and c = $3`;
    const parameters = [["it's"], null, new Date(0)];
    expect(toNodeCommand({ text, parameters }, shards)).toContain(
      `select '$1', "$2" from webhooks where a = null and b = any('{"it''s"}'::text[]) ` +
        `and c = '1970-01-01T00:00:00.000Z'`,
    );
  });

  it.each(['delete from "webhooks" where', 'delete from webhooks where'])(
    'changes each shard, and counts the rows (%s)',
    (start) => {
      const text = `${start} id in (select id from webhooks limit $1)`;
      expect(one(toNodeCommand({ text, parameters: [5] }, shards))).toBe(
        `with ${[1, 2]
          .map(
            (n) =>
              `part_${n - 1} as (with "webhooks" as not materialized (select * from ` +
              `public.webhooks_${n}), "accounts" as not materialized (select * from ` +
              `public.accounts_7) delete from public.webhooks_${n} as "webhooks" ` +
              `where id in (select id from webhooks limit '5') returning 1)`,
          )
          .join(', ')} select (select count(*) from part_0) + (select count(*) from part_1)`,
      );
    },
  );

  it('changes no rows that it would have to return', () => {
    const text = 'delete from webhooks returning id';
    expect(() => toNodeCommand({ text, parameters: [] }, shards)).toThrow('returns rows');
  });
});

describe('a distributed statement', () => {
  it('uses the tables that it names, except local ones', () => {
    const text = 'select "url" from "webhooks" join accounts using (id) where jobs > cursor';
    expect(distributedTables(text)).toEqual(['webhooks', 'accounts']);
    expect(one(describeStatement({ text, parameters: [] }).text)).toBe(
      `with "webhooks" as (select (null::"webhooks").* where false), "accounts" as ` +
        `(select (null::"accounts").* where false) select * from (${text}) as found limit 0`,
    );
  });

  it.each([
    ['order by id', 'order by "id"'],
    [
      'order by w.id desc, "dueAt" nulls first limit 7',
      'order by "id" desc, "dueAt" nulls first limit 7',
    ],
    ['order by "id" limit $1', `order by "id" limit '3'`],
    ['order by next_attempt_at limit $1::int', `order by place, node limit '3'`],
    ['order by coalesce(id, a) limit $1', `order by place, node limit '3'`],
    ['where id in (select id from b order by id limit 9)', 'order by place, node'],
    ['limit $1::int', `order by place, node limit '3'`],
  ])('merges its rows: %s', (end, expected) => {
    expect(merged(`select id, due as "dueAt" from webhooks as w ${end}`, [3])).toBe(expected);
  });
});
