import { readResourceCount } from '../accounts/index.ts';
import {
  type ConsistencyCheck,
  compareCounter,
  createSingleStepCheck,
} from '../consistency-check.ts';
import { countWebhooks } from './store/webhooks.ts';

/** The counter that the plan's cap is held by. */
export const webhookCheck: ConsistencyCheck = createSingleStepCheck(
  'webhooks',
  async ({ actor }, tx) =>
    compareCounter(
      'webhooks',
      await readResourceCount(tx, actor.accountId, 'webhooks'),
      await countWebhooks(tx, actor.accountId),
    ),
);
