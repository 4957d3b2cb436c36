import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { onlySessionOfKey, searchWithSession, withoutTimers } from './session-requests.ts';

const formats = ['markdown', 'json', 'csv', 'html'] as const;

describe.each(engines)('Memories of an activation session on %s', (engine) => {
  let service: Service;
  const clock = withoutTimers(createFakeClock());
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** Asserts that each read shows these memories of these contents, and none of the absent. */
  async function expectShown(
    client: Client,
    id: string,
    shown: readonly { id: string; content: string; tags: readonly string[] }[],
    absent: readonly { id: string; content: string }[],
  ): Promise<void> {
    const ids = shown.map((memory) => memory.id);
    const params = { id };
    const count = { id, memory_count: ids.length };
    expect((await client.sessions.list()).data).toContainEqual(expect.objectContaining(count));
    expect((await client.sessions.active()).data).toContainEqual(expect.objectContaining(count));
    const session = await client.sessions.get({ params });
    expect(session).toMatchObject({ ...count, memory_ids: ids });
    const { data, pagination } = await client.sessions.memories({ params });
    expect(data.map((memory) => memory.id)).toEqual(ids);
    expect(pagination.total).toBe(ids.length);
    const report = await client.sessions.report({ params });
    expect(report.session).toEqual(session);
    expect(report.memories.map((memory) => memory.id)).toEqual(ids);
    expect(report.timeline.map((entry) => entry.memory_id)).toEqual(ids);
    const tags = report.top_tags.map(({ tag }) => tag).toSorted();
    expect(tags).toEqual([...new Set(shown.flatMap((memory) => memory.tags))].toSorted());
    for (const format of formats) {
      const path = `/sessions/${id}/export?format=${format}`;
      const { body } = await client.request({ method: 'GET', path });
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      for (const memory of shown) expect(text).toContain(memory.content);
      for (const memory of absent) {
        expect(text).not.toContain(memory.content);
        expect(text).not.toContain(memory.id);
      }
    }
  }

  it('are shown as far as the key may see them', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const blue = await client.spaces.create({ body: { name: 'blue' } });
    const inRed = await createMemory(client, 'tea in red', { space_id: red.id, tags: ['r'] });
    const inBlue = await createMemory(client, 'tea in blue', { space_id: blue.id, tags: ['b'] });
    const inNone = await createMemory(client, 'tea in none', { tags: ['n'] });
    await searchWithSession(client, 'k', '"tea in"');
    const limitedTo = async (space_ids: string[]): Promise<Client> =>
      service.client((await client.keys.create({ body: { name: 'limited', space_ids } })).key);
    const { id, memory_ids } = await onlySessionOfKey(client, 'k');
    const inOrder = <T extends { id: string }>(memories: T[]): T[] =>
      memories.toSorted((a, b) => memory_ids.indexOf(a.id) - memory_ids.indexOf(b.id));
    await expectShown(client, id, inOrder([inRed, inBlue, inNone]), []);
    await expectShown(await limitedTo([red.id]), id, [inRed], [inBlue, inNone]);
    await expectShown(await limitedTo(['default']), id, [inNone], [inRed, inBlue]);
    const two = await limitedTo([red.id, blue.id]);
    await expectShown(two, id, inOrder([inRed, inBlue]), [inNone]);
    const third = await client.spaces.create({ body: { name: 'third' } });
    await expectShown(await limitedTo([third.id]), id, [], [inRed, inBlue, inNone]);
  });

  it('go with a soft delete, also before anything is written, and return', async () => {
    const { client } = await service.createAccount();
    const tea = await createMemory(client, 'tea is hot', { tags: ['t'] });
    const sea = await createMemory(client, 'sea is cold', { tags: ['s'] });
    await searchWithSession(client, 'k', '"tea is"');
    await searchWithSession(client, 'k', '"sea is"');
    await client.memories.remove({ params: { id: tea.id }, query: { soft: true } });
    const { id } = await onlySessionOfKey(client, 'k');
    await expectShown(client, id, [sea], [tea]);
    await client.memories.restore({ params: { id: tea.id } });
    await expectShown(client, id, [tea, sea], []);
    await client.memories.remove({ params: { id: tea.id }, query: { soft: true } });
    await expectShown(client, id, [sea], [tea]);
    await client.memories.restore({ params: { id: tea.id } });
    await expectShown(client, id, [tea, sea], []);
  });

  it('go with a permanent delete, also before anything is written', async () => {
    const { client } = await service.createAccount();
    const make = (word: string) => createMemory(client, `the ${word} is old`);
    const [tea, sea, fog] = [await make('tea'), await make('sea'), await make('fog')];
    const [oak, owl] = [await make('oak'), await make('owl')];
    await searchWithSession(client, 'k', '"the tea"');
    await searchWithSession(client, 'k', '"the sea"');
    await client.memories.remove({ params: { id: tea.id } });
    const { id } = await onlySessionOfKey(client, 'k');
    await expectShown(client, id, [sea], [tea]);
    await searchWithSession(client, 'k', '"the fog"');
    await searchWithSession(client, 'k', '"the oak"');
    await searchWithSession(client, 'k', '"the owl"');
    await client.memories.bulkDelete({ body: { ids: [fog.id] } });
    await expectShown(client, id, [sea, oak, owl], [tea, fog]);
    await client.memories.bulkDelete({ body: { ids: [oak.id] } });
    await expectShown(client, id, [sea, owl], [tea, fog, oak]);
    await service.running.context.worker.drain();
    await expectShown(client, id, [sea, owl], [tea, fog, oak]);
    await client.memories.remove({ params: { id: sea.id } });
    await client.memories.remove({ params: { id: owl.id } });
    await expectShown(client, id, [], [tea, sea, fog, oak, owl]);
  });

  it('go when they move to a space that the key may not use', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const tea = await createMemory(client, 'tea is hot', { space_id: red.id });
    const body = { name: 'limited', space_ids: [red.id] };
    const limited = service.client((await client.keys.create({ body })).key);
    await searchWithSession(limited, 'k', 'tea');
    const { id } = await onlySessionOfKey(limited, 'k');
    await expectShown(limited, id, [tea], []);
    await client.memories.update({ params: { id: tea.id }, body: { space_id: null } });
    await expectShown(limited, id, [], [tea]);
    await expectShown(client, id, [tea], []);
  });
});
