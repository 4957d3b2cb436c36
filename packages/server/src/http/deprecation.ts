import { deprecatedAt, findAliases, type Route } from '@mneme/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The API reference, which has a table of the names. */
const documentation = '/docs';

/** RFC 9745: since when it is deprecated, and where to read what to use instead. */
const headers = {
  deprecation: `@${Math.floor(deprecatedAt.getTime() / 1_000)}`,
  link: `<${documentation}>; rel="deprecation"; type="text/html"`,
};

/**
 * Sets the headers of a deprecation, also for errors, if the route is deprecated or the query or
 * the JSON body of the request uses aliases.
 */
export function announceDeprecation(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const isDeprecated =
    route.replacedBy !== undefined ||
    findAliases(route.query, request.query).length > 0 ||
    request.jsonBody?.usesAliases === true;
  if (isDeprecated) reply.headers(headers);
}
