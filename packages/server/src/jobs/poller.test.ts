import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { Poller } from './poller.ts';

/** A loop with looks that end when they are told to. */
function surroundings() {
  const clock = createFakeClock();
  const under: PromiseWithResolvers<void>[] = [];
  const loop = new Poller(clock, {
    wakeDelayMs: 50,
    poll: () => {
      const one = Promise.withResolvers<void>();
      under.push(one);
      return one.promise;
    },
  });
  const settle = () => new Promise(setImmediate);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  return { loop, pass, settle, under };
}

describe('a loop', () => {
  it('looks each second, from the end of the last look on', async () => {
    const { loop, pass, settle, under } = surroundings();
    loop.start();
    await pass(500);
    expect(under).toHaveLength(0);
    await pass(500);
    expect(under).toHaveLength(1);
    await pass(5_000);
    expect(under).toHaveLength(1);
    under[0]?.resolve();
    await settle();
    await pass(1_000);
    expect(under).toHaveLength(2);
  });

  it('looks soon after it is woken, once for all that came together, but not at rest', async () => {
    const { loop, pass, under } = surroundings();
    loop.wake();
    await pass(50);
    expect(under).toHaveLength(0);
    loop.start();
    loop.wake();
    loop.wake();
    await pass(50);
    expect(under).toHaveLength(1);
    loop.pause();
    loop.wake();
    await pass(2_000);
    expect(under).toHaveLength(1);
  });

  it('looks one time after the other, and ends with the last', async () => {
    const { loop, settle, under } = surroundings();
    const [first, second] = [loop.poll(), loop.poll()];
    await settle();
    expect(under).toHaveLength(1);
    under[0]?.resolve();
    await first;
    await settle();
    expect(under).toHaveLength(2);
    let isOver = false;
    const ended = loop.stop().then(() => {
      isOver = true;
    });
    const third = loop.poll();
    await settle();
    expect(isOver).toBe(false);
    under[1]?.resolve();
    await Promise.all([second, third, ended]);
    expect(under).toHaveLength(2);
  });
});
