import type { FastifyReply, FastifyRequest } from 'fastify';

export type CookieName = 'mneme_session' | 'mneme_sign_in';

/** With https, browsers accept the name only with the attribute Secure. */
const nameOf = (issuer: string, name: CookieName): string =>
  issuer.startsWith('https:') ? `__Secure-${name}` : name;

export function readCookie(
  { headers }: FastifyRequest,
  issuer: string,
  name: CookieName,
): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const [, value] = pairs.find(([key]) => key === nameOf(issuer, name)) ?? [];
  return value !== undefined && /^[\w-]{20,100}$/.test(value) ? value : undefined;
}

/**
 * Only for the pages of sign-in. Lax instead of Strict: people come from the site of the client,
 * and would have to sign in for each connection.
 * @param seconds 0 deletes the cookie
 */
export function setCookie(
  reply: FastifyReply,
  issuer: string,
  { name, value, seconds }: { name: CookieName; value: string; seconds: number },
): void {
  const secure = issuer.startsWith('https:') ? ['Secure'] : [];
  const attributes = ['Path=/oauth', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax', ...secure];
  reply.header('set-cookie', [`${nameOf(issuer, name)}=${value}`, ...attributes].join('; '));
}
