import http from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction, type Socket } from 'node:net';

/** Opens the connection itself; the default is Node's own. */
export type OpenSocket = (options: PinnedConnectionOptions) => Socket;

/** What a call brings along so that it connects to addresses that were checked, and no others. */
export interface PinnedConnectionOptions {
  readonly host?: string | null | undefined;
  readonly port?: string | number | null | undefined;
  readonly addresses: readonly string[];
  readonly lookup: LookupFunction;
}

/** So long an unused connection is kept. */
const idleMs = 4_000;
const idlePerHostMax = 4;

/**
 * Connections kept for reuse, by name and by the addresses it had when they were opened: once the
 * name leads elsewhere, the next call opens another one. No proxy is asked, whatever the
 * environment says.
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

/** Answers with the checked addresses, whatever is asked. */
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
