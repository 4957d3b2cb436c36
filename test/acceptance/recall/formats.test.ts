import { recallFormats } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { tokenCount } from './context-entries.ts';

describe.each(engines)('The context of a recall, for prompts, on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
  });
  afterAll(() => service.stop());
  type Body = Parameters<Client['search']['recall']>[0]['body'];
  const recall = (body: Body) => client.search.recall({ body });
  const account = async (): Promise<void> => {
    client = (await service.createAccount()).client;
  };
  const converse = async (turns: readonly [role: string, content: string][]): Promise<string[]> => {
    const { id } = await client.cliSessions.create({ body: { name: 'a chat' } });
    const { memories } = await client.cliSessions.postMessages({
      params: { id },
      body: { messages: turns.map(([role, content]) => ({ role, content })) },
    });
    return memories.map((memory) => memory.id);
  };

  it('keeps the turns of a conversation together, in order, with their roles', async () => {
    await account();
    const turns = await converse([
      ['user', 'Which harbour has the ferry to Chios?'],
      ['assistant', 'Piraeus has the ferry to Chios, from gate E2 of the harbour.'],
      ['user', 'Thanks, I take the ferry on Friday.'],
    ]);
    const { id: note } = await createMemory(client, 'The ferry to Chios leaves Piraeus at 20:30.');
    const { context, memories } = await recall({ query: 'ferry to Chios', format: 'json' });
    const given: { id: string; role?: string }[] = JSON.parse(context).memories;
    expect(given.map(({ id }) => id).filter((id) => turns.includes(id))).toEqual(turns);
    expect(given.map(({ role }) => role).filter((role) => role !== undefined)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    const places = given.map(({ id }) => turns.includes(id));
    expect([[true, true, true, false].join(), [false, true, true, true].join()]).toContain(
      places.join(),
    );
    expect(memories.map(({ id }) => id).toSorted()).toEqual([...turns, note].toSorted());
  });

  it.each(recallFormats)('is %s within the budget', async (format) => {
    await account();
    const contents = Array.from(
      { length: 12 },
      (_, i) => `"Tea" no. ${i} <of> Ana & Ben\n\nis hot.`,
    );
    for (const content of contents) await createMemory(client, content);
    for (const max_tokens of [1, 60, 300, 3_000]) {
      const { context, token_count, memories } = await recall({ query: 'tea', format, max_tokens });
      expect(token_count).toBe(tokenCount(context));
      expect(token_count).toBeLessThanOrEqual(max_tokens);
      expect(memories).toHaveLength(context.match(/[0-9a-f-]{36}/g)?.length ?? 0);
      if (max_tokens === 3_000) expect(memories).toHaveLength(12);
    }
  });

  it('is empty in every format where nothing matches', async () => {
    await account();
    for (const format of recallFormats) {
      expect((await recall({ query: 'tea', format })).context).toBe('');
    }
  });

  it('tells which of the best matches were left out, and why', async () => {
    await account();
    const long = 'The ferry to Chios leaves Piraeus at 20:30. '.repeat(30);
    const { id: best } = await createMemory(client, long);
    const { id: other } = await createMemory(client, 'Another ferry to Chios leaves Lavrio.');
    const query = 'ferry to Chios Piraeus';
    const cut = await recall({ query, max_tokens: 80, threshold: 0 });
    expect(cut.memories.map(({ id }) => id)).toEqual([best]);
    expect(cut.omitted).toEqual([{ memory_id: other, reason: 'budget' }]);
    const strict = await recall({ query, threshold: 1 });
    expect([strict.memories, strict.truncated]).toEqual([[], false]);
    expect(strict.omitted).toEqual([
      { memory_id: best, reason: 'score' },
      { memory_id: other, reason: 'score' },
    ]);
    const all = await recall({ query, threshold: 0 });
    expect(all.omitted).toEqual([]);
  });

  it('gives what held before to a question about the past, marked as outdated', async () => {
    await account();
    const { id: munich } = await createMemory(client, 'I live in Munich.');
    const { id: berlin } = await createMemory(client, 'I live in Berlin.', {
      supersedes: [munich],
    });
    const now = await recall({ query: 'where do I live?' });
    expect(now.memories.map(({ id }) => id)).toEqual([berlin]);
    const before = await recall({ query: 'where did I live before Berlin?' });
    expect(before.memories).toHaveLength(2);
    const outdated = before.memories.find(({ id }) => id === munich);
    expect(outdated?.outdated_by).toBe(berlin);
    expect(before.context).toContain(`[${munich}] ${outdated?.created_at.slice(0, 10)}, outdated`);
  });
});
