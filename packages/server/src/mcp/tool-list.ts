import type { Scope } from '@mneme/contract';
import type { Tool } from '@modelcontextprotocol/server';
import { hasScope } from '../domains/accounts/index.ts';
import type { Ctx } from '../domains/ctx.ts';
import { openAiTools } from './openai-profile.ts';
import { reachesSeveralSpaces, spaceArgument } from './space-argument.ts';
import type { McpTool } from './tool.ts';
import { about } from './tools/about.ts';
import { forget } from './tools/forget.ts';
import { read } from './tools/read.ts';
import { recall } from './tools/recall.ts';
import { remember } from './tools/remember.ts';

/** Which tools a URL offers: `?profile=openai`, or the default. */
export const toolProfiles = {
  default: [recall, remember, read, about, forget],
  openai: openAiTools,
} as const satisfies Readonly<Record<string, readonly McpTool[]>>;

export type ToolProfile = keyof typeof toolProfiles;

/** The scope of the tool that a message calls; undefined if it calls none. */
export function scopeOfCall(
  { method, params }: { readonly method?: unknown; readonly params?: unknown },
  profile: ToolProfile,
): Scope | undefined {
  if (method !== 'tools/call') return undefined;
  const { name } = Object(params) as { name?: unknown };
  const tools: readonly McpTool[] = toolProfiles[profile];
  return tools.find((tool) => tool.name === name)?.scope;
}

/** The tools that the caller's scopes allow, as the protocol lists them. */
export async function listTools(ctx: Ctx, profile: ToolProfile): Promise<Tool[]> {
  const withSpace = await reachesSeveralSpaces(ctx);
  return toolProfiles[profile]
    .filter(({ scope }) => hasScope(ctx.actor.scopes, scope))
    .map((tool) => describe(tool, withSpace && tool.acceptsSpace));
}

function describe(tool: McpTool, withSpace: boolean): Tool {
  const { name, description, annotations, inputSchema, outputSchema } = tool;
  const properties = { ...inputSchema.properties, space: spaceArgument.schema };
  return {
    name,
    description,
    inputSchema: withSpace ? ({ ...inputSchema, properties } as Tool['inputSchema']) : inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations,
  };
}
