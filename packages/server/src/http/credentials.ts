import type { IncomingHttpHeaders } from 'node:http';

/**
 * The Authorization header, or `X-API-Key` converted to a Bearer token for clients that can only
 * set such a header. Authorization takes precedence.
 */
export function credentialsOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization !== undefined || typeof apiKey !== 'string') return authorization;
  return `Bearer ${apiKey}`;
}
