import { isIP } from 'node:net';
import { isAllowedAddress } from './allowed-addresses.ts';
import { EgressDenied } from './outbound-fetch.ts';

export interface EgressRules {
  readonly allowHttp: boolean;
  /** Loopback and private networks, for development. */
  readonly allowPrivate: boolean;
}

/** Destination of a call, parsed from a tenant's URL. */
export interface EgressTarget {
  readonly secure: boolean;
  /** A name or an address as in a URL, but without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  /** Any port except 0: public receivers also listen on unusual ports. */
  readonly port: number;
  /** Path with the query. */
  readonly path: string;
}

/** Scheme and authority in plain notation: URL parsers disagree about anything else. */
const plainUrl = /^https?:\/\/([^/?#\\]+)(?:[/?#]|$)/i;
const doubtful = /[\s\\]|\p{Cc}/u;
const localName = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/;
const hostCharactersMax = 253;

const authorityOf = (url: string): string => plainUrl.exec(url)?.[1] ?? '';

/**
 * Describes what is wrong with the notation of a URL, independent of its host; null if it is valid.
 */
export function findUrlError(
  url: string,
  { allowHttp }: Pick<EgressRules, 'allowHttp'>,
): string | null {
  const authority = authorityOf(url);
  if (authority === '' || doubtful.test(url) || !URL.canParse(url)) return notAbsolute;
  const { protocol, port } = new URL(url);
  if (protocol !== 'https:' && !allowHttp) return notAbsolute;
  if (port === '0') return 'must have a port from 1 to 65535';
  return authority.includes('@') ? 'must have no credentials (use headers)' : null;
}

const notAbsolute = 'must be an absolute https URL';

/** Describes what is wrong with the host before it is resolved; null if it is valid. */
function findHostError(url: string, rules: EgressRules): string | null {
  const host = removeBrackets(new URL(url).hostname);
  if (host.endsWith('.')) return 'must have a host without a dot at its end';
  if (host.length > hostCharactersMax) {
    return `must have a host of at most ${hostCharactersMax} characters`;
  }
  if (isIP(host) === 4 && authorityOf(url).replace(/:\d*$/, '') !== host) {
    return 'must have its IPv4 address as four decimal numbers';
  }
  if (isIP(host) !== 0) {
    return isAllowedAddress(host, rules.allowPrivate) ? null : 'must have a public address';
  }
  if (rules.allowPrivate) return null;
  return !host.includes('.') || localName.test(host) ? 'must have a public host name' : null;
}

/** Throws EgressDenied. */
export function parseEgressTarget(url: string, rules: EgressRules): EgressTarget {
  const error = findUrlError(url, rules) ?? findHostError(url, rules);
  if (error !== null) throw new EgressDenied(`The URL ${error}`);
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const secure = protocol === 'https:';
  const host = removeBrackets(hostname);
  return {
    secure,
    host,
    isAddress: isIP(host) !== 0,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    path: pathname + search,
  };
}

const removeBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
