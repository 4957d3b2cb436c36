/** Records that the examples of the routes share. */
const at = '2026-01-05T09:30:00.000Z';

export const sampleMemory = {
  id: '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e',
  content: 'Ana prefers tea over coffee.',
  content_type: 'text' as const,
  space_id: null,
  user_id: null,
  agent_id: null,
  run_id: null,
  session_id: null,
  tags: ['preference'],
  metadata: { source: 'chat' },
  priority: 5,
  salience: null,
  is_pinned: false,
  is_deleted: false,
  protection_level: 'none' as const,
  quality_score: null,
  occurred_at: null,
  expires_at: null,
  verified_at: null,
  deleted_at: null,
  created_at: at,
  updated_at: at,
  outdated_by: null,
};

/** The target of the sample relationship. */
export const sampleOtherMemory = {
  ...sampleMemory,
  id: '019b8d1c-3a4c-750d-87c8-d3e4f5061728',
  content: 'Mostly tea at home, hardly any coffee.',
  tags: [],
  metadata: {},
  priority: 0,
};

export const sampleSpace = {
  id: '019b8d1c-3a41-7a52-8c1d-2e3f4a5b6c7d',
  name: 'research',
  description: 'Papers and notes',
  metadata: {},
  memory_lifetime_days: null,
  created_at: at,
  updated_at: at,
};

export const sampleAccount = {
  id: '019b8d1c-3a42-7b63-8d2e-3f4a5b6c7d8e',
  name: 'acme',
  plan: 'pro' as const,
  suspended: false,
  settings: {
    daily_memory_limit: null,
    enforce_endpoint_limits: false,
    allow_custom_relationship_types: false,
    detect_updates: 'suggest',
    email: { accept_unknown: 'store' as const },
  },
  contact_email: 'owner@localhost',
  created_at: at,
  updated_at: at,
};

export const sampleKey = {
  id: '019b8d1c-3a43-7c74-8e3f-4a5b6c7d8e9f',
  name: 'agent',
  prefix: 'mnk_a1B2c3D4e5F6',
  scopes: ['memories:read', 'memories:write', 'search:read'] as const,
  space_ids: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  created_at: at,
};

export const sampleToken = {
  id: '019b8d1c-3a56-7a70-8172-738495a6b7c8',
  key_id: sampleKey.id,
  user_id: null,
  created_at: at,
  expires_at: '2026-01-05T13:00:00.000Z',
  renewable_until: null,
  single_use: false,
  scopes: null,
};

export const sampleGrant = {
  id: '019b8d1c-3a57-7b81-8283-8495a6b7c8d9',
  client_id: 'https://client.example.com/oauth/client.json',
  client_name: 'Example client',
  key_id: sampleKey.id,
  resource: 'https://mneme.example.org/mcp',
  scopes: ['memories:read', 'search:read'],
  space_ids: null,
  user_id: null,
  created_at: at,
  expires_at: '2026-02-04T12:00:00.000Z',
};

export const sampleJob = {
  id: '019b8d1c-3a44-7d85-8f40-5b6c7d8e9fa0',
  kind: 'memories.erase',
  status: 'completed' as const,
  progress: 1,
  attempts: 1,
  waiting_reason: null,
  error: null,
  result: null,
  created_at: at,
  finished_at: at,
};

export const sampleEvent = {
  id: '019b8d1c-3a45-7e96-8051-6c7d8e9fa0b1',
  type: 'memory.created' as const,
  created_at: at,
  space_id: null,
  data: sampleMemory,
  previous_data: null,
  changes: null,
};

export const sampleAudit = {
  id: '019b8d1c-3a46-7fa7-8162-7d8e9fa0b1c2',
  action: 'key.created' as const,
  target_id: sampleKey.id,
  actor: { account_id: sampleAccount.id, key_id: '019b8d1c-3a47-70b8-8273-8e9fa0b1c2d3' },
  details: { name: 'agent', scopes: [...sampleKey.scopes], space_ids: null, expires_at: null },
  request_id: '019b8d1c-3a48-71c9-8384-9fa0b1c2d3e4',
  created_at: at,
};

export const sampleCliSession = {
  id: '019b8d1c-3a49-72da-8495-a0b1c2d3e4f5',
  account_id: sampleAccount.id,
  created_by: sampleKey.id,
  name: 'Planning the move to Berlin',
  type: 'conversation' as const,
  status: 'active' as const,
  description: null,
  tags: ['berlin'],
  space_id: null,
  origin_type: 'chat',
  retention_policy: 'permanent' as const,
  retention_days: null,
  is_private: false,
  summary: null,
  message_count: 0,
  memory_count: 0,
  metadata: {},
  created_at: at,
  updated_at: at,
  last_active_at: at,
  paused_at: null,
  completed_at: null,
  archived_at: null,
};

export const sampleActivation = {
  id: '019b8d1c-3a4a-73eb-85a6-b1c2d3e4f506',
  session_key: 'chat-42',
  started_at: at,
  last_active_at: at,
  last_activity_at: at,
  memory_count: 1,
  is_closed: false,
  api_key_id: sampleKey.id,
};

export const sampleRelationship = {
  id: '019b8d1c-3a4b-74fc-86b7-c2d3e4f50617',
  source_id: sampleMemory.id,
  target_id: sampleOtherMemory.id,
  relationship_type: 'supports',
  type: 'supports',
  description: null,
  weight: 0.8,
  strength: 0.8,
  usage_count: 0,
  reinforcement_count: 0,
  last_reinforced_at: null,
  decay_rate: 0.02,
  rules: {},
  metadata: {},
  created_at: at,
  updated_at: at,
};

export const sampleSearch = {
  results: [
    {
      type: 'memory' as const,
      id: sampleMemory.id,
      score: 0.82,
      content: sampleMemory.content,
      content_type: sampleMemory.content_type,
      highlight: sampleMemory.content,
      passage: null,
      tags: sampleMemory.tags,
      metadata: sampleMemory.metadata,
      space_id: null,
      user_id: null,
      agent_id: null,
      run_id: null,
      session_id: null,
      priority: 5,
      occurred_at: null,
      created_at: at,
      outdated_by: null,
    },
  ],
  facets: { memories: 1, audio_segments: 0 },
  pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_cursor: null },
};

export const sampleWebhook = {
  id: '019b8d1c-3a48-7c01-8d23-4e5f60718293',
  name: 'example.com',
  url: 'https://example.com/hooks/mneme',
  events: ['memory.*'],
  description: null,
  secret: 'whse…1pRw',
  space_id: null,
  headers: {},
  filters: {},
  max_retries: 3,
  retry_delay_seconds: 60,
  retry_schedule: 'standard',
  payload_form: 'object',
  signature_form: 'timestamped',
  is_active: true,
  enabled: true,
  status: 'active',
  disabled_reason: null,
  total_deliveries: 1,
  successful_deliveries: 1,
  failed_deliveries: 0,
  failure_count: 0,
  last_triggered_at: at,
  created_at: at,
  updated_at: at,
} as const;

export const sampleDelivery = {
  id: '019b8d1c-3a49-7d45-9e67-0f1a2b3c4d5e',
  webhook_id: sampleWebhook.id,
  event_type: sampleEvent.type,
  event_id: sampleEvent.id,
  status: 'success',
  attempt_count: 1,
  attempt: 1,
  payload: { ...sampleEvent, webhook_id: sampleWebhook.id },
  response_status: 200,
  response_body: 'ok',
  response_time_ms: 31,
  error_message: null,
  error: null,
  next_retry_at: null,
  created_at: at,
  delivered_at: at,
} as const;

export const sampleTimestamp = at;

export const sampleEntity = {
  id: '019b8d1c-3a50-7a10-8b1c-0d1e2f3a4b5c',
  name: 'Ana Ruiz',
  type: 'person' as const,
  space_id: null,
  aliases: ['Ana'],
  created_at: at,
  updated_at: at,
};

export const sampleOrganization = {
  ...sampleEntity,
  id: '019b8d1c-3a51-7b20-8c2d-1e2f3a4b5c6d',
  name: 'Acme',
  type: 'organization' as const,
  aliases: [],
};

export const sampleFact = {
  id: '019b8d1c-3a52-7c30-8d3e-2f3a4b5c6d7e',
  subject_id: sampleEntity.id,
  subject_name: sampleEntity.name,
  predicate: 'works_at',
  object_id: sampleOrganization.id,
  object_value: sampleOrganization.name,
  statement: 'Ana Ruiz works at Acme',
  confidence: 0.9,
  source_memory_ids: [sampleMemory.id],
  valid_from: '2025-05-01T00:00:00.000Z',
  valid_to: null,
  recorded_at: at,
  invalidated_at: null,
};

export const sampleCluster = {
  id: '019b8d1c-3a53-7d40-8e4f-304152637485',
  name: 'Hot drinks',
  description: 'What people drink at home and at work',
  space_id: null,
  cluster_type: 'manual' as const,
  color: '#8b5a2b',
  metadata: {},
  memory_count: 0,
  silhouette_score: null,
  dbcv_score: null,
  cohesion_score: null,
  topic_label: null,
  topic_keywords: null,
  centroid_available: false,
  created_at: at,
  updated_at: at,
};

export const sampleRun = {
  id: '019b8d1c-3a55-7f60-906b-5262738495a6',
  kind: 'full' as const,
  algorithm: 'hdbscan' as const,
  min_cluster_size: 5,
  status: 'completed' as const,
  space_id: null,
  created_at: at,
  started_at: at,
  completed_at: at,
  memory_count: 2,
  cluster_count: 0,
  noise_count: 2,
  sampled_count: null,
  error: null,
};
