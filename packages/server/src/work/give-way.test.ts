import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../../../test/support/hand-clock.ts';
import { Crowd, crowd } from './crowd.ts';
import { giveWay } from './give-way.ts';

/** Work that has taken 100 ms, beside requests. */
function surroundings() {
  const clock = createHandClock();
  const app = { config: { requestsMax: 10 }, clock, disposables: new AsyncDisposableStack() };
  const over = new AbortController();
  let isResting = true;
  return {
    enter: (mayChange: boolean) => crowd.of(app).enter({ mayChange }),
    end: () => over.abort(),
    rest: (tookMs: number) => {
      void giveWay(app, tookMs, over.signal).then(() => {
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
    const { enter, rest, isRestingAfter } = surroundings();
    enter(false);
    rest(100);
    expect(await isRestingAfter(0)).toBe(false);
  });

  it('rests four times as long as it took while something is changed', async () => {
    const { enter, rest, isRestingAfter } = surroundings();
    enter(true);
    rest(100);
    expect(await isRestingAfter(375)).toBe(true);
    expect(await isRestingAfter(25)).toBe(false);
  });

  it('rests five seconds at most, however long it took', async () => {
    const { enter, rest, isRestingAfter } = surroundings();
    enter(true);
    rest(60_000);
    expect(await isRestingAfter(4_975)).toBe(true);
    expect(await isRestingAfter(25)).toBe(false);
  });

  it('goes on a moment after the last change, and not between two of them', async () => {
    const { enter, rest, isRestingAfter } = surroundings();
    const leave = enter(true);
    rest(1_000);
    leave();
    expect(await isRestingAfter(75)).toBe(true);
    enter(true)();
    expect(await isRestingAfter(75)).toBe(true);
    expect(await isRestingAfter(25)).toBe(false);
  });

  it('rests no more once it is over', async () => {
    const { enter, end, rest, isRestingAfter } = surroundings();
    enter(true);
    rest(1_000);
    await isRestingAfter(0);
    end();
    expect(await isRestingAfter(0)).toBe(false);
  });
});

describe('a crowd', () => {
  it('counts nobody out twice', () => {
    const clock = createHandClock();
    const few = new Crowd(1, clock);
    const leave = few.enter({ mayChange: true });
    leave();
    leave();
    few.enter({ mayChange: true });
    expect(() => few.enter({ mayChange: false })).toThrow('Too many requests');
    expect(few.isChanging).toBe(true);
  });
});
