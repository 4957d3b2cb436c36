import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import type { Engine } from '../database/index.ts';
import { createLog } from '../kernel/log.ts';
import { eventNotifier } from './commit-notifier.ts';
import { EventConsumer } from './event-consumer.ts';

const nothing: Disposable = { [Symbol.dispose]: () => undefined };

/** A consumer that believes that events can be ignored, and how often it has polled. */
function startIdleConsumer(role: Engine['processes']['role']) {
  const clock = createFakeClock(() => 0);
  const processes = { role, publish: () => undefined, subscribe: () => nothing };
  const engine = { canWrite: true, processes: { ...processes, onCatchUp: () => nothing } };
  const deps = {
    clock,
    engine: engine as unknown as Engine,
    log: createLog('silent', { write: () => undefined }),
    disposables: new AsyncDisposableStack(),
  };
  let polls = 0;
  const consumer = new EventConsumer(deps, {
    name: 'test',
    wakeDelayMs: 20,
    poll: async () => {
      polls += 1;
    },
    isIdle: () => true,
  });
  consumer.start();
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const commit = () => eventNotifier.of(deps).notify(new Set(['account']));
  return { advance, commit, polls: () => polls, consumer };
}

describe('a consumer that has nothing to do with events as far as it knows', () => {
  it('finds out at most once a second in a follower, where nothing polls regularly', async () => {
    const { advance, commit, polls, consumer } = startIdleConsumer('follower');
    await advance(5_000);
    expect(polls()).toBe(0);
    commit();
    await advance(0);
    await advance(20);
    expect(polls()).toBe(1);
    for (let i = 0; i < 10; i += 1) {
      commit();
      await advance(90);
    }
    expect(polls()).toBe(1);
    await advance(100);
    await advance(20);
    expect(polls()).toBe(2);
    await consumer.stop();
  });

  it.each(['single', 'leader'] as const)('waits for the poll of a %s', async (role) => {
    const { advance, commit, polls, consumer } = startIdleConsumer(role);
    commit();
    await advance(999);
    expect(polls()).toBe(0);
    await advance(1);
    expect(polls()).toBe(1);
    await consumer.stop();
  });
});
