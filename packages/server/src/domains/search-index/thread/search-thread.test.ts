import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../../../test/support/fake-clock.ts';
import { WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import type { SearchWorkerMessage } from './protocol.ts';
import { SearchThread } from './search-thread.ts';

/** A thread that ends when it is told to, and a clock that only the test advances. */
function createThread() {
  const clock = createFakeClock(() => 0);
  let failed = Promise.withResolvers<Error>();
  const thread = new SearchThread({
    clock,
    workerOptions: () => ({ dimensions: 4 }),
    onFailure: (error) => failed.resolve(error),
    onWarning: () => undefined,
  });
  const fail = async (): Promise<Error> => {
    failed = Promise.withResolvers();
    thread.getClient().post({ kind: 'rows', accountId: 'a', rows: null } as never);
    return failed.promise;
  };
  return { clock, thread, fail };
}

const drop: SearchWorkerMessage = { kind: 'drop', accountId: 'a' };
const sizeOf = (thread: SearchThread) =>
  thread.getClient().request({ kind: 'size', accountId: 'a' });

describe('a search thread', () => {
  it('starts when it is used, not by messages or its end', async () => {
    const { thread } = createThread();
    thread.post(drop);
    expect(thread.isRunning).toBe(false);
    expect(await sizeOf(thread)).toMatchObject({ documents: 0 });
    expect(thread.isRunning).toBe(true);
    await thread.close();
    const unused = createThread().thread;
    await unused.close();
    unused.startAhead();
    expect(unused.isRunning).toBe(false);
    expect(() => unused.getClient()).toThrow(WorkerThreadStopped);
  });

  it('restarts at once after a failure, then after pauses that grow to a minute', async () => {
    const { clock, thread, fail } = createThread();
    expect(await fail()).toBeInstanceOf(WorkerThreadStopped);
    for (const seconds of [0, 1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(thread.pauseMs).toBe(seconds * 1_000);
      clock.advance(Math.max(0, seconds * 1_000 - 1));
      if (seconds > 0) {
        thread.startAhead();
        expect(thread.isRunning).toBe(false);
        expect(() => thread.getClient()).toThrow(WorkerThreadStopped);
        clock.advance(1);
      }
      await fail();
    }
    await thread.close();
  });

  it('restarts at once again after a failure that follows a long run', async () => {
    const { clock, thread, fail } = createThread();
    await fail();
    await fail();
    expect(thread.pauseMs).toBe(1_000);
    clock.advance(1_000);
    thread.startAhead();
    clock.advance(300_000);
    await fail();
    expect(thread.pauseMs).toBe(0);
    await fail();
    expect(thread.pauseMs).toBe(1_000);
    await thread.close();
  });
});
