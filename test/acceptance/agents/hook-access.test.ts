import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { contextOf, endOf, promptOf, sendHook, stopOf, turnsOf } from './hook-requests.ts';

type Scopes = NonNullable<Parameters<Client['keys']['create']>[0]['body']['scopes']>;

describe.each(oneEngine)('The rights of hooks on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const open = async (body: { scopes?: Scopes; space_ids?: string[] } = {}) => {
    const { client } = await service.createAccount();
    const { key } = await client.keys.create({ body: { name: 'agent', ...body } });
    const send = (event: object, query = '') => sendHook({ url: service.url, key }, event, query);
    return { client, send };
  };

  it('are those of the key: what it may not do is reported, and the rest is done', async () => {
    const { client, send } = await open({ scopes: ['search:read'] });
    await client.memories.create({ body: { content: 'The shop deploys with Ansible.' } });
    const readOnly = await send(promptOf('session-1', 'How does the shop deploy?'));
    expect(readOnly.status).toBe(200);
    expect(contextOf(readOnly)).toContain('Ansible');
    expect(readOnly.body.systemMessage).toMatch(/^Mneme: insufficient_permissions: .*sessions:/);
    const stop = await send(stopOf('session-1', 'Done.'));
    expect(stop.body).toEqual({ systemMessage: expect.stringMatching(/sessions:/) });
    expect(await turnsOf(client, 'session-1')).toEqual([]);

    const writeOnly = await open({
      scopes: ['memories:write', 'sessions:read', 'sessions:write'],
    });
    const answer = await writeOnly.send(promptOf('session-1', 'How does the shop deploy?'));
    expect(answer.body).toEqual({ systemMessage: expect.stringMatching(/search:read/) });
    expect(await turnsOf(writeOnly.client, 'session-1')).toHaveLength(1);
  });

  it('need no more than the documented scopes', async () => {
    const { client, send } = await open({
      scopes: ['search:read', 'memories:read', 'memories:write', 'sessions:read', 'sessions:write'],
    });
    await send(promptOf('session-1', 'I prefer tabs.'));
    await send(stopOf('session-1', 'Noted.'));
    expect((await send(endOf('session-1'))).body).toEqual({});
    const { data } = await client.memories.list({ query: { tags: ['preference'] } });
    expect(data.map(({ content }) => content)).toEqual(['I prefer tabs.']);
  });

  it('can be limited to a space, by the URL and by the key', async () => {
    const { client, send } = await open();
    const { id, name } = await client.spaces.create({ body: { name: 'work' } });
    await client.memories.create({ body: { content: 'The private shop deploys with Chef.' } });
    await client.memories.create({
      body: { content: 'The shop deploys with Ansible.', space_id: id },
    });
    const question = 'How does the shop deploy?';
    const context = contextOf(await send(promptOf('session-1', question), `?space=${name}`));
    expect(context).toContain('Ansible');
    expect(context).not.toContain('Chef');
    const { data } = await client.cliSessions.list({ query: {} });
    expect(data.map((session) => session.space_id)).toEqual([id]);
    await send(promptOf('session-1', question));
    expect((await client.cliSessions.list({ query: {} })).data).toHaveLength(2);
    expect((await send(promptOf('s', question), '?space=nowhere')).status).toBe(404);

    const limited = await client.keys.create({ body: { name: 'limited', space_ids: [id] } });
    const to = { url: service.url, key: limited.key };
    const answer = await sendHook(to, promptOf('session-1', `${question} Quickly.`));
    expect(contextOf(answer)).not.toContain('Chef');
    expect(answer.body.systemMessage).toBeUndefined();
  });

  it('are of one account', async () => {
    const one = await open();
    const other = await open();
    await one.send(promptOf('session-1', 'The cart rounds prices up.'));
    expect((await other.send(promptOf('session-2', 'How does the cart round?'))).body).toEqual({});
    await other.send(endOf('session-1'));
    expect(await turnsOf(other.client, 'session-1')).toEqual([]);
  });

  it('require a key', async () => {
    const response = await fetch(`${service.url}/hooks/claude-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(401);
  });

  it('answer unknown events with an empty object, and store nothing', async () => {
    const { client, send } = await open();
    for (const name of ['PreToolUse', 'SubagentStop', 'Notification', 'constructor', 7, null]) {
      const answer = await send({
        ...stopOf('session-1', 'Done.'),
        hook_event_name: name,
        tool_input: { command: 'ls' },
      });
      expect(answer).toEqual({ status: 200, body: {} });
    }
    for (const event of [promptOf('s', ' \n'), stopOf('s', ''), { ...endOf('s'), more: 1 }]) {
      expect(await send(event)).toEqual({ status: 200, body: {} });
    }
    expect((await client.account.get()).usage).toMatchObject({ memories: 0, searches: 0 });
    expect((await client.cliSessions.list({ query: {} })).data).toEqual([]);
  });

  it('reject what is no event', async () => {
    const { send } = await open();
    const noSession = await send({ hook_event_name: 'Stop', last_assistant_message: 'x' });
    expect(noSession.status).toBe(422);
    expect((await send(promptOf('x'.repeat(201), 'x'))).status).toBe(422);
    expect((await send(promptOf('s', 'x'), '?limit=1')).status).toBe(422);
  });

  it('count searches, memories and endpoint limits as the routes do', async () => {
    const { client, key } = await service.createAccount('pro');
    const to = { url: service.url, key };
    const answers: Awaited<ReturnType<typeof sendHook>>[] = [];
    for (let i = 0; i < 11; i += 1) {
      answers.push(await sendHook(to, promptOf('session-1', `Prompt number ${i}.`)));
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(200));
    expect(answers.at(-1)?.body.systemMessage).toMatch(/^Mneme: rate_limit_exceeded: .*Retry in/);
    const { usage } = await client.account.get();
    expect(usage).toMatchObject({ memories: 10, searches: 11 });
  });
});
