import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Addresses of a name; none where there is no such name. Throws where none could be asked. */
export type HostResolver = (name: string) => Promise<readonly string[]>;

const unknown = ['ENOTFOUND', 'ENODATA', 'ENONAME'];
const queryTimeoutMs = 5_000;
const queriesMax = 2;
/** Some name servers say nothing when asked for IPv6: who has other addresses waits no longer. */
const ipv6WaitMs = 500;

/**
 * Asks the name servers alone: no hosts file, no search list, and no thread of the pool that file
 * access shares is held by a slow one.
 * @param servers instead of the machine's own, as address:port
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
    const asked = resolver.resolve4(name);
    const [four, six] = await Promise.allSettled([asked, resolve6(name, asked)]);
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found;
    const failed = [four, six].find(
      (one) => one.status === 'rejected' && !unknown.includes(codeOf(one.reason)),
    );
    if (failed?.status === 'rejected') throw failed.reason;
    return [];
  };
}

/** As other programs of the machine do, hosts file and search list included. */
export const resolveWithSystem: HostResolver = async (name) => {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (unknown.includes(codeOf(error))) return [];
    throw error;
  }
};

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
