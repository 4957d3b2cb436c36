import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptResult, evaluateAttempt } from './outcome.ts';

const now = new Date('2026-01-02T03:04:05.000Z');
const settings = { max_retries: 3, retry_delay_seconds: 60, retry_schedule: 'standard' } as const;
const failure: AttemptResult = { status: 500, headers: {}, body: '', timeMs: 1, error: 'no' };
const success: AttemptResult = { status: 200, headers: {}, body: '', timeMs: 1, error: null };
const half = 0.5;

describe('evaluateAttempt', () => {
  it('returns success with its time if the endpoint accepted the delivery', () => {
    const before = { status: 'retrying', attempts: 2 };
    expect(evaluateAttempt(settings, before, success, now, half)).toEqual({
      status: 'success',
      attempts: 3,
      nextAttemptAt: null,
      deliveredAt: now,
      disablesWebhook: false,
    });
  });

  it('schedules another attempt while one is left, then fails', () => {
    const statuses = [0, 1, 2, 3].map((attempts) => {
      const before = { status: attempts === 0 ? 'pending' : 'retrying', attempts };
      return evaluateAttempt(settings, before, failure, now, half).status;
    });
    expect(statuses).toEqual(['retrying', 'retrying', 'retrying', 'failed']);
  });

  it('fails at once without retries', () => {
    const before = { status: 'pending', attempts: 0 };
    expect(
      evaluateAttempt({ ...settings, max_retries: 0 }, before, failure, now, half),
    ).toMatchObject({
      status: 'failed',
      disablesWebhook: false,
    });
  });

  it('disables the webhook after six or more attempts, but not after a manual retry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 }), (max_retries) => {
        const last = { status: max_retries === 0 ? 'pending' : 'retrying', attempts: max_retries };
        const end = evaluateAttempt({ ...settings, max_retries }, last, failure, now, half);
        expect(end.disablesWebhook).toBe(max_retries + 1 >= 6);
        const manualRetry = { status: 'failed', attempts: end.attempts };
        const again = evaluateAttempt(
          { ...settings, max_retries },
          manualRetry,
          failure,
          now,
          half,
        );
        expect(again).toMatchObject({ status: 'failed', disablesWebhook: false });
      }),
    );
  });

  it('respects Retry-After', () => {
    const busy = { ...failure, status: 503, headers: { 'retry-after': '600' } };
    const before = { status: 'pending', attempts: 0 };
    expect(evaluateAttempt(settings, before, busy, now, half).nextAttemptAt).toEqual(
      new Date(now.getTime() + 600_000),
    );
  });
});
