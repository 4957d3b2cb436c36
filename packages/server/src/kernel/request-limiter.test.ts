import { describe, expect, it } from 'vitest';
import { RequestLimiter, type RequestSlot } from './request-limiter.ts';

const max = 60;
const account = (id: string) => ({ kind: 'account', id }) as const;
const address = (id: string) => ({ kind: 'address', id }) as const;
const make = (slots = max) => new RequestLimiter(slots, { monotonicMs: () => 0 });

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
