import { isIP } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { isAllowedAddress } from './addresses.ts';
import { createAgents, type OpenSocket } from './agents.ts';
import { assertHeadersAllowed, exchange } from './exchange.ts';
import { createDnsResolver, type HostResolver, resolveWithSystem } from './resolve.ts';
import { type EgressRules, parseTarget, type Target } from './target.ts';
import { EgressDenied, EgressFailed, type OutboundFetch, type OutboundRequest } from './types.ts';

export { isReservedHeader as isOurHeader } from './exchange.ts';
export { findUrlError } from './target.ts';
export {
  EgressDenied,
  EgressFailed,
  type OutboundFetch,
  type OutboundRequest,
  type OutboundResponse,
} from './types.ts';

export interface OutboundFetchSettings extends EgressRules {
  readonly clock: Clock;
  readonly resolve?: HostResolver;
  readonly connect?: OpenSocket;
  /** PEM of the authorities to trust instead of Node's. */
  readonly ca?: string;
}

/** More than these of one name are checked, but not tried. */
const addressesMax = 6;

/**
 * Calls to addresses that tenants chose. On every call the name is looked up again, all of its
 * addresses must be ones that tenants may reach, and the connection goes to these very addresses.
 */
export function createOutboundFetch(settings: OutboundFetchSettings): OutboundFetch {
  const { clock } = settings;
  const agents = createAgents(settings);
  const resolve =
    settings.resolve ?? (settings.allowPrivate ? resolveWithSystem : createDnsResolver());
  return async (url, request) => {
    const target = parseTarget(url, settings);
    assertHeadersAllowed(request.headers);
    const startMs = clock.monotonicMs();
    const deadline = startDeadline(clock, request);
    try {
      const { signal } = deadline;
      signal.throwIfAborted();
      const found = target.isAddress ? [target.host] : await lookUp(target, resolve, signal);
      const addresses = selectAllowedAddresses(found, target, settings);
      const answer = await exchange({ agents, target, addresses, request, signal });
      return { ...answer, timeMs: Math.round(clock.monotonicMs() - startMs) };
    } finally {
      deadline.end();
    }
  };
}

function selectAllowedAddresses(
  found: readonly string[],
  { host }: Target,
  rules: EgressRules,
): string[] {
  if (found.length === 0) throw new EgressFailed(`The host ${host} is unknown`);
  // One that is not: the name is refused as a whole, since which one is tried is chance.
  const refused = found.find((address) => !isAllowedAddress(address, rules.allowPrivate));
  if (refused !== undefined) {
    const cause = new Error(`${host} is ${refused}`);
    throw new EgressDenied(`The host ${host} has an address that is not public`, { cause });
  }
  // Sorted: name servers take turns, and the same addresses shall mean the same connection.
  return found.toSorted(byFamily).slice(0, addressesMax);
}

/** IPv4 first: where IPv6 leads nowhere, that is often found out by waiting. */
const byFamily = (a: string, b: string): number =>
  isIP(a) - isIP(b) || (a < b ? -1 : Number(a > b));

async function lookUp(
  { host }: Target,
  resolve: HostResolver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await Promise.race([resolve(host), aborted(signal)]);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new EgressFailed(`The host ${host} could not be looked up`, { cause });
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A signal for the end of the time, or for the caller's own; its reason is what is thrown. */
function startDeadline(clock: Clock, { timeoutMs, signal }: OutboundRequest) {
  const ending = new AbortController();
  const end = (message: string): void => ending.abort(new EgressFailed(message));
  const stop = (): void => end('The call was given up');
  const timer = clock.after(timeoutMs, () => end(`No whole answer within ${timeoutMs} ms`));
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
