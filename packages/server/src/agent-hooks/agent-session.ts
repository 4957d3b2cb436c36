import { type CliSession, limits, routes } from '@mneme/contract';
import type { Ctx } from '../domains/ctx.ts';
import type { RouteCaller } from '../mcp/call-route.ts';
import { requireWritableSpace } from '../mcp/space-argument.ts';
import { sessionMutex } from './keyed-mutex.ts';

/** Who sends an event, and from which session. */
export interface HookCall {
  readonly ctx: Ctx;
  readonly callRoute: RouteCaller;
  /** The name of the client, which is the origin of its sessions. */
  readonly origin: string;
  /** The client's id of its session, which is the name of ours. */
  readonly sessionName: string;
  readonly folder: string | undefined;
}

/**
 * The session that the client's events belong to: the first active one with its name. Throws what
 * `GET /cli-sessions` throws, and ToolError if the key reaches several spaces.
 */
export async function findAgentSession(call: HookCall): Promise<CliSession | null> {
  const { ctx, callRoute, origin, sessionName } = call;
  const space = await requireWritableSpace(ctx, undefined);
  const { data } = await callRoute(routes.cliSessions.list, {
    query: {
      space_id: space,
      status: 'active',
      origin_type: origin,
      search: sessionName,
      order: 'asc',
      limit: limits.pageMax,
    } as never,
  });
  return (data as CliSession[]).find(({ name }) => name === sessionName) ?? null;
}

/** Stores a turn in the session, which it creates if necessary. A repeated turn changes nothing. */
export async function retainTurn(call: HookCall, role: string, content: string): Promise<void> {
  const session = await findOrCreateSession(call);
  await call.callRoute(routes.memories.fromMessages, {
    body: { messages: [{ role, content }], session_id: session.id, derive: 'none' },
  });
}

function findOrCreateSession(call: HookCall): Promise<CliSession> {
  const { ctx, callRoute, origin, sessionName, folder } = call;
  return sessionMutex.of(ctx).run(`${ctx.actor.accountId} ${sessionName}`, async () => {
    const found = await findAgentSession(call);
    if (found !== null) return found;
    return callRoute(routes.cliSessions.create, {
      body: {
        name: sessionName,
        origin_type: origin,
        space_id: await requireWritableSpace(ctx, undefined),
        metadata: { recorded_by: 'hooks', ...(folder === undefined ? {} : { folder }) },
      },
    });
  });
}

/** In the metadata of a session: the last turn that memories were derived from. */
const derivedThrough = 'derived_through';
const turnRoles: ReadonlySet<unknown> = new Set(['user', 'assistant']);

/** Derives standing memories from the turns of the session that are new since the last time. */
export async function deriveFromSession(call: HookCall): Promise<void> {
  const { ctx, callRoute, sessionName } = call;
  const session = await findAgentSession(call);
  if (session === null) return;
  await sessionMutex.of(ctx).run(`${ctx.actor.accountId} ${sessionName} derive`, async () => {
    const params = { id: session.id };
    const { metadata } = await callRoute(routes.cliSessions.get, { params });
    const through = String(metadata[derivedThrough] ?? '');
    const turns = await listTurns(call, session.id, through);
    for (let i = 0; i < turns.length; i += limits.bulkItemsMax) {
      const messages = turns.slice(i, i + limits.bulkItemsMax);
      const { turns: stored } = await callRoute(routes.memories.fromMessages, {
        body: {
          messages: messages.map(({ role, content }) => ({ role, content })),
          session_id: session.id,
          derive: 'all',
        },
      });
      await callRoute(routes.cliSessions.update, {
        params,
        body: { metadata: { [derivedThrough]: stored.at(-1) ?? through } },
      });
    }
  });
}

interface Turn {
  readonly role: string;
  readonly content: string;
}

/** The turns that were stored later than the memory `after`; its id has the time. */
async function listTurns(
  { callRoute }: HookCall,
  sessionId: string,
  after: string,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let offset = 0; ; offset += limits.pageMax) {
    const page = await callRoute(routes.cliSessions.memories, {
      params: { id: sessionId },
      query: { limit: limits.pageMax, offset } as never,
    });
    for (const { id, content, metadata } of page.data) {
      if (id > after && turnRoles.has(metadata.role))
        turns.push({ role: String(metadata.role), content });
    }
    if (!page.pagination.has_more) return turns;
  }
}
