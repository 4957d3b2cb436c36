import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeErasedContent } from '../../../packages/server/src/domains/operations/index.ts';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { EventStreamClient } from './event-stream-client.ts';

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const invalidCursor = { status: 400, code: 'invalid_request' };

const changeFirstCharacter = (text: string): string =>
  `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;

describe.each(engines)('events for a user on %s', (engine) => {
  let service: Service;
  let whole: Client;
  let key: string;
  let ana: Client;
  let anaToken: string;
  let ben: Client;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    ({ client: whole, key } = await service.createAccount());
    const tokenOf = async (user_id: string) =>
      (await whole.auth.createToken({ body: { user_id } })).token;
    anaToken = await tokenOf('ana');
    ana = service.client(anaToken);
    ben = service.client(await tokenOf('ben'));
  });
  const eventsOf = async (client: Client, query: object = {}) =>
    (await client.events.list({ query: { limit: 100, ...query } })).data;
  const link = (source: string, target_id: string) =>
    whole.relationships.create({
      params: { memoryId: source },
      body: { target_id, relationship_type: 'related_to' },
    });

  it('are those about memories of this user alone, whoever changed them', async () => {
    const own = await createMemory(ana, 'Ana drinks green tea.');
    const bens = await createMemory(ben, 'Ben drinks secret coffee.');
    const nobodys = await createMemory(whole, 'Somebody drinks secret milk.');
    const space = await whole.spaces.create({ body: { name: 'secret space' } });
    const other = await createMemory(whole, 'Ana drinks water.', {
      user_id: 'ana',
      space_id: space.id,
    });
    for (const { id } of [own, bens, nobodys])
      await whole.memories.update({ params: { id }, body: { priority: 7 } });
    await whole.memories.feedback({ params: { id: own.id }, body: { helpful: true } });
    await link(own.id, other.id);
    await link(own.id, bens.id);
    await link(nobodys.id, own.id);
    const cluster = await whole.clusters.create({ body: { name: 'Secret drinks' } });
    for (const { id } of [own, bens])
      await whole.clusters.associate({ params: { id }, body: { cluster_ids: [cluster.id] } });
    const tag = (ids: readonly string[]) =>
      whole.memories.bulkTags({ body: { ids: [...ids], add: [`t${ids.length}`] } });
    await tag([own.id, other.id, bens.id]);
    await tag([own.id]);
    await whole.memories.remove({ params: { id: bens.id } });
    await whole.memories.remove({ params: { id: other.id }, query: { soft: true } });
    const events = await eventsOf(ana);
    expect(typesOf(events)).toEqual([
      'memory.created',
      'memory.created',
      'memory.updated',
      'memory.reinforced',
      'feedback.submitted',
      'relationship.created',
      // Of three memories: one bulk event is of both users, and that of the other space of one.
      'memory.updated',
      'memory.updated',
      'memory.bulk_tags_updated',
      'memory.updated',
      'memory.bulk_tags_updated',
      'memory.deleted',
    ]);
    const text = JSON.stringify(events);
    for (const foreign of [bens.id, nobodys.id, cluster.id, 'ecret']) {
      expect(text).not.toContain(foreign);
    }
    // Each is what a key sees.
    const all = await eventsOf(whole);
    const ids = new Set(events.map(({ id }) => id));
    expect(events).toEqual(all.filter(({ id }) => ids.has(id)));
    expect(await eventsOf(ben)).toHaveLength(5);
  });

  it('say nothing of what supersedes a memory for another user', async () => {
    const own = await createMemory(ana, 'Ana lives in Bonn.');
    const next = await createMemory(ana, 'Ana lives in Ulm.', { supersedes: [own.id] });
    const bens = await createMemory(whole, 'Ana lives in Rome.', {
      user_id: 'ben',
      supersedes: [next.id],
    });
    await whole.memories.update({ params: { id: next.id }, body: { priority: 3 } });
    await whole.memories.update({ params: { id: own.id }, body: { priority: 3 } });
    const events = await eventsOf(ana);
    expect(JSON.stringify(events)).not.toContain(bens.id);
    expect(typesOf(events).filter((type) => type === 'memory.superseded')).toHaveLength(1);
    const updated = events.filter(({ type }) => type === 'memory.updated');
    expect(updated.map(({ data }) => data)).toMatchObject([
      { id: next.id, outdated_by: null },
      { id: own.id, outdated_by: next.id },
    ]);
  });

  it('are without searches and entities, which may tell of others', async () => {
    const own = await createMemory(ana, 'Ana Ruiz works at Acme.');
    await ana.memories.get({ params: { id: own.id } });
    await service.running.context.extractionWorker.drain();
    const query = { user_id: 'ana' };
    const seen = await eventually(
      () => eventsOf(whole, query),
      (events) =>
        ['memory.accessed', 'entity.extracted'].every((type) => typesOf(events).includes(type)),
    );
    const hidden = new Set(['memory.accessed', 'entity.extracted']);
    expect(await eventsOf(ana)).toEqual(seen.filter(({ type }) => !hidden.has(type)));
    expect(await eventsOf(ana, { type: 'memory.accessed' })).toEqual([]);
  });

  it('stay when a memory is erased, without its content', async () => {
    const own = await createMemory(ana, 'Ana drinks green tea.');
    await createMemory(ben, 'Ben drinks coffee.');
    await ana.memories.remove({ params: { id: own.id } });
    await removeErasedContent(service.running.context.app, { shouldYield: () => false });
    const redacted = await eventsOf(ana);
    expect(typesOf(redacted)).toEqual(['memory.created', 'memory.deleted']);
    expect(redacted[0]?.data).toEqual({ id: own.id, erased: true });
  });

  it('are replayed without content from the last id, once the memory is erased', async () => {
    using stream = await EventStreamClient.open(service, anaToken);
    await stream.nextMessage();
    const { lastId: lastEventId } = stream;
    const own = await createMemory(ana, 'Ana drinks secret tea.');
    await createMemory(ben, 'Ben drinks secret coffee.');
    await whole.memories.remove({ params: { id: own.id } });
    await removeErasedContent(service.running.context.app, { shouldYield: () => false });
    using again = await EventStreamClient.open(service, anaToken, { lastEventId });
    expect((await again.nextEvents(2)).map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'memory.created', data: { id: own.id, erased: true } },
      { type: 'memory.deleted', data: { id: own.id, soft: false } },
    ]);
  });

  it('have cursors that count nothing, and are of this user alone', async () => {
    const beginning = (await ana.events.list()).next_cursor ?? '';
    const contents = ['one', 'two', 'three'];
    for (const content of contents) {
      for (const client of [ana, ben]) await createMemory(client, content);
    }
    const read: unknown[] = [];
    let cursor: string | undefined;
    const cursors: string[] = [];
    for (let more = true; more; ) {
      const query = { limit: 1, ...(cursor && { cursor }) };
      const page = await ana.events.list({ query });
      read.push(...page.data.map(({ data }) => data));
      cursors.push(page.next_cursor ?? '');
      cursor = page.next_cursor ?? '';
      more = page.has_more;
    }
    expect(read).toMatchObject(contents.map((content) => ({ content, user_id: 'ana' })));
    const after = await ana.events.list({ query: { cursor: cursor ?? '' } });
    expect(after).toMatchObject({ data: [], has_more: false });
    // The same place in other words, and none of them in the clear.
    const [first] = cursors;
    const again = await ana.events.list({ query: { limit: 1 } });
    expect(again.next_cursor).not.toBe(first);
    for (const one of cursors) {
      expect(Buffer.from(one, 'base64url').toString('latin1')).not.toMatch(/^\["/);
    }
    // Before the first event of the account, and after more than nine.
    const lengths = [beginning, ...cursors].map(({ length }) => length);
    expect(new Set(lengths).size).toBe(1);
    const query = { user_id: 'ana', limit: 1 };
    const keyCursor = (await whole.events.list({ query })).next_cursor ?? '';
    const refusals = [
      () => ana.events.list({ query: { cursor: keyCursor } }),
      () => ana.events.list({ query: { cursor: changeFirstCharacter(first ?? '') } }),
      () => ana.events.list({ query: { cursor: first ?? '', type: 'memory.created' } }),
      () => ben.events.list({ query: { cursor: first ?? '' } }),
      () => whole.events.list({ query: { cursor: first ?? '', user_id: 'ana' } }),
    ];
    for (const refusal of refusals) await expect(refusal()).rejects.toMatchObject(invalidCursor);
  });

  it('are streamed as they are listed, and go on where the stream broke', async () => {
    await createMemory(ana, 'Before.');
    using first = await EventStreamClient.open(service, anaToken);
    await first.nextMessage();
    await createMemory(ben, 'Ben drinks coffee.');
    const own = await createMemory(ana, 'Ana drinks tea.');
    expect((await first.nextEvent())?.data).toMatchObject({ id: own.id });
    const lastEventId = first.lastId;
    await createMemory(ben, 'Ben drinks milk.');
    const next = await createMemory(whole, 'Ana drinks water.', { user_id: 'ana' });
    expect((await first.nextEvent())?.data).toMatchObject({ id: next.id });
    using second = await EventStreamClient.open(service, anaToken, { lastEventId });
    expect((await second.nextEvent())?.data).toMatchObject({ id: next.id });
    using listed = await EventStreamClient.open(service, anaToken, {
      cursor: (await ana.events.list({ query: { limit: 1 } })).next_cursor ?? '',
    });
    expect((await listed.nextEvents(2)).map(({ data }) => data)).toMatchObject([
      { id: own.id },
      { id: next.id },
    ]);
  });

  it('are filtered for a key by each name of the owner, in lists and streams', async () => {
    const owner = { user_id: 'ana', agent_id: 'cook', run_id: 'r1' };
    using stream = await EventStreamClient.open(service, key, { query: { run_id: 'r1' } });
    await stream.nextMessage();
    const plain = await createMemory(whole, 'one', { user_id: 'ana' });
    const full = await createMemory(whole, 'two', owner);
    await createMemory(whole, 'three', { user_id: 'ben', agent_id: 'cook' });
    await createMemory(whole, 'four');
    await link(plain.id, full.id);
    const listed = async (query: object) => typesOf(await eventsOf(whole, query));
    expect(await listed({ user_id: 'ana' })).toEqual([
      'memory.created',
      'memory.created',
      'relationship.created',
    ]);
    expect(await listed({ agent_id: 'cook' })).toEqual(['memory.created', 'memory.created']);
    expect(await listed({ ...owner })).toEqual(['memory.created']);
    expect(await listed({ user_id: 'cleo' })).toEqual([]);
    expect((await stream.nextEvent())?.data).toMatchObject({ id: full.id });
    const denied = { status: 403, code: 'user_access_denied' };
    const another = ana.events.list({ query: { user_id: 'ben' } });
    await expect(another).rejects.toMatchObject(denied);
    expect(await eventsOf(ana, { user_id: 'ana' })).toEqual(await eventsOf(ana));
    using refused = await EventStreamClient.open(service, anaToken, { query: { user_id: 'ben' } });
    expect(refused.status).toBe(403);
  });
});
