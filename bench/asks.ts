import type { Ask } from './client.ts';

export const bulkItems = 100;

export const addOne = (content: string): Ask => ({
  method: 'POST',
  path: '/memories',
  body: { content },
});

/** Stores all in order, 100 a call. */
export function bulksOf(contents: readonly string[]): Ask[] {
  const asks: Ask[] = [];
  for (let from = 0; from < contents.length; from += bulkItems) {
    const memories = contents.slice(from, from + bulkItems).map((content) => ({ content }));
    asks.push({ method: 'POST', path: '/memories/bulk', body: { memories } });
  }
  return asks;
}
