import { sessionStatuses } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import {
  applyTransition,
  type CliSessionRecord,
  canSeeSession,
  presentSession,
  requireUpdatable,
  retentionEndsAt,
  type SessionTransition,
} from './model.ts';

const begun = new Date('2026-03-01T12:00:00.000Z');
const now = new Date('2026-03-29T02:30:00.000Z');
const session: CliSessionRecord = {
  account_id: 'account',
  id: 'session',
  created_by: 'key',
  name: 'a session',
  type: 'conversation',
  status: 'active',
  description: null,
  tags: [],
  space_id: null,
  origin_type: null,
  retention_policy: 'permanent',
  retention_days: null,
  is_private: false,
  summary: null,
  message_count: 0,
  memory_count: 0,
  next_ordinal: 1,
  metadata: {},
  created_at: begun,
  updated_at: begun,
  last_active_at: begun,
  paused_at: null,
  completed_at: null,
  archived_at: null,
};
const refusal = (status: string, action: string) =>
  expect.objectContaining({
    code: 'invalid_state_transition',
    details: { current_status: status, requested_action: action },
  });

describe('moves of a session', () => {
  const allowed: Readonly<
    Record<SessionTransition, Partial<Record<string, Partial<CliSessionRecord>>>>
  > = {
    pause: { active: { status: 'paused', paused_at: now } },
    resume: { paused: { status: 'active', paused_at: null, last_active_at: now } },
    complete: {
      active: { status: 'completed', completed_at: now },
      paused: { status: 'completed', completed_at: now },
    },
    archive: { completed: { status: 'archived', archived_at: now } },
  };
  const pairs = (Object.keys(allowed) as SessionTransition[]).flatMap((move) =>
    sessionStatuses.map((status) => [move, status] as const),
  );

  it.each(pairs)('%s from %s changes what the table says alone, or is refused', (move, status) => {
    const before = { ...session, status, paused_at: status === 'paused' ? begun : null };
    const change = allowed[move][status];
    if (change)
      expect(applyTransition(before, move, now)).toEqual({ ...before, ...change, updated_at: now });
    else expect(() => applyTransition(before, move, now)).toThrow(refusal(status, move));
  });

  it.each(sessionStatuses)('one that is %s changes while it is no history', (status) => {
    const change = (fields: string[]) => () => requireUpdatable({ ...session, status }, fields);
    const isOpen = status === 'active' || status === 'paused';
    if (isOpen) expect(change(['name', 'summary'])).not.toThrow();
    else expect(change(['name', 'summary'])).toThrow(refusal(status, 'update'));
    if (status === 'archived') expect(change(['summary'])).toThrow(refusal(status, 'update'));
    else expect(change(['summary'])).not.toThrow();
  });
});

describe('the end of the retention of a session', () => {
  const end = (fields: Partial<CliSessionRecord>) =>
    retentionEndsAt({ ...session, ...fields })?.toISOString() ?? null;

  it('never comes for a permanent one', () => {
    expect(end({ retention_days: 1, completed_at: begun })).toBeNull();
  });

  it('comes seven days after the last use of a temporary one', () => {
    const fields = { retention_policy: 'temporary', retention_days: 1, completed_at: begun };
    expect(end(fields)).toBe('2026-03-08T12:00:00.000Z');
    expect(end({ ...fields, last_active_at: now })).toBe('2026-04-05T02:30:00.000Z');
  });

  it('comes so many days after the last use as auto_delete says, of 24 hours each', () => {
    const fields = { retention_policy: 'auto_delete', last_active_at: now };
    expect(end({ ...fields, retention_days: 1 })).toBe('2026-03-30T02:30:00.000Z');
    expect(end({ ...fields, retention_days: 36_500 })).toBe('2126-03-05T02:30:00.000Z');
  });

  it('never comes for an auto_delete that knows no days', () => {
    expect(end({ retention_policy: 'auto_delete', retention_days: null })).toBeNull();
  });

  it('comes 24 hours after completion with on_completion, and is unknown before', () => {
    const fields = { retention_policy: 'on_completion', last_active_at: begun };
    expect(end(fields)).toBeNull();
    expect(end({ ...fields, completed_at: now })).toBe('2026-03-30T02:30:00.000Z');
  });
});

describe('a private session', () => {
  const actor = (keyId: string | null, ...scopes: ('admin' | 'sessions:read')[]) => ({
    keyId,
    scopes: new Set(scopes),
  });

  it('is known to its creator and to admin keys alone', () => {
    const secret = { is_private: true, created_by: 'key' };
    expect(canSeeSession(actor('key', 'sessions:read'), secret)).toBe(true);
    expect(canSeeSession(actor('other', 'admin'), secret)).toBe(true);
    expect(canSeeSession(actor('other', 'sessions:read'), secret)).toBe(false);
    expect(canSeeSession(actor('other', 'sessions:read'), { ...secret, created_by: null })).toBe(
      false,
    );
    expect(canSeeSession(actor('other', 'sessions:read'), { ...secret, is_private: false })).toBe(
      true,
    );
  });
});

it('a session is shown with its times as text, and without the place of its next memory', () => {
  const shown = presentSession({ ...session, paused_at: now });
  expect(shown).toMatchObject({ created_at: begun.toISOString(), paused_at: now.toISOString() });
  expect(shown).not.toHaveProperty('next_ordinal');
  expect(shown.completed_at).toBeNull();
});
