import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../../../test/support/fake-clock.ts';
import { createLog } from '../../../kernel/log.ts';
import { LivePeers } from './live-peers.ts';

const other = { id: 'other', url: 'http://10.0.0.2:7077' };
const databaseTime = new Date('2030-01-01T00:00:00Z');

describe('the live peers', () => {
  let clock: FakeClock;
  let beats: number;
  let fails: boolean;
  let peers: LivePeers;
  beforeEach(() => {
    clock = createFakeClock(() => 0);
    beats = 0;
    fails = false;
    peers = new LivePeers({
      clock,
      log: createLog('silent', { write: () => undefined }),
      async beat() {
        beats += 1;
        if (fails) throw new Error('the database is unreachable');
        return { databaseTime, others: [other] };
      },
      onChange: () => undefined,
    });
  });
  /** Heartbeats end within a few microtasks. */
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('are unknown before the first heartbeat, which begins at once', async () => {
    expect(peers.others).toEqual([]);
    expect(peers.databaseTimeMs).toBeNull();
    peers.start();
    await advance(0);
    expect(peers.others).toEqual([other]);
  });

  it('cost one statement in 5 s', async () => {
    peers.start();
    await advance(0);
    for (let i = 0; i < 12; i += 1) await advance(5_000);
    expect(beats).toBe(13);
    await peers.stop();
    await advance(60_000);
    expect(beats).toBe(13);
  });

  it('are unknown once no heartbeat has succeeded for 15 s, until one does', async () => {
    peers.start();
    await advance(0);
    fails = true;
    await advance(5_000);
    await advance(5_000);
    await advance(4_999);
    expect(peers.others).toEqual([other]);
    await advance(1);
    expect(peers.others).toEqual([]);
    fails = false;
    await advance(5_000);
    expect(peers.others).toEqual([other]);
  });

  it('tell the time of the database between heartbeats, in whole milliseconds', async () => {
    peers.start();
    await advance(0);
    await advance(1_233.8);
    expect(peers.databaseTimeMs).toBe(databaseTime.getTime() + 1_234);
  });
});
