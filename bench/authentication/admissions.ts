import type { EndpointLimitName, Plan } from '@mneme/contract';
import {
  authenticate,
  enforceRateLimits,
} from '../../packages/server/src/domains/accounts/index.ts';
import type { App } from '../../packages/server/src/domains/ctx.ts';
import { ApiClient } from '../api-client.ts';
import { createTenants } from '../tenants.ts';
import type { InProcessService } from './in-process-service.ts';

export const callerKinds = ['enterprise key', 'pro key', 'session token of a pro key'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** A request as the door sees it. */
interface AuthenticationRequest {
  readonly caller: CallerKind;
  readonly header: string;
  readonly endpoint: EndpointLimitName | undefined;
}

/** Many keys, since each may only call so often in a minute. */
const keysEach = 100;

/** The calls of each key in a run stay below a pro key's 300 a minute, its token's among them. */
export interface AdmissionWorkload {
  readonly warmUpRounds: number;
  readonly rounds: number;
}

export const fullWorkload: AdmissionWorkload = { warmUpRounds: 20, rounds: 200 };
export const quickWorkload: AdmissionWorkload = { warmUpRounds: 5, rounds: 20 };

/**
 * Milliseconds of each call of authenticate, admit and release, by caller. The callers take turns
 * call by call, so that a slow moment is everybody's.
 */
export async function measureAdmissions(
  inside: InProcessService,
  callers: readonly CallerKind[],
  { warmUpRounds, rounds }: AdmissionWorkload,
): Promise<Map<CallerKind, number[]>> {
  const visits: AuthenticationRequest[][] = [];
  for (const caller of callers) visits.push(await createAuthenticationRequests(inside, caller));
  const times = new Map<CallerKind, number[]>(callers.map((caller) => [caller, []]));
  for (let turn = -warmUpRounds; turn < rounds; turn += 1) {
    for (let key = 0; key < keysEach; key += 1) {
      for (let i = 0; i < visits.length; i += 1) {
        // Another caller begins each time: who follows a token finds cold caches.
        const visit = visits[(i + key) % visits.length]?.[key];
        if (!visit) throw new Error('a caller has too few keys');
        const ms = await timeAdmission(inside.app, visit);
        if (turn >= 0) times.get(visit.caller)?.push(ms);
      }
    }
  }
  return times;
}

/** The routes that cost a caller most: a limit of their own, where they may be called at all. */
async function createAuthenticationRequests(
  { operator, url }: InProcessService,
  caller: CallerKind,
): Promise<AuthenticationRequest[]> {
  const plan: Plan = caller === 'enterprise key' ? 'enterprise' : 'pro';
  const tenants = await createTenants(operator, plan, { count: keysEach, keysEach: 1 });
  const keys = tenants.flatMap((tenant) => tenant.keys);
  const visit = (credentials: string): AuthenticationRequest => ({
    caller,
    header: `Bearer ${credentials}`,
    endpoint: caller === 'session token of a pro key' ? undefined : 'memories.list',
  });
  if (caller !== 'session token of a pro key') return keys.map(visit);
  const tokens: string[] = [];
  for (const key of keys) tokens.push(await tokenFor(url, key));
  return tokens.map(visit);
}

async function tokenFor(url: string, apiKey: string): Promise<string> {
  using connection = new ApiClient({ url, apiKey }, 1);
  const { responses } = await connection.run([{ method: 'POST', path: '/auth/tokens', body: {} }]);
  return (responses[0] as { token: string }).token;
}

async function timeAdmission(
  app: App,
  { header, endpoint }: AuthenticationRequest,
): Promise<number> {
  const begun = performance.now();
  const actor = await authenticate(app, { header, missing: 'missing_api_key' });
  const admission = await enforceRateLimits(app, actor, endpoint);
  await admission.release();
  return performance.now() - begun;
}
