import { contentScope, isForUserTokens, missingCredentialsCode, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authenticate,
  type Credentials,
  enforceRateLimits,
  type RateLimitPermit,
  requireScope,
} from '../domains/accounts/index.ts';
import { type Actor, type App, requireEveryUser, unlimitedActor } from '../domains/ctx.ts';
import { clientNetwork } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import {
  type RequestClient,
  type RequestKind,
  type RequestSlot,
  requestLimiter,
} from '../kernel/request-limiter.ts';
import { credentialsOf } from './credentials.ts';
import { schemaChangedError } from './errors.ts';
import { hasRequestEnded, onRequestEnd } from './open-requests.ts';
import { isLargeBody } from './request-timeout.ts';

/** A request that passed authentication and limits, and the resources that it holds. */
interface AdmittedRequest {
  readonly actor: Actor;
  /** Counts toward the plan until the handler, or the stream that it returns, has ended. */
  readonly admission: RateLimitPermit;
  /** A slot of this process until the response is sent, because the response needs memory. */
  readonly slot: RequestSlot;
  /** The response is an event stream, which has a limit of its own. */
  readonly isEndless: boolean;
  /** In phase `running`, the handler continues when the client disconnects. */
  phase: 'waiting' | 'running' | 'streaming' | 'answered';
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: AdmittedRequest | null;
  }
}

const anonymousActor: Actor = {
  ...unlimitedActor,
  accountId: '',
  scopes: new Set(),
  spaces: new Set(),
};

/** Registers the request property and the hook that `authenticateRequest` needs. */
export function registerAdmission(server: FastifyInstance): void {
  server.decorateRequest('visit', null);
  server.addHook('onSend', async ({ visit }) => {
    // A rejected request or an invalid body: the handler does not run.
    if (visit?.phase === 'waiting') await visit.admission.release();
  });
}

async function releaseAdmitted({ admission, slot }: AdmittedRequest): Promise<void> {
  slot.release();
  await admission.release();
}

/** The parts of a route that its admission depends on. */
export type AdmissionRoute = Pick<
  Route,
  | 'id'
  | 'access'
  | 'method'
  | 'path'
  | 'endpointLimit'
  | 'eventStream'
  | 'requiresContentScope'
  | 'probe'
> & {
  /** The handler counts the writes among its requests itself. */
  readonly countsOwnWrites?: boolean;
  /** The handler checks what a token of one user may do. */
  readonly checksUserTokens?: boolean;
  /** Instead of `authenticate`, for a route that accepts further credentials. */
  readonly authenticate?: (
    app: App,
    credentials: Credentials,
    request: FastifyRequest,
  ) => Promise<Actor>;
};

/**
 * Authenticates a request, and checks its limits and the scope of the route. This happens before
 * the body is read, so that nobody can upload without a key. Throws 401 for invalid credentials,
 * 429 above a limit, 403 insufficient_permissions without the scope, 403 user_access_denied for a
 * token that is limited to a user on a route that does not serve it, and 503 service_unavailable at
 * capacity (of this client or of the server), or after another version migrated the database.
 */
export async function authenticateRequest(
  app: App,
  route: AdmissionRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Probes need no slot: a server at capacity is alive.
  if (route.probe) return;
  const { schemaChanged } = app.engine;
  if (schemaChanged !== null) throw schemaChangedError(schemaChanged);
  const slot = requestLimiter.of(app).acquire(clientAddress(request, route));
  const { actor, admission } = await admitRequest(app, route, request, slot);
  const isEndless = route.eventStream !== undefined;
  const visit: AdmittedRequest = { actor, admission, slot, isEndless, phase: 'waiting' };
  request.visit = visit;
  reply.headers(admission.headers);
  // The client disconnected during authentication; `close` will not fire again.
  if (hasRequestEnded(request.raw, reply.raw)) {
    await releaseAdmitted(visit);
    throw clientDisconnected();
  }
  onRequestEnd(request.raw, reply.raw, () => {
    if (visit.phase !== 'running') void releaseAdmitted(visit);
  });
  const { access } = route;
  if (access !== 'public' && access !== 'any') requireScope(actor, access);
  if (route.requiresContentScope) requireScope(actor, contentScope);
  if (!route.checksUserTokens && !isForUserTokens(route)) requireEveryUser(actor);
}

/**
 * Before authentication, a request counts toward its network. Requests to routes that require a key
 * count separately, so that anonymous requests from the same network do not block them.
 */
const clientAddress = (
  { ip }: FastifyRequest,
  { access }: Pick<Route, 'access'>,
): RequestClient => ({
  kind: 'address',
  id: `${clientNetwork(ip ?? '')}${access === 'public' ? '' : ' with a key'}`,
});

async function admitRequest(
  app: App,
  route: AdmissionRoute,
  request: FastifyRequest,
  slot: RequestSlot,
): Promise<Pick<AdmittedRequest, 'actor' | 'admission'>> {
  if (route.access === 'public') return { actor: anonymousActor, admission: unlimitedAdmission };
  const limiter = requestLimiter.of(app);
  const large = isLargeBody(request);
  // A large upload or an event stream may take hours: background work must not pause for it.
  const isShort = !large && route.eventStream === undefined;
  const releases = isShort ? [limiter.beginActivity(kindOf(route))] : [];
  const releaseLimits = (): void => {
    for (const release of releases) release();
  };
  const header = credentialsOf(request.headers);
  try {
    const credentials = { header, missing: missingCredentialsCode(route) };
    const actor = await (route.authenticate ?? authenticate)(app, credentials, request);
    slot.reassign({ kind: 'account', id: actor.accountId });
    if (large) releases.push(limiter.acquireLongRequest(actor.accountId));
    const { headers, release } = await enforceRateLimits(app, actor, route.endpointLimit);
    const releaseAll = (): Promise<void> => {
      releaseLimits();
      return release();
    };
    return { actor, admission: { headers, release: releaseAll } };
  } catch (error) {
    releaseLimits();
    slot.release();
    throw error;
  }
}

const kindOf = ({ method, access, countsOwnWrites }: AdmissionRoute): RequestKind =>
  method === 'GET' || access.endsWith(':read') || countsOwnWrites === true ? 'read' : 'write';

/** Requests without a key do not count toward a plan. */
const unlimitedAdmission: RateLimitPermit = { headers: {}, release: async () => undefined };

/** Only for the log: no client receives this response. */
const clientDisconnected = (): AppError =>
  new AppError('invalid_request', {
    cause: new Error('the client disconnected before the handler ran'),
  });

/**
 * Runs the handler and releases the rate limit permit before the response is sent. If the response
 * is generated while it is sent (`isStreamed`), the permit is released at its end.
 */
export async function runAdmittedRequest<T>(
  { visit, raw: incoming }: FastifyRequest,
  { raw }: FastifyReply,
  { run, isStreamed }: { run: (actor: Actor) => Promise<T>; isStreamed: (result: T) => boolean },
): Promise<T> {
  if (visit === null) return run(anonymousActor);
  // The client disconnected during the body: the permit is released, so the handler must not run.
  if (hasRequestEnded(incoming, raw)) throw clientDisconnected();
  visit.phase = 'running';
  let isStreaming = false;
  try {
    const result = await run(visit.actor);
    isStreaming = isStreamed(result);
    return result;
  } finally {
    visit.phase = isStreaming ? 'streaming' : 'answered';
    if (hasRequestEnded(incoming, raw) || visit.isEndless) await releaseAdmitted(visit);
    else if (!isStreaming) await visit.admission.release();
  }
}
