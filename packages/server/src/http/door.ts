import { missingCredentials, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, authenticate, grants } from '../domains/accounts/index.ts';
import { type Actor, type App, unbound } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';
import { crowd } from '../work/crowd.ts';
import { isLarge } from './arrival.ts';

/** Who is inside, and the way out. */
interface Visit {
  readonly actor: Actor;
  readonly admission: Admission;
  /** The verb runs: it ends by itself, even when the caller hangs up. */
  busy: boolean;
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
    if (visit) await endUnlessBusy(visit);
  });
}

/** For requests that never come to their verb: a refusal, a faulty body, a caller who hangs up. */
async function endUnlessBusy({ busy, admission }: Visit): Promise<void> {
  if (!busy) await admission.release();
}

/**
 * The one gate of every route: who calls, within which limits, and whether the route's scope is
 * theirs. All before the body is read: nobody's megabytes are taken in without a key. Throws 401
 * for bad credentials, 429 beyond a limit, 403 insufficient_permissions for a missing scope, 503
 * service_unavailable where too many are inside.
 */
export async function enter(
  app: App,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (route.access === 'public') return;
  const { actor, admission } = await letIn(app, route, request);
  const visit: Visit = { actor, admission, busy: false };
  request.visit = visit;
  reply.headers(admission.headers);
  // Who hung up while being let in will not hang up again, nor would the body ever end.
  if (reply.raw.closed) {
    await admission.release();
    throw callerGone();
  }
  reply.raw.once('close', () => void endUnlessBusy(visit));
  if (route.access === 'any' || grants(actor.scopes, route.access)) return;
  throw new AppError('insufficient_permissions', { details: { required_scope: route.access } });
}

async function letIn(
  app: App,
  route: Route,
  request: FastifyRequest,
): Promise<Pick<Visit, 'actor' | 'admission'>> {
  const inside = crowd.of(app);
  const large = isLarge(request);
  // While its bytes come, which may be for hours, nothing need give way to it.
  const mayChange = route.method !== 'GET' && !route.access.endsWith(':read') && !large;
  const ways = [inside.enter({ mayChange })];
  const leave = (): void => {
    for (const way of ways) way();
  };
  const header = request.headers.authorization;
  try {
    const actor = await authenticate(app, {
      header,
      takesToken: route.takesToken ?? false,
      missing: missingCredentials(route),
    });
    if (large) ways.push(inside.enterForLong(actor.accountId));
    const { headers, release } = await admit(app, actor, route.limit);
    const releaseAll = (): Promise<void> => {
      leave();
      return release();
    };
    return { actor, admission: { headers, release: releaseAll } };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Nobody reads this answer; the log has it. */
const callerGone = (): AppError =>
  new AppError('invalid_request', { cause: new Error('the caller hung up while being let in') });

/**
 * Runs the verb; the visit ends with it, before the answer leaves. Where the answer is still being
 * made while it leaves (`lasts`), the visit ends with the last of it.
 */
export async function inside<T>(
  { visit }: FastifyRequest,
  { raw }: FastifyReply,
  { run, lasts }: { run: (actor: Actor) => Promise<T>; lasts: (result: T) => boolean },
): Promise<T> {
  if (visit === null) return run(stranger);
  visit.busy = true;
  let over = true;
  try {
    const result = await run(visit.actor);
    over = raw.closed || !lasts(result);
    if (!over) raw.once('close', () => void visit.admission.release());
    return result;
  } finally {
    if (over) await visit.admission.release();
  }
}
