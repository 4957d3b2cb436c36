import type { Client } from '@mneme/sdk';
import { absentId, type ErrorCase, prepareRequest, someId } from '../error-case.ts';

const createSession = (client: Client, fields: object = {}) =>
  client.cliSessions.create({ body: { name: 'a session', ...fields } });

/** A session that is paused. */
async function createPausedSession(client: Client): Promise<string> {
  const { id } = await createSession(client);
  await client.cliSessions.pause({ params: { id } });
  return id;
}

/** A session with one memory under this protection. */
async function createSessionWithProtectedMemory(
  client: Client,
  level: 'soft' | 'hard',
): Promise<string> {
  const { id } = await createSession(client);
  await client.memories.create({
    body: { content: 'x', session_id: id, protection_level: level },
  });
  return id;
}

const invalidTransition = (status: string, action: string) => ({
  code: 'invalid_state_transition' as const,
  details: { current_status: status, requested_action: action },
});

const transitions: readonly ErrorCase[] = [
  {
    ...invalidTransition('paused', 'pause'),
    where: 'a paused session is paused',
    route: 'cliSessions.pause',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      return prepareRequest(
        stage,
        `POST /cli-sessions/${await createPausedSession(client)}/pause`,
        { key },
      );
    },
  },
  {
    ...invalidTransition('completed', 'update'),
    where: 'a completed session is renamed',
    route: 'cliSessions.update',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await createSession(client);
      await client.cliSessions.complete({ params: { id } });
      return prepareRequest(stage, `PATCH /cli-sessions/${id}`, { key, body: { name: 'new' } });
    },
  },
  {
    ...invalidTransition('paused', 'add_memory'),
    where: 'a memory is to join a paused session',
    route: 'memories.create',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const body = { content: 'x', session_id: await createPausedSession(client) };
      return prepareRequest(stage, 'POST /memories', { key, body });
    },
  },
  {
    ...invalidTransition('paused', 'add_memory'),
    where: 'a message comes to a paused session',
    route: 'cliSessions.postMessages',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const body = { messages: [{ role: 'user', content: 'x' }] };
      return prepareRequest(
        stage,
        `POST /cli-sessions/${await createPausedSession(client)}/messages`,
        { key, body },
      );
    },
  },
];

const others: readonly ErrorCase[] = [
  {
    code: 'not_found',
    where: 'there is no such CLI session',
    route: 'cliSessions.get',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `GET /cli-sessions/${absentId}`, { key });
    },
  },
  {
    code: 'memory_protected',
    where: 'a CLI session that holds a hard protected memory is deleted, confirmed or not',
    route: 'cliSessions.remove',
    details: { memory_ids: [someId] },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const id = await createSessionWithProtectedMemory(client, 'hard');
      return prepareRequest(stage, `DELETE /cli-sessions/${id}?confirm=true`, { key });
    },
  },
  {
    code: 'confirmation_required',
    where: 'a CLI session that holds a softly protected memory is deleted',
    route: 'cliSessions.remove',
    details: { memory_ids: [someId] },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      return prepareRequest(
        stage,
        `DELETE /cli-sessions/${await createSessionWithProtectedMemory(client, 'soft')}`,
        { key },
      );
    },
  },
  {
    code: 'content_too_large',
    where: 'a message is over the limit of the plan',
    route: 'cliSessions.postMessages',
    details: { max_bytes: 32_768, received_bytes: 32_769, index: 1 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('pro');
      const { id } = await createSession(client);
      const messages = ['fine', 'x'.repeat(32_769)].map((content) => ({ role: 'user', content }));
      return prepareRequest(stage, `POST /cli-sessions/${id}/messages`, {
        key,
        body: { messages },
      });
    },
  },
  {
    code: 'space_not_empty',
    where: 'a space that a CLI session is in is removed',
    route: 'spaces.remove',
    details: { count: 1, sessions: 1 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await client.spaces.create({ body: { name: 'busy' } });
      await createSession(client, { space_id: id });
      return prepareRequest(stage, `DELETE /spaces/${id}`, { key });
    },
  },
];

export const sessions: readonly ErrorCase[] = [...transitions, ...others];
