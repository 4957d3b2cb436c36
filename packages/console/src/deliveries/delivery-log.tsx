import type { Webhook, WebhookDelivery } from '@mneme/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { RowTitle } from '../ui/row-title.tsx';
import { StatusSelect } from '../ui/status-select.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toasts.tsx';
import {
  type DeliveriesSearch,
  type DeliveryStatus,
  deliveryStatuses,
} from './deliveries-state.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

interface DeliveryLogProps {
  readonly webhookId: string;
  readonly search: DeliveriesSearch;
  readonly onChange: (search: DeliveriesSearch) => void;
}

const refreshMs = 5_000;
const pageItems = 50;

const tones: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'accent',
  success: 'good',
  failed: 'danger',
  retrying: 'warn',
};

/** The deliveries of a webhook, newest first, with what was sent and how it was received. */
export function DeliveryLog({ webhookId, search, onChange }: DeliveryLogProps) {
  const client = useClient();
  const params = { webhookId };
  const webhook = useQuery({
    queryKey: ['webhooks', webhookId],
    queryFn: ({ signal }) => client.webhooks.get({ params }, { signal }),
    refetchInterval: refreshMs,
  });
  const { status } = search;
  const deliveries = useInfiniteQuery({
    queryKey: ['webhooks', webhookId, 'deliveries', status],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageItems, offset: pageParam, ...(status && { status }) };
      return client.webhooks.listDeliveries({ params, query }, { signal });
    },
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageItems : undefined,
    refetchInterval: refreshMs,
  });
  const all = deliveries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <div>
        <Button icon="back" kind="quiet" onClick={() => onChange({})}>
          All webhooks
        </Button>
      </div>
      {webhook.isError && <ErrorNotice error={webhook.error} retry={webhook.refetch} />}
      {webhook.data && <WebhookHead webhook={webhook.data} />}
      <div className="section-head">
        <h2>Deliveries</h2>
        <StatusSelect
          status={status}
          statuses={deliveryStatuses}
          onChange={(next) => onChange({ webhook: webhookId, status: next })}
        />
      </div>
      {deliveries.isError && <ErrorNotice error={deliveries.error} retry={deliveries.refetch} />}
      {deliveries.isPending && <p className="hint">Loading…</p>}
      {deliveries.data && all.length === 0 && (
        <p className="hint">No deliveries in the last 30 days{status && ' in this state'}.</p>
      )}
      <ul className="rows">
        {all.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            isOpen={search.delivery === delivery.id}
            onToggle={(isOpen) =>
              onChange({ ...search, delivery: isOpen ? delivery.id : undefined })
            }
          />
        ))}
      </ul>
      {deliveries.hasNextPage && (
        <Button onClick={() => void deliveries.fetchNextPage()}>Show older deliveries</Button>
      )}
    </>
  );
}

/** Runs an action, shows its result, and reads the webhook and its deliveries again. */
function useWebhookAction() {
  const queries = useQueryClient();
  const toast = useToast();
  return async (action: () => Promise<string>) => {
    const text = await action().catch((error: Error) => error.message);
    toast({ text });
    await queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
}

function WebhookHead({ webhook }: { webhook: Webhook }) {
  const client = useClient();
  const run = useWebhookAction();
  const [isReplaying, setIsReplaying] = useState(false);
  const params = { webhookId: webhook.id };
  const setActive = async () => {
    const is_active = !webhook.is_active;
    await client.webhooks.update({ params, body: { is_active } });
    return is_active ? 'The webhook is active.' : 'The webhook is paused.';
  };
  const test = async () => {
    const { success, response_status, error } = await client.webhooks.test({ params });
    if (success) return `The endpoint responded with ${response_status}.`;
    return `The test failed: ${error ?? `status ${response_status}`}`;
  };
  return (
    <section className="webhook-head" aria-label="Webhook">
      <div>
        <h2>
          {webhook.name} <WebhookState webhook={webhook} />
        </h2>
        <p className="hint">{webhook.url}</p>
        <p className="hint">{webhook.events.join(', ')}</p>
        {webhook.disabled_reason !== null && <p className="job-error">{webhook.disabled_reason}</p>}
      </div>
      <div className="section-actions">
        <Button writes onClick={() => run(test)}>
          Send a test
        </Button>
        <Button writes onClick={() => setIsReplaying(true)}>
          Replay events
        </Button>
        <Button writes onClick={() => run(setActive)}>
          {webhook.is_active ? 'Pause' : 'Resume'}
        </Button>
      </div>
      {isReplaying && <ReplayDialog webhook={webhook} onClose={() => setIsReplaying(false)} />}
    </section>
  );
}

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function DeliveryRow({ delivery, isOpen, onToggle }: DeliveryRowProps) {
  const { event_type, status, response_status, response_time_ms, error_message } = delivery;
  const facts = [
    response_status === null ? null : `status ${response_status}`,
    response_time_ms === null ? null : `${response_time_ms} ms`,
    delivery.attempt > 1 ? `attempt ${delivery.attempt}` : null,
  ].filter((fact) => fact !== null);
  return (
    <li className="row-item row-open">
      <div>
        <RowTitle isOpen={isOpen} onToggle={onToggle}>
          {event_type}
        </RowTitle>{' '}
        <span className="tag" data-tone={tones[status]}>
          {status}
        </span>
        <p className="hint">
          <Time value={delivery.created_at} isRelative />
          {facts.map((fact) => ` · ${fact}`)}
          {delivery.next_retry_at !== null && (
            <>
              {' · next attempt '}
              <Time value={delivery.next_retry_at} isRelative />
            </>
          )}
        </p>
        {error_message !== null && <p className="job-error">{error_message}</p>}
      </div>
      {(status === 'failed' || status === 'retrying') && <RetryButton delivery={delivery} />}
      {isOpen && <DeliveryDetail delivery={delivery} />}
    </li>
  );
}

function RetryButton({ delivery }: { delivery: WebhookDelivery }) {
  const client = useClient();
  const run = useWebhookAction();
  const [isBusy, setIsBusy] = useState(false);
  const retry = async () => {
    const params = { webhookId: delivery.webhook_id, deliveryId: delivery.id };
    const { success, response_status, error } = await client.webhooks.retryDelivery({ params });
    if (success) return `Delivered: the endpoint responded with ${response_status}.`;
    return `Failed again: ${error ?? `status ${response_status}`}`;
  };
  return (
    <Button
      writes
      icon="restore"
      disabled={isBusy}
      onClick={() => {
        setIsBusy(true);
        void run(retry).finally(() => setIsBusy(false));
      }}
    >
      Retry
    </Button>
  );
}

const DeliveryDetail = ({ delivery }: { delivery: WebhookDelivery }) => (
  <div className="row-detail">
    <h3>Payload</h3>
    <JsonView value={delivery.payload} />
    {delivery.response_body !== null && (
      <>
        <h3>Response</h3>
        <Code>{delivery.response_body.slice(0, 4_000)}</Code>
      </>
    )}
    <p className="hint">
      Delivery <code>{delivery.id}</code>, event <code>{delivery.event_id}</code>
    </p>
  </div>
);
