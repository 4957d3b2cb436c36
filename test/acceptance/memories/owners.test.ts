import { type Memory, ownerNames } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createForm, parseJson, uploadForm } from '../media/http-requests.ts';
import { absentId, createMemory, expectError, failedItem, idsOf } from './memory-requests.ts';

const ana = { user_id: 'ana' };
const ben = { user_id: 'ben' };
type OwnerFilter = { readonly [name in (typeof ownerNames)[number]]?: string };
const ownerOf = (memory: Pick<Memory, (typeof ownerNames)[number]>) =>
  ownerNames.map((name) => memory[name]);

describe.each(engines)('owners of memories on %s', (engine) => {
  let service: Service;
  let client: Client;
  let key: string;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const account = async (): Promise<void> => {
    ({ client, key } = await service.createAccount());
  };

  it('are stored by every kind of write, and shown', async () => {
    await account();
    const owner = { user_id: 'ana@example.com', agent_id: 'travel/2', run_id: 'run:7_a.b-c' };
    const whole = Object.values(owner);
    const memory = await createMemory(client, 'Ana prefers tea.', owner);
    expect(ownerOf(memory)).toEqual(whole);
    expect(ownerOf(await client.memories.get({ params: { id: memory.id } }))).toEqual(whole);
    expect(ownerOf(await createMemory(client, 'Nobody owns this.'))).toEqual([null, null, null]);
    const { memories } = await client.memories.bulkCreate({
      body: { memories: [{ content: 'Bulk.', agent_id: 'a' }] },
    });
    expect(memories.map(ownerOf)).toEqual([[null, 'a', null]]);
    const session = await client.cliSessions.create({ body: { name: 'chat' } });
    const messages = [{ role: 'user', content: 'Hello.', ...owner }];
    const posted = await client.cliSessions.postMessages({
      params: { id: session.id },
      body: { messages },
    });
    expect(posted.memories.map(ownerOf)).toEqual([whole]);
    const form = createForm(Buffer.from('A note.'), owner, { filename: 'note.txt' });
    expect(ownerOf(parseJson(await uploadForm({ url: service.url, key }, form)))).toEqual(whole);
    const [created] = (await client.events.list({ query: { type: 'memory.created' } })).data;
    expect(created?.data).toMatchObject(owner);
  });

  it.each([
    ['an empty text', '', 'invalid_range'],
    ['129 characters', 'x'.repeat(129), 'field_too_long'],
    ['a space', 'a b', 'invalid_format'],
    ['another letter', 'zoë', 'invalid_format'],
    ['a number', 7, 'invalid_type'],
    ['null', null, 'invalid_type'],
  ])('refuse %s', async (_title, value, code) => {
    await account();
    for (const name of ownerNames) {
      const body = { content: 'x', [name]: value };
      const answer = await client.request({ method: 'POST', path: '/memories', body });
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { [name]: { code } } } } },
      });
    }
  });

  it('take 128 characters, and do not change', async () => {
    await account();
    const user_id = 'x'.repeat(128);
    const { id } = await createMemory(client, 'Long.', { user_id });
    const params = { id };
    const refused = await client.request({ method: 'PATCH', path: `/memories/${id}`, body: ana });
    expect(refused).toMatchObject({ status: 422 });
    await client.memories.update({ params, body: { content: 'Longer.', tags: ['x'] } });
    await client.memories.update({ params, body: { priority: 3 } });
    expect((await client.memories.get({ params })).user_id).toBe(user_id);
    const { results } = await client.search.get({ query: { q: 'longer', user_id } });
    expect(results).toMatchObject([{ id, user_id, agent_id: null, run_id: null }]);
  });

  it('filter every list and search', async () => {
    await account();
    const tags = ['drink'];
    const content = (name: string) => `${name} drinks tea in the morning.`;
    const { id: first } = await createMemory(client, content('Ana'), { ...ana, tags });
    const { id: second } = await createMemory(client, content('Anna'), {
      ...ana,
      agent_id: 'cook',
      run_id: 'r1',
      tags,
    });
    await createMemory(client, content('Ben'), { ...ben, tags });
    await createMemory(client, content('Somebody'), { tags });
    const q = 'who drinks tea';
    const ways: Record<string, (owner: OwnerFilter) => Promise<readonly string[]>> = {
      list: async (owner) => idsOf((await client.memories.list({ query: owner })).data),
      'sorted list': async (owner) =>
        idsOf((await client.memories.list({ query: { sort: 'salience', ...owner } })).data),
      'GET /search': async (owner) =>
        (await client.search.get({ query: { q, ...owner } })).results.map(({ id }) => id),
      'POST /search': async (owner) =>
        (await client.search.post({ body: { q, ...owner } })).results.map(({ id }) => id),
      batch: async (owner) => {
        const { results } = await client.search.batch({ body: { queries: [{ q, ...owner }] } });
        return results.flatMap((one) => ('results' in one ? one.results.map(({ id }) => id) : []));
      },
      recall: async (owner) =>
        (await client.search.recall({ body: { query: q, ...owner } })).memories.map(({ id }) => id),
      aggregate: async (owner) => {
        const query = { query: q, group_by: 'tags', threshold: 0, ...owner } as const;
        const { groups } = await client.search.aggregate({ query });
        return groups.flatMap(({ top }) => top.map(({ id }) => id));
      },
      topic: async (owner) =>
        (await client.search.topic({ query: { topic: 'drink', ...owner } })).memories.map(
          ({ id }) => id,
        ),
      global: async (owner) =>
        (await client.search.global({ query: { q: 'drinks', ...owner } })).results.memory.map(
          ({ id }) => id,
        ),
    };
    for (const [way, find] of Object.entries(ways)) {
      const found = async (owner: OwnerFilter) => [way, (await find(owner)).toSorted()];
      const most = way === 'aggregate' ? 3 : 4;
      expect((await found({}))[1]).toHaveLength(most);
      expect(await found(ana)).toEqual([way, [first, second].toSorted()]);
      expect(await found({ ...ana, agent_id: 'cook' })).toEqual([way, [second]]);
      expect(await found({ run_id: 'r1' })).toEqual([way, [second]]);
      expect(await found({ ...ben, run_id: 'r1' })).toEqual([way, []]);
      expect(await found({ user_id: absentId })).toEqual([way, []]);
    }
    const similar = await client.search.similar({ params: { memoryId: first }, query: ana });
    expect(similar.results.map(({ memory }) => memory.id)).toEqual([second]);
  });

  it('filter the memories of sessions of both kinds', async () => {
    await account();
    const { id } = await client.cliSessions.create({ body: { name: 'chat' } });
    const messages = [
      { role: 'user', content: 'Ana drinks green tea.', ...ana, run_id: 'r1' },
      { role: 'user', content: 'Ben drinks black tea.', ...ben },
      { role: 'assistant', content: 'Somebody drinks tea, too.' },
      { role: 'user', content: 'Ana drinks white tea.', ...ana, agent_id: 'cook' },
    ];
    const params = { id };
    const { memories } = await client.cliSessions.postMessages({ params, body: { messages } });
    await client.search.get({ query: { q: 'tea', session: 'tea', limit: 100 } });
    const [found] = (await client.sessions.list()).data;
    const lists = {
      chat: (query: OwnerFilter & { limit?: number }) =>
        client.cliSessions.memories({ params, query }),
      found: (query: OwnerFilter & { limit?: number }) =>
        client.sessions.memories({ params: { id: found?.id ?? '' }, query }),
    };
    const [green, , , white] = idsOf(memories);
    for (const [kind, list] of Object.entries(lists)) {
      const listed = async (owner: OwnerFilter) => {
        const { data, pagination } = await list(owner);
        expect(pagination.total).toBe(data.length);
        return [kind, idsOf(data).toSorted()];
      };
      expect((await listed({}))[1]).toHaveLength(4);
      expect(await listed(ana)).toEqual([kind, [green, white].toSorted()]);
      expect(await listed({ ...ana, agent_id: 'cook' })).toEqual([kind, [white]]);
      expect(await listed({ run_id: 'r1' })).toEqual([kind, [green]]);
      expect(await listed({ ...ben, run_id: 'r1' })).toEqual([kind, []]);
      const page = await list({ ...ana, limit: 1 });
      expect(page).toMatchObject({ data: [{ ...ana }], pagination: { total: 2, has_more: true } });
    }
  });

  it('are a filter of erasures: everything of one user', async () => {
    await account();
    await createMemory(client, 'One of Ana.', ana);
    const { id: deleted } = await createMemory(client, 'Two of Ana.', ana);
    await client.memories.remove({ params: { id: deleted }, query: { soft: true } });
    const { id: kept } = await createMemory(client, 'One of Ben.', ben);
    const dry = await client.memories.erase({ body: { filter: ana, dry_run: true } });
    expect(dry).toMatchObject({ count: 2 });
    const token = 'token' in dry ? dry.token : '';
    await client.memories.erase({ body: { filter: ana, token } });
    await service.running.context.worker.drain();
    const { data } = await client.memories.list({ query: { include_deleted: true } });
    expect(idsOf(data)).toEqual([kept]);
  });

  it('may store the same content, each once', async () => {
    await account();
    const content = 'The kettle is blue.';
    const owners = [{}, ana, ben, { ...ana, agent_id: 'a' }, { ...ana, run_id: 'a' }];
    const ids: string[] = [];
    for (const owner of owners) ids.push((await createMemory(client, content, owner)).id);
    for (const [i, owner] of owners.entries()) {
      const error = await expectError(createMemory(client, content, owner));
      expect(error).toMatchObject({ code: 'duplicate_memory', details: { memory_id: ids[i] } });
    }
    const twice = [
      { content: 'The pot is red.', ...ana },
      { content: 'The pot is red.', ...ben },
    ];
    const { created, failed } = await client.memories.bulkCreate({
      body: { memories: [...twice, ...twice] },
    });
    expect(created).toBe(2);
    expect(failed).toEqual([failedItem(2, 'duplicate_memory'), failedItem(3, 'duplicate_memory')]);
  });
});
