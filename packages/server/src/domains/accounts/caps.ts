import { type Tx, takeTurn } from '../../engine/index.ts';

/** Things of which an account has only so many, beside those that its plan counts. */
type Capped = 'uploads' | 'sender rules' | 'digests' | 'reactions' | 'search presets';

/** Until the transaction ends, whoever else makes one waits: else two could both be the last. */
export const holdCount = (tx: Tx, accountId: string, things: Capped): Promise<void> =>
  takeTurn(tx, `${things} of ${accountId}`);
