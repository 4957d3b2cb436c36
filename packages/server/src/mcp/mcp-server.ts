import type { CallToolResult } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { hasScope } from '../domains/accounts/index.ts';
import { AppError } from '../kernel/errors.ts';
import { contextPrompt, getContextPrompt } from './prompts.ts';
import { memoryTemplate, readMemoryResource } from './resources.ts';
import { errorResult, type McpTool, type ToolCall } from './tool.ts';
import { describeError, ToolError } from './tool-error.ts';
import { listTools, type ToolProfile, toolProfiles } from './tool-list.ts';

/** A request to the MCP server: the caller, and which tools its URL offers. */
export interface McpCall extends ToolCall {
  readonly profile: ToolProfile;
  /** Maps any error to one of the catalogue. */
  readonly toAppError: (error: unknown) => AppError;
}

const instructions =
  'Mneme is the long-term memory of the user. Recall before you answer about people, projects, ' +
  'decisions or preferences; remember what will be worth knowing in later conversations.';

/** Lists depend on the rights of the key only, which seldom change. */
const listCache = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** The protocol's view of one request; the verbs of the domains do the work. */
export function createProtocolServer(call: McpCall): Server {
  const { ctx, profile } = call;
  const isDefault = profile === 'default';
  const server = new Server(
    { name: 'mneme', title: 'Mneme', version: ctx.version },
    {
      capabilities: { tools: {}, ...(isDefault ? { resources: {}, prompts: {} } : {}) },
      ...(isDefault ? { instructions } : {}),
      cacheHints: {
        'tools/list': listCache,
        'prompts/list': listCache,
        'resources/list': listCache,
        'resources/templates/list': listCache,
        'server/discover': listCache,
      },
    },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: await listTools(ctx, profile) }));
  server.setRequestHandler('tools/call', ({ params }) => callTool(call, params));
  if (!isDefault) return server;
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [memoryTemplate],
  }));
  server.setRequestHandler('resources/read', ({ params }) => readMemoryResource(call, params.uri));
  server.setRequestHandler('prompts/list', () => ({
    prompts: hasScope(ctx.actor.scopes, 'search:read') ? [contextPrompt] : [],
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    if (params.name !== contextPrompt.name) throw invalidParams(`Unknown prompt: ${params.name}`);
    try {
      return await getContextPrompt(call, params.arguments ?? {});
    } catch (error) {
      if (error instanceof ToolError) throw invalidParams(error.message);
      throw invalidParams(describeError(call.toAppError(error)));
    }
  });
  return server;
}

const invalidParams = (message: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Errors of the verbs become results that the model can act on. Throws for an unknown tool. */
async function callTool(
  call: McpCall,
  { name, arguments: sent = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
): Promise<CallToolResult> {
  const tools: readonly McpTool[] = toolProfiles[call.profile];
  const tool = tools.find((one) => one.name === name);
  if (!tool) {
    const known = tools.map((one) => one.name).join(', ');
    throw invalidParams(`Unknown tool: ${name.slice(0, 100)}. The tools are ${known}.`);
  }
  try {
    return await tool.run(call, sent);
  } catch (thrown) {
    if (thrown instanceof ToolError) return errorResult(thrown.message);
    const error = thrown instanceof AppError ? thrown : call.toAppError(thrown);
    const { log, requestId } = call.ctx;
    if (error.status < 500) return errorResult(describeError(error));
    log.error({ err: error.cause ?? error, reqId: requestId, tool: name }, 'tool call failed');
    return errorResult(`${describeError(error)} Request id: ${requestId}.`);
  }
}
