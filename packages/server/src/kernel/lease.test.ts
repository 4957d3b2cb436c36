import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { LeaseLost, LeaseRenewal } from './lease.ts';

/** A renewal whose outcomes the test gives, one for each call. */
function createRenewal(outcomes: readonly (Error | null)[]) {
  const clock = createFakeClock(() => 0);
  const errors: unknown[] = [];
  let calls = 0;
  const renewal = new LeaseRenewal(clock, {
    intervalMs: 5_000,
    renew: async () => {
      const outcome = outcomes[calls];
      calls += 1;
      if (outcome) throw outcome;
    },
    onError: (error) => errors.push(error),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  return { errors, pass, renewal, calls: () => calls };
}

describe('LeaseRenewal', () => {
  it('renews at regular intervals, also after an error, until it is disposed', async () => {
    const failure = new Error('the database does not respond');
    const { calls, errors, pass, renewal } = createRenewal([failure]);
    await pass(4_999);
    expect(calls()).toBe(0);
    await pass(1);
    expect(errors).toEqual([failure]);
    await pass(5_000);
    expect(calls()).toBe(2);
    expect(renewal.lost.aborted).toBe(false);
    await renewal[Symbol.asyncDispose]();
    await pass(10_000);
    expect(calls()).toBe(2);
  });

  it('tells that the lease is lost, and renews no more', async () => {
    const { calls, errors, pass, renewal } = createRenewal([null, new LeaseLost()]);
    await pass(5_000);
    await pass(5_000);
    expect(renewal.lost.reason).toBeInstanceOf(LeaseLost);
    expect(errors).toEqual([]);
    await pass(20_000);
    expect(calls()).toBe(2);
  });
});
