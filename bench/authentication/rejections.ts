import { authenticate } from '../../packages/server/src/domains/accounts/index.ts';
import type { App } from '../../packages/server/src/domains/ctx.ts';
import { createTenants } from '../tenants.ts';
import type { InProcessService } from './in-process-service.ts';
import { generateKeyGuess, keyIdOf } from './key-guesses.ts';

/** Milliseconds of each refusal. */
export interface RejectionTimes {
  readonly unknownId: readonly number[];
  readonly wrongSecret: readonly number[];
}

const knownKeys = 50;
const warmUpPairs = 500;

/** Refuses guesses in pairs, in which either kind comes first by turns. */
export async function measureRejections(
  inside: InProcessService,
  pairs: number,
): Promise<RejectionTimes> {
  const extent = { count: knownKeys, keysEach: 1 };
  const tenants = await createTenants(inside.operator, 'pro', extent);
  const known = tenants.flatMap(({ keys }) => keys).map(keyIdOf);
  const times = { unknownId: [] as number[], wrongSecret: [] as number[] };
  for (let pair = -warmUpPairs; pair < pairs; pair += 1) {
    const asks = [
      { kind: 'unknownId', key: generateKeyGuess() },
      { kind: 'wrongSecret', key: generateKeyGuess(known.at(pair % known.length)) },
    ] as const;
    for (const { kind, key } of pair % 2 === 0 ? asks : asks.toReversed()) {
      const ms = await timeRejection(inside.app, key);
      if (pair >= 0) times[kind].push(ms);
    }
  }
  return times;
}

async function timeRejection(app: App, key: string): Promise<number> {
  const credentials = {
    header: `Bearer ${key}`,
    missing: 'missing_api_key',
  } as const;
  const begun = performance.now();
  const code = await authenticate(app, credentials).then(
    () => 'let in',
    (error: { code?: string }) => error.code ?? String(error),
  );
  const ms = performance.now() - begun;
  if (code !== 'invalid_api_key') throw new Error(`a guess was ${code}`);
  return ms;
}
