const uriCharactersMax = 2_000;

export const isLoopbackHost = (hostname: string): boolean =>
  hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';

/** The authority of a loopback address, with its port. */
const loopbackAuthority = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;
/** Scheme and authority in plain notation: parsers disagree about anything else. */
const plainAuthority = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?]|$)/i;

/** Describes what is wrong with a redirect URI of a client; null if it is allowed. */
export function findRedirectUriError(uri: string): string | null {
  if (uri.length > uriCharactersMax) return `must have at most ${uriCharactersMax} characters`;
  if (!plainAuthority.test(uri) || !URL.canParse(uri) || /[^!-~]|[\\#]/.test(uri)) {
    return 'must be an absolute URL without credentials and fragment';
  }
  if (uri.startsWith('https://') || loopbackAuthority.test(uri)) return null;
  return 'must have https, or http to a loopback address';
}

export const isLoopbackRedirect = (uri: string): boolean => loopbackAuthority.test(uri);

/**
 * Whether a redirect URI is one of the client's: by exact comparison, but of a loopback address the
 * port may differ (RFC 8252, 7.3).
 */
export const isRegisteredRedirect = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => one === uri || withoutPort(one) === withoutPort(uri));

/** Of another URI than that of a loopback address: the URI itself. */
const withoutPort = (uri: string): string => uri.replace(loopbackAuthority, '$1');

/** The redirect URI with further parameters in its query. */
export function addToRedirect(uri: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
