import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { requestLimiter } from '../kernel/request-limiter.ts';
import { throttleBackgroundWork } from './background-throttle.ts';

/** Work that has taken 100 ms, beside requests. */
function surroundings() {
  const clock = createFakeClock(() => 0);
  const app = { config: { requestsMax: 10 }, clock, disposables: new AsyncDisposableStack() };
  const over = new AbortController();
  let isResting = true;
  return {
    change: () => requestLimiter.of(app).beginWrite(),
    end: () => over.abort(),
    rest: (tookMs: number) => {
      void throttleBackgroundWork(app, tookMs, over.signal).then(() => {
        isResting = false;
      });
    },
    async isRestingAfter(ms: number) {
      for (let passed = 0; passed <= ms; passed += 25) {
        await new Promise(setImmediate);
        if (passed < ms) clock.advance(25);
      }
      return isResting;
    },
  };
}

describe('work that can wait', () => {
  it('goes on at once where nobody changes anything', async () => {
    const { rest, isRestingAfter } = surroundings();
    rest(100);
    expect(await isRestingAfter(0)).toBe(false);
  });

  it('rests four times as long as it took while something is changed', async () => {
    const { change, rest, isRestingAfter } = surroundings();
    change();
    rest(100);
    expect(await isRestingAfter(375)).toBe(true);
    expect(await isRestingAfter(25)).toBe(false);
  });

  it('rests five seconds at most, however long it took', async () => {
    const { change, rest, isRestingAfter } = surroundings();
    change();
    rest(60_000);
    expect(await isRestingAfter(4_975)).toBe(true);
    expect(await isRestingAfter(25)).toBe(false);
  });

  it('goes on a moment after the last change, and not between two of them', async () => {
    const { change, rest, isRestingAfter } = surroundings();
    const endChange = change();
    rest(1_000);
    endChange();
    expect(await isRestingAfter(75)).toBe(true);
    change()();
    expect(await isRestingAfter(75)).toBe(true);
    expect(await isRestingAfter(25)).toBe(false);
  });

  it('counts no change as over twice', async () => {
    const { change, rest, isRestingAfter } = surroundings();
    const endChange = change();
    change();
    endChange();
    endChange();
    rest(100);
    expect(await isRestingAfter(375)).toBe(true);
  });

  it('rests no more once it is over', async () => {
    const { change, end, rest, isRestingAfter } = surroundings();
    change();
    rest(1_000);
    await isRestingAfter(0);
    end();
    expect(await isRestingAfter(0)).toBe(false);
  });
});
