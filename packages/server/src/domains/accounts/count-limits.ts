import { advisoryLock, type Tx } from '../../database/index.ts';

/** Resources with a fixed limit per account, independent of the plan. */
type LimitedResource = 'uploads' | 'sender rules' | 'digests' | 'reactions' | 'search presets';

/** Serializes creations until the transaction ends, so that two cannot both pass the limit. */
export const lockCountLimit = (
  tx: Tx,
  accountId: string,
  resource: LimitedResource,
): Promise<void> => advisoryLock(tx, `${resource} of ${accountId}`);
