import http from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction, type Socket } from 'node:net';

/** Opens a connection; default: Node's own. */
export type OpenSocket = (options: PinnedConnectionOptions) => Socket;

/** Options that pin a connection to the checked addresses. */
export interface PinnedConnectionOptions {
  readonly host?: string | null | undefined;
  readonly port?: string | number | null | undefined;
  readonly addresses: readonly string[];
  readonly lookup: LookupFunction;
}

/** Idle time after which an unused connection is closed. */
const idleMs = 4_000;
const idlePerHostMax = 4;

/**
 * Connections are reused per name and per set of addresses at connect time: when the name resolves
 * to other addresses, the next call opens a new one. Proxy settings of the environment are ignored.
 */
export function createAgents(settings: { connect?: OpenSocket; ca?: string }): {
  http: http.Agent;
  https: https.Agent;
} {
  const options = {
    keepAlive: true,
    scheduling: 'lifo',
    timeout: idleMs,
    maxFreeSockets: idlePerHostMax,
  } as const;
  const { connect, ca } = settings;
  return {
    http: pinAddresses(new http.Agent(options), connect),
    https: pinAddresses(new https.Agent({ ...options, ...(ca ? { ca } : {}) }), connect),
  };
}

/** Always returns the checked addresses. */
export function createPinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, { all }, done) => {
    const [first] = found;
    if (all) done(null, found);
    else done(null, first?.address ?? '', first?.family ?? 4);
  };
}

function pinAddresses<A extends http.Agent>(agent: A, connect: OpenSocket | undefined): A {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => {
    const { addresses } = options as unknown as PinnedConnectionOptions;
    return `${nameOf(options)}>${addresses.join()}`;
  };
  if (connect)
    agent.createConnection = (options) => connect(options as unknown as PinnedConnectionOptions);
  return agent;
}
