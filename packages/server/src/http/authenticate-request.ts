import { contentScope, missingCredentialsCode, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authenticate,
  enforceRateLimits,
  type RateLimitPermit,
  requireScope,
} from '../domains/accounts/index.ts';
import { type Actor, type App, unlimitedActor } from '../domains/ctx.ts';
import { clientNetwork } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import { type Client, requestLimiter, type Slot } from '../kernel/request-limiter.ts';
import { credentialsOf } from './credentials.ts';
import { schemaChangedError } from './errors.ts';
import { hasRequestEnded, onRequestEnd } from './open-requests.ts';
import { isLargeBody } from './request-timeout.ts';

/** Who is inside, and the way out. */
interface AdmittedRequest {
  readonly actor: Actor;
  /** Toward the plan: until the verb has ended, or the last of an answer that it makes. */
  readonly admission: RateLimitPermit;
  /** Of this process: until the answer is sent as well, which is in memory as long. */
  readonly slot: Slot;
  /** Its answer has no end, and is counted on its own. */
  readonly isEndless: boolean;
  /** A verb that runs ends by itself, even when the caller hangs up. */
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

/** What the door needs once for the whole server. */
export function registerAdmission(server: FastifyInstance): void {
  server.decorateRequest('visit', null);
  server.addHook('onSend', async ({ visit }) => {
    // A refusal, or a faulty body: it never comes to its verb.
    if (visit?.phase === 'waiting') await visit.admission.release();
  });
}

async function releaseAdmitted({ admission, slot }: AdmittedRequest): Promise<void> {
  slot.release();
  await admission.release();
}

/**
 * The one gate of every route: who calls, within which limits, and whether the route's scope is
 * theirs. All before the body is read: nobody's megabytes are taken in without a key. Throws 401
 * for bad credentials, 429 beyond a limit, 403 insufficient_permissions for a missing scope, 503
 * service_unavailable where too many are inside, of this client or of all, and where another
 * version of the program has migrated the database.
 */
export async function authenticateRequest(
  app: App,
  route: Pick<
    Route,
    | 'access'
    | 'method'
    | 'path'
    | 'endpointLimit'
    | 'eventStream'
    | 'requiresContentScope'
    | 'probe'
  >,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // At capacity probes are answered as well: a full server is alive.
  if (route.probe) return;
  const { schemaChanged } = app.engine;
  if (schemaChanged !== null) throw schemaChangedError(schemaChanged);
  const slot = requestLimiter.of(app).acquire(clientAddress(request, route));
  const { actor, admission } = await admitRequest(app, route, request, slot);
  const isEndless = route.eventStream !== undefined;
  const visit: AdmittedRequest = { actor, admission, slot, isEndless, phase: 'waiting' };
  request.visit = visit;
  reply.headers(admission.headers);
  // Who hung up while being let in will not hang up again, nor would the body ever end.
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
}

/**
 * Until its account is known a request counts for where it comes from; those with a key apart, so
 * that strangers behind the same address are not in their way.
 */
const clientAddress = ({ ip }: FastifyRequest, { access }: Pick<Route, 'access'>): Client => ({
  kind: 'address',
  id: `${clientNetwork(ip ?? '')}${access === 'public' ? '' : ' with a key'}`,
});

async function admitRequest(
  app: App,
  route: Parameters<typeof authenticateRequest>[1],
  request: FastifyRequest,
  slot: Slot,
): Promise<Pick<AdmittedRequest, 'actor' | 'admission'>> {
  if (route.access === 'public') return { actor: anonymousActor, admission: unlimitedAdmission };
  const inside = requestLimiter.of(app);
  const large = isLargeBody(request);
  // While its bytes come, which may be for hours, nothing need give way to it.
  const mayChange = route.method !== 'GET' && !route.access.endsWith(':read') && !large;
  const ways = mayChange ? [inside.beginWrite()] : [];
  const leave = (): void => {
    for (const way of ways) way();
  };
  const header = credentialsOf(request.headers);
  try {
    const actor = await authenticate(app, {
      header,
      missing: missingCredentialsCode(route),
    });
    slot.reassign({ kind: 'account', id: actor.accountId });
    if (large) ways.push(inside.acquireLongRequest(actor.accountId));
    const { headers, release } = await enforceRateLimits(app, actor, route.endpointLimit);
    const releaseAll = (): Promise<void> => {
      leave();
      return release();
    };
    return { actor, admission: { headers, release: releaseAll } };
  } catch (error) {
    leave();
    slot.release();
    throw error;
  }
}

/** No plan counts a request without a key. */
const unlimitedAdmission: RateLimitPermit = { headers: {}, release: async () => undefined };

/** Nobody reads this answer; the log has it. */
const clientDisconnected = (): AppError =>
  new AppError('invalid_request', { cause: new Error('the caller hung up before its verb ran') });

/**
 * Runs the verb; the visit ends with it, before the answer leaves. Where the answer is still being
 * made while it leaves (`lasts`), the visit ends with the last of it.
 */
export async function runAdmitted<T>(
  { visit, raw: sent }: FastifyRequest,
  { raw }: FastifyReply,
  { run, lasts }: { run: (actor: Actor) => Promise<T>; lasts: (result: T) => boolean },
): Promise<T> {
  if (visit === null) return run(anonymousActor);
  // Hung up while its body was read: the visit has ended, and nothing may run that no limit counts.
  if (hasRequestEnded(sent, raw)) throw clientDisconnected();
  visit.phase = 'running';
  let isLasting = false;
  try {
    const result = await run(visit.actor);
    isLasting = lasts(result);
    return result;
  } finally {
    visit.phase = isLasting ? 'streaming' : 'answered';
    if (hasRequestEnded(sent, raw) || visit.isEndless) await releaseAdmitted(visit);
    else if (!isLasting) await visit.admission.release();
  }
}
