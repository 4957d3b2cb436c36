import type { Webhook } from '@mneme/sdk';

export const WebhookState = ({ webhook }: { webhook: Webhook }) => (
  <span className="tag" data-tone={webhook.is_active ? 'good' : 'warn'}>
    {webhook.is_active ? 'active' : 'paused'}
  </span>
);
