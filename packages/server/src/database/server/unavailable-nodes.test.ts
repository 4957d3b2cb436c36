import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { markAsPartial } from '../across-accounts.ts';
import { NodeUnavailable } from '../errors.ts';
import { silentLog } from '../testing.ts';
import { UnavailableNodes } from './unavailable-nodes.ts';

const read = 'select * from memories where account_id = $1 and id = $2';
const nodes: Record<string, string> = { lost: 'db-2:5432', also: 'db-2:5432', other: 'db-1:5432' };

function databaseError(code: string, message: string, where?: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  return Object.assign(error, { code, severity: 'ERROR', where });
}

const refused = databaseError(
  '08006',
  'connection to the remote node mneme@db-2:5432 failed with the following error: refused',
);

/** @param responds null: the cluster no longer has the node */
function start({ responds = true }: { responds?: boolean | null } = {}) {
  let nowMs = 0;
  const lookups: string[] = [];
  const run = async ({ text, values }: { text: string; values: unknown[] }) => {
    if (text.includes('and not citus_check')) {
      return { rows: responds === false ? [{ node: 'db-2:5432' }] : [] };
    }
    if (text.includes('citus_check_connection')) {
      return { rows: responds === null ? [] : [{ responds }] };
    }
    lookups.push(String(values[0]));
    return { rows: [{ node: nodes[String(values[0])] }] };
  };
  const unavailable = new UnavailableNodes({ log: silentLog, runApart: run, nowMs: () => nowMs });
  unavailable.isDistributed = true;
  return {
    unavailable,
    lookups,
    advance: (ms: number) => {
      nowMs += ms;
    },
    admit: (account: string, text = read) =>
      unavailable.admit({ text, parameters: [account, 'id'] }, run),
    explain: (error: unknown, text = read) =>
      unavailable.explain(error, { text, parameters: ['lost', 'id'] }),
  };
}

describe('a node that does not respond', () => {
  it.each([
    ['refused', refused],
    [
      'silent',
      databaseError('08006', 'could not establish any connections to the node db-2:5432 after 5 s'),
    ],
    [
      'stopping',
      databaseError('57P01', 'terminating connection', 'while executing command on db-2:5432'),
    ],
    [
      'lost before a commit',
      databaseError('XX000', 'failure on connection marked as essential: db-2:5432'),
    ],
  ])('is recognised: %s', async (_, error) => {
    const { unavailable, explain } = start();
    expect(await explain(error)).toBeInstanceOf(NodeUnavailable);
    expect(unavailable.names).toEqual(['db-2:5432']);
  });

  it.each([true, false])(
    'is recognised after a timeout of a partial statement (%s)',
    async (is) => {
      const timeout = databaseError('57014', 'canceling statement due to statement timeout');
      const { unavailable, explain } = start({ responds: !is });
      await explain(timeout, markAsPartial('select account_id from webhooks'));
      expect(unavailable.areAllAvailable).toBe(!is);
    },
  );

  it.each([
    ['failed to connect to db-2:5432', true, 'unavailable'],
    ['FATAL: terminating connection due to administrator command', false, 'unavailable'],
    ['ERROR: division by zero', true, 'failed'],
  ])('is recognised by what it reports: %s', async (reported, responds, expected) => {
    const { unavailable } = start({ responds });
    const told = unavailable.requireUnavailable('db-2:5432', reported);
    expect(await told.catch(() => 'failed')).toBe(expected === 'failed' ? 'failed' : undefined);
    expect(unavailable.areAllAvailable).toBe(expected === 'failed');
  });

  it('is recognised after a timeout only where it accepts no connection', async () => {
    const timeout = databaseError('57014', 'canceling statement due to statement timeout');
    for (const responds of [true, false]) {
      const { unavailable, explain } = start({ responds });
      const explained = await explain(timeout);
      expect(explained instanceof NodeUnavailable).toBe(!responds);
      expect(unavailable.areAllAvailable).toBe(responds);
    }
  });

  it('fails statements of its accounts, and no others', async () => {
    const { lookups, admit, explain } = start();
    await explain(refused);
    await expect(admit('lost')).rejects.toThrow(NodeUnavailable);
    await expect(admit('also')).rejects.toThrow('db-2:5432');
    expect(await admit('other')).toBeNull();
    expect(await admit('other')).toBeNull();
    expect(lookups).toEqual(['also', 'other']);
  });

  it.each([
    ['insert into "events" ("id", "account_id") values ($2, $1)', false],
    ['update "memories" set "n" = 1 where "account_id" = $1', false],
    ['select * from "jobs" where "account_id" = $1', true],
    ['select 1', true],
    ['commit', true],
  ])('knows what %s needs', async (text, isAdmitted) => {
    const { admit, explain } = start();
    await explain(refused);
    expect(await admit('lost', text).catch(() => 'failed')).toBe(isAdmitted ? null : 'failed');
  });

  it('fails statements over all accounts once one with that text has failed', async () => {
    const { admit, explain } = start();
    const poll = 'select account_id from webhook_deliveries where next_attempt_at <= $1';
    const insert = 'insert into events select account_id from account_positions';
    await explain(refused, poll);
    await explain(refused, insert);
    await expect(admit('now', poll)).rejects.toThrow(NodeUnavailable);
    expect(await admit('now', insert)).toBeNull();
  });

  it('is tried again after a second by one statement at a time, until one succeeds', async () => {
    const { unavailable, advance, admit, explain } = start();
    await explain(refused);
    advance(999);
    await expect(admit('lost')).rejects.toThrow();
    advance(1);
    const retried = (await admit('lost')) ?? '';
    expect(retried).toBe('db-2:5432');
    advance(9_999);
    await expect(admit('also')).rejects.toThrow();
    advance(1);
    // The statement takes long.
    expect(await admit('also')).toBe(retried);
    unavailable.recordRetry(retried, await explain(refused));
    await expect(admit('also')).rejects.toThrow();
    advance(1_000);
    // Another error shows that the node responds.
    unavailable.recordRetry((await admit('also')) ?? '', new Error('duplicate key'));
    expect(unavailable.areAllAvailable).toBe(true);
  });

  it.each([
    [true, []],
    [null, []],
    [false, ['db-2:5432']],
  ])('is tried again in the background (responds: %s)', async (responds, names) => {
    const { unavailable, advance, explain } = start({ responds });
    await explain(refused);
    advance(999);
    unavailable.tryAgain();
    await new Promise(setImmediate);
    expect(unavailable.names).toEqual(['db-2:5432']);
    advance(1);
    unavailable.tryAgain();
    await new Promise(setImmediate);
    expect(unavailable.names).toEqual(names);
  });

  it('leaves whether a commit took place open', async () => {
    const lost = databaseError('XX000', 'could not commit transaction for shard 102011 on …');
    const { unavailable, explain } = start();
    expect(await explain(lost, 'commit')).toBeInstanceOf(NodeUnavailable);
    expect(unavailable.areAllAvailable).toBe(true);
  });
});

describe('other errors', () => {
  it.each([
    databaseError('23505', 'duplicate key value violates unique constraint "for node db-2:5432"'),
    databaseError('XX000', 'internal error'),
    databaseError('57P01', 'terminating connection due to administrator command'),
    new Error('Connection terminated unexpectedly'),
  ])('stay as they are: %s', async (error) => {
    const { unavailable, explain } = start();
    expect(await explain(error)).toBe(error);
    expect(unavailable.areAllAvailable).toBe(true);
  });

  it('stay as they are on a plain server', async () => {
    const { unavailable, explain } = start();
    unavailable.isDistributed = false;
    expect(await explain(refused)).toBe(refused);
  });
});
