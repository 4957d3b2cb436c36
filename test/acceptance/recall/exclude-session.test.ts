import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('A recall without a session on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('leaves out its memories, also as matches and as related ones', async () => {
    const { client } = await service.createAccount();
    const session = await client.cliSessions.create({ body: { name: 'now' } });
    const own = await client.memories.create({
      body: { content: 'The boat is painted blue.', session_id: session.id },
    });
    const other = await client.memories.create({ body: { content: 'The boat is wooden.' } });
    const linked = await client.memories.create({
      body: { content: 'Paula owns it.', session_id: session.id },
    });
    await client.relationships.create({
      params: { memoryId: other.id },
      body: { relationship_type: 'references', target_id: linked.id },
    });
    const recall = async (fields: object) => {
      const body = { query: 'What is the boat like?', threshold: 0, ...fields };
      return client.search.recall({ body });
    };
    const all = await recall({});
    expect(all.memories.map(({ id }) => id).toSorted()).toEqual(
      [own.id, other.id, linked.id].toSorted(),
    );
    const without = await recall({ exclude_session_id: session.id });
    expect(without.memories.map(({ id }) => id)).toEqual([other.id]);
    expect(without.omitted).toEqual([]);
    const unknown = await recall({ exclude_session_id: '019b8d1c-0000-7000-8000-00000000dead' });
    expect(unknown.memories).toHaveLength(3);
  });
});
