import type { WebhookDelivery } from '@mneme/sdk';

export const deliveryStatuses = ['pending', 'success', 'failed', 'retrying'] as const;
export type DeliveryStatus = WebhookDelivery['status'];

/** The address of the page. */
export interface DeliveriesSearch {
  readonly view?: 'events' | undefined;
  readonly webhook?: string | undefined;
  readonly delivery?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const readDeliveriesSearch = (search: Record<string, unknown>): DeliveriesSearch => ({
  view: search.view === 'events' ? 'events' : undefined,
  webhook: text(search.webhook),
  delivery: text(search.delivery),
  status: deliveryStatuses.find((status) => status === search.status),
});
