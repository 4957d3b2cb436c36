import { describe, expect, it } from 'vitest';
import { eventLoopYieldQueue, FairSemaphore, runForAccount } from './fair-semaphore.ts';

/** Work that runs until the test ends it, and records its start. */
function stage(most: number) {
  const queue = new FairSemaphore(most);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (account: string, name: string): Promise<void> =>
      runForAccount(account, () =>
        queue.run(() => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        }),
      ),
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('FairSemaphore', () => {
  it('serves accounts round robin, each in its order', async () => {
    const { begun, ask, end } = stage(1);
    const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name));
    await end('none');
    for (let i = 0; i < asked.length; i += 1) await end(begun.at(-1) ?? '');
    await Promise.all(asked);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('limits concurrent holders, and continues after a failure', async () => {
    const { begun, ask, end } = stage(2);
    const asked = ['1', '2', '3'].map((name) => ask('a', name));
    await end('none');
    expect(begun).toEqual(['1', '2']);
    await end('2');
    expect(begun).toEqual(['1', '2', '3']);
    await Promise.all([end('1'), end('3'), ...asked]);
    const queue = new FairSemaphore(1);
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(async () => 'yes')).toBe('yes');
  });

  it('rejects a waiter that is aborted, and gives its turn to the next', async () => {
    const semaphore = new FairSemaphore(1);
    const release = await semaphore.acquire();
    const stop = new AbortController();
    const stopped = semaphore.acquire(stop.signal);
    const next = semaphore.acquire();
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    release();
    (await next)();
    (await semaphore.acquire())();
    await expect(semaphore.acquire(stop.signal)).rejects.toThrow('stopped');
  });
});

describe('eventLoopYieldQueue', () => {
  it('runs one item per iteration of the event loop, round robin', async () => {
    const log: string[] = [];
    const work = (account: string, count: number) =>
      runForAccount(account, async () => {
        for (let i = 1; i <= count; i += 1) {
          await eventLoopYieldQueue.yieldToEventLoop();
          log.push(`${account}${i}`);
        }
      });
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setImmediate(resolve));
        log.push('|');
      }
    })();
    await Promise.all([work('a', 3), work('a', 3), work('b', 3)]);
    isOver = true;
    await others;
    const turns = log.join('').split('|').filter(Boolean);
    expect(turns.every((turn) => turn.length === 2)).toBe(true);
    expect(turns.indexOf('b3')).toBeLessThan(7);
  });
});
