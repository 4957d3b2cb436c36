import type { Event, Memory } from '@mneme/contract';
import { type Client, MnemeError, paginate } from '@mneme/sdk';
import { expect } from 'vitest';
import { asMemory } from '../../support/as-memory.ts';

/** Well-formed, and the id of nothing. */
export const absentId = '019b8d1c-0000-7000-8000-00000000dead';

/** The error of a call that must not succeed. */
export async function expectError(call: Promise<unknown>): Promise<MnemeError> {
  const answer = await call.catch((error: unknown) => error);
  if (answer instanceof MnemeError) return answer;
  throw new Error(`The call was not refused: ${JSON.stringify(answer)}`, { cause: answer });
}

/** An event of whatever type; its exact shape is the contract's. */
export type AnyEvent = Omit<Event, 'data' | 'previous_data' | 'changes'> & {
  readonly data: Record<string, unknown>;
  readonly previous_data: Record<string, unknown> | null;
  readonly changes: readonly string[] | null;
};

/** The account's events of one type, or of all, in order of commit. */
export async function listEvents(client: Client, type?: Event['type']): Promise<AnyEvent[]> {
  const query = { limit: 100, ...(type === undefined ? {} : { type }) };
  const events: AnyEvent[] = [];
  const pages = paginate((place) => client.events.list({ query: { ...query, ...place } }));
  for await (const event of pages) events.push(event);
  return events;
}

/** Ids of what a search finds, best first. */
export async function searchIds(client: Client, q: string, threshold = 0): Promise<string[]> {
  const { results } = await client.search.get({ query: { q, threshold } });
  return results.map(({ id }) => id);
}

/** Makes a memory that only its content tells apart; as other answers show it. */
export const createMemory = async (
  client: Client,
  content: string,
  fields: object = {},
): Promise<Memory> => asMemory(await client.memories.create({ body: { ...fields, content } }));

/** Bodies for a bulk create. */
export const memoryBodies = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ content: `item ${i}` }));

export const idsOf = (memories: readonly Memory[]): string[] => memories.map(({ id }) => id);

/** An entry of `failed` in a bulk answer. */
export const failedItem = (index: number, code: string, more: object = {}) =>
  expect.objectContaining({ index, ...more, error: expect.objectContaining({ code }) });
