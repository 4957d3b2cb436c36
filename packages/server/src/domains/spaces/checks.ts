import { countedOf } from '../accounts/index.ts';
import { type Check, counterFault, oneStep } from '../check.ts';
import { countSpaces } from './store.ts';

/** The counter that the plan's cap is held by. */
export const spaceCheck: Check = oneStep('spaces', async ({ actor }, tx) =>
  counterFault(
    'spaces',
    await countedOf(tx, actor.accountId, 'spaces'),
    await countSpaces(tx, actor.accountId),
  ),
);
