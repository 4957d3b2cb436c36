import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { Poller } from './poller.ts';

/** A poller whose polls end when the test resolves them. */
function createPoller() {
  const clock = createFakeClock(() => 0);
  const polls: PromiseWithResolvers<void>[] = [];
  const poller = new Poller(clock, {
    intervalMs: 1_000,
    wakeDelayMs: 50,
    poll: () => {
      const poll = Promise.withResolvers<void>();
      polls.push(poll);
      return poll.promise;
    },
  });
  const settle = () => new Promise(setImmediate);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  return { poller, pass, settle, polls };
}

describe('Poller', () => {
  it('polls an interval after the end of the last poll', async () => {
    const { poller, pass, settle, polls } = createPoller();
    poller.start();
    await pass(500);
    expect(polls).toHaveLength(0);
    await pass(500);
    expect(polls).toHaveLength(1);
    await pass(5_000);
    expect(polls).toHaveLength(1);
    polls[0]?.resolve();
    await settle();
    await pass(1_000);
    expect(polls).toHaveLength(2);
  });

  it('polls once shortly after several wakes, but not while it is paused', async () => {
    const { poller, pass, polls } = createPoller();
    poller.wake();
    await pass(50);
    expect(polls).toHaveLength(0);
    poller.start();
    poller.wake();
    poller.wake();
    await pass(50);
    expect(polls).toHaveLength(1);
    poller.pause();
    poller.wake();
    await pass(2_000);
    expect(polls).toHaveLength(1);
  });

  it('never overlaps polls, and stops after the running one', async () => {
    const { poller, settle, polls } = createPoller();
    const [first, second] = [poller.poll(), poller.poll()];
    await settle();
    expect(polls).toHaveLength(1);
    polls[0]?.resolve();
    await first;
    await settle();
    expect(polls).toHaveLength(2);
    let isStopped = false;
    const ended = poller.stop().then(() => {
      isStopped = true;
    });
    const third = poller.poll();
    await settle();
    expect(isStopped).toBe(false);
    polls[1]?.resolve();
    await Promise.all([second, third, ended]);
    expect(polls).toHaveLength(2);
  });
});
