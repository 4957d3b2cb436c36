import type { ApiRequest } from '../api-client.ts';
import { createMemoryRequest } from '../memory-requests.ts';
import type { TextGenerator } from '../text-generator.ts';

/** What an account has to read and to search for. */
export interface Corpus {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

type RequestKind = 'read' | 'search' | 'create';

/** Of ten requests: as agents use a memory, more is read than written. */
const requestMix: readonly RequestKind[] = [
  'read',
  'search',
  'read',
  'create',
  'read',
  'read',
  'search',
  'read',
  'create',
  'read',
];

export const requestKindAt = (n: number): RequestKind =>
  requestMix[n % requestMix.length] ?? 'read';

/** The n-th request of an account. */
export function requestAt(n: number, stock: Corpus, texts: TextGenerator): ApiRequest {
  const kind = requestKindAt(n);
  if (kind === 'create') return createMemoryRequest(texts.memory());
  if (kind === 'read') return { method: 'GET', path: `/memories/${pickAny(stock.ids, texts)}` };
  const q = texts.query(pickAny(stock.texts, texts));
  return { method: 'GET', path: `/search?${new URLSearchParams({ q, limit: '20' })}` };
}

const pickAny = (values: readonly string[], texts: TextGenerator): string =>
  values[texts.integerBelow(values.length)] ?? '';
