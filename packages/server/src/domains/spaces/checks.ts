import { readResourceCount } from '../accounts/index.ts';
import {
  type ConsistencyCheck,
  compareCounter,
  createSingleStepCheck,
} from '../consistency-check.ts';
import { countSpaces } from './store/spaces.ts';

/** The counter that the plan's cap is held by. */
export const spaceCheck: ConsistencyCheck = createSingleStepCheck('spaces', async ({ actor }, tx) =>
  compareCounter(
    'spaces',
    await readResourceCount(tx, actor.accountId, 'spaces'),
    await countSpaces(tx, actor.accountId),
  ),
);
