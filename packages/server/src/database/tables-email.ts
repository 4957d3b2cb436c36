import type { MailAuthentication, MailStatus, ParsedIntent } from '@mneme/contract';
import type { ColumnType, Generated } from 'kysely';

/** JSON is written as text with a cast and read as a parsed value. */
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type OptionalNullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface EmailAddresses {
  account_id: string;
  id: string;
  local_part: string;
  domain: string;
  is_active: boolean;
  accepts_until: OptionalNullable<Date>;
  created_at: Date;
}

interface InboundMails {
  account_id: string;
  id: string;
  message_key: Uint8Array;
  message_id: string | null;
  thread: string[];
  sender: string;
  envelope_sender: string;
  recipient: string;
  client_ip: string | null;
  client_helo: string | null;
  subject: string;
  body_plain: Generated<string>;
  status: MailStatus;
  reason: OptionalNullable<string>;
  parsed_intent: NullableJson<ParsedIntent>;
  authentication: NullableJson<MailAuthentication>;
  space_id: OptionalNullable<string>;
  response_memory_id: OptionalNullable<string>;
  replied_at: OptionalNullable<Date>;
  purpose: Generated<'memory' | 'bounce' | 'unsubscribe'>;
  outbound_id: OptionalNullable<string>;
  is_relay_authenticated: Generated<boolean>;
  is_sender_verified: OptionalNullable<boolean>;
  user_id: OptionalNullable<string>;
  agent_id: OptionalNullable<string>;
  run_id: OptionalNullable<string>;
  raw_blob: string | null;
  raw_bytes: number;
  created_at: Date;
  processed_at: OptionalNullable<Date>;
}

interface EmailSenderRules {
  account_id: string;
  id: string;
  pattern: string;
  rule_type: 'allow' | 'block';
  reason: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  created_at: Date;
}

interface EmailAttachments {
  account_id: string;
  id: string;
  mail_id: string;
  number: number;
  filename: string;
  content_type: string;
  bytes: number;
  sha256: Uint8Array;
  blob: string;
  memory_id: OptionalNullable<string>;
  created_at: Date;
}

interface EmailConfirmations {
  account_id: string;
  id: string;
  mail_id: string;
  sender: string;
  code_hash: Uint8Array;
  memory_ids: string[];
  attempts: Generated<number>;
  expires_at: Date;
  used_at: OptionalNullable<Date>;
}

interface UnusedBlobs {
  name: string;
  created_at: Date;
}

interface EmailReactions {
  account_id: string;
  id: string;
  name: string;
  trigger_type: string;
  trigger_conditions: Json<{ tags?: string[]; contentContains?: string }>;
  subject_template: string;
  body_template: string;
  recipients: string[];
  cooldown_minutes: number;
  max_per_day: number;
  is_active: boolean;
  spaces: string[] | null;
  cursor: number;
  last_triggered_at: OptionalNullable<Date>;
  daily_window_start: OptionalNullable<Date>;
  daily_sent_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

interface EmailDigests {
  account_id: string;
  id: string;
  name: string;
  schedule_type: 'daily' | 'weekly' | 'monthly';
  timezone: string;
  hour: number;
  weekday: number;
  day: number;
  include_new_memories: boolean;
  include_highlights: boolean;
  max_items: number;
  tags: string[];
  recipients: string[];
  is_active: boolean;
  spaces: string[] | null;
  next_run_at: OptionalNullable<Date>;
  covered_until: Date;
  last_sent_at: OptionalNullable<Date>;
  created_at: Date;
  updated_at: Date;
}

interface OutboundMails {
  account_id: string;
  id: string;
  kind: 'answer' | 'reaction' | 'digest';
  mail_id: string | null;
  dedupe_key: string | null;
  sender: string;
  recipient: string;
  message_id: string;
  subject: string;
  text: string;
  html: string | null;
  headers: Json<Record<string, string>>;
  /** Spaces whose content a digest or a reaction contains; null: every space. */
  spaces: OptionalNullable<string[]>;
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'bounced';
  attempts: Generated<number>;
  next_attempt_at: OptionalNullable<Date>;
  lease_until: OptionalNullable<Date>;
  response: OptionalNullable<string>;
  created_at: Date;
  sent_at: OptionalNullable<Date>;
  memory_ids: Generated<string[]>;
}

interface EmailSuppressions {
  account_id: string;
  email: string;
  reason: 'stop' | 'unsubscribe' | 'bounce';
  detail: string | null;
  created_at: Date;
}

/** Email tables, part of `Tables`. */
export interface EmailTables {
  email_addresses: EmailAddresses;
  inbound_mails: InboundMails;
  email_sender_rules: EmailSenderRules;
  email_attachments: EmailAttachments;
  email_confirmations: EmailConfirmations;
  unused_blobs: UnusedBlobs;
  email_reactions: EmailReactions;
  email_digests: EmailDigests;
  outbound_mails: OutboundMails;
  email_suppressions: EmailSuppressions;
}
