import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves a name to addresses; empty if the name does not exist. Throws if no name server
 * responds.
 */
export type HostResolver = (name: string) => Promise<readonly string[]>;

const unknown = ['ENOTFOUND', 'ENODATA', 'ENONAME'];
const queryTimeoutMs = 5_000;
const queriesMax = 2;
/** Some name servers do not respond to IPv6 queries: a name with IPv4 addresses waits no longer. */
const ipv6WaitMs = 500;

/**
 * Queries the name servers directly: no hosts file, no search list, and no thread of the pool that
 * file access shares is blocked by a slow server.
 * @param servers replaces the servers of the machine, as address:port
 */
export function createDnsResolver(servers?: readonly string[]): HostResolver {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queriesMax });
  if (servers) resolver.setServers(servers);
  const resolve6 = (name: string, four: Promise<string[]>): Promise<string[]> => {
    const six = resolver.resolve6(name);
    const late = four.then(
      () => delay(ipv6WaitMs, [], { ref: false }),
      () => six,
    );
    return Promise.race([six, late]);
  };
  return async (name) => {
    const ipv4 = resolver.resolve4(name);
    const [four, six] = await Promise.allSettled([ipv4, resolve6(name, ipv4)]);
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found;
    const failed = [four, six].find(
      (one) => one.status === 'rejected' && !unknown.includes(codeOf(one.reason)),
    );
    if (failed?.status === 'rejected') throw failed.reason;
    return [];
  };
}

/** Resolves like other programs of the machine, including the hosts file and search list. */
export const resolveWithSystem: HostResolver = async (name) => {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (unknown.includes(codeOf(error))) return [];
    throw error;
  }
};

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
