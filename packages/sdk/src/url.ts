export interface RequestTarget {
  /** A path below /v1 if it starts with a slash, else a complete URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Removes trailing slashes and /v1 from the URL of the service. Throws a TypeError for an invalid
 * URL.
 */
export function normalizeBaseUrl(url: string): string {
  if (!URL.canParse(url)) throw new TypeError(`Invalid URL: ${url}`);
  return url.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * Builds a URL. Lists are comma-separated; undefined values and empty lists are omitted. Throws a
 * TypeError for an item with a comma, because it would arrive as two items.
 */
export function buildUrl(base: string, { path, query }: RequestTarget): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    parameters.set(name, Array.isArray(value) ? joinListItems(name, value) : String(value));
  }
  const target = path.startsWith('/') ? `${base}/v1${path}` : path;
  return parameters.size > 0 ? `${target}?${parameters}` : target;
}

function joinListItems(name: string, items: readonly unknown[]): string {
  const texts = items.map(String);
  if (texts.some((text) => text.includes(','))) {
    throw new TypeError(`${name}: a query item cannot contain a comma; use a route with a body`);
  }
  return texts.join(',');
}

/**
 * Fills in and encodes the `:name` parts of a path. Throws a TypeError if a value is missing or
 * would change the path: URLs resolve "." and ".." however they are encoded.
 */
export const fillPathParams = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name] ?? '';
    if (/^\.{0,2}$/.test(value))
      throw new TypeError(`params.${name}: "${value}" is not a valid path segment`);
    return encodeURIComponent(value);
  });
