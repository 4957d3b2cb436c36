import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import * as v1Stdio from '@modelcontextprotocol/sdk/client/stdio.js';
import * as v1 from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What the tests use of a client, whichever version of the SDK it is from. */
export interface McpTestClient extends AsyncDisposable {
  readonly protocol: string | undefined;
  listTools(): Promise<{ name: string; inputSchema: Record<string, unknown> }[]>;
  /** The text of the answer, and whether it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  readResource(uri: string): Promise<string>;
  getPrompt(name: string, args: Record<string, string>): Promise<string>;
}

interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Record<string, unknown> | undefined;
}

export interface Connection {
  readonly url: string;
  readonly key: string;
}

const clientInfo = { name: 'test-client', version: '1.2.3' };

const requestInit = ({ key }: Connection) => ({ headers: { authorization: `Bearer ${key}` } });

type Negotiation = 'auto' | 'legacy' | { pin: string };

/** The official client v2, which chooses the protocol itself by default. */
export async function connectV2(
  connection: Connection,
  mode: Negotiation = 'auto',
): Promise<McpTestClient> {
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(connection.url), {
    requestInit: requestInit(connection),
  });
  await client.connect(transport);
  return wrap(client, client.getNegotiatedProtocolVersion());
}

/** The official client v1, which speaks the protocols of 2025. */
async function connectV1(connection: Connection): Promise<McpTestClient> {
  const client = new ClientV1(clientInfo);
  const transport = new v1.StreamableHTTPClientTransport(new URL(connection.url), {
    requestInit: requestInit(connection),
  });
  await client.connect(transport as never);
  return wrap(client as unknown as Client, transport.protocolVersion);
}

/** A program that speaks MCP on stdio, for the official clients. */
export interface StdioProgram {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** The ways in which the official clients connect over stdio. */
export const stdioKinds = [
  [
    'v2, automatic',
    async (program: StdioProgram): Promise<McpTestClient> => {
      const client = new Client(clientInfo, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StdioClientTransport({ ...program, stderr: 'ignore' }));
      return wrap(client, client.getNegotiatedProtocolVersion());
    },
    '2026-07-28',
  ],
  [
    'v2, legacy',
    async (program: StdioProgram): Promise<McpTestClient> => {
      const client = new Client(clientInfo, { versionNegotiation: { mode: 'legacy' } });
      await client.connect(new StdioClientTransport({ ...program, stderr: 'ignore' }));
      return wrap(client, client.getNegotiatedProtocolVersion());
    },
    '2025-11-25',
  ],
  [
    'v1',
    async (program: StdioProgram): Promise<McpTestClient> => {
      const client = new ClientV1(clientInfo);
      await client.connect(new v1Stdio.StdioClientTransport({ ...program, stderr: 'ignore' }));
      return wrap(client as unknown as Client, '2025-11-25');
    },
    '2025-11-25',
  ],
] as const;

/** Every way in which the official clients connect over HTTP. */
export const clientKinds = [
  ['v2, automatic', (to: Connection) => connectV2(to), '2026-07-28'],
  ['v2, pinned', (to: Connection) => connectV2(to, { pin: '2026-07-28' }), '2026-07-28'],
  ['v2, legacy', (to: Connection) => connectV2(to, 'legacy'), '2025-11-25'],
  ['v1', connectV1, '2025-11-25'],
] as const;

const wrap = (client: Client, protocol: string | undefined): McpTestClient => ({
  protocol,
  async listTools() {
    return (await client.listTools()).tools;
  },
  async call(name, args = {}) {
    return toToolAnswer(await client.callTool({ name, arguments: args }));
  },
  async readResource(uri) {
    const { contents } = await client.readResource({ uri });
    return String(Object(contents[0]).text);
  },
  async getPrompt(name, args) {
    const { messages } = await client.getPrompt({ name, arguments: args });
    return String(Object(messages[0]?.content).text);
  },
  [Symbol.asyncDispose]: () => client.close(),
});

function toToolAnswer(result: {
  content?: unknown;
  isError?: unknown;
  structuredContent?: unknown;
}): ToolAnswer {
  const [first] = result.content as { text?: string }[];
  return {
    text: first?.text ?? '',
    isError: result.isError === true,
    structured: result.structuredContent as Record<string, unknown> | undefined,
  };
}

/** A message as a client of 2025 sends it, without the SDK. */
export async function postMessage(
  { url, key }: Connection,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}

/** Calls a tool with arguments of any form. */
export async function postToolCall(
  connection: Connection,
  name: string,
  args: unknown,
): Promise<ToolAnswer> {
  const params = { name, arguments: args };
  const { body } = await postMessage(connection, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
  });
  if (body.result === undefined) throw new Error(JSON.stringify(body));
  return toToolAnswer(body.result as never);
}

const idPattern = /\[([0-9a-f-]{36})\]/g;

/** The ids in an answer, in their order. */
export const idsIn = (text: string): string[] =>
  [...text.matchAll(idPattern)].map(([, id = '']) => id);
