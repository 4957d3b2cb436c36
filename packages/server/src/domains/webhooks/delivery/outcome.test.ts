import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptResult, evaluateAttempt } from './outcome.ts';

const now = new Date('2026-01-02T03:04:05.000Z');
const settings = { max_retries: 3, retry_delay_seconds: 60, retry_schedule: 'standard' } as const;
const refused: AttemptResult = { status: 500, headers: {}, body: '', timeMs: 1, error: 'no' };
const taken: AttemptResult = { status: 200, headers: {}, body: '', timeMs: 1, error: null };
const half = 0.5;

describe('outcome of an attempt', () => {
  it('is success with its time where the endpoint took it', () => {
    const before = { status: 'retrying', attempts: 2 };
    expect(evaluateAttempt(settings, before, taken, now, half)).toEqual({
      status: 'success',
      attempts: 3,
      nextAttemptAt: null,
      deliveredAt: now,
      disablesWebhook: false,
    });
  });

  it('is another attempt as long as one is left, then failed', () => {
    const statuses = [0, 1, 2, 3].map((attempts) => {
      const before = { status: attempts === 0 ? 'pending' : 'retrying', attempts };
      return evaluateAttempt(settings, before, refused, now, half).status;
    });
    expect(statuses).toEqual(['retrying', 'retrying', 'retrying', 'failed']);
  });

  it('is failed at once without retries', () => {
    const before = { status: 'pending', attempts: 0 };
    expect(
      evaluateAttempt({ ...settings, max_retries: 0 }, before, refused, now, half),
    ).toMatchObject({
      status: 'failed',
      disablesWebhook: false,
    });
  });

  it('disables when six or more attempts are exhausted, and not when one is made by hand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 }), (max_retries) => {
        const last = { status: max_retries === 0 ? 'pending' : 'retrying', attempts: max_retries };
        const end = evaluateAttempt({ ...settings, max_retries }, last, refused, now, half);
        expect(end.disablesWebhook).toBe(max_retries + 1 >= 6);
        const byHand = { status: 'failed', attempts: end.attempts };
        const again = evaluateAttempt({ ...settings, max_retries }, byHand, refused, now, half);
        expect(again).toMatchObject({ status: 'failed', disablesWebhook: false });
      }),
    );
  });

  it('heeds a Retry-After', () => {
    const busy = { ...refused, status: 503, headers: { 'retry-after': '600' } };
    const before = { status: 'pending', attempts: 0 };
    expect(evaluateAttempt(settings, before, busy, now, half).nextAttemptAt).toEqual(
      new Date(now.getTime() + 600_000),
    );
  });
});
