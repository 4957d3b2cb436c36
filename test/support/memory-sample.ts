import type { Memory } from '@mneme/contract';

const at = '2026-01-05T10:00:00.000Z';

/** A memory of the account level with the defaults of a create, for tests without a service. */
export const createMemorySample = (more: Partial<Memory> = {}): Memory => ({
  id: '019b8d1c-0000-7000-8000-000000000001',
  content: 'Ana prefers tea.',
  content_type: 'text',
  space_id: null,
  user_id: null,
  agent_id: null,
  run_id: null,
  session_id: null,
  tags: [],
  metadata: {},
  priority: 0,
  salience: null,
  is_pinned: false,
  is_deleted: false,
  protection_level: 'none',
  quality_score: null,
  occurred_at: null,
  expires_at: null,
  verified_at: null,
  deleted_at: null,
  created_at: at,
  updated_at: at,
  outdated_by: null,
  ...more,
});
