import { isIP } from 'node:net';
import { isAllowedAddress } from './addresses.ts';
import { EgressDenied } from './types.ts';

export interface EgressRules {
  readonly allowHttp: boolean;
  /** Loopback and private networks, for development. */
  readonly allowPrivate: boolean;
}

/** Where a call goes, read from a URL that a tenant gave. */
export interface Target {
  readonly secure: boolean;
  /** A name or an address, as URLs write it but without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  /** Any but 0: receivers in the open do listen on odd ports. */
  readonly port: number;
  /** With the query. */
  readonly path: string;
}

/** Scheme and authority, written plainly: parsers of URLs disagree about anything else. */
const plainUrl = /^https?:\/\/([^/?#\\]+)(?:[/?#]|$)/i;
const doubtful = /[\s\\]|\p{Cc}/u;
const localName = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/;
const hostCharactersMax = 253;

const authorityOf = (url: string): string => plainUrl.exec(url)?.[1] ?? '';

/** What is wrong with a URL as it is written, wherever its host leads; null: nothing. */
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

/** What is wrong with its host before that is looked up; null: nothing. */
function findHostError(url: string, rules: EgressRules): string | null {
  const host = removeBrackets(new URL(url).hostname);
  if (host.endsWith('.')) return 'must have a host without a dot at its end';
  if (host.length > hostCharactersMax) return `must have a host of ${hostCharactersMax} characters`;
  if (isIP(host) === 4 && authorityOf(url).replace(/:\d*$/, '') !== host) {
    return 'must have its IPv4 address as four decimal numbers';
  }
  if (isIP(host) !== 0) {
    return isAllowedAddress(host, rules.allowPrivate) ? null : 'must have a public address';
  }
  if (rules.allowPrivate) return null;
  return !host.includes('.') || localName.test(host) ? 'must have a public host name' : null;
}

/** Throws EgressRefused. */
export function parseTarget(url: string, rules: EgressRules): Target {
  const fault = findUrlError(url, rules) ?? findHostError(url, rules);
  if (fault !== null) throw new EgressDenied(`The URL ${fault}`);
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
