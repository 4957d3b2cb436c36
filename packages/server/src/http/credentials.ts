import type { IncomingHttpHeaders } from 'node:http';

/**
 * The Authorization header, or `X-API-Key` in its form, for clients that set only such a header.
 * Where both are sent, Authorization counts.
 */
export function credentialsOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization !== undefined || typeof apiKey !== 'string') return authorization;
  return `Bearer ${apiKey}`;
}
