import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { idsIn, postMessage, postToolCall } from './mcp-clients.ts';

type Scopes = NonNullable<Parameters<Client['keys']['create']>[0]['body']['scopes']>;

describe.each(oneEngine)('The rights of MCP clients on %s', (engine) => {
  let service: Service;
  let client: Client;
  let admin = '';
  beforeAll(async () => {
    service = await startService(engine);
    ({ client, key: admin } = await service.createAccount());
  });
  afterAll(() => service.stop());

  const mcp = (key: string, path = '') => ({ url: `${service.url}/mcp${path}`, key });
  const keyWith = async (body: { scopes?: Scopes; space_ids?: string[] }): Promise<string> =>
    (await client.keys.create({ body: { name: 'limited', ...body } })).key;
  let spaces = 0;
  const createSpace = async () => {
    spaces += 1;
    return client.spaces.create({ body: { name: `space ${spaces}` } });
  };
  const listTools = async (key: string, path = '') => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { body } = await postMessage(mcp(key, path), message);
    return (body.result as { tools: { name: string; inputSchema: { properties: object } }[] })
      .tools;
  };
  const recallIds = async (key: string, query: string, args = {}, path = '') =>
    idsIn((await postToolCall(mcp(key, path), 'recall', { query, ...args })).text);

  it('are the scopes of the key, also for the list of tools', async () => {
    const key = await keyWith({ scopes: ['search:read', 'memories:read'] });
    expect((await listTools(key)).map(({ name }) => name)).toEqual(['recall', 'read']);
    const answer = await postToolCall(mcp(key), 'remember', { content: 'Not allowed.' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/^insufficient_permissions: .*memories:write/);
    const none = await keyWith({ scopes: ['webhooks:read'] });
    expect(await listTools(none)).toEqual([]);
  });

  it('are the spaces of the key', async () => {
    const [a, b, c] = [await createSpace(), await createSpace(), await createSpace()];
    const ids: Record<string, string> = {};
    for (const space of [a, b, c]) {
      const body = { content: `The fox of ${space.name} sleeps.`, space_id: space.id };
      ids[space.id] = (await client.memories.create({ body })).id;
    }
    const key = await keyWith({ space_ids: [a.id, b.id] });
    const found = await recallIds(key, 'where does the fox sleep?');
    expect(found.toSorted()).toEqual([ids[a.id], ids[b.id]].toSorted());
    expect(await recallIds(key, 'fox', { space: b.name })).toEqual([ids[b.id]]);
    expect(await recallIds(key, 'fox', { space: b.id })).toEqual([ids[b.id]]);
    const foreign = await postToolCall(mcp(key), 'recall', { query: 'fox', space: c.id });
    expect(foreign.text).toMatch(/^space_access_denied: /);
    const hidden = await postToolCall(mcp(key), 'recall', { query: 'fox', space: c.name });
    expect(hidden.text).toMatch(/^space_not_found: /);
    for (const tool of ['read', 'forget']) {
      const answer = await postToolCall(mcp(key), tool, { ids: [ids[c.id]] });
      expect([answer.isError, answer.text]).toEqual([
        true,
        expect.stringMatching(/\] space_access_denied: /),
      ]);
    }
    const nowhere = await postToolCall(mcp(key), 'remember', { content: 'Which space?' });
    expect(nowhere.text).toBe(
      `validation_error: space is required. Send one of: ${a.name}, ${b.name}.`,
    );
    const stored = await postToolCall(mcp(key), 'remember', {
      content: 'In the second one.',
      space: b.name,
    });
    const [id = ''] = idsIn(stored.text);
    expect((await client.memories.get({ params: { id } })).space_id).toBe(b.id);
  });

  it('include a choice of space only where there is one', async () => {
    const { client: other, key } = await service.createAccount();
    const hasSpace = async (of: string, path = ''): Promise<boolean[]> =>
      (await listTools(of, path)).map(({ inputSchema }) => 'space' in inputSchema.properties);
    expect(await hasSpace(key)).toEqual([false, false, false, false, false]);
    const { id, name } = await other.spaces.create({ body: { name: 'work & more' } });
    expect(await hasSpace(key)).toEqual([true, true, false, true, false]);
    const limited = await other.keys.create({ body: { name: 'k', space_ids: [id] } });
    expect(await hasSpace(limited.key)).toEqual([false, false, false, false, false]);
    expect(await hasSpace(key, `/${id}`)).toEqual([false, false, false, false, false]);
    expect(await hasSpace(key, `/${encodeURIComponent(name)}`)).toEqual(Array(5).fill(false));
    // The only space of a key is where its memories belong.
    const stored = await postToolCall(mcp(limited.key), 'remember', { content: 'Of the space.' });
    const [stored1 = ''] = idsIn(stored.text);
    expect((await other.memories.get({ params: { id: stored1 } })).space_id).toBe(id);
  });

  it('end at the space of the URL', async () => {
    const [a, b] = [await createSpace(), await createSpace()];
    const store = async (content: string, path: string): Promise<string> =>
      idsIn((await postToolCall(mcp(admin, path), 'remember', { content })).text)[0] ?? '';
    const inA = await store('The heron of the pond.', `/${encodeURIComponent(a.name)}`);
    const inB = await store('The heron of the lake.', `/${b.id}`);
    const inNone = await store('The heron of the river.', '/default');
    expect((await client.memories.get({ params: { id: inA } })).space_id).toBe(a.id);
    expect((await client.memories.get({ params: { id: inNone } })).space_id).toBeNull();
    expect(await recallIds(admin, 'heron', {}, `/${a.id}`)).toEqual([inA]);
    expect(await recallIds(admin, 'heron', { space: b.name }, `/${a.id}`)).toEqual([]);
    expect(await recallIds(admin, 'heron', {}, '/default')).toEqual([inNone]);
    const { text } = await postToolCall(mcp(admin, `/${a.id}`), 'read', { ids: [inB] });
    expect(text).toMatch(/space_access_denied/);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const unknown = await postMessage(mcp(admin, '/nowhere'), list);
    expect([unknown.status, unknown.body]).toMatchObject([
      404,
      { error: { code: 'space_not_found' } },
    ]);
    const key = await keyWith({ space_ids: [a.id] });
    expect((await postMessage(mcp(key, `/${b.id}`), list)).status).toBe(403);
    const profile = await postMessage(mcp(admin, '?profile=claude'), list);
    expect([profile.status, JSON.stringify(profile.body)]).toEqual([
      422,
      expect.stringContaining('openai'),
    ]);
  });

  it('are those of one user for a token of that user', async () => {
    const { client: own } = await service.createAccount();
    const content = (who: string) => `The password hint of ${who} is a bird.`;
    const ofBen = await own.memories.create({ body: { content: content('Ben'), user_id: 'ben' } });
    const { token } = await own.auth.createToken({ body: { user_id: 'ana' } });
    const stored = await postToolCall(mcp(token), 'remember', { content: content('Ana') });
    const [ofAna = ''] = idsIn(stored.text);
    expect((await own.memories.get({ params: { id: ofAna } })).user_id).toBe('ana');
    expect(await recallIds(token, 'password hint')).toEqual([ofAna]);
    const rest = service.client(token);
    const { memories } = await rest.search.recall({ body: { query: 'password hint' } });
    expect(memories.map(({ id }) => id)).toEqual([ofAna]);
    for (const tool of ['read', 'forget']) {
      const { text, isError } = await postToolCall(mcp(token), tool, { ids: [ofBen.id] });
      expect([isError, text]).toEqual([true, expect.stringMatching(/memory_not_found/)]);
    }
    const { body } = await postMessage(mcp(token), {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: `mneme://memories/${ofBen.id}` },
    });
    expect(body).toMatchObject({ error: { message: expect.stringMatching(/memory_not_found/) } });
    expect((await own.memories.get({ params: { id: ofBen.id } })).is_deleted).toBe(false);
  });

  it('end with the key', async () => {
    const { id, key } = await client.keys.create({ body: { name: 'short-lived' } });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await postMessage(mcp(key), list)).status).toBe(200);
    await client.keys.revoke({ params: { id } });
    expect((await postMessage(mcp(key), list)).status).toBe(401);
  });

  it('are limited by the plan and by the limits of the endpoints', async () => {
    // The minute of the limit does not end within the test.
    const clock = createFakeClock(() => 0);
    const limitedService = await startService(engine, { overrides: { clock } });
    const { key } = await limitedService.createAccount('free');
    const to = { url: `${limitedService.url}/mcp`, key };
    const args = (i: number) => ({ content: `Note number ${i} of many.` });
    const answers: Awaited<ReturnType<typeof postMessage>>[] = [];
    for (let i = 0; i <= 60; i += 1) {
      const params = { name: 'remember', arguments: args(i) };
      const call = { jsonrpc: '2.0', id: i, method: 'tools/call', params };
      answers.push(await postMessage(to, call));
    }
    const last = answers.at(-1);
    const limited =
      last?.status === 429
        ? JSON.stringify(last.body)
        : String(Object(last?.body.result).content?.[0]?.text);
    expect(limited).toMatch(/rate_limit_exceeded/);
    await limitedService.stop();
  });
});
