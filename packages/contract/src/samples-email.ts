/** Records that the email examples share. */
const at = '2026-01-05T09:30:00.000Z';

export const sampleAddress = {
  id: '019b8d1c-3a60-7a11-8b22-1c2d3e4f5a6b',
  email: 'k7f2xq4mzt3w5n6p@mail.example.com',
  localPart: 'k7f2xq4mzt3w5n6p',
  domain: 'mail.example.com',
  isActive: true,
  createdAt: at,
  acceptsUntil: null,
};

export const sampleMail = {
  id: '019b8d1c-3a61-7b22-8c33-2d3e4f5a6b7c',
  sender: 'ana@example.com',
  recipient: sampleAddress.email,
  subject: 'store: Ana prefers tea. @research #preference p7',
  bodyPlain: '',
  status: 'completed' as const,
  reason: null,
  parsedIntent: {
    command: 'store' as const,
    content: 'Ana prefers tea.',
    metadata: { space: 'research', tags: ['preference'], priority: 7 },
    method: 'subject' as const,
  },
  responseMemoryId: '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e',
  messageId: 'a1b2c3@example.com',
  user_id: null,
  agent_id: null,
  run_id: null,
  authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
  verified: true,
  createdAt: at,
  processedAt: at,
};

export const sampleSenderRule = {
  id: '019b8d1c-3a62-7c33-8d44-3e4f5a6b7c8d',
  emailPattern: '*@spam.example',
  ruleType: 'block' as const,
  reason: 'advertising',
  user_id: null,
  agent_id: null,
  run_id: null,
  createdAt: at,
};

export const sampleAttachment = {
  id: '019b8d1c-3a63-7d44-8e55-4f5a6b7c8d9e',
  mailId: sampleMail.id,
  filename: 'notes.txt',
  contentType: 'text/plain',
  size: 1_204,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  memoryId: '019b8d1c-3a66-7a77-8b88-7c8d9e0f1021',
  createdAt: at,
};

export const sampleReaction = {
  id: '019b8d1c-3a64-7e55-8f66-5a6b7c8d9e0f',
  name: 'New preferences',
  triggerType: 'memory_created',
  triggerConditions: { tags: ['preference'] },
  emailSubjectTemplate: 'New: {{truncate memory.content 60}}',
  emailBodyTemplate: '{{memory.content}}',
  recipients: ['ana@example.com'],
  cooldownMinutes: 10,
  maxPerDay: 20,
  isActive: true,
  lastTriggeredAt: null,
  sentToday: 0,
  createdAt: at,
  updatedAt: at,
};

export const sampleDigest = {
  id: '019b8d1c-3a65-7f66-8077-6b7c8d9e0f10',
  name: 'Weekly digest',
  scheduleType: 'weekly' as const,
  timezone: 'Europe/Vienna',
  hour: 8,
  weekday: 1,
  day: 1,
  includeNewMemories: true,
  includeHighlights: true,
  maxItems: 10,
  tags: [],
  recipients: ['ana@example.com'],
  isActive: true,
  nextRunAt: '2026-01-12T07:00:00.000Z',
  lastSentAt: null,
  createdAt: at,
  updatedAt: at,
};

export const sampleOutboundMail = {
  id: '019b8d1c-3a67-7b88-8c99-8d9e0f102132',
  kind: 'answer' as const,
  historyId: sampleMail.id,
  recipient: sampleMail.sender,
  subject: `Re: ${sampleMail.subject}`,
  status: 'sent' as const,
  attempts: 1,
  lastError: null,
  isRetryable: false,
  createdAt: at,
  nextAttemptAt: null,
  sentAt: at,
};
