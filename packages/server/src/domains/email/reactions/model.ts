import { isKnownEventType, type Reaction } from '@mneme/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../../../database/index.ts';
import type { StoredEvent } from '../../../events/outbox.ts';
import { AppError } from '../../../kernel/errors.ts';

export type ReactionRecord = Selectable<Tables['email_reactions']>;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The event type of a trigger, which may have `_` for a dot. Throws 400 invalid_events. */
export function parseTriggerType(trigger: string): string {
  const dotted = trigger.replace('_', '.');
  for (const name of [trigger, dotted]) if (isKnownEventType(name)) return name;
  throw new AppError('invalid_events', {
    message: `Unknown event types: ${trigger}.`,
    details: { events: [trigger] },
  });
}

const midnightOf = (now: Date): Date => new Date(Math.floor(now.getTime() / dayMs) * dayMs);

const sentToday = (
  {
    daily_window_start,
    daily_sent_count,
  }: Pick<ReactionRecord, 'daily_window_start' | 'daily_sent_count'>,
  now: Date,
): number => (daily_window_start?.getTime() === midnightOf(now).getTime() ? daily_sent_count : 0);

export const presentReaction = (row: ReactionRecord, now: Date): Reaction => ({
  id: row.id,
  name: row.name,
  triggerType: row.trigger_type.replace('.', '_'),
  triggerConditions: row.trigger_conditions,
  emailSubjectTemplate: row.subject_template,
  emailBodyTemplate: row.body_template,
  recipients: row.recipients,
  cooldownMinutes: row.cooldown_minutes,
  maxPerDay: row.max_per_day,
  isActive: row.is_active,
  lastTriggeredAt: row.last_triggered_at?.toISOString() ?? null,
  sentToday: sentToday(row, now),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** All conditions must match; a missing field matches none. */
export function eventMatchesConditions(
  { tags = [], contentContains }: ReactionRecord['trigger_conditions'],
  { data }: Pick<StoredEvent, 'data'>,
): boolean {
  const own: readonly unknown[] = Array.isArray(data.tags) ? data.tags : [];
  if (!tags.every((tag) => own.includes(tag))) return false;
  if (contentContains === undefined) return true;
  const { content } = data;
  return (
    typeof content === 'string' && content.toLowerCase().includes(contentContains.toLowerCase())
  );
}

export type TriggerCounts = Pick<
  ReactionRecord,
  'last_triggered_at' | 'daily_window_start' | 'daily_sent_count'
>;

/** The counts after another trigger; null within the cooldown or at the daily limit. */
export function nextTriggerCounts(row: ReactionRecord, now: Date): TriggerCounts | null {
  const { last_triggered_at: last, cooldown_minutes: minutes } = row;
  const sinceMs = last === null ? Number.POSITIVE_INFINITY : now.getTime() - last.getTime();
  // A time further in the future comes from a clock that was ahead and is ignored.
  if (Math.abs(sinceMs) < minutes * minuteMs) return null;
  const before = sentToday(row, now);
  if (before >= row.max_per_day) return null;
  return {
    last_triggered_at: now,
    daily_window_start: midnightOf(now),
    daily_sent_count: before + 1,
  };
}
