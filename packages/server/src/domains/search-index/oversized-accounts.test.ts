import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../../../../test/support/run-count.ts';
import { OversizedAccounts } from './oversized-accounts.ts';

function create() {
  const clock = { nowMs: 0 };
  const releases: string[] = [];
  const accounts = new OversizedAccounts({
    monotonicMs: () => clock.nowMs,
    release: async (accountId) => {
      releases.push(accountId);
    },
  });
  return { accounts, releases, clock };
}

/** Whether a promise has resolved once everything that can run has run. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  let hasResolved = false;
  void promise.then(() => {
    hasResolved = true;
  });
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
  return hasResolved;
}

describe('accounts that are larger than the memory limit', () => {
  it('do not delay others', async () => {
    const { accounts, releases } = create();
    await accounts.add('large');
    await accounts.enter('large');
    for (const id of ['a', 'b', 'a']) expect(await isResolved(accounts.enter(id))).toBe(true);
    expect(releases).toEqual([]);
  });

  it('stay in memory until another one needs it', async () => {
    const { accounts, releases } = create();
    await accounts.add('one');
    await accounts.enter('one');
    accounts.leave('one');
    await accounts.enter('one');
    const other = accounts.add('other');
    expect(await isResolved(other)).toBe(false);
    accounts.leave('one');
    await other;
    expect(releases).toEqual(['one']);
  });

  it('take turns by account: callers wait behind another account that waits', async () => {
    const { accounts, releases } = create();
    await accounts.add('one');
    await accounts.enter('one');
    void accounts.add('other');
    const [first, second] = [accounts.enter('other'), accounts.enter('other')];
    const third = accounts.enter('one');
    expect(accounts.canEnter('one')).toBe(false);
    accounts.leave('one');
    await Promise.all([first, second]);
    expect(await isResolved(third)).toBe(false);
    accounts.leave('other');
    expect(await isResolved(third)).toBe(false);
    accounts.leave('other');
    await third;
    expect(releases).toEqual(['one', 'other']);
    expect(accounts.canEnter('one')).toBe(true);
  });

  it('keep their callers when they turn out to be oversized during their load', async () => {
    const { accounts, releases } = create();
    await accounts.enter('one');
    await accounts.add('one');
    void accounts.add('other');
    expect(await isResolved(accounts.enter('other'))).toBe(false);
    expect(releases).toEqual([]);
    accounts.leave('one');
    expect(await isResolved(accounts.enter('one'))).toBe(false);
    expect(releases).toEqual(['one']);
  });

  it('are admitted like all others once they are small enough', async () => {
    const { accounts, releases } = create();
    await accounts.add('one');
    await accounts.enter('one');
    const other = accounts.enter('other');
    void accounts.add('other');
    const waiting = accounts.enter('other');
    accounts.delete('other');
    expect(await isResolved(Promise.all([other, waiting]).then(() => undefined))).toBe(true);
    accounts.delete('one');
    expect([accounts.has('one'), accounts.has('other')]).toEqual([false, false]);
    await accounts.add('third');
    expect(releases).toEqual([]);
  });

  it('leave memory when nothing has used them for a while', async () => {
    const { accounts, releases, clock } = create();
    await accounts.add('one');
    await accounts.enter('one');
    clock.nowMs = 100;
    accounts.releaseIdle(50);
    accounts.leave('one');
    clock.nowMs = 149;
    accounts.releaseIdle(50);
    expect(releases).toEqual([]);
    clock.nowMs = 150;
    accounts.releaseIdle(50);
    expect(releases).toEqual(['one']);
    expect(await isResolved(accounts.enter('one'))).toBe(true);
  });

  it('are used one at a time, and every caller is served', async () => {
    const ids = ['a', 'b', 'c', 'small'];
    const step = fc.tuple(fc.constantFrom(...ids), fc.nat(3));
    const plan = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 8 });
    const property = fc.asyncProperty(plan, async (callers) => {
      const loaded = new Set<string>();
      const accounts = new OversizedAccounts({
        monotonicMs: () => 0,
        release: async (accountId) => {
          await Promise.resolve();
          loaded.delete(accountId);
        },
      });
      const use = async (accountId: string, ticks: number): Promise<void> => {
        await accounts.enter(accountId);
        // Its size is known after a load.
        if (accountId !== 'small') await accounts.add(accountId);
        if (accountId !== 'small') loaded.add(accountId);
        for (let i = 0; i < ticks; i += 1) {
          expect(loaded.size).toBeLessThanOrEqual(1);
          if (accountId !== 'small') expect(loaded).toContain(accountId);
          await Promise.resolve();
        }
        accounts.leave(accountId);
      };
      const all = callers.map(async (steps) => {
        for (const [accountId, ticks] of steps) await use(accountId, ticks);
      });
      await Promise.all(all);
    });
    await fc.assert(property, { numRuns: runCount(100, 5_000), seed: testSeed });
  });
});
