import { countedOf } from '../accounts/index.ts';
import { type Check, counterFault, oneStep } from '../check.ts';
import { countWebhooks } from './store.ts';

/** The counter that the plan's cap is held by. */
export const webhookCheck: Check = oneStep('webhooks', async ({ actor }, tx) =>
  counterFault(
    'webhooks',
    await countedOf(tx, actor.accountId, 'webhooks'),
    await countWebhooks(tx, actor.accountId),
  ),
);
