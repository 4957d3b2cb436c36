import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('The messages that memories are derived from on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const store = async (client: Client, derive: 'new' | 'none' | 'all', ...contents: string[]) => {
    const messages = contents.map((content) => ({ role: 'user', content }));
    const { turns, memories } = await client.memories.fromMessages({ body: { messages, derive } });
    return { turns, derived: memories.map(({ content, action }) => [content, action]) };
  };

  it('are none on request, and all later', async () => {
    const client = await fresh();
    const first = await store(client, 'none', 'I prefer tabs.', 'I live in Porto.');
    expect(first.derived).toEqual([]);
    expect((await store(client, 'new', 'I prefer tabs.')).derived).toEqual([]);
    const all = await store(client, 'all', 'I prefer tabs.', 'I live in Porto.');
    expect(all.turns).toEqual(first.turns);
    expect(all.derived).toEqual([
      ['I prefer tabs.', 'added'],
      ['I live in Porto.', 'added'],
    ]);
    const again = await store(client, 'all', 'I prefer tabs.', 'I live in Porto.');
    expect(again.derived.map(([, action]) => action)).toEqual(['unchanged', 'unchanged']);
    expect((await client.account.get()).usage.memories).toBe(4);
  });

  it('are all at the same time without duplicates', async () => {
    const client = await fresh();
    await store(client, 'none', 'I prefer tabs.');
    await Promise.all(Array.from({ length: 4 }, () => store(client, 'all', 'I prefer tabs.')));
    expect((await client.account.get()).usage.memories).toBe(2);
  });

  it('may be of a session that is completed, which stays as it is', async () => {
    const client = await fresh();
    const { id } = await client.cliSessions.create({ body: { name: 'done' } });
    const messages = [{ role: 'user', content: 'I prefer tabs.' }];
    await client.memories.fromMessages({ body: { messages, session_id: id, derive: 'none' } });
    await client.cliSessions.complete({ params: { id } });
    const { memories } = await client.memories.fromMessages({
      body: { messages, session_id: id, derive: 'all' },
    });
    expect(memories.map(({ content }) => content)).toEqual(['I prefer tabs.']);
    expect(memories[0]?.session_id).toBeNull();
  });
});
