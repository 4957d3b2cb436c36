import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../../../test/support/fake-clock.ts';
import { PeerAvailability } from './peer-availability.ts';

describe('a peer that failed', () => {
  let clock: FakeClock;
  let log: string[];
  let peers: PeerAvailability;
  beforeEach(() => {
    clock = createFakeClock(() => 0);
    log = [];
    peers = new PeerAvailability({
      clock,
      onAvoid: (id, error) => log.push(`avoided ${id}: ${error}`),
      onReturn: (id) => log.push(`returned ${id}`),
    });
  });

  it('is avoided for 5 s, others are not', () => {
    expect(peers.isAvailable('a')).toBe(true);
    peers.recordFailure('a', 'refused');
    clock.advance(4_999);
    expect([peers.isAvailable('a'), peers.isAvailable('b')]).toEqual([false, true]);
    clock.advance(1);
    expect(peers.isAvailable('a')).toBe(true);
  });

  it('then gets one search as a trial, and after its success all', () => {
    peers.recordFailure('a', 'refused');
    clock.advance(5_000);
    peers.beginAttempt('a');
    expect(peers.isAvailable('a')).toBe(false);
    peers.recordSuccess('a');
    expect(peers.isAvailable('a')).toBe(true);
  });

  it('is avoided for 5 s again after a trial that fails', () => {
    peers.recordFailure('a', 'refused');
    clock.advance(5_000);
    peers.beginAttempt('a');
    peers.recordFailure('a', 'timeout');
    clock.advance(4_999);
    expect(peers.isAvailable('a')).toBe(false);
    clock.advance(1);
    expect(peers.isAvailable('a')).toBe(true);
  });

  it('gets another trial after one whose client disconnected', () => {
    peers.recordFailure('a', 'refused');
    clock.advance(5_000);
    peers.beginAttempt('a');
    peers.recordNothing('a');
    expect(peers.isAvailable('a')).toBe(true);
  });

  it('is reported once when it is avoided, and once when it returns', () => {
    peers.recordFailure('a', 'refused');
    peers.recordFailure('a', 'timeout');
    peers.recordSuccess('a');
    peers.recordSuccess('a');
    expect(log).toEqual(['avoided a: refused', 'returned a']);
  });

  it('is forgotten when it is no live process any more', () => {
    peers.recordFailure('a', 'refused');
    peers.keepOnly(['a']);
    expect(peers.isAvailable('a')).toBe(false);
    peers.keepOnly(['b']);
    expect(peers.isAvailable('a')).toBe(true);
  });
});
