import { contentScope, missingCredentials, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, authenticate, requireScope } from '../domains/accounts/index.ts';
import { type Actor, type App, unbound } from '../domains/ctx.ts';
import { clientNetwork } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import { type Client, crowd, type Slot } from '../work/crowd.ts';
import { isLarge } from './arrival.ts';
import { credentialsOf } from './credentials.ts';
import { outdated } from './errors.ts';
import { isOver, onceOver } from './open-requests.ts';

/** Who is inside, and the way out. */
interface Visit {
  readonly actor: Actor;
  /** Toward the plan: until the verb has ended, or the last of an answer that it makes. */
  readonly admission: Admission;
  /** Of this process: until the answer is sent as well, which is in memory as long. */
  readonly slot: Slot;
  /** Its answer has no end, and is counted on its own. */
  readonly isEndless: boolean;
  /** A verb that runs ends by itself, even when the caller hangs up. */
  phase: 'waiting' | 'running' | 'streaming' | 'answered';
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null;
  }
}

const stranger: Actor = { ...unbound, accountId: '', scopes: new Set(), spaces: new Set() };

/** What the door needs once for the whole server. */
export function addDoor(server: FastifyInstance): void {
  server.decorateRequest('visit', null);
  server.addHook('onSend', async ({ visit }) => {
    // A refusal, or a faulty body: it never comes to its verb.
    if (visit?.phase === 'waiting') await visit.admission.release();
  });
}

async function end({ admission, slot }: Visit): Promise<void> {
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
export async function enter(
  app: App,
  route: Pick<Route, 'access' | 'method' | 'path' | 'limit' | 'streams' | 'withContent' | 'probe'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // At capacity probes are answered as well: a full server is alive.
  if (route.probe) return;
  const { schemaChanged } = app.engine;
  if (schemaChanged !== null) throw outdated(schemaChanged);
  const slot = crowd.of(app).enter(addressOf(request, route));
  const { actor, admission } = await letIn(app, route, request, slot);
  const isEndless = route.streams !== undefined;
  const visit: Visit = { actor, admission, slot, isEndless, phase: 'waiting' };
  request.visit = visit;
  reply.headers(admission.headers);
  // Who hung up while being let in will not hang up again, nor would the body ever end.
  if (isOver(request.raw, reply.raw)) {
    await end(visit);
    throw callerGone();
  }
  onceOver(request.raw, reply.raw, () => {
    if (visit.phase !== 'running') void end(visit);
  });
  const { access } = route;
  if (access !== 'public' && access !== 'any') requireScope(actor, access);
  if (route.withContent) requireScope(actor, contentScope);
}

/**
 * Until its account is known a request counts for where it comes from; those with a key apart, so
 * that strangers behind the same address are not in their way.
 */
const addressOf = ({ ip }: FastifyRequest, { access }: Pick<Route, 'access'>): Client => ({
  kind: 'address',
  id: `${clientNetwork(ip ?? '')}${access === 'public' ? '' : ' with a key'}`,
});

async function letIn(
  app: App,
  route: Parameters<typeof enter>[1],
  request: FastifyRequest,
  slot: Slot,
): Promise<Pick<Visit, 'actor' | 'admission'>> {
  if (route.access === 'public') return { actor: stranger, admission: unlimited };
  const inside = crowd.of(app);
  const large = isLarge(request);
  // While its bytes come, which may be for hours, nothing need give way to it.
  const mayChange = route.method !== 'GET' && !route.access.endsWith(':read') && !large;
  const ways = mayChange ? [inside.beginChange()] : [];
  const leave = (): void => {
    for (const way of ways) way();
  };
  const header = credentialsOf(request.headers);
  try {
    const actor = await authenticate(app, {
      header,
      missing: missingCredentials(route),
    });
    slot.assign({ kind: 'account', id: actor.accountId });
    if (large) ways.push(inside.enterForLong(actor.accountId));
    const { headers, release } = await admit(app, actor, route.limit);
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
const unlimited: Admission = { headers: {}, release: async () => undefined };

/** Nobody reads this answer; the log has it. */
const callerGone = (): AppError =>
  new AppError('invalid_request', { cause: new Error('the caller hung up before its verb ran') });

/**
 * Runs the verb; the visit ends with it, before the answer leaves. Where the answer is still being
 * made while it leaves (`lasts`), the visit ends with the last of it.
 */
export async function inside<T>(
  { visit, raw: sent }: FastifyRequest,
  { raw }: FastifyReply,
  { run, lasts }: { run: (actor: Actor) => Promise<T>; lasts: (result: T) => boolean },
): Promise<T> {
  if (visit === null) return run(stranger);
  // Hung up while its body was read: the visit has ended, and nothing may run that no limit counts.
  if (isOver(sent, raw)) throw callerGone();
  visit.phase = 'running';
  let isLasting = false;
  try {
    const result = await run(visit.actor);
    isLasting = lasts(result);
    return result;
  } finally {
    visit.phase = isLasting ? 'streaming' : 'answered';
    if (isOver(sent, raw) || visit.isEndless) await end(visit);
    else if (!isLasting) await visit.admission.release();
  }
}
