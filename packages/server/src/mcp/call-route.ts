import { Readable } from 'node:stream';
import {
  contentScope,
  findSpaceNames,
  isForUserTokens,
  type RequestInput,
  type ResponseBody,
  type Route,
} from '@mneme/contract';
import { enforceEndpointLimit, requireScope } from '../domains/accounts/index.ts';
import { type Ctx, requireEveryUser } from '../domains/ctx.ts';
import { type Handler, Reply } from '../domains/handler.ts';
import { runOperation } from '../domains/run-operation.ts';
import { resolveSpaceNames } from '../domains/spaces/index.ts';
import { requestLimiter } from '../kernel/request-limiter.ts';
import { validate } from '../kernel/validate.ts';

type Input<R extends Route> = Partial<Pick<RequestInput<R>, 'params' | 'query' | 'body'>>;

/** Runs the verb of a route; see `createRouteCaller`. */
export type RouteCaller = <R extends Route>(
  route: R,
  input: Input<R>,
  changes?: Pick<Ctx, 'beforeCommit'>,
) => Promise<ResponseBody<R>>;

const noRequestMeta = {
  headers: undefined,
  form: undefined,
  ifMatch: null,
  lastEventId: null,
  prefersAsync: false,
  acceptsBinary: false,
  contentLength: null,
} as const;

/**
 * Returns a function that runs routes of the API within an admitted request, with the rights, the
 * limits and the validation that they have over HTTP: scope, user tokens, rate limit of the
 * endpoint, schemas, names of spaces. It throws what the route responds.
 */
export function createRouteCaller(ctx: Ctx, handlers: ReadonlyMap<Route, Handler>): RouteCaller {
  return async (route, input, changes = {}) => {
    const handler = handlers.get(route);
    if (!handler) throw new Error(`${route.method} ${route.path} has no handler`);
    await requireAdmission(ctx, route);
    const params = route.params && validate(route.params, input.params ?? {});
    const query = route.query && validate(route.query, input.query ?? {});
    const body = route.body && validate(route.body, input.body ?? {});
    await resolveSpaceNames(ctx, [
      ...findSpaceNames(route.query, query),
      ...findSpaceNames(route.body, body),
    ]);
    const endActivity = requestLimiter.of(ctx).beginActivity(isWrite(route) ? 'write' : 'read');
    try {
      const request = { ...noRequestMeta, params, query, body, bodyStream: Readable.from([]) };
      const result = await runOperation({ ...ctx, ...changes }, handler, request);
      return (result instanceof Reply ? result.body : result) as never;
    } finally {
      endActivity();
    }
  };
}

/** Throws 403 and 429 as the route does over HTTP. */
async function requireAdmission(ctx: Ctx, route: Route): Promise<void> {
  const { access } = route;
  if (access !== 'public' && access !== 'any') requireScope(ctx.actor, access);
  if (route.requiresContentScope) requireScope(ctx.actor, contentScope);
  if (!isForUserTokens(route)) requireEveryUser(ctx.actor);
  if (route.endpointLimit) await enforceEndpointLimit(ctx, ctx.actor, route.endpointLimit);
}

const isWrite = ({ method, access }: Route): boolean =>
  method !== 'GET' && !access.endsWith(':read');
