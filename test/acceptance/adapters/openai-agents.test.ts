import type { Client } from '@mneme/sdk';
import { MnemeSession } from '@mneme/sdk/openai-agents';
import { type AgentInputItem, MemorySession, type Session } from '@openai/agents-core';
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../examples/adapters/openai-agents.ts';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { oneEngine } from '../../support/service.ts';

const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content });

const items: AgentInputItem[] = [
  user('Hi, I am Ana.'),
  { role: 'system', content: 'Be brief.' },
  {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    id: 'msg_1',
    content: [{ type: 'output_text', text: 'Hello \u0000 \ud800 😀', providerData: { a: [null] } }],
  },
  { type: 'reasoning', id: 'rs_1', content: [{ type: 'input_text', text: 'Thinking.' }] },
  {
    type: 'function_call',
    callId: 'call_1',
    name: 'weather',
    status: 'completed',
    arguments: '{"city":"Lisbon"}',
  },
  {
    type: 'function_call_result',
    callId: 'call_1',
    name: 'weather',
    status: 'completed',
    output: { type: 'text', text: 'Sunny. '.repeat(4_000) },
  },
  { type: 'message', role: 'user', content: [{ type: 'input_image', image: 'https://x/y.png' }] },
  user('long '.repeat(5_000)),
  user(' '),
  user('Hi, I am Ana.'),
];

const cases: readonly (readonly [title: string, run: (session: Session) => Promise<unknown>])[] = [
  ['an empty session', async (s) => [await s.getItems(), await s.popItem(), await s.getItems(3)]],
  [
    'items of every kind, exactly',
    async (s) => {
      await s.addItems(items);
      return s.getItems();
    },
  ],
  [
    'the last items in order',
    async (s) => {
      await s.addItems([]);
      await s.addItems(items.slice(0, 4));
      await s.addItems(items.slice(4));
      const limits = [1, 3, 10, 99, 0, -1];
      const answers: unknown[] = [];
      for (const limit of limits) answers.push(await s.getItems(limit));
      return answers;
    },
  ],
  [
    'popItem until nothing is left',
    async (s) => {
      await s.addItems(items.slice(0, 2));
      const popped = [await s.popItem(), await s.getItems(), await s.popItem(), await s.popItem()];
      await s.addItems([user('again')]);
      return [popped, await s.getItems()];
    },
  ],
  [
    'clearSession, also twice',
    async (s) => {
      await s.clearSession();
      await s.addItems(items);
      await s.clearSession();
      await s.clearSession();
      const empty = await s.getItems();
      await s.addItems([user('after')]);
      return [empty, await s.getItems(), await s.getSessionId()];
    },
  ],
  [
    'more items than a page',
    async (s) => {
      await s.addItems(Array.from({ length: 130 }, (_, i) => user(`message ${i}`)));
      return [await s.getItems(105), (await s.getItems()).length, await s.popItem()];
    },
  ],
];

describe.each(oneEngine)('The session for OpenAI Agents on %s', (engine) => {
  let client: Client;
  useAccountPerTest(engine, (account) => {
    client = account.client;
  });

  it.each(cases)('answers as MemorySession does: %s', async (_title, run) => {
    const sessionId = 'chat-1';
    const expected = await run(new MemorySession({ sessionId }));
    expect(await run(new MnemeSession({ client, sessionId }))).toEqual(expected);
  });

  it('keeps bytes of files', async () => {
    const session = new MnemeSession({ client });
    const data = Uint8Array.from({ length: 256 }, (_, i) => i);
    const image = { type: 'image', image: { data, mediaType: 'image/png' } } as const;
    const call = { callId: 'call_1', name: 'draw', status: 'completed', output: image } as const;
    const item = { type: 'function_call_result', ...call } satisfies AgentInputItem;
    await session.addItems([item]);
    expect(await session.getItems()).toEqual([item]);
  });

  it('is found by its id, apart from sessions of other ids, owners and programs', async () => {
    const open = (sessionId: string, user_id?: string) =>
      new MnemeSession({ client, sessionId, scope: { user_id } });
    await client.cliSessions.create({ body: { name: 'chat' } });
    for (const [id, owner] of [['chat'], ['Chat'], ['chat-2'], ['chat', 'ana']] as const) {
      await open(id, owner).addItems([user(`${id} of ${owner}`)]);
    }
    expect(await open('chat').getItems()).toEqual([user('chat of undefined')]);
    expect(await open('chat', 'ana').getItems()).toEqual([user('chat of ana')]);
    expect(await open('chat', 'ben').getItems()).toEqual([]);
    const generated = new MnemeSession({ client });
    expect(await generated.getSessionId()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await generated.getSessionId()).toBe(await generated.getSessionId());
  });

  it('keeps memories of other programs in its session, and its texts are found', async () => {
    const session = new MnemeSession({ client, sessionId: 'shared' });
    await session.addItems([user('I prefer tea over coffee.')]);
    const [{ id = '' } = {}] = (await client.cliSessions.list()).data;
    const messages = [{ role: 'user', content: 'From elsewhere.' }];
    await client.cliSessions.postMessages({ params: { id }, body: { messages } });
    expect(await session.getItems(1)).toEqual([user('I prefer tea over coffee.')]);
    const { results } = await client.search.get({ query: { q: 'tea' } });
    expect(results[0]).toMatchObject({ content: 'I prefer tea over coffee.', session_id: id });
    await session.clearSession();
    const { data } = await client.cliSessions.memories({ params: { id } });
    expect(data.map(({ content }) => content)).toEqual(['From elsewhere.']);
  });

  it('runs the example: an agent continues a conversation', async () => {
    const model = new ScriptedModel([
      [assistantMessage('Noted.')],
      [assistantMessage('A curry without peanuts.')],
    ]);
    const conversation = { userId: 'ana', id: 'chat-1' };
    await answer(client, model, conversation, 'I am allergic to peanuts.');
    const second = await answer(client, model, conversation, 'What can I cook?');
    expect(second).toBe('A curry without peanuts.');
    const seen = JSON.stringify(model.calls[1]?.request.input);
    for (const text of ['I am allergic to peanuts.', 'Noted.', 'What can I cook?']) {
      expect(seen).toContain(text);
    }
  });
});
