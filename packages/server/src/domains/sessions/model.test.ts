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

const startedAt = new Date('2026-03-01T12:00:00.000Z');
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
  created_at: startedAt,
  updated_at: startedAt,
  last_active_at: startedAt,
  paused_at: null,
  completed_at: null,
  archived_at: null,
};
const transitionError = (status: string, action: string) =>
  expect.objectContaining({
    code: 'invalid_state_transition',
    details: { current_status: status, requested_action: action },
  });

describe('transitions of a session', () => {
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

  it.each(pairs)('%s from %s changes only the listed fields, or is rejected', (move, status) => {
    const before = { ...session, status, paused_at: status === 'paused' ? startedAt : null };
    const change = allowed[move][status];
    if (change)
      expect(applyTransition(before, move, now)).toEqual({ ...before, ...change, updated_at: now });
    else expect(() => applyTransition(before, move, now)).toThrow(transitionError(status, move));
  });

  it.each(sessionStatuses)('a session that is %s is updatable until it is completed', (status) => {
    const change = (fields: string[]) => () => requireUpdatable({ ...session, status }, fields);
    const isOpen = status === 'active' || status === 'paused';
    if (isOpen) expect(change(['name', 'summary'])).not.toThrow();
    else expect(change(['name', 'summary'])).toThrow(transitionError(status, 'update'));
    if (status === 'archived')
      expect(change(['summary'])).toThrow(transitionError(status, 'update'));
    else expect(change(['summary'])).not.toThrow();
  });
});

describe('retentionEndsAt', () => {
  const end = (fields: Partial<CliSessionRecord>) =>
    retentionEndsAt({ ...session, ...fields })?.toISOString() ?? null;

  it('is null for a permanent session', () => {
    expect(end({ retention_days: 1, completed_at: startedAt })).toBeNull();
  });

  it('is seven days after the last activity of a temporary session', () => {
    const fields = { retention_policy: 'temporary', retention_days: 1, completed_at: startedAt };
    expect(end(fields)).toBe('2026-03-08T12:00:00.000Z');
    expect(end({ ...fields, last_active_at: now })).toBe('2026-04-05T02:30:00.000Z');
  });

  it('is retention_days of 24 hours after the last activity with auto_delete', () => {
    const fields = { retention_policy: 'auto_delete', last_active_at: now };
    expect(end({ ...fields, retention_days: 1 })).toBe('2026-03-30T02:30:00.000Z');
    expect(end({ ...fields, retention_days: 36_500 })).toBe('2126-03-05T02:30:00.000Z');
  });

  it('is null for auto_delete without retention_days', () => {
    expect(end({ retention_policy: 'auto_delete', retention_days: null })).toBeNull();
  });

  it('is 24 hours after completion with on_completion, and null before', () => {
    const fields = { retention_policy: 'on_completion', last_active_at: startedAt };
    expect(end(fields)).toBeNull();
    expect(end({ ...fields, completed_at: now })).toBe('2026-03-30T02:30:00.000Z');
  });
});

describe('a private session', () => {
  const actor = (keyId: string | null, ...scopes: ('admin' | 'sessions:read')[]) => ({
    keyId,
    scopes: new Set(scopes),
  });

  it('is visible only to its creator and to admin keys', () => {
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

it('presentSession formats times as text and omits the next ordinal', () => {
  const shown = presentSession({ ...session, paused_at: now });
  expect(shown).toMatchObject({
    created_at: startedAt.toISOString(),
    paused_at: now.toISOString(),
  });
  expect(shown).not.toHaveProperty('next_ordinal');
  expect(shown.completed_at).toBeNull();
});
