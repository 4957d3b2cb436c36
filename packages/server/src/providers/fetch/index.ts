import { isIP } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { createAgents, type OpenSocket } from './agents.ts';
import { isAllowedAddress } from './allowed-addresses.ts';
import { type EgressRules, type EgressTarget, parseEgressTarget } from './egress-target.ts';
import { createDnsResolver, type HostResolver, resolveWithSystem } from './host-resolver.ts';
import {
  EgressDenied,
  EgressFailed,
  type OutboundFetch,
  type OutboundRequest,
} from './outbound-fetch.ts';
import { assertHeadersAllowed, sendPinnedRequest } from './send-pinned-request.ts';

export { findUrlError } from './egress-target.ts';
export {
  EgressDenied,
  EgressFailed,
  type OutboundFetch,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound-fetch.ts';
export { isReservedHeader as isOurHeader } from './send-pinned-request.ts';

export interface OutboundFetchSettings extends EgressRules {
  readonly clock: Clock;
  readonly resolve?: HostResolver;
  readonly connect?: OpenSocket;
  /** PEM of the certificate authorities to trust instead of Node's. */
  readonly ca?: string;
}

/** Maximum number of addresses of a name to try; all are checked. */
const addressesMax = 6;

/**
 * Calls addresses chosen by tenants. Each call resolves the name again, requires that tenants may
 * reach all of its addresses, and connects to exactly these addresses.
 */
export function createOutboundFetch(settings: OutboundFetchSettings): OutboundFetch {
  const { clock } = settings;
  const agents = createAgents(settings);
  const resolve =
    settings.resolve ?? (settings.allowPrivate ? resolveWithSystem : createDnsResolver());
  return async (url, request) => {
    const target = parseEgressTarget(url, settings);
    assertHeadersAllowed(request.headers);
    const startMs = clock.monotonicMs();
    const deadline = startDeadline(clock, request);
    try {
      const { signal } = deadline;
      signal.throwIfAborted();
      const found = target.isAddress ? [target.host] : await lookUp(target, resolve, signal);
      const addresses = selectAllowedAddresses(found, target, settings);
      const response = await sendPinnedRequest({ agents, target, addresses, request, signal });
      return { ...response, timeMs: Math.round(clock.monotonicMs() - startMs) };
    } finally {
      deadline.end();
    }
  };
}

function selectAllowedAddresses(
  found: readonly string[],
  { host }: EgressTarget,
  rules: EgressRules,
): string[] {
  if (found.length === 0) throw new EgressFailed(`The host ${host} is unknown`);
  // If one address is not allowed, reject the name, since the connection could use any of them.
  const refused = found.find((address) => !isAllowedAddress(address, rules.allowPrivate));
  if (refused !== undefined) {
    const cause = new Error(`${host} is ${refused}`);
    throw new EgressDenied(`The host ${host} has an address that is not public`, { cause });
  }
  // Sorted, since name servers rotate addresses and the same set must reuse the same connection.
  return found.toSorted(byFamily).slice(0, addressesMax);
}

/** IPv4 first: unreachable IPv6 is often detected only by a timeout. */
const byFamily = (a: string, b: string): number =>
  isIP(a) - isIP(b) || (a < b ? -1 : Number(a > b));

async function lookUp(
  { host }: EgressTarget,
  resolve: HostResolver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await Promise.race([resolve(host), aborted(signal)]);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new EgressFailed(`The host ${host} could not be resolved`, { cause });
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A signal for the timeout or the caller's abort; its reason is the error to throw. */
function startDeadline(clock: Clock, { timeoutMs, signal }: OutboundRequest) {
  const ending = new AbortController();
  const end = (message: string): void => ending.abort(new EgressFailed(message));
  const stop = (): void => end('The request was canceled');
  const timer = clock.after(timeoutMs, () => end(`No complete response within ${timeoutMs} ms`));
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: ending.signal,
    end: (): void => {
      timer[Symbol.dispose]();
      signal?.removeEventListener('abort', stop);
    },
  };
}
