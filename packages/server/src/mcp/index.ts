import type { Route, Scope } from '@mneme/contract';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { requireScope } from '../domains/accounts/index.ts';
import type { App, Ctx } from '../domains/ctx.ts';
import type { Handler } from '../domains/handler.ts';
import type { AppError } from '../kernel/errors.ts';
import { toArgumentsObject } from './arguments.ts';
import { createRouteCaller } from './call-route.ts';
import { clientNameOf, toSessionId } from './client-name.ts';
import { createProtocolServer, type McpCall } from './mcp-server.ts';
import { limitToSpace } from './space-argument.ts';
import { scopeOfCall, type ToolProfile, toolProfiles } from './tool-list.ts';

/** Creates the protocol's view of one call. */
export type CreateProtocolServer = (call: McpCall) => Server;

/** An admitted HTTP request to the MCP server. */
interface McpRequest {
  readonly ctx: Ctx;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body: one JSON-RPC message. */
  readonly message: Readonly<Record<string, unknown>>;
  /** The name or id of the only space; undefined: all spaces of the caller. */
  readonly space: string | undefined;
  readonly profile: ToolProfile;
}

export interface McpService {
  /**
   * Throws 404 space_not_found and 403 space_access_denied for the space of the URL, 403
   * insufficient_permissions for a tool that the access token of an OAuth client does not allow.
   */
  handle(request: McpRequest): Promise<Response>;
}

export const toToolProfile = (name: unknown): ToolProfile | null => {
  if (name === undefined) return 'default';
  return typeof name === 'string' && Object.hasOwn(toolProfiles, name)
    ? (name as ToolProfile)
    : null;
};

/** Both forms of an answer: clients that accept only one of them still get JSON. */
const acceptedTypes = 'application/json, text/event-stream';

/**
 * The MCP server over streamable HTTP: the protocol of 2026-07-28 and those of 2025 at one URL. It
 * stores nothing between two requests, so that no session can expire.
 */
export function createMcpService(
  app: App,
  handlers: readonly Handler[],
  toAppError: (error: unknown) => AppError,
  createServer: CreateProtocolServer = createProtocolServer,
): McpService {
  const byRoute = new Map<Route, Handler>(
    handlers.filter((one) => !one.handlesForm).map((handler) => [handler.route, handler]),
  );
  const onerror = (err: Error): void => app.log.debug({ err }, 'MCP request rejected');
  const modern = createMcpHandler(({ authInfo }) => createServer(callOf(authInfo?.extra)), {
    legacy: 'reject',
    onerror,
    maxSubscriptions: 0,
  });
  return {
    async handle({ ctx: requestCtx, url, headers, message, space, profile }) {
      const body = withArguments(message);
      requireScopeOfClient(requestCtx, scopeOfCall(body, profile));
      const request = new Request(url, {
        method: 'POST',
        headers: { ...headers, accept: acceptedTypes },
      });
      const client = clientNameOf(request.headers, body);
      const limited = space === undefined ? requestCtx : await limitToSpace(requestCtx, space);
      const ctx: Ctx = client === undefined ? limited : { ...limited, client };
      const call: McpCall = {
        ctx,
        profile,
        callRoute: createRouteCaller(ctx, byRoute),
        toAppError,
      };
      const startedMs = app.clock.monotonicMs();
      const response = (await isLegacyRequest(request, body))
        ? await serveLegacy(createServer(call), call, request, body)
        : await serveModern(modern, call, request, body);
      const ms = Math.round(app.clock.monotonicMs() - startedMs);
      const { method, params } = body;
      const tool =
        method === 'tools/call' ? (Object(params) as { name?: unknown }).name : undefined;
      app.log.info({ reqId: ctx.requestId, program: client, method, tool, ms }, 'MCP request');
      return response;
    },
  };
}

/**
 * An OAuth client asks the person for a scope when the response is 403; other callers cannot get
 * one, and their model reads the error of the tool. Throws 403 insufficient_permissions.
 */
function requireScopeOfClient({ actor }: Ctx, scope: Scope | undefined): void {
  if (actor.token?.audience !== undefined && scope !== undefined) requireScope(actor, scope);
}

const callOf = (extra: Record<string, unknown> | undefined): McpCall => extra?.call as McpCall;

const serveModern = (modern: McpHttpHandler, call: McpCall, request: Request, body: unknown) =>
  modern.fetch(request, {
    parsedBody: body,
    authInfo: { token: '', clientId: '', scopes: [], extra: { call } },
  });

/** With JSON and not with a stream: the answer of a tool is one message. */
async function serveLegacy(
  server: Server,
  call: McpCall,
  request: Request,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    const { client } = call.ctx;
    if (body.method === 'initialize' && response.ok && client !== undefined) {
      response.headers.set('mcp-session-id', toSessionId(client));
    }
    return response;
  } finally {
    await server.close();
  }
}

/** Some clients send the arguments of a tool as JSON text, or null. */
function withArguments(message: McpRequest['message']): McpRequest['message'] {
  const { method, params } = message;
  if (method !== 'tools/call' && method !== 'prompts/get') return message;
  if (typeof params !== 'object' || params === null) return message;
  const args = toArgumentsObject((params as Record<string, unknown>).arguments);
  return { ...message, params: { ...params, arguments: args } };
}
