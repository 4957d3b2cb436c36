import '../styles/settings.css';
import '../styles/operations.css';
import type { Webhook } from '@mneme/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Segments } from '../ui/segments.tsx';
import { Time } from '../ui/time.tsx';
import type { DeliveriesSearch } from './deliveries-state.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { LiveEvents } from './live-events.tsx';
import { WebhookState } from './webhook-state.tsx';

const refreshMs = 5_000;
const pageItems = 50;

const views = [
  ['webhooks', 'Webhooks'],
  ['events', 'Live events'],
] as const;

/** What leaves the service: webhooks with their deliveries, and events as they happen. */
export function DeliveriesPage() {
  const search = useSearch({ from: '/deliveries' });
  const navigate = useNavigate();
  const change = (next: DeliveriesSearch) =>
    void navigate({ to: '/deliveries', search: next, replace: true });
  return (
    <div className="page page-wide">
      <header className="section-head">
        <h1>Deliveries</h1>
        <Segments
          label="View"
          value={search.view ?? 'webhooks'}
          options={views}
          onChange={(view) => change({ view: view === 'events' ? view : undefined })}
        />
      </header>
      {search.view === 'events' ? (
        <LiveEvents />
      ) : search.webhook === undefined ? (
        <WebhookList onOpen={(webhook) => change({ webhook })} />
      ) : (
        <DeliveryLog webhookId={search.webhook} search={search} onChange={change} />
      )}
    </div>
  );
}

function WebhookList({ onOpen }: { onOpen: (id: string) => void }) {
  const client = useClient();
  const webhooks = useInfiniteQuery({
    queryKey: ['webhooks'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      client.webhooks.list({ query: { limit: pageItems, offset: pageParam } }, { signal }),
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageItems : undefined,
    refetchInterval: refreshMs,
  });
  if (webhooks.isError) return <ErrorNotice error={webhooks.error} retry={webhooks.refetch} />;
  if (webhooks.isPending) return <p className="hint">Loading…</p>;
  const all = webhooks.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) return <NoWebhooks />;
  return (
    <>
      <ul className="rows">
        {all.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} onOpen={onOpen} />
        ))}
      </ul>
      {webhooks.hasNextPage && (
        <Button onClick={() => void webhooks.fetchNextPage()}>Show more webhooks</Button>
      )}
    </>
  );
}

const NoWebhooks = () => (
  <div className="empty">
    <Icon name="deliveries" />
    <h2>No webhooks</h2>
    <p>A webhook sends events to your address as they happen. Create the first one:</p>
    <pre className="code">mneme webhooks create https://example.com/hook --events 'memory.*'</pre>
  </div>
);

function WebhookRow({ webhook, onOpen }: { webhook: Webhook; onOpen: (id: string) => void }) {
  const { id, name, url, events, failed_deliveries, total_deliveries, last_triggered_at } = webhook;
  return (
    <li className="row-item">
      <div>
        <button type="button" className="link" onClick={() => onOpen(id)}>
          <strong>{name}</strong>
        </button>{' '}
        <WebhookState webhook={webhook} />
        <p className="hint">{url}</p>
        <p className="hint">{events.join(', ')}</p>
        {webhook.disabled_reason !== null && <p className="job-error">{webhook.disabled_reason}</p>}
      </div>
      <div className="row-figures hint">
        <span>{total_deliveries.toLocaleString()} deliveries</span>
        {failed_deliveries > 0 && (
          <span className="job-error">{failed_deliveries.toLocaleString()} failed</span>
        )}
        {last_triggered_at !== null && <Time value={last_triggered_at} isRelative />}
      </div>
    </li>
  );
}
