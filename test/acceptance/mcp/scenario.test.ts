import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { clientKinds, connectV2 } from './mcp-clients.ts';
import { runTasks } from './scenario.ts';

const topics = [
  ['The lighthouse of Cabo Branco is white.', 'what colour is the lighthouse?'],
  ['Dora pays the rent on the third of each month.', 'when does Dora pay the rent?'],
  ['The staging database runs PostgreSQL 17.', 'which PostgreSQL does staging run?'],
  ['Elif is allergic to peanuts.', 'what is Elif allergic to?'],
  ['The weekly planning is on Tuesday at ten.', 'when is the weekly planning?'],
  ['Farid parks the blue van behind the bakery.', 'where is the blue van?'],
] as const;

describe.each(oneEngine)('Thirty tasks over MCP on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it.each(clientKinds)('succeed with the official client %s', async (_name, connect) => {
    const { key } = await service.createAccount();
    await using mcp = await connect({ url: `${service.url}/mcp`, key });
    expect(await runTasks(mcp)).toBe(30);
  });

  it.each(clientKinds)('succeed with the profile for OpenAI and %s', async (_name, connect) => {
    const { key, client } = await service.createAccount();
    await using mcp = await connect({ url: `${service.url}/mcp?profile=openai`, key });
    const memories = topics.map(([content]) => ({ content }));
    await client.memories.bulkCreate({ body: { memories } });
    let done = 0;
    for (const [content, query] of topics) {
      const { text, structured } = await mcp.call('search', { query });
      expect(JSON.parse(text)).toEqual(structured);
      const [best] = Object(structured).results as { id: string; title: string; url: string }[];
      expect(best).toEqual({ id: best?.id, title: content, url: `mneme://memories/${best?.id}` });
      // As connectors send the id: plain, in a list, as the URL that search returned.
      for (const id of [best?.id, [best?.id], best?.url]) {
        const fetched = await mcp.call('fetch', { id });
        expect(fetched.structured).toMatchObject({ ...best, text: content });
        expect(JSON.parse(fetched.text)).toEqual(fetched.structured);
        done += 1;
      }
      done += 2;
    }
    expect(done).toBe(30);
    expect((await mcp.call('search', { query: 'xylophone quartz' })).structured).toEqual({
      results: [],
    });
  });

  it('leave the tools of other profiles unknown', async () => {
    const { key } = await service.createAccount();
    await using mcp = await connectV2({ url: `${service.url}/mcp?profile=openai`, key });
    expect((await mcp.listTools()).map(({ name }) => name)).toEqual(['search', 'fetch']);
    await expect(mcp.call('recall', { query: 'tea' })).rejects.toThrow(
      /The tools are search, fetch/,
    );
  });
});
