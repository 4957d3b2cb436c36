import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { requestLimiter } from '../kernel/request-limiter.ts';
import {
  BackgroundThrottle,
  type BackgroundWork,
  throttleBackgroundWork,
} from './background-throttle.ts';

/** Background work next to requests. */
function createThrottle() {
  const clock = createFakeClock(() => 0);
  const app = { config: { requestsMax: 10 }, clock, disposables: new AsyncDisposableStack() };
  const controller = new AbortController();
  let isPaused = true;
  return {
    app,
    beginRead: () => requestLimiter.of(app).beginActivity('read'),
    beginWrite: () => requestLimiter.of(app).beginActivity('write'),
    abort: () => controller.abort(),
    throttle: (tookMs: number, work: BackgroundWork = 'extraction') => {
      isPaused = true;
      void throttleBackgroundWork(app, work, tookMs, controller.signal).then(() => {
        isPaused = false;
      });
    },
    async isPausedAfter(ms: number) {
      for (let passed = 0; passed <= ms; passed += 25) {
        await new Promise(setImmediate);
        if (passed < ms) clock.advance(25);
      }
      return isPaused;
    },
  };
}

describe('throttleBackgroundWork', () => {
  it('does not pause without requests', async () => {
    const { throttle, isPausedAfter } = createThrottle();
    throttle(100);
    expect(await isPausedAfter(0)).toBe(false);
  });

  it('pauses four times as long as the step during a write', async () => {
    const { beginWrite, throttle, isPausedAfter } = createThrottle();
    beginWrite();
    throttle(100);
    expect(await isPausedAfter(375)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
  });

  it('pauses as long as the step while requests only read', async () => {
    const { beginRead, throttle, isPausedAfter } = createThrottle();
    beginRead();
    throttle(100);
    expect(await isPausedAfter(75)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
  });

  it('pauses no longer than a short step needs', async () => {
    const { app, beginRead, throttle, isPausedAfter } = createThrottle();
    beginRead();
    throttle(2);
    expect(await isPausedAfter(0)).toBe(true);
    app.clock.advance(2);
    expect(await isPausedAfter(0)).toBe(false);
  });

  it('divides half of one core among the kinds of work of the last ten seconds', async () => {
    const { app, beginRead, beginWrite, throttle, isPausedAfter } = createThrottle();
    beginRead();
    throttle(100, 'encoding');
    expect(await isPausedAfter(100)).toBe(false);
    throttle(100, 'extraction');
    expect(await isPausedAfter(275)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
    beginWrite();
    throttle(100, 'import');
    expect(await isPausedAfter(475)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
    app.clock.advance(10_000);
    throttle(100, 'encoding');
    expect(await isPausedAfter(375)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
  });

  it('pauses at most five seconds', async () => {
    const { beginWrite, throttle, isPausedAfter } = createThrottle();
    beginWrite();
    throttle(60_000);
    expect(await isPausedAfter(4_975)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
  });

  it('continues shortly after the last write, and not between two writes', async () => {
    const { beginWrite, throttle, isPausedAfter } = createThrottle();
    const endWrite = beginWrite();
    throttle(1_000);
    endWrite();
    expect(await isPausedAfter(75)).toBe(true);
    beginWrite()();
    expect(await isPausedAfter(75)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
  });

  it('ignores a second end of the same write', async () => {
    const { beginWrite, throttle, isPausedAfter } = createThrottle();
    const endWrite = beginWrite();
    beginWrite();
    endWrite();
    endWrite();
    throttle(100);
    expect(await isPausedAfter(375)).toBe(true);
  });

  it('returns immediately after an abort', async () => {
    const { beginWrite, abort, throttle, isPausedAfter } = createThrottle();
    beginWrite();
    throttle(1_000);
    await isPausedAfter(0);
    abort();
    expect(await isPausedAfter(0)).toBe(false);
  });
});

describe('BackgroundThrottle', () => {
  it('is off while a caller waits, also for a pause that has begun', async () => {
    const { app, beginWrite } = createThrottle();
    beginWrite();
    const throttle = new BackgroundThrottle(app, 'encoding');
    const { signal } = new AbortController();
    const begun = throttle.pause(1_000, signal);
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const calls = [first, second].map(({ promise }) => throttle.turnOffDuring(() => promise));
    await begun;
    first.resolve();
    await calls[0];
    await throttle.pause(1_000, signal);
    second.resolve();
    await calls[1];
    let isPaused = true;
    void throttle.pause(1_000, signal).then(() => {
      isPaused = false;
    });
    await new Promise(setImmediate);
    expect(isPaused).toBe(true);
  });
});
