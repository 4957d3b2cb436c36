import type { Scope } from '@mneme/contract';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Ctx } from '../domains/ctx.ts';
import type { RouteCaller } from './call-route.ts';

/** The context of a call: the caller, and the routes of the API with the caller's rights. */
export interface ToolCall {
  readonly ctx: Ctx;
  readonly callRoute: RouteCaller;
}

/** A tool: its description for the model, the scope that it needs, and what it does. */
export interface McpTool {
  readonly name: string;
  /** A caller without it does not see the tool. */
  readonly scope: Scope;
  readonly description: string;
  readonly annotations: NonNullable<Tool['annotations']>;
  readonly inputSchema: Tool['inputSchema'];
  readonly outputSchema?: NonNullable<Tool['outputSchema']>;
  /** Whether the argument `space` applies, if the caller reaches several spaces. */
  readonly acceptsSpace: boolean;
  /** Throws ToolError, AppError. */
  readonly run: (
    call: ToolCall,
    sent: Readonly<Record<string, unknown>>,
  ) => Promise<CallToolResult>;
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export const errorResult = (text: string): CallToolResult => ({
  ...textResult(text),
  isError: true,
});

/** Some clients show the model only the structured part: it says everything that the text says. */
export const structuredResult = (
  text: string,
  structuredContent: Record<string, unknown>,
): CallToolResult => ({ ...textResult(text), structuredContent });

/** What the caller reads is data of others: recalled texts can contain instructions. */
export const readAnnotations = { readOnlyHint: true, openWorldHint: false } as const;
