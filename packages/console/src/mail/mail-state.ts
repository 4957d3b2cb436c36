export const mailViews = [
  ['received', 'Received'],
  ['sent', 'Sent'],
] as const;

export const receivedStatuses = [
  'received',
  'processing',
  'completed',
  'failed',
  'rejected',
  'rate_limited',
] as const;
export const sentStatuses = ['queued', 'sending', 'sent', 'failed', 'bounced'] as const;

/** The address of the page. */
export interface MailSearch {
  readonly view?: 'sent' | undefined;
  readonly received?: (typeof receivedStatuses)[number] | undefined;
  readonly sent?: (typeof sentStatuses)[number] | undefined;
}

export const readMailSearch = (search: Record<string, unknown>): MailSearch => ({
  view: search.view === 'sent' ? 'sent' : undefined,
  received: receivedStatuses.find((status) => status === search.received),
  sent: sentStatuses.find((status) => status === search.sent),
});
