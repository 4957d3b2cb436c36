import { afterEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import type { Engine } from './engine.ts';
import type { MessageListener, ProcessGroup, ProcessRole } from './process-group.ts';
import { SharedPoller } from './shared-poller.ts';

const intervalMs = 2_000;
const messageIntervalMs = 1_000;

/** A group whose role and messages the test sets. */
function createGroup(initial: ProcessRole) {
  let role = initial;
  const messages = new Set<MessageListener>();
  const catchUps = new Set<() => void>();
  const published: string[] = [];
  const add = <T>(all: Set<T>, one: T): Disposable => {
    all.add(one);
    return { [Symbol.dispose]: () => void all.delete(one) };
  };
  const processes: ProcessGroup = {
    get role() {
      return role;
    },
    join: () => undefined,
    publish: (topic) => void published.push(topic),
    subscribe: (_topic, listener) => add(messages, listener),
    onCatchUp: (listener) => add(catchUps, listener),
  };
  return {
    processes,
    published,
    sendMessage: () => {
      for (const listener of messages) listener(null);
    },
    setRole(next: ProcessRole) {
      role = next;
      for (const listener of catchUps) listener();
    },
  };
}

describe('a shared poller', () => {
  const ending = new AsyncDisposableStack();
  afterEach(() => ending.disposeAsync());

  function start(role: ProcessRole, poll = async () => undefined) {
    const clock = createFakeClock(() => 0);
    const group = createGroup(role);
    let polls = 0;
    const engine = { processes: group.processes } as Engine;
    const poller = new SharedPoller(
      { engine, clock },
      {
        topic: 'work',
        intervalMs,
        poll: () => {
          polls += 1;
          return poll();
        },
      },
    );
    poller.start();
    /** Advances the time in steps, since the next poll is scheduled after the end of the last. */
    const advance = async (ms: number): Promise<number> => {
      for (let stepMs = 0; stepMs < ms; stepMs += 100) {
        clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return polls;
    };
    return { poller, group, advance };
  }

  it.each(['single', 'leader'] as const)('polls regularly in the role %s', async (role) => {
    const { advance } = start(role);
    expect(await advance(5 * intervalMs)).toBe(5);
  });

  it('of a follower polls only after messages, at once and then once a second', async () => {
    const { group, advance } = start('follower');
    expect(await advance(10 * intervalMs)).toBe(0);
    group.sendMessage();
    expect(await advance(100)).toBe(1);
    for (let i = 0; i < 20; i += 1) {
      group.sendMessage();
      await advance(messageIntervalMs / 10);
    }
    expect(await advance(messageIntervalMs)).toBe(4);
    expect(await advance(10 * intervalMs)).toBe(4);
  });

  it('polls at once and regularly when its process becomes the leader', async () => {
    const { group, advance } = start('follower');
    await advance(10 * intervalMs);
    group.setRole('leader');
    expect(await advance(100)).toBe(1);
    expect(await advance(3 * intervalMs)).toBe(4);
    group.setRole('follower');
    expect(await advance(10 * intervalMs)).toBe(5);
  });

  it('is busy before its start, during a poll, and after its stop', async () => {
    const ended = Promise.withResolvers<undefined>();
    const { poller, advance } = start('leader', () => ended.promise);
    expect(poller.isBusy).toBe(false);
    await advance(intervalMs);
    expect(poller.isBusy).toBe(true);
    ended.resolve(undefined);
    await advance(100);
    expect(poller.isBusy).toBe(false);
    await poller.stop();
    expect(poller.isBusy).toBe(true);
  });

  it('shares what a leader has found', async () => {
    for (const role of ['single', 'leader', 'follower'] as const) {
      const { poller, group } = start(role);
      poller.shareIfLeader();
      expect(group.published).toEqual(role === 'leader' ? ['work'] : []);
      await poller.stop();
    }
  });
});
