import type { Digest } from '@mneme/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../../../database/index.ts';

export type DigestRecord = Selectable<Tables['email_digests']>;

export const presentDigest = (row: DigestRecord): Digest => ({
  id: row.id,
  name: row.name,
  scheduleType: row.schedule_type,
  timezone: row.timezone,
  hour: row.hour,
  weekday: row.weekday,
  day: row.day,
  includeNewMemories: row.include_new_memories,
  includeHighlights: row.include_highlights,
  maxItems: row.max_items,
  tags: row.tags,
  recipients: row.recipients,
  isActive: row.is_active,
  nextRunAt: row.next_run_at?.toISOString() ?? null,
  lastSentAt: row.last_sent_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
