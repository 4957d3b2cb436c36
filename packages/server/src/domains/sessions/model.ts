import type { CliSession, RetentionPolicy, SessionStatus, SessionType } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Actor } from '../ctx.ts';

export interface CliSessionRecord {
  readonly account_id: string;
  readonly id: string;
  readonly created_by: string | null;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly space_id: string | null;
  readonly origin_type: string | null;
  readonly retention_policy: string;
  readonly retention_days: number | null;
  readonly is_private: boolean;
  readonly summary: string | null;
  readonly message_count: number;
  readonly memory_count: number;
  readonly next_ordinal: number;
  readonly metadata: Record<string, unknown>;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_active_at: Date;
  readonly paused_at: Date | null;
  readonly completed_at: Date | null;
  readonly archived_at: Date | null;
}

export type SessionTransition = 'pause' | 'resume' | 'complete' | 'archive';
export type SessionAction = SessionTransition | 'update' | 'add_memory';

/** The allowed transitions; all others are rejected. */
const transitions: Readonly<
  Record<SessionTransition, { readonly from: readonly string[]; readonly to: SessionStatus }>
> = {
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  complete: { from: ['active', 'paused'], to: 'completed' },
  archive: { from: ['completed'], to: 'archived' },
};

export function invalidTransitionError(status: string, action: SessionAction): AppError {
  return new AppError('invalid_state_transition', {
    message: `A session that is ${status} does not allow this action.`,
    details: { current_status: status, requested_action: action },
  });
}

/** Applies a transition and sets its timestamp. Throws invalid_state_transition. */
export function applyTransition(
  session: CliSessionRecord,
  transition: SessionTransition,
  now: Date,
): CliSessionRecord {
  const { from, to } = transitions[transition];
  if (!from.includes(session.status)) throw invalidTransitionError(session.status, transition);
  const next = { ...session, status: to, updated_at: now };
  switch (transition) {
    case 'pause':
      return { ...next, paused_at: now };
    case 'resume':
      return { ...next, paused_at: null, last_active_at: now };
    case 'complete':
      return { ...next, completed_at: now };
    case 'archive':
      return { ...next, archived_at: now };
  }
}

/** Completed and archived sessions are read-only, except for the summary of a completed one. */
export function requireUpdatable(session: CliSessionRecord, fields: readonly string[]): void {
  const { status } = session;
  if (status === 'active' || status === 'paused') return;
  if (status === 'completed' && fields.every((field) => field === 'summary')) return;
  throw invalidTransitionError(status, 'update');
}

const dayMs = 86_400_000;

/** When the retention of a session ends; null: never, or not yet known. */
export function retentionEndsAt(
  session: Pick<
    CliSessionRecord,
    'retention_policy' | 'retention_days' | 'last_active_at' | 'completed_at'
  >,
): Date | null {
  const after = (from: Date | null, days: number | null): Date | null =>
    from && days !== null ? new Date(from.getTime() + days * dayMs) : null;
  switch (session.retention_policy as RetentionPolicy) {
    case 'permanent':
      return null;
    case 'temporary':
      return after(session.last_active_at, 7);
    case 'auto_delete':
      return after(session.last_active_at, session.retention_days);
    case 'on_completion':
      return after(session.completed_at, 1);
  }
}

/** A private session is visible only to its creator and to admin keys. */
export const canSeeSession = (
  { scopes, keyId }: Pick<Actor, 'scopes' | 'keyId'>,
  session: Pick<CliSessionRecord, 'is_private' | 'created_by'>,
): boolean => !session.is_private || scopes.has('admin') || session.created_by === keyId;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const presentSession = (record: CliSessionRecord): CliSession => ({
  id: record.id,
  account_id: record.account_id,
  created_by: record.created_by,
  name: record.name,
  type: record.type as SessionType,
  status: record.status as SessionStatus,
  description: record.description,
  tags: record.tags,
  space_id: record.space_id,
  origin_type: record.origin_type,
  retention_policy: record.retention_policy as RetentionPolicy,
  retention_days: record.retention_days,
  is_private: record.is_private,
  summary: record.summary,
  message_count: record.message_count,
  memory_count: record.memory_count,
  metadata: record.metadata,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
  last_active_at: record.last_active_at.toISOString(),
  paused_at: iso(record.paused_at),
  completed_at: iso(record.completed_at),
  archived_at: iso(record.archived_at),
});
