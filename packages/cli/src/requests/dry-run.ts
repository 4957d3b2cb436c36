import type { RequestInput } from './input.ts';

interface Target {
  readonly method: string;
  /** Path below /v1, with parameters as `:name`. */
  readonly path: string;
}

interface DescribedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Method, path and body of a request, as they are sent. */
export function describeRequest(
  { method, path }: Target,
  { params, query, body }: RequestInput,
): DescribedRequest {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params?.[name] ?? ''),
  );
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])),
  ).toString();
  const described = { method, path: `/v1${filled}${search === '' ? '' : `?${search}`}` };
  return body === undefined ? described : { ...described, body };
}

/** A line with method and path, and the body as indented JSON. */
export const renderRequest = ({ method, path, body }: DescribedRequest): string[] => [
  `${method} ${path}`,
  ...(body === undefined ? [] : JSON.stringify(body, null, 2).split('\n')),
];
