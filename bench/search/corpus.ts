import { isStopWord } from '@mneme/text';
import type { TextGenerator } from '../text-generator.ts';

/** One of so many tags is on each memory: filtering by it keeps 1 %. */
const topics = 100;
const highPriority = 7;
const lowPriority = 3;
/** Keeps every second memory. */
const priorityMin = 5;
const searchLimit = 20;
const longQueryCharacters = 1_000;

/** What is stored, by its place: the same on every server. */
export type Corpus = readonly string[];

/** A search for a memory, told by its place: whose account, and what is in a filter's reach. */
export interface SearchQuestion {
  readonly position: number;
  readonly q: string;
  /** Below /v1. */
  readonly path: string;
}

/** How much a question's filter keeps. */
export type SearchFilter = 'all' | 'hundredth' | 'half';

const topicOf = (place: number): string => `topic-${place % topics}`;

/** As it is sent, its session apart. */
export const memoryAt = (stock: Corpus, place: number) => ({
  content: stock[place] ?? '',
  tags: [topicOf(place)],
  priority: priorityAt(place),
});

export const priorityAt = (place: number): number => (place % 2 === 1 ? highPriority : lowPriority);

/** Of some words of a stored memory, which passes the filter. */
export function createQuestion(
  stock: Corpus,
  texts: TextGenerator,
  filter: SearchFilter,
): SearchQuestion {
  const any = texts.integerBelow(stock.length);
  // Sizes are even: the one after an even place is there.
  const place = filter === 'half' ? any | 1 : any;
  let q = texts.query(stock[place] ?? '');
  // Of such words alone nothing is found.
  while (q.split(' ').every(isStopWord)) q = texts.query(stock[place] ?? '');
  const filters: Record<SearchFilter, Record<string, string>> = {
    all: {},
    hundredth: { tags: topicOf(place) },
    half: { min_priority: `${priorityMin}` },
  };
  return {
    position: place,
    q,
    path: searchPath({ q, limit: `${searchLimit}`, ...filters[filter] }),
  };
}

/** As long as a query may be: the words of several memories. */
export function createLongQuestion(stock: Corpus, texts: TextGenerator): SearchQuestion {
  let q = '';
  while (q.length < longQueryCharacters) q += `${stock[texts.integerBelow(stock.length)] ?? ' '} `;
  q = q.slice(0, longQueryCharacters - 1).padEnd(longQueryCharacters, 's');
  return { position: 0, q, path: searchPath({ q, limit: `${searchLimit}` }) };
}

export const searchPath = (query: Readonly<Record<string, string>>): string =>
  `/search?${new URLSearchParams(query)}`;
