import type { Config } from '../../kernel/config.ts';
import { isLoopbackHost } from './redirect-uri.ts';

/**
 * The issuer of tokens: MNEME_PUBLIC_URL, if it has https (or http to this machine) and no path.
 * Null: the service offers no OAuth.
 */
export function issuerOf({ publicUrl }: Pick<Config, 'publicUrl'>): string | null {
  if (publicUrl === null) return null;
  const { protocol, hostname, origin, href } = new URL(publicUrl);
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) return null;
  return href === `${origin}/` ? origin : null;
}

const basePath = '/mcp';
const spacePath = /^\/mcp\/([^/]+)$/;

/** The URL that tokens are for: of all spaces, or of one by its name or id. */
export const resourceOf = (issuer: string, space?: string): string =>
  `${issuer}${basePath}${space === undefined ? '' : `/${encodeURIComponent(space)}`}`;

/** A resource of this service, in its canonical spelling. */
export interface Resource {
  readonly url: string;
  /** The name or id of its only space; undefined: all spaces. */
  readonly space: string | undefined;
}

/** Null for the URL of anything else. A slash at the end and `?profile=` make no difference. */
export function parseResource(issuer: string, url: string): Resource | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname, search, hash, username, password } = new URL(url);
  if (origin !== issuer || hash + username + password !== '') return null;
  if (search !== '' && search !== '?profile=openai') return null;
  const path = pathname.replace(/\/$/, '');
  if (path === basePath) return { url: resourceOf(issuer), space: undefined };
  const space = decodeSegment(spacePath.exec(path)?.[1] ?? '');
  return space === '' ? null : { url: resourceOf(issuer, space), space };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
