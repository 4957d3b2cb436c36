import type { CliSession, Memory } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { asMemory } from '../../support/as-memory.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import type { Service } from '../../support/service.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A clock whose date stands still until a test moves it on. */
export function createFrozenClock(): FakeClock {
  const hand = createFakeClock();
  let nowMs = Date.parse('2026-03-02T10:00:00.000Z');
  return {
    ...hand,
    now: () => new Date(nowMs),
    advance(ms) {
      nowMs += ms;
      hand.advance(ms);
    },
  };
}

export const createSession = (client: Client, fields: object = {}): Promise<CliSession> =>
  client.cliSessions.create({ body: { name: 'a session', ...fields } });

export const getSession = (client: Client, id: string): Promise<CliSession> =>
  client.cliSessions.get({ params: { id } });

export const addMemory = async (
  client: Client,
  sessionId: string,
  content: string,
  fields: object = {},
): Promise<Memory> =>
  asMemory(await client.memories.create({ body: { ...fields, content, session_id: sessionId } }));

/** Every memory of a session in its order, page by page. */
export async function listSessionMemories(
  client: Client,
  id: string,
  limit = 100,
): Promise<Memory[]> {
  const all: Memory[] = [];
  for (;;) {
    const query = { limit, offset: all.length };
    const { data, pagination } = await client.cliSessions.memories({ params: { id }, query });
    all.push(...data);
    if (!pagination.has_more) return all;
  }
}

export const listSessionContents = async (client: Client, id: string): Promise<string[]> =>
  (await listSessionMemories(client, id)).map(({ content }) => content);

export const states = ['active', 'paused', 'completed', 'archived'] as const;
export type State = (typeof states)[number];
const actionsToState: Readonly<Record<State, readonly ('pause' | 'complete' | 'archive')[]>> = {
  active: [],
  paused: ['pause'],
  completed: ['complete'],
  archived: ['complete', 'archive'],
};

/** Moves a new session to a state. */
export async function moveToState(
  client: Client,
  { id }: CliSession,
  state: State,
): Promise<CliSession> {
  for (const move of actionsToState[state]) await client.cliSessions[move]({ params: { id } });
  return getSession(client, id);
}

export const callSessionAction = (client: Client, id: string, name: string, body?: unknown) =>
  client.request({ method: 'POST', path: `/cli-sessions/${id}/${name}`, body });

/** A fresh key of the client's account. */
export async function createClientWithKey(
  service: Service,
  client: Client,
  fields: object,
): Promise<Client> {
  const { key } = await client.keys.create({ body: { name: 'another', ...fields } });
  return service.client(key);
}

/** Everything but `admin`, which sees what is private. */
export const plainScopes = [
  'memories:read',
  'memories:write',
  'sessions:read',
  'sessions:write',
  'search:read',
] as const;

export const transitionError = (status: State, action: string) => ({
  status: 409,
  body: {
    error: {
      code: 'invalid_state_transition',
      details: { current_status: status, requested_action: action },
    },
  },
});

export const errorCodeOf = ({ body }: RawResponse): string | undefined =>
  (body as { error?: { code?: string } } | undefined)?.error?.code;
