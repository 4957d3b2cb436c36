import type { DerivedMemory, Memory } from '@mneme/contract';
import { type Client, paginate } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectError, idsOf, listEvents, searchIds } from '../memories/memory-requests.ts';

interface Message {
  readonly role: string;
  readonly name?: string;
  readonly content: string;
  readonly occurred_at?: string;
}
const said = (content: string, fields: Partial<Message> = {}): Message => ({
  role: 'user',
  content,
  ...fields,
});

const contentsOf = (memories: readonly DerivedMemory[]): [string, string][] =>
  memories.map(({ content, action }) => [content, action]);

describe.each(engines)('POST /memories/from-messages on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const tell = (client: Client, messages: readonly Message[], fields: object = {}) =>
    client.memories.fromMessages({ body: { messages: [...messages], ...fields } });
  const stored = async (client: Client): Promise<Memory[]> => {
    const all: Memory[] = [];
    const pages = paginate((place) => client.memories.list({ query: { limit: 100, ...place } }));
    for await (const memory of pages) all.push(memory);
    return all.toReversed();
  };

  it('stores each message as a turn, and what people state as memories linked to it', async () => {
    const client = await fresh();
    const { turns, memories } = await tell(
      client,
      [
        said('Hi! I am allergic to peanuts. What can I cook?', { name: 'Ana' }),
        said('I like Thai curry.', { role: 'assistant' }),
        said('OK, we decided to cook on Sundays.', {
          occurred_at: '2026-03-01T10:00:00Z',
        }),
      ],
      { user_id: 'ana', agent_id: 'cook' },
    );
    const read = await Promise.all(turns.map((id) => client.memories.get({ params: { id } })));
    expect(read).toMatchObject([
      {
        content: 'Hi! I am allergic to peanuts. What can I cook?',
        metadata: { role: 'user', speaker: 'Ana' },
        tags: [],
        user_id: 'ana',
        agent_id: 'cook',
      },
      { content: 'I like Thai curry.', metadata: { role: 'assistant' } },
      { occurred_at: '2026-03-01T10:00:00.000Z' },
    ]);
    expect(memories).toMatchObject([
      {
        content: 'I am allergic to peanuts.',
        tags: ['fact'],
        metadata: { kind: 'fact', speaker: 'Ana' },
        user_id: 'ana',
        agent_id: 'cook',
        source_ids: [turns[0]],
        action: 'added',
      },
      {
        content: 'We decided to cook on Sundays.',
        tags: ['decision'],
        metadata: { kind: 'decision' },
        occurred_at: '2026-03-01T10:00:00.000Z',
        source_ids: [turns[2]],
        action: 'added',
      },
    ]);
    const [peanuts] = memories;
    const params = { memoryId: peanuts?.id ?? '' };
    const { outgoing } = await client.relationships.list({ params });
    expect(outgoing).toMatchObject([{ type: 'derived_from', target_id: turns[0] }]);
    expect(await searchIds(client, 'allergic to peanuts')).toContain(peanuts?.id);
    const [created] = await listEvents(client, 'memory.bulk_created');
    expect(created?.data).toMatchObject({ ids: [...turns, ...idsOf(memories)], count: 5 });
  });

  it('stores a message once, however often it is sent, and brings nothing back', async () => {
    const client = await fresh();
    const messages = [said('I live in Lisbon.'), said('ok'), said('ok'), said('My dog is old.')];
    const first = await tell(client, messages);
    expect(new Set(first.turns).size).toBe(4);
    const again = await tell(client, messages);
    expect(again.turns).toEqual(first.turns);
    expect(contentsOf(again.memories)).toEqual([
      ['I live in Lisbon.', 'unchanged'],
      ['My dog is old.', 'unchanged'],
    ]);
    expect(idsOf(again.memories)).toEqual(idsOf(first.memories));
    const longer = await tell(client, [...messages, said('I own a red bicycle.')]);
    expect(longer.turns.slice(0, 4)).toEqual(first.turns);
    expect(contentsOf(longer.memories).at(-1)).toEqual(['I own a red bicycle.', 'added']);
    expect(await stored(client)).toHaveLength(8);
    await client.memories.remove({ params: { id: first.memories[0]?.id ?? '' } });
    const afterwards = await tell(client, messages);
    expect(contentsOf(afterwards.memories)).toEqual([['My dog is old.', 'unchanged']]);
    expect(await stored(client)).toHaveLength(7);
  });

  it('stores messages once for requests at the same time', async () => {
    const client = await fresh();
    const messages = [said('I work as a nurse.'), said('I prefer night shifts.')];
    const responses = await Promise.all(Array.from({ length: 4 }, () => tell(client, messages)));
    for (const { turns, memories } of responses) {
      expect(turns).toEqual(responses[0]?.turns);
      expect(idsOf(memories)).toEqual(idsOf(responses[0]?.memories ?? []));
    }
    expect(await stored(client)).toHaveLength(4);
  });

  it('knows what was stated before, also with other punctuation, and links it again', async () => {
    const client = await fresh();
    const first = await tell(client, [said('I prefer tea over coffee.')]);
    const second = await tell(client, [said('Well, I prefer tea over coffee!')]);
    expect(contentsOf(second.memories)).toEqual([['I prefer tea over coffee.', 'unchanged']]);
    expect(idsOf(second.memories)).toEqual(idsOf(first.memories));
    expect(second.memories[0]?.source_ids).toEqual(second.turns);
    const params = { memoryId: first.memories[0]?.id ?? '' };
    const { outgoing = [] } = await client.relationships.list({ params });
    expect(outgoing.map(({ target_id: id }) => id).toSorted()).toEqual(
      [...first.turns, ...second.turns].toSorted(),
    );
  });

  it('supersedes another value of the same, and the first value when it holds again', async () => {
    const client = await fresh();
    const lisbon = await tell(client, [said('I live in Lisbon.')]);
    const porto = await tell(client, [said('I moved to Porto.')]);
    expect(contentsOf(porto.memories)).toEqual([['I moved to Porto.', 'updated']]);
    const outdatedBy = async (id = '') =>
      (await client.memories.get({ params: { id } })).outdated_by;
    expect(await outdatedBy(lisbon.memories[0]?.id)).toBe(porto.memories[0]?.id);
    const back = await tell(client, [said('Hm.'), said('Now, I live in Lisbon.')]);
    expect(contentsOf(back.memories)).toEqual([['I live in Lisbon.', 'updated']]);
    expect(back.memories[0]?.id).not.toBe(lisbon.memories[0]?.id);
    expect(await outdatedBy(porto.memories[0]?.id)).toBe(back.memories[0]?.id);
    expect(await outdatedBy(lisbon.memories[0]?.id)).toBe(back.memories[0]?.id);
  });

  it('takes what was outdated and is stated again later as a new memory', async () => {
    const client = await fresh();
    const likes = 'I like coffee.';
    const { memories: first } = await tell(client, [said(likes)]);
    const supersedes = idsOf(first);
    await client.memories.create({ body: { content: 'Coffee is over.', supersedes } });
    const old = await tell(client, [said(likes, { occurred_at: '2020-01-01T00:00:00Z' })]);
    expect([contentsOf(old.memories), idsOf(old.memories)]).toEqual([
      [[likes, 'unchanged']],
      idsOf(first),
    ]);
    const again = await tell(client, [said(`Well, ${likes}`)]);
    expect(contentsOf(again.memories)).toEqual([[likes, 'added']]);
    expect(again.memories[0]?.outdated_by).toBeNull();
    const twice = await tell(client, [said(`Yes, ${likes}`)]);
    expect([contentsOf(twice.memories), idsOf(twice.memories)]).toEqual([
      [[likes, 'unchanged']],
      idsOf(again.memories),
    ]);
  });

  it('compares with what an edited memory says now', async () => {
    const client = await fresh();
    const ana = { name: 'Ana' };
    const { memories } = await tell(client, [said('I live in Lisbon.', ana)]);
    const params = { id: memories[0]?.id ?? '' };
    await client.memories.update({ params, body: { content: 'I live in Porto.' } });
    const { memories: again } = await tell(client, [said('Hm. I live in Lisbon.', ana)]);
    expect(contentsOf(again)).toEqual([['I live in Lisbon.', 'updated']]);
    const edited = await client.memories.get({ params });
    expect(edited).toMatchObject({ content: 'I live in Porto.', outdated_by: again[0]?.id });
  });

  it('knows what is protected', async () => {
    const client = await fresh();
    const { memories } = await tell(client, [said('I prefer tea over coffee.')]);
    const params = { id: memories[0]?.id ?? '' };
    await client.memories.protect({ params, body: { protection_level: 'hard' } });
    const again = await tell(client, [said('Well, I prefer tea over coffee!')]);
    expect([contentsOf(again.memories), idsOf(again.memories)]).toEqual([
      [['I prefer tea over coffee.', 'unchanged']],
      [params.id],
    ]);
  });

  it('finds what is known among nearer statements of many other users', async () => {
    const client = await fresh();
    const users = Array.from({ length: 60 }, (_, i) => ({
      content: 'I moved to Porto.',
      tags: ['fact'],
      user_id: `user-${i}`,
    }));
    await client.memories.bulkCreate({ body: { memories: users } });
    const { memories: known } = await tell(client, [said('I live in Lisbon, near the river.')]);
    const { memories: moved } = await tell(client, [said('I moved to Porto.')]);
    expect(contentsOf(moved)).toEqual([['I moved to Porto.', 'updated']]);
    const params = { id: known[0]?.id ?? '' };
    expect(await client.memories.get({ params })).toMatchObject({ outdated_by: moved[0]?.id });
  });

  it('supersedes nothing later, protected, or of another speaker', async () => {
    const client = await fresh();
    const at = (day: string) => ({ occurred_at: `2026-${day}T00:00:00Z` });
    const later = await tell(client, [said('I live in Lisbon.', at('05-01'))]);
    const earlier = await tell(client, [said('I live in Porto.', at('04-01'))]);
    expect(contentsOf(earlier.memories)).toEqual([['I live in Porto.', 'added']]);
    for (const { id } of [...later.memories, ...earlier.memories]) {
      const body = { protection_level: 'soft' } as const;
      await client.memories.protect({ params: { id }, body });
    }
    const third = await tell(client, [said('I live in Braga.', at('06-01'))]);
    const other = await tell(client, [said('I live in Faro.', { name: 'Ben', ...at('07-01') })]);
    for (const { memories } of [third, other]) expect(memories[0]?.action).toBe('added');
    const all = await stored(client);
    expect(all.map(({ outdated_by: id }) => id)).toEqual(all.map(() => null));
  });

  it('keeps equal sentences of several speakers apart', async () => {
    const client = await fresh();
    const sentence = 'I am a vegetarian.';
    const { memories } = await tell(client, [
      said(sentence, { name: 'Ana' }),
      said(sentence, { name: 'Ben' }),
      said('Hm.', { name: 'Ana' }),
      said(`Well, ${sentence}`, { name: 'Ana' }),
    ]);
    expect(memories.map(({ source_ids: ids }) => ids.length)).toEqual([2, 1]);
    expect(memories.map(({ metadata }) => metadata.speaker)).toEqual(['Ana', 'Ben']);
  });

  it('keeps owners and spaces apart', async () => {
    const client = await fresh();
    const { id: space_id } = await client.spaces.create({ body: { name: 'work' } });
    const messages = [said('I live in Lisbon.')];
    const responses = [
      await tell(client, messages),
      await tell(client, messages, { user_id: 'ana' }),
      await tell(client, messages, { user_id: 'ana', run_id: 'r' }),
      await tell(client, messages, { space_id }),
    ];
    expect(new Set(responses.flatMap(({ turns }) => turns)).size).toBe(4);
    for (const { memories } of responses) expect(memories[0]?.action).toBe('added');
    const moved = await tell(client, [said('I moved to Porto.')], { user_id: 'ana' });
    expect(moved.memories[0]?.action).toBe('updated');
    const outdated = (await stored(client)).filter(({ outdated_by: id }) => id !== null);
    expect(idsOf(outdated)).toEqual(idsOf(responses[1]?.memories ?? []));
  });

  it('adds the turns to a session that is active, and what they state to none', async () => {
    const client = await fresh();
    const { id: space_id } = await client.spaces.create({ body: { name: 'work' } });
    const session = await client.cliSessions.create({ body: { name: 'chat', space_id } });
    const messages = [said('I live in Lisbon.')];
    const { turns, memories } = await tell(client, messages, { session_id: session.id });
    const turn = await client.memories.get({ params: { id: turns[0] ?? '' } });
    expect(turn).toMatchObject({ session_id: session.id, space_id });
    expect(memories).toMatchObject([{ session_id: null, space_id }]);
    const params = { id: session.id };
    expect(await client.cliSessions.get({ params })).toMatchObject({ message_count: 1 });
    await client.cliSessions.complete({ params, body: {} });
    // What is stored already is no change of the session.
    expect((await tell(client, messages, { session_id: session.id })).turns).toEqual(turns);
    const error = await expectError(tell(client, [said('Hi.')], { session_id: session.id }));
    expect(error).toMatchObject({ status: 409, code: 'invalid_state_transition' });
  });

  it('stores all or nothing, and names the message', async () => {
    const client = await fresh();
    const tooLarge = await expectError(
      tell(client, [said('I live in Lisbon.'), said('x'.repeat(1_048_577))]),
    );
    expect(tooLarge).toMatchObject({
      status: 422,
      code: 'content_too_large',
      details: { index: 1 },
    });
    await client.account.update({ body: { settings: { daily_memory_limit: 2 } } });
    const limited = await expectError(
      tell(client, [said('I live in Lisbon.'), said('I own a red bicycle.')]),
    );
    expect(limited).toMatchObject({ code: 'daily_limit_exceeded' });
    expect(await stored(client)).toEqual([]);
  });

  it('refuses what is no conversation, and names the field', async () => {
    const client = await fresh();
    const tooMany = Array.from({ length: 101 }, (_, i) => said(`${i}`));
    const cases: [unknown, string][] = [
      [{}, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ messages: tooMany }, 'messages'],
      [{ messages: [{ content: 'x' }] }, 'messages.0.role'],
      [{ messages: [said('')] }, 'messages.0.content'],
      [{ messages: [said('x', { name: '' })] }, 'messages.0.name'],
      [{ messages: [said('x', { occurred_at: 'soon' })] }, 'messages.0.occurred_at'],
      [{ messages: [said('x')], user_id: 'a b' }, 'user_id'],
      [{ messages: [said('x')], topic: 'x' }, 'topic'],
      [{ messages: [said('x')], space: 'x', space_id: null }, 'space'],
    ];
    for (const [body, field] of cases) {
      const request = { method: 'POST', path: '/memories/from-messages', body } as const;
      const { status, body: answer } = await client.request(request);
      expect([status, JSON.stringify(answer)]).toEqual([422, expect.stringContaining(field)]);
    }
  });

  it('suggests no statement to outdate the turn that states it', async () => {
    const client = await fresh();
    const texts = [
      'My phone number was 555-1234. My phone number is 555-9876.',
      'I worked at Acme for ten years. I work at Globex now.',
    ];
    const told = await tell(
      client,
      texts.map((text) => said(text)),
    );
    await service.running.context.extractionWorker.drain();
    const suggested = await listEvents(client, 'memory.update_suggested');
    const turns = new Set(told.turns);
    expect(suggested.filter(({ data }) => turns.has(String(data.older_id)))).toEqual([]);
    // What another memory outdates is suggested, also of a turn.
    const { id } = await client.memories.create({
      body: { content: 'My phone number has changed: it is 555-4444 now.' },
    });
    await service.running.context.extractionWorker.drain();
    const { data } = await client.memories.suggestions({ params: { id } });
    expect(data.length).toBeGreaterThan(0);
  });

  it('keeps a key to its spaces', async () => {
    const client = await fresh();
    const { id: work } = await client.spaces.create({ body: { name: 'work' } });
    const { id: home } = await client.spaces.create({ body: { name: 'home' } });
    const { key } = await client.keys.create({ body: { name: 'work', space_ids: [work] } });
    const limited = service.client(key);
    const messages = [said('I live in Lisbon.')];
    const elsewhere = await tell(client, messages, { space_id: home });
    const { memories, turns } = await tell(limited, messages, { space: 'work' });
    expect(memories).toMatchObject([{ space_id: work, action: 'added' }]);
    expect(turns).not.toEqual(elsewhere.turns);
    const { id: session_id } = await client.cliSessions.create({
      body: { name: 'chat', space_id: home },
    });
    const denied = { status: 403, code: 'space_access_denied' };
    for (const fields of [{}, { space_id: home }, { session_id }])
      expect(await expectError(tell(limited, messages, fields))).toMatchObject(denied);
    expect(await expectError(tell(limited, messages, { space: 'home' }))).toMatchObject({
      status: 404,
      code: 'space_not_found',
    });
    expect(await stored(client)).toHaveLength(4);
  });

  it('writes for a token of one user in the name of that user', async () => {
    const client = await fresh();
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const ana = service.client(token);
    await tell(client, [said('I live in Faro.')]);
    const { memories, turns } = await tell(ana, [said('I live in Faro.')]);
    expect(memories).toMatchObject([{ user_id: 'ana', action: 'added' }]);
    expect(await ana.memories.get({ params: { id: turns[0] ?? '' } })).toMatchObject({
      user_id: 'ana',
    });
    const denied = { status: 403, code: 'user_access_denied' };
    expect(await expectError(tell(ana, [said('x')], { user_id: 'ben' }))).toMatchObject(denied);
    const { id: session_id } = await client.cliSessions.create({ body: { name: 'chat' } });
    expect(await expectError(tell(ana, [said('x')], { session_id }))).toMatchObject(denied);
  });
});
