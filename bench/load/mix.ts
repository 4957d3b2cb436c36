import { addOne } from '../asks.ts';
import type { Ask } from '../client.ts';
import type { Texts } from '../texts.ts';

/** What an account has to read and to search for. */
export interface Stock {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

type Kind = 'read' | 'search' | 'create';

/** Of ten requests: as agents use a memory, more is read than written. */
const mix: readonly Kind[] = [
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

export const kindOf = (n: number): Kind => mix[n % mix.length] ?? 'read';

/** The n-th request of an account. */
export function askOf(n: number, stock: Stock, texts: Texts): Ask {
  const kind = kindOf(n);
  if (kind === 'create') return addOne(texts.memory());
  if (kind === 'read') return { method: 'GET', path: `/memories/${any(stock.ids, texts)}` };
  const q = texts.query(any(stock.texts, texts));
  return { method: 'GET', path: `/search?${new URLSearchParams({ q, limit: '20' })}` };
}

const any = (values: readonly string[], texts: Texts): string =>
  values[texts.pick(values.length)] ?? '';
