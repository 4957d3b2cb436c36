import type { ResponseBody, routes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../../../packages/server/src/database/index.ts';
import { onMemoryChanges } from '../../../packages/server/src/domains/memories/hooks.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { findTablesContaining } from '../../support/find-tables-containing.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { failedItem, idsOf, listEvents } from './memory-requests.ts';

type Created = ResponseBody<typeof routes.memories.bulkCreate>;

/** Two of them fill a transaction. */
const longText = (word: string): string => `${word} ${'lorem ipsum '.repeat(2_000)}`;
const words = ['first', 'second', 'third', 'fourth', 'fifth'];
const memories = words.map((word) => ({ content: longText(word) }));
const firstWords = (texts: readonly { content: string }[]): (string | undefined)[] =>
  texts.map(({ content }) => content.split(' ')[0]);

describe.each(engines)('a bulk of long texts on %s', (engine) => {
  const clock = createFakeClock();
  let service: Service;
  /** What happens in the transaction that stores the text with this first word. */
  let incident: { readonly at: string; happen(tx: Tx): Promise<unknown> } | null = null;
  beforeAll(async () => {
    service = await startService(engine, { removesErasedContent: true, overrides: { clock } });
    onMemoryChanges.on(service.running.context.app, async ({ tx }, changes) => {
      const { at, happen } = incident ?? {};
      if (changes.some(({ after }) => after?.content.split(' ')[0] === at)) await happen?.(tx);
    });
  });
  afterAll(() => service.stop());

  const post = (client: Client, body: unknown, key = 'key', query = '') =>
    client.request({
      method: 'POST',
      path: `/memories/bulk${query}`,
      body,
      headers: { 'idempotency-key': key },
    });
  const stored = async (client: Client): Promise<(string | undefined)[]> => {
    const { data } = await client.memories.list({ query: { limit: 100 } });
    return firstWords(data).toSorted();
  };
  /** The request fails where it would store this one. */
  const interrupted = async (client: Client, word: string, query = ''): Promise<void> => {
    incident = { at: word, happen: () => Promise.reject(new Error('the connection broke')) };
    const answer = await post(client, { memories }, 'key', query);
    incident = null;
    expect(answer.status).toBe(500);
  };

  it('is stored in several transactions and answered as a whole', async () => {
    const { client } = await service.createAccount();
    const bodies = [...memories, { content: longText('first') }, { content: 'short' }];
    const answer = await client.memories.bulkCreate({ body: { memories: bodies } });
    expect(answer.created).toBe(6);
    expect(firstWords(answer.memories)).toEqual([...words, 'short']);
    expect(answer.failed).toEqual([failedItem(5, 'duplicate_memory')]);
    const created = await listEvents(client, 'memory.created');
    expect(created.map(({ data }) => data.id)).toEqual(idsOf(answer.memories));
    const [bulk, ...others] = await listEvents(client, 'memory.bulk_created');
    expect(others).toEqual([]);
    expect(bulk?.data).toEqual({ ids: idsOf(answer.memories), count: 6 });
    const { results } = await client.search.get({ query: { q: 'fifth' } });
    expect(results.length).toBeGreaterThan(0);
  });

  it('is continued by a request with the same key where the first one broke off', async () => {
    const { client } = await service.createAccount();
    await interrupted(client, 'fifth');
    expect(await stored(client)).toEqual(['first', 'fourth', 'second', 'third']);
    const again = await post(client, { memories });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    const { created, memories: made, failed } = again.body as Created;
    expect([created, firstWords(made), failed]).toEqual([5, words, []]);
    expect(await stored(client)).toHaveLength(5);
    expect(await listEvents(client, 'memory.created')).toHaveLength(5);
    const told = await listEvents(client, 'memory.bulk_created');
    expect(told.map(({ data }) => data)).toEqual([{ ids: idsOf(made), count: 5 }]);
    const replay = await post(client, { memories });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.body).toEqual(again.body);
  });

  it('refuses another body with the key of a request that broke off', async () => {
    const { client } = await service.createAccount();
    await interrupted(client, 'third');
    const answer = await post(client, { memories: memories.slice(1) });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_reused' } },
    });
    expect(await stored(client)).toEqual(['first', 'second']);
  });

  it('stores none of them again that was erased before it was continued', async () => {
    const { client } = await service.createAccount();
    await interrupted(client, 'fifth');
    const { data } = await client.memories.list({ query: { limit: 100 } });
    const id = data.find(({ content }) => content.startsWith('second'))?.id ?? '';
    await client.memories.remove({ params: { id }, query: { soft: false } });
    clock.advance(60_000);
    await service.running.context.worker.drain();
    expect(await findTablesContaining(service, id)).not.toContain('idempotency');
    const { body } = await post(client, { memories });
    const { created, memories: made, failed } = body as Created;
    expect([created, firstWords(made)]).toEqual([4, ['first', 'third', 'fourth', 'fifth']]);
    expect(failed).toEqual([failedItem(1, 'memory_not_found')]);
  });

  it('stops where another process has continued the same request meanwhile', async () => {
    const { client } = await service.createAccount();
    const elsewhere = `{"stored": []}`;
    incident = {
      at: 'fourth',
      happen: (tx) => sql`update idempotency set body = ${elsewhere}::json`.execute(tx),
    };
    const answer = await post(client, { memories });
    incident = null;
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_in_progress' } },
    });
    expect(await stored(client)).toEqual(['first', 'second']);
    expect(((await post(client, { memories })).body as Created).created).toBe(5);
  });

  it('is stored in one transaction with atomic=true', async () => {
    const { client } = await service.createAccount();
    await interrupted(client, 'fifth', '?atomic=true');
    expect(await stored(client)).toEqual([]);
    const again = await post(client, { memories }, 'key', '?atomic=true');
    expect((again.body as Created).created).toBe(5);
  });
});
