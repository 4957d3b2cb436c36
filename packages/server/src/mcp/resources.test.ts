import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { memoryUri } from './memory-uri.ts';
import { readMemoryResource } from './resources.ts';
import type { ToolCall } from './tool.ts';

const uri = memoryUri('0198c0de-0000-7000-8000-000000000001');
const readWith = (error: Error) =>
  readMemoryResource(
    { callRoute: async () => Promise.reject(error) } as unknown as ToolCall,
    uri,
  ).catch((caught: unknown) => caught);

describe('the resource of a memory', () => {
  it('is not found where the caller may not read it', async () => {
    for (const code of ['memory_not_found', 'space_access_denied'] as const) {
      const error = await readWith(new AppError(code));
      expect(error).toBeInstanceOf(ResourceNotFoundError);
      expect(String(error)).toContain(code);
    }
  });

  it('does not seem to be missing when the service fails', async () => {
    const failures = [new AppError('storage_error'), new AppError('service_unavailable')];
    for (const failure of [...failures, new Error('no connection')]) {
      expect(await readWith(failure)).toBe(failure);
    }
  });
});
