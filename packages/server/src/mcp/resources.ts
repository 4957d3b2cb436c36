import { routes } from '@mneme/contract';
import {
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { AppError } from '../kernel/errors.ts';
import { parseMemoryId } from './arguments.ts';
import { memoryUri } from './memory-uri.ts';
import type { ToolCall } from './tool.ts';

export const memoryTemplate: ResourceTemplateType = {
  uriTemplate: memoryUri('{id}'),
  name: 'memory',
  description: 'The text of one memory.',
  mimeType: 'text/plain',
};

/** Throws ResourceNotFoundError for another URI, and for a memory that the caller cannot read. */
export async function readMemoryResource(
  { callRoute }: ToolCall,
  uri: string,
): Promise<ReadResourceResult> {
  const id = uri.startsWith(memoryUri('')) ? parseMemoryId(uri) : null;
  if (id === null) throw new ResourceNotFoundError(uri);
  try {
    const { content, content_type: type } = await callRoute(routes.memories.get, {
      params: { id },
    });
    const mimeType = type === 'markdown' ? 'text/markdown' : 'text/plain';
    return { contents: [{ uri, mimeType, text: content }] };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    throw new ResourceNotFoundError(uri, `Resource ${uri}: ${error.code}`);
  }
}
