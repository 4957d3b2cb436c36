import { describe, expect, it } from 'vitest';
import { checkStatement } from './statements/check-statement.ts';

const check = (text: string, reason: string | null = null, isPartial = false): string[] =>
  checkStatement({ text, acrossAccounts: reason === null ? null : { reason, isPartial } });

const unnamed = (table: string): string => `does not name the account of ${table} as a constant`;

describe('a statement names the account', () => {
  it.each([
    ['by a column', 'select id from memories where account_id = $1::uuid and id = $2'],
    ['from the other side', 'select id from memories m where $1 = m.account_id'],
    [
      'by a join',
      `select 1 from memories m join spaces s on s.account_id = m.account_id and s.id = m.space_id
        where m.account_id = $1`,
    ],
    ['by USING', 'select 1 from memories join spaces using (account_id) where account_id = $1'],
    [
      'of a table in a condition',
      `select 1 from memories m where account_id = $1
        and exists (select from spaces s where s.account_id = m.account_id)`,
    ],
    [
      'of a table in a negated condition',
      `delete from memories m where account_id = $1
        and not exists (select from spaces s where s.account_id = m.account_id)`,
    ],
    [
      'of a table in a subquery of FROM',
      `select 1 from memories cross join lateral (
        select from spaces where account_id = $1 and id = space_id limit 1) as s
        where memories.account_id = $1`,
    ],
    [
      'of a table in a list',
      `select (select count(*) from spaces where account_id = $1)
        from memories where account_id = $1`,
    ],
    ['of a subquery', 'select 1 from (select account_id as a from memories) as m where m.a = $1'],
    [
      'of everything in a subquery',
      'select 1 from (select * from memories) m where account_id = $1',
    ],
    [
      'of WITH',
      `with gone as (delete from memories where account_id = $1 returning account_id, id)
        select 1 from spaces join gone on gone.account_id = spaces.account_id`,
    ],
    [
      'of a recursive query',
      `with recursive way (a, id) as (
          select account_id, id from entities where account_id = $1
          union select e.account_id, e.id from entities e join way on e.account_id = way.a)
        select 1 from way`,
    ],
    ['in VALUES', 'insert into spaces (id, account_id) values ($1, $2), ($3, $4)'],
    [
      'in INSERT … SELECT',
      `insert into spaces (account_id, id) select account.account_id, id
        from (select account_id from account_positions where account_id = $1) as account,
          json_to_recordset($2) as row (id uuid)`,
    ],
    [
      'by the rows that are copied',
      `insert into entity_names (account_id, key)
        select account_id, 'x' from entity_names where account_id = $1`,
    ],
    [
      'in an update from JSON',
      `update memories m set priority = row.p from json_to_recordset($2) as row (id uuid, p int)
        where m.account_id = $1 and m.id = row.id`,
    ],
    [
      'in a deletion',
      'delete from vectors using spaces where vectors.account_id = $1 and spaces.account_id = $1',
    ],
    [
      'by a deletion of chosen rows',
      `delete from events where account_id = $1
        and position in (select position from events where account_id = $1 limit 3)`,
    ],
    [
      'by the chosen rows',
      `delete from events where (account_id, position) in (
        select account_id, position from events where account_id = $1 limit 3)`,
    ],
    [
      'by the reference table',
      `select 1 from accounts a join spaces s on s.account_id = a.id
        where a.id = $1`,
    ],
    ['in a lock', 'select 1 from memories where account_id = $1 for update'],
    ['of no tenant table', 'select 1 from jobs where id = $1'],
    ['of tables of the system', 'select 1 from pg_class'],
    [
      'in a union',
      `select id from memories where account_id = $1
        union all select id from spaces where account_id = $1`,
    ],
  ])('%s', (_, text) => {
    expect(check(text)).toEqual([]);
  });
});

describe('a statement does not name the account', () => {
  it.each([
    ['without a condition', 'select 1 from memories where id = $1', 'memories'],
    ['in one part of OR', 'select 1 from memories where account_id = $1 or id = $2', 'memories'],
    ['as one of several', 'select 1 from memories where account_id = any($1)', 'memories'],
    [
      'as a column of JSON',
      `update memories m set priority = 1 from json_to_recordset($1) as row (a uuid, id uuid)
        where m.account_id = row.a and m.id = row.id`,
      'memories',
    ],
    [
      'of the inserted rows',
      `insert into memories (account_id, id)
        select account_id, id from json_to_recordset($1) as row (account_id uuid, id uuid)`,
      'memories',
    ],
    [
      'of one of the inserted rows',
      'insert into spaces (account_id) values ($1), (default)',
      'spaces',
    ],
    ['of an insert without the column', 'insert into spaces (id) values ($1)', 'spaces'],
    [
      'of a joined table',
      'select 1 from memories m join spaces s on s.id = m.space_id where m.account_id = $1',
      'spaces',
    ],
    [
      'of a table in a condition',
      'select 1 from memories where account_id = $1 and exists (select from spaces where id = $2)',
      'spaces',
    ],
    ['of WITH', 'with m as (select id from memories) select 1 from m', 'memories'],
    ...[
      ['in a list', 'select (select id from spaces s where s.account_id = m.account_id)', 'true'],
      ['in one part of OR', 'select 1', 'm.id = $2 or exists (select from spaces s %)'],
      ['as a value', 'select 1', 'm.space_id = (select id from spaces s %)'],
      ['of NOT IN', 'select 1', 'm.space_id not in (select id from spaces s %)'],
    ].map(([where = '', select = '', condition = '']) => [
      `of a subquery ${where}, but by that of the outer query`,
      `${select} from memories m where account_id = $1
        and (${condition.replace('%', 'where s.account_id = m.account_id')})`,
      'spaces',
    ]),
    [
      'of a lateral subquery, but by that of the outer query',
      `select 1 from memories m cross join lateral (
        select from spaces s where s.account_id = m.account_id limit 1) as one
        where m.account_id = $1`,
      'spaces',
    ],
    [
      'in one part of a union',
      `select 1 from spaces s join (select account_id as a from memories where account_id = $1
        union select $1) m on m.a = s.account_id
        join (select account_id as b from spaces union select account_id from spaces) o
          on o.b = s.account_id and s.account_id = $1 where false or s.id = (
            select id from events where account_id <> $1)`,
      'events',
    ],
    [
      'where a name is hidden',
      `select 1 from memories m where m.account_id = $1
        and exists (select from json_to_recordset($2) as m (id uuid), spaces s
          where s.account_id = m.account_id)`,
      'spaces',
    ],
  ])('%s', (_, text, table) => {
    expect(check(text)).toContain(unnamed(table));
  });
});

describe('a statement about all accounts', () => {
  it('is marked', () => {
    expect(check('delete from events where created_at < $1', 'old events expire')).toEqual([]);
  });

  it('locks no rows of several accounts', () => {
    const text = 'select id from webhooks where is_active for update skip locked';
    const problem = 'locks rows of webhooks without the account as a constant';
    expect(check(text, 'senders')).toEqual([problem]);
    expect(check(text)).toEqual([problem]);
  });

  it('is not marked if it names the account', () => {
    const text = 'select id from webhooks where account_id = $1';
    expect(check(text, 'senders')).toEqual(['names the account and needs no acrossAccounts']);
  });

  it.each([
    ['select id from webhooks', true],
    ['delete from webhooks where id in (select id from webhooks limit 9)', true],
    ['delete from webhooks returning id', false],
    ['with gone as (delete from webhooks returning id) select id from gone', false],
  ])('may leave out accounts: %s', (text, isFine) => {
    expect(check(text, 'senders')).toEqual([]);
    const problem = 'cannot run on some nodes only: use SELECT, or a change that returns no rows';
    expect(check(text, 'senders', true)).toEqual(isFine ? [] : [problem]);
  });
});

it('a statement joins no tenant table with a local one', () => {
  const text = `select 1 from cluster_runs r where account_id = $1
    and not exists (select from jobs where jobs.id = r.id)`;
  expect(check(text)).toEqual(['joins cluster_runs with the local jobs']);
});

it('a statement joins a reference table only with a local one that Citus knows', () => {
  expect(check('select 1 from jobs where not exists (select from installation)')).toEqual([]);
  expect(check('select 1 from erasures where not exists (select from accounts)')).toEqual([
    'joins accounts with erasures: place it known-local',
  ]);
});

it('a statement locks no rows of a reference table', () => {
  expect(check('select 1 from accounts where id = $1 for share')).toEqual([
    'locks rows of the reference table accounts: use an advisory lock',
  ]);
});

it('an insert of several rows copies the account from another tenant table', () => {
  const rows = 'json_to_recordset($2) as row (id uuid)';
  const problem = 'inserts into spaces with the account as a parameter: use accountRow';
  expect(check(`insert into spaces (account_id, id) select $1, id from ${rows}`)).toEqual([
    problem,
  ]);
  const source = `select id from account_positions, ${rows} where account_id = $1`;
  expect(check(`insert into spaces (account_id, id) select $1, id from (${source}) s`)).toEqual([
    problem,
  ]);
});

it('an insert is no part of a statement with other writes, except in a journal', () => {
  const problem = 'inserts beside other writes: send two statements';
  const insert = 'insert into spaces (account_id) values ($1)';
  const deletion = 'delete from spaces where account_id = $1';
  expect(check(`with new as (${insert}) ${deletion}`)).toEqual([problem]);
  expect(check(`with new as (${insert} returning id) select id from new`)).toEqual([problem]);
  expect(check(`with old as (${deletion}) ${insert}`)).toEqual([problem]);
  expect(
    check(`with place as (
      update account_positions set position = position + 1 where account_id = $1
    ), w0 as (${insert}) select 1`),
  ).toEqual([]);
});

it('a parameter in ON CONFLICT … WHERE takes VALUES', () => {
  const insert = 'insert into usage_counters as c (account_id, used)';
  const copied = 'select account_id, 1 from account_positions where account_id = $1';
  const conflict = 'on conflict (account_id) do update set used = 1 where c.used < $2';
  expect(check(`${insert} ${copied} ${conflict}`)).toEqual([
    'has a parameter in ON CONFLICT … WHERE of INSERT … SELECT: use VALUES',
  ]);
  expect(check(`${insert} values ($1, 1) ${conflict}`)).toEqual([]);
});
