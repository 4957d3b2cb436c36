import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { RequestLimiter, type RequestSlot } from './request-limiter.ts';

const max = 60;
const account = (id: string) => ({ kind: 'account', id }) as const;
const address = (id: string) => ({ kind: 'address', id }) as const;
const make = (slots = max, clock = createFakeClock(() => 0)) => new RequestLimiter(slots, clock);

/** Acquires slots for a client until one is rejected. */
function fill(
  crowd: RequestLimiter,
  client: ReturnType<typeof account | typeof address>,
): RequestSlot[] {
  const slots: RequestSlot[] = [];
  try {
    for (;;) slots.push(crowd.acquire(client));
  } catch (error) {
    expect(error).toMatchObject({ code: 'service_unavailable' });
    return slots;
  }
}

describe('RequestLimiter', () => {
  it('gives half of the slots to a single client, and one to each client without a slot', () => {
    const crowd = make();
    expect(fill(crowd, account('a'))).toHaveLength(max / 2);
    const others = Array.from({ length: max / 2 }, (_, i) => crowd.acquire(account(`b${i}`)));
    expect(others).toHaveLength(max / 2);
    expect(() => crowd.acquire(account('c'))).toThrow('at capacity');
  });

  it('shares the slots among greedy clients, and leaves some to others', () => {
    const crowd = make();
    const shares = ['a', 'b', 'c'].map((id) => fill(crowd, address(id)).length);
    expect(shares).toEqual([30, 15, 8]);
    expect(fill(crowd, account('d')).length).toBeGreaterThan(0);
  });

  it('counts a slot for the address until the account is known, then for the account', () => {
    const crowd = make(4);
    const first = crowd.acquire(address('x'));
    first.reassign(account('a'));
    const second = crowd.acquire(address('x'));
    second.reassign(account('a'));
    const third = crowd.acquire(address('x'));
    expect(() => third.reassign(account('a'))).toThrow('of this account');
    third.release();
    expect(fill(crowd, address('x'))).toHaveLength(1);
  });

  it('tells when no request is in progress any more, or that a time has passed', async () => {
    const clock = createFakeClock(() => 0);
    const limiter = make(4, clock);
    await limiter.waitUntilIdle(50);
    const slots = [limiter.acquire(account('a')), limiter.acquire(account('b'))];
    let resolved = 0;
    const wait = (ms: number) => limiter.waitUntilIdle(ms).then(() => (resolved += 1));
    const waits = [wait(20), wait(50), wait(50)];
    slots[0]?.release();
    clock.advance(19);
    await new Promise(setImmediate);
    expect(resolved).toBe(0);
    clock.advance(1);
    await waits[0];
    await new Promise(setImmediate);
    expect(resolved).toBe(1);
    slots[1]?.release();
    await Promise.all(waits);
  });

  it('frees a slot once for any number of releases', () => {
    const crowd = make(1);
    const slot = crowd.acquire(account('a'));
    slot.release();
    slot.release();
    crowd.acquire(account('b'));
    expect(() => crowd.acquire(account('c'))).toThrow();
    slot.reassign(account('c'));
    expect(() => crowd.acquire(account('c'))).toThrow('at capacity');
  });
});
