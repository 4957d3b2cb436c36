import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { type Connection, connectV2, idsIn, postMessage } from './mcp-clients.ts';

describe.each(engines)('The account of an MCP client on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** A client of 2025: only its first message has its name. */
  const callAsLegacy = async (to: Connection, name: string, args: object, requestId: string) => {
    const first = await postMessage(to, {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'old\nclient', version: '0.1' },
      },
    });
    const session = first.headers.get('mcp-session-id') ?? '';
    const params = { name, arguments: args };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    await postMessage(to, message, { 'mcp-session-id': session, 'x-request-id': requestId });
  };

  it('counts searches and writes', async () => {
    const { client, key } = await service.createAccount();
    await using mcp = await connectV2({ url: `${service.url}/mcp`, key });
    await mcp.call('remember', { content: 'Ana prefers tea.' });
    await mcp.call('recall', { query: 'tea' });
    await mcp.getPrompt('context', { topic: 'tea' });
    const { usage } = await client.account.get();
    expect(usage).toMatchObject({ memories: 1, searches: 2 });
  });

  it('has the name of the program in events, in the audit log and in the log', async () => {
    const { client, key } = await service.createAccount();
    const to = { url: `${service.url}/mcp`, key };
    const program = 'test-client/1.2.3';
    await using mcp = await connectV2(to);
    const [id = ''] = idsIn((await mcp.call('remember', { content: 'Ana prefers tea.' })).text);
    await mcp.call('recall', { query: 'tea' });
    await expect
      .poll(async () => (await listEvents(client, 'memory.accessed')).map(({ data }) => data))
      .toContainEqual({ ids: [id], via: 'recall', client: program });
    await callAsLegacy(to, 'forget', { ids: [id] }, 'forgetting-1');

    const [created] = await listEvents(client, 'memory.created');
    expect(created?.data.metadata).toEqual({ source: 'mcp', client: program });
    const [deleted] = await listEvents(client, 'memory.deleted');
    expect(deleted?.data).toEqual({ id, soft: true, client: 'old client/0.1' });

    const { data } = await client.account.audit({ query: { limit: 10 } });
    const entries = data.filter(({ action }) => action.startsWith('mcp.'));
    expect(entries.map(({ action, target_id, details }) => [action, target_id, details])).toEqual([
      ['mcp.forgotten', id, { client: 'old client/0.1' }],
      ['mcp.remembered', id, { client: program }],
    ]);
    expect(entries[0]?.request_id).toBe('forgetting-1');
    expect(entries[0]?.actor?.key_id).toMatch(/^[0-9a-f-]{36}$/);
    const logged = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const calls = logged.filter(({ msg, tool }) => msg === 'MCP request' && tool !== undefined);
    expect(calls.slice(-3).map(({ tool, program: name }) => [tool, name])).toEqual([
      ['remember', program],
      ['recall', program],
      ['forget', 'old client/0.1'],
    ]);
  });

  it('has no entries for what was not stored', async () => {
    const { client, key } = await service.createAccount();
    await using mcp = await connectV2({ url: `${service.url}/mcp`, key });
    for (const content of ['Once.', 'Once.', 'x'.repeat(1_100_000)]) {
      await mcp.call('remember', { content });
    }
    await mcp.call('forget', { ids: ['019b8d1c-0000-7000-8000-00000000dead'] });
    const { data } = await client.account.audit({ query: { limit: 10 } });
    expect(data.filter(({ action }) => action.startsWith('mcp.'))).toHaveLength(1);
  });
});
