import { readResourceCount } from '../accounts/index.ts';
import {
  type ConsistencyCheck,
  compareCounter,
  createSingleStepCheck,
} from '../consistency-check.ts';
import { countSpaces } from './store/spaces.ts';

/** Checks the counter that enforces the plan's limit. */
export const spaceCheck: ConsistencyCheck = createSingleStepCheck('spaces', async ({ actor }, tx) =>
  compareCounter(
    'spaces',
    await readResourceCount(tx, actor.accountId, 'spaces'),
    await countSpaces(tx, actor.accountId),
  ),
);
