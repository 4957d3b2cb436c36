import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { type Connection, clientKinds, connectV2, idsIn } from './mcp-clients.ts';

describe.each(engines)('The tools of the MCP server on %s', (engine) => {
  let service: Service;
  let to: Connection;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const account = async (): Promise<void> => {
    const created = await service.createAccount();
    client = created.client;
    to = { url: `${service.url}/mcp`, key: created.key };
  };

  it.each(clientKinds)('work with the official client %s', async (_name, connect, protocol) => {
    await account();
    await using mcp = await connect(to);
    expect(mcp.protocol).toBe(protocol);
    const names = (await mcp.listTools()).map(({ name }) => name);
    expect(names).toEqual(['recall', 'remember', 'read', 'about', 'forget']);

    const stored = await mcp.call('remember', {
      content: 'Ana prefers tea over coffee.',
      tags: ['drinks'],
      when: '2026-01-05',
    });
    expect(stored.isError).toBe(false);
    const [id = ''] = idsIn(stored.text);
    expect(stored.structured).toEqual({ id, existed: false, supersedes: [], may_supersede: [] });
    const again = await mcp.call('remember', { content: 'Ana prefers tea over coffee.' });
    expect(again.structured).toEqual({ id, existed: true });

    const recalled = await mcp.call('recall', { query: 'what does Ana drink?' });
    expect(recalled).toEqual({
      text: `[${id}] 2026-01-05 Ana prefers tea over coffee.\n`,
      isError: false,
      structured: undefined,
    });
    const full = await mcp.call('read', { ids: [id] });
    expect(full.text).toBe(
      `[${id}] 2026-01-05T00:00:00.000Z · tags: drinks\nAna prefers tea over coffee.`,
    );
    expect(await mcp.readResource(`mneme://memories/${id}`)).toBe('Ana prefers tea over coffee.');
    expect(await mcp.getPrompt('context', { topic: 'drinks of Ana' })).toContain(`[${id}]`);

    expect((await mcp.call('forget', { ids: [id] })).structured).toEqual({ forgotten: [id] });
    expect((await mcp.call('recall', { query: 'what does Ana drink?' })).text).toBe(
      'No memory matches.',
    );
    expect((await client.memories.get({ params: { id } })).is_deleted).toBe(true);
  });

  it('tell the facts of an entity at a time in the world and of the knowledge', async () => {
    await account();
    await using mcp = await connectV2(to);
    await mcp.call('remember', { content: 'Ana Costa works at Acme.', when: '2024-03-01' });
    const { extractionWorker } = service.running.context;
    await extractionWorker.drain();
    const known = new Date().toISOString();
    await mcp.call('remember', {
      content: 'Ana Costa no longer works at Acme. Ana Costa works at Initech.',
      when: '2025-06-01',
    });
    await extractionWorker.drain();
    const now = await mcp.call('about', { name: 'ana costa' });
    expect(now.text).toMatch(/^Ana Costa \(person\), \d{4}-\d\d-\d\d:\n/);
    expect(now.text).toContain('Initech');
    expect(now.text).not.toMatch(/Acme/);
    const then = await mcp.call('about', { name: 'Ana Costa', as_of: '2024-05-01' });
    expect(then.text).toContain('Acme');
    const before = await mcp.call('about', { name: 'Ana Costa', known_at: known });
    expect(before.text).toContain('Acme');
    expect(before.text).not.toContain('Initech');
    const nobody = await mcp.call('about', { name: 'Zed' });
    expect(nobody).toMatchObject({
      text: 'Nothing is known about Zed. Try recall.',
      isError: false,
    });
  });

  it('report what a new memory supersedes', async () => {
    await account();
    await using mcp = await connectV2(to);
    const old = await mcp.call('remember', { content: 'I live in Munich.' });
    const [oldId = ''] = idsIn(old.text);
    const { text, structured } = await mcp.call('remember', {
      content: 'I moved from Munich to Berlin and no longer live in Munich.',
    });
    expect(structured?.may_supersede).toEqual([oldId]);
    expect(text).toContain(`It may outdate [${oldId}]`);
  });

  it('show links, and which memories are outdated, current ones first', async () => {
    await account();
    await using mcp = await connectV2(to);
    const { id: munich } = await client.memories.create({ body: { content: 'I live in Munich.' } });
    const { id: berlin } = await client.memories.create({
      body: { content: 'I live in Berlin.', supersedes: [munich] },
    });
    const past = await mcp.call('recall', { query: 'where did I live before Berlin?' });
    expect(idsIn(past.text)).toEqual([berlin, munich]);
    expect(past.text).toMatch(/\] \d{4}-\d\d-\d\d \(outdated\) I live in Munich\.\n$/);
    const { text } = await mcp.call('read', { ids: [munich, berlin] });
    expect(text).toContain(`outdated by [${berlin}]`);
    expect(text).toContain(`links: supersedes [${munich}]`);
  });

  it('keep protected memories, and say what to do', async () => {
    await account();
    await using mcp = await connectV2(to);
    const { id: hard } = await client.memories.create({
      body: { content: 'The key is under the stone.', protection_level: 'hard' },
    });
    const { id: free } = await client.memories.create({ body: { content: 'A free one.' } });
    const answer = await mcp.call('forget', { ids: [hard, free] });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/^Forgot 1\.\n\[.{36}\] memory_protected: .*ask them/);
    expect(answer.structured).toMatchObject({ forgotten: [free] });
    expect((await client.memories.get({ params: { id: hard } })).is_deleted).toBe(false);
  });

  it('find memories of a period and with tags', async () => {
    await account();
    await using mcp = await connectV2(to);
    const store = async (content: string, when: string, tags: string[]): Promise<string> =>
      idsIn((await mcp.call('remember', { content, when, tags })).text)[0] ?? '';
    const march = await store('The ferry to Chios left at 20:30.', '2026-03-31T18:00:00Z', ['a']);
    const april = await store('The ferry to Chios left at 21:00.', '2026-04-02', ['a', 'b']);
    const { text: plain } = await mcp.call('remember', { content: 'The ferry to Chios is late.' });
    const query = 'ferry to Chios';
    const idsOf = async (args: Record<string, unknown>): Promise<string[]> =>
      idsIn((await mcp.call('recall', { query, ...args })).text);
    expect(await idsOf({ until: '2026-03-31' })).toEqual([march]);
    expect(await idsOf({ since: '2026-04-01', until: '2026-05-01' })).toEqual([april]);
    expect(await idsOf({ since: '2026-05-01' })).toEqual(idsIn(plain));
    expect(await idsOf({ tags: ['a', 'b'] })).toEqual([april]);
  });
});
