import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { tokenCount } from '../recall/context-entries.ts';
import { type Connection, connectV2, postMessage } from './mcp-clients.ts';

/** What the context of an agent may cost before it asks anything. */
const toolListTokensMax = 1_500;

describe.each(oneEngine)('The MCP server over HTTP on %s', (engine) => {
  let service: Service;
  let to: Connection;
  beforeAll(async () => {
    service = await startService(engine);
    to = { url: `${service.url}/mcp`, key: service.adminKey };
  });
  afterAll(() => service.stop());

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const initialize = (version: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'old-client', version: '0.1' },
    },
  });

  it('lists its tools, with a choice of space, in at most 1,500 tokens', async () => {
    const { client, key } = await service.createAccount();
    await client.spaces.create({ body: { name: 'work' } });
    for (const url of [to.url, `${to.url}?profile=openai`]) {
      const { body } = await postMessage({ url, key }, list);
      const { tools } = body.result as { tools: { name: string }[] };
      const tokens = tokenCount(JSON.stringify(tools));
      // 717 and 295 in November 2026.
      expect(tokens).toBeLessThanOrEqual(toolListTokensMax);
    }
  });

  it('says of each tool whether it changes or deletes something', async () => {
    const { body } = await postMessage(to, list);
    const { tools } = body.result as {
      tools: { name: string; annotations: Record<string, boolean> }[];
    };
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
      recall: { readOnlyHint: true, openWorldHint: false },
      remember: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
      read: { readOnlyHint: true, openWorldHint: false },
      about: { readOnlyHint: true, openWorldHint: false },
      forget: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'serves clients of %s without a session that could expire',
    async (version) => {
      const { body, headers, status } = await postMessage(to, initialize(version));
      expect([status, body.result]).toMatchObject([
        200,
        { protocolVersion: version, serverInfo: { name: 'mneme' }, capabilities: { tools: {} } },
      ]);
      const session = headers.get('mcp-session-id') ?? '';
      for (const id of [session, 'of-another-server', 'client.%%%']) {
        const sent = { 'mcp-session-id': id, 'mcp-protocol-version': version };
        expect((await postMessage(to, list, sent)).status).toBe(200);
      }
      const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
      expect((await postMessage(to, ready)).status).toBe(202);
    },
  );

  it('answers with JSON, whatever the client accepts', async () => {
    for (const accept of ['application/json', 'text/event-stream', '*/*']) {
      const { status, headers } = await postMessage(to, ping, { accept });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it('has no streams and no sessions to end', async () => {
    const headers = { authorization: `Bearer ${to.key}`, accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const { status, headers: sent } = await fetch(to.url, { method, headers });
      expect([method, status, sent.get('allow')]).toEqual([method, 405, 'POST, OPTIONS']);
    }
    expect((await fetch(to.url, { method: 'OPTIONS' })).status).toBe(204);
    const { body } = await postMessage(
      to,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect(body).toHaveProperty('error');
  });

  it('refuses what is no single message', async () => {
    const send = (body: string, type = 'application/json') =>
      fetch(to.url, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${to.key}`, 'content-type': type },
      });
    const batch = await send(JSON.stringify([list, list]));
    expect([batch.status, await batch.text()]).toEqual([
      400,
      expect.stringContaining('one JSON-RPC message'),
    ]);
    for (const body of ['7', '"ping"', 'null', '{}', '{"method":7}']) {
      expect((await send(body)).status, body).toBe(400);
    }
    expect((await send('{"jsonrpc":')).status).toBe(400);
    expect((await send('')).status).toBe(400);
    expect((await send('a=b', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await send('['.repeat(100_000))).status).toBe(413);
    expect((await send(`"${'x'.repeat(4 * 1024 * 1024)}"`)).status).toBe(413);
    const unknown = await send(JSON.stringify({ ...ping, method: 'tools/delete' }));
    expect(await unknown.json()).toMatchObject({ error: { code: -32_601 } });
  });

  it('needs a key as the API does', async () => {
    const challenges = async (headers: Record<string, string>) => {
      const response = await fetch(to.url, {
        method: 'POST',
        body: JSON.stringify(list),
        headers: { 'content-type': 'application/json', ...headers },
      });
      const { error } = (await response.json()) as { error: { code: string } };
      return [response.status, error.code, response.headers.get('www-authenticate')];
    };
    const api = await fetch(`${service.url}/v1/memories`);
    const challenge = api.headers.get('www-authenticate');
    expect(challenge).toMatch(/^Bearer/);
    expect(await challenges({})).toEqual([401, 'missing_api_key', challenge]);
    const [status, code] = await challenges({ authorization: 'Bearer mnk_wrong' });
    expect([status, code]).toEqual([401, 'invalid_api_key']);
    const other = await fetch(to.url, {
      method: 'POST',
      body: JSON.stringify(list),
      headers: { 'content-type': 'application/json', 'x-api-key': to.key },
    });
    expect(other.status).toBe(200);
  });

  it('refuses web pages of other origins, which have no key', async () => {
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
    const response = await fetch(to.url, { method: 'POST', body: JSON.stringify(list), headers });
    expect(response.status).toBe(403);
  });

  it('carries the id of the request', async () => {
    const { headers } = await postMessage(to, list, { 'x-request-id': 'mcp-1' });
    expect(headers.get('x-request-id')).toBe('mcp-1');
  });

  it('lets clients of 2026-07-28 keep its lists for some time', async () => {
    const { key } = await service.createAccount();
    await using mcp = await connectV2({ url: to.url, key });
    expect(mcp.protocol).toBe('2026-07-28');
    const answer = (await mcp.listTools()) as unknown;
    expect(answer).toHaveLength(5);
  });
});
