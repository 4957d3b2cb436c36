import { readResourceCount } from '../accounts/index.ts';
import {
  type ConsistencyCheck,
  compareCounter,
  createSingleStepCheck,
} from '../consistency-check.ts';
import { countWebhooks } from './store/webhooks.ts';

/** Checks the counter that enforces the plan's limit. */
export const webhookCheck: ConsistencyCheck = createSingleStepCheck(
  'webhooks',
  async ({ actor }, tx) =>
    compareCounter(
      'webhooks',
      await readResourceCount(tx, actor.accountId, 'webhooks'),
      await countWebhooks(tx, actor.accountId),
    ),
);
