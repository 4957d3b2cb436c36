import type { Mail } from '@mneme/contract';
import type { MailHeader } from '../../../providers/mail/index.ts';
import type { InboundMailRecord } from './store/mails.ts';

/** More Received fields than this mean a mail loop. */
const hopsMax = 50;

export const presentMail = (row: InboundMailRecord): Mail => ({
  id: row.id,
  sender: row.sender,
  recipient: row.recipient,
  subject: row.subject,
  bodyPlain: row.body_plain,
  status: row.status,
  reason: row.reason,
  parsedIntent: row.parsed_intent,
  responseMemoryId: row.response_memory_id,
  messageId: row.message_id,
  user_id: row.user_id,
  agent_id: row.agent_id,
  run_id: row.run_id,
  authentication: row.authentication,
  verified: row.is_sender_verified,
  createdAt: row.created_at.toISOString(),
  processedAt: row.processed_at?.toISOString() ?? null,
});

export type MailClass = 'personal' | 'automatic' | 'list' | 'reply' | 'bounce' | 'loop';

/**
 * Classifies a mail by its header and envelope. Only personal mail receives a reply. Bounces and
 * automatic replies are not stored as memories.
 */
export function classifyMail(
  head: MailHeader,
  { envelope_sender: from }: InboundMailRecord,
): MailClass {
  if (head.hops > hopsMax) return 'loop';
  const daemon = /^(?:mailer-daemon|postmaster)@/.test(head.from[0] ?? '');
  if (head.isReport || daemon) return 'bounce';
  if (head.automatic === 'replied') return 'reply';
  if (head.isList) return 'list';
  return head.automatic === 'generated' || from === '' ? 'automatic' : 'personal';
}
