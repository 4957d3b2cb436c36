import { advisoryLock, type Tx } from '../../database/index.ts';

/** Things of which an account has only so many, beside those that its plan counts. */
type LimitedResource = 'uploads' | 'sender rules' | 'digests' | 'reactions' | 'search presets';

/** Until the transaction ends, whoever else makes one waits: else two could both be the last. */
export const lockCountLimit = (tx: Tx, accountId: string, things: LimitedResource): Promise<void> =>
  advisoryLock(tx, `${things} of ${accountId}`);
