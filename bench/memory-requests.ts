import type { ApiRequest } from './api-client.ts';

export const memoriesPerBulk = 100;

export const createMemoryRequest = (content: string): ApiRequest => ({
  method: 'POST',
  path: '/memories',
  body: { content },
});

/** Stores all in order, 100 a call. */
export function bulkCreateRequests(contents: readonly string[]): ApiRequest[] {
  const asks: ApiRequest[] = [];
  for (let from = 0; from < contents.length; from += memoriesPerBulk) {
    const memories = contents.slice(from, from + memoriesPerBulk).map((content) => ({ content }));
    asks.push({ method: 'POST', path: '/memories/bulk', body: { memories } });
  }
  return asks;
}
