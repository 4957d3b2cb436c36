import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import type { Engine } from '../database/index.ts';
import { createLog } from '../kernel/log.ts';
import { type CommittedChanges, eventNotifier } from './commit-notifier.ts';
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

/** A consumer of a database, and the accounts of each search; `*`: all accounts. */
function startSearchingConsumer(isDistributed: boolean) {
  const clock = createFakeClock(() => 0);
  const processes = {
    role: 'single',
    publish: () => undefined,
    subscribe: () => nothing,
    onCatchUp: () => nothing,
  };
  const engine = { canWrite: true, isDistributed, processes };
  const deps = {
    clock,
    engine: engine as unknown as Engine,
    log: createLog('silent', { write: () => undefined }),
    disposables: new AsyncDisposableStack(),
  };
  const searches: string[] = [];
  const processed: string[] = [];
  const pending = new Set<string>();
  const consumer = new EventConsumer(deps, {
    name: 'test',
    wakeDelayMs: 20,
    concerns: ({ types }) => types.has('memory.created'),
    poll: () =>
      consumer.processInRounds(
        {
          async find() {
            searches.push('*');
            return [...pending];
          },
          async has(accountId) {
            searches.push(accountId);
            return pending.has(accountId);
          },
        },
        async (accountId) => {
          processed.push(accountId);
          return pending.delete(accountId);
        },
      ),
  });
  consumer.start();
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const commit = async (...accountIds: string[]): Promise<void> => {
    for (const id of accountIds) pending.add(id);
    eventNotifier.of(deps).notify(new Set(accountIds));
    await advance(20);
  };
  const commitChanges = async (changes: CommittedChanges): Promise<void> => {
    eventNotifier.of(deps).notify(new Set(['a']), changes);
    await advance(20);
  };
  const taken = () => searches.splice(0);
  return { advance, commit, commitChanges, pending, searches: taken, processed, consumer };
}

describe('a consumer that looks for accounts', () => {
  it('looks at those of its commits between two searches of a distributed database', async () => {
    const { advance, commit, pending, searches, processed, consumer } =
      startSearchingConsumer(true);
    await commit('a');
    expect(searches()).toEqual(['*', '*']);
    await commit('b');
    expect(searches()).toEqual(['b', 'b']);
    // Of another process, whose messages were lost.
    pending.add('other');
    await commit('c');
    expect(searches()).toEqual(['c', 'c']);
    await advance(1_000);
    expect(searches()).toEqual(['*', '*']);
    expect(processed).toEqual(['a', 'b', 'c', 'other']);
    await consumer.stop();
  });

  it('searches all accounts of a distributed database at least once a second', async () => {
    const { commit, pending, searches, processed, consumer } = startSearchingConsumer(true);
    await commit('a');
    pending.add('other');
    for (let i = 0; i < 60; i += 1) await commit('a');
    expect(searches().filter((one) => one === '*').length).toBeLessThanOrEqual(4);
    expect(processed).toContain('other');
    await consumer.stop();
  });

  it('searches once for commits of many accounts', async () => {
    const { commit, searches, processed, consumer } = startSearchingConsumer(true);
    await commit('first');
    searches();
    const many = Array.from({ length: 20 }, (_, i) => `account ${i}`);
    await commit(...many);
    expect(searches()).toEqual(['*', '*']);
    expect(processed).toEqual(['first', ...many]);
    await consumer.stop();
  });

  it('does not look after commits that do not concern it, until the next second', async () => {
    const { advance, commitChanges, searches, consumer } = startSearchingConsumer(true);
    await commitChanges({ types: new Set(['memory.accessed']), hasDocuments: false });
    await advance(900);
    expect(searches()).toEqual([]);
    await advance(100);
    expect(searches()).toEqual(['*']);
    await commitChanges({ types: new Set(['memory.created']), hasDocuments: true });
    expect(searches()).toEqual(['a']);
    await consumer.stop();
  });

  it('searches all accounts where they are in one database', async () => {
    const { commit, searches, consumer } = startSearchingConsumer(false);
    await commit('a');
    await commit('b');
    expect(searches()).toEqual(['*', '*', '*', '*']);
    await consumer.stop();
  });
});
