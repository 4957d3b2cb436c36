export interface RequestTarget {
  /** Below /v1 when it begins with a slash, or a whole URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/** Where the service is, as people write it: a trailing slash or /v1 is taken off. */
export function normalizeBaseUrl(url: string): string {
  if (!URL.canParse(url)) throw new TypeError(`not a URL: ${url}`);
  return url.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * Lists go comma-separated; what is undefined is left out, and so is an empty list. Throws a
 * TypeError for an item that holds a comma, since it would arrive as two.
 */
export function buildUrl(base: string, { path, query }: RequestTarget): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    parameters.set(name, Array.isArray(value) ? joinListItems(name, value) : String(value));
  }
  const whole = path.startsWith('/') ? `${base}/v1${path}` : path;
  return parameters.size > 0 ? `${whole}?${parameters}` : whole;
}

function joinListItems(name: string, items: readonly unknown[]): string {
  const texts = items.map(String);
  if (texts.some((text) => text.includes(','))) {
    throw new TypeError(`${name}: a query cannot carry an item with a comma; a body can`);
  }
  return texts.join(',');
}

/**
 * The path with its `:name` parts filled in and encoded. Throws a TypeError where one is missing,
 * or would be taken for another path: URLs resolve "." and ".." however they are encoded.
 */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name] ?? '';
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`params.${name}: "${value}" is no path part`);
    return encodeURIComponent(value);
  });
