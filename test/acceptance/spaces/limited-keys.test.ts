import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

const denied = { status: 403, code: 'space_access_denied' };

describe.each(engines)('keys limited to spaces on %s', (engine) => {
  let service: Service;
  let whole: Client;
  /** May use the space `own` and nothing else. */
  let limited: Client;
  /** May use `own` and account level. */
  let withDefault: Client;
  let own: string;
  let other: string;
  const memory: Record<string, string> = {};

  beforeAll(async () => {
    service = await startService(engine);
    const account = await service.createAccount();
    whole = account.client;
    own = (await whole.spaces.create({ body: { name: 'own' } })).id;
    other = (await whole.spaces.create({ body: { name: 'other' } })).id;
    for (const [name, space_id] of Object.entries({ own, other, none: null })) {
      const body = { content: `the ${name} note`, space_id };
      memory[name] = (await whole.memories.create({ body })).id;
    }
    const keyFor = async (space_ids: string[]): Promise<Client> => {
      const { key } = await whole.keys.create({ body: { name: 'limited', space_ids } });
      return service.client(key);
    };
    limited = await keyFor([own]);
    withDefault = await keyFor([own, 'default']);
  });
  afterAll(() => service.stop());

  it('are refused a space that is named: 403 space_access_denied', async () => {
    const params = { id: other };
    const attempts: (() => Promise<unknown>)[] = [
      () => limited.spaces.get({ params }),
      () => limited.spaces.update({ params, body: { name: 'mine' } }),
      () => limited.spaces.remove({ params }),
      () => limited.memories.create({ body: { content: 'x', space_id: other } }),
      () => limited.memories.list({ query: { space_id: other } }),
      () => limited.search.get({ query: { q: 'note', space_id: other } }),
      () => limited.search.post({ body: { q: 'note', space_id: other } }),
      () =>
        limited.memories.update({ params: { id: memory.own ?? '' }, body: { space_id: other } }),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ ...denied, details: { space_id: other } });
    }
  });

  it('are refused a space that is reached through a memory in it', async () => {
    const params = { id: memory.other ?? '' };
    const attempts: (() => Promise<unknown>)[] = [
      () => limited.memories.get({ params }),
      () => limited.memories.update({ params, body: { priority: 1 } }),
      () => limited.memories.remove({ params }),
      () => limited.memories.pin({ params }),
      () => limited.memories.verify({ params }),
      () => limited.memories.protect({ params, body: { protection_level: 'hard' } }),
      () => limited.memories.feedback({ params, body: { helpful: true } }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(denied);
    expect(await whole.memories.get({ params })).toMatchObject({ priority: 0, is_pinned: false });
  });

  it('are refused account level unless their list holds "default"', async () => {
    const params = { id: memory.none ?? '' };
    await expect(limited.memories.get({ params })).rejects.toMatchObject(denied);
    await expect(limited.memories.create({ body: { content: 'y' } })).rejects.toMatchObject(denied);
    for (const space_id of ['null', 'default']) {
      await expect(limited.memories.list({ query: { space_id } })).rejects.toMatchObject(denied);
    }
    expect((await withDefault.memories.get({ params })).space_id).toBeNull();
    const made = await withDefault.memories.create({ body: { content: 'y', space_id: 'default' } });
    expect(made.space_id).toBeNull();
    await withDefault.memories.remove({ params: { id: made.id } });
  });

  it('see in lists what they may see, and are told no other number', async () => {
    const spaces = await limited.spaces.list();
    expect(spaces.data.map(({ name }) => name)).toEqual(['own']);
    expect(spaces.pagination.total).toBe(1);
    const contents = async (client: Client) =>
      (await client.memories.list()).data.map(({ content }) => content).sort();
    expect(await contents(limited)).toEqual(['the own note']);
    expect(await contents(withDefault)).toEqual(['the none note', 'the own note']);
    expect(await contents(whole)).toHaveLength(3);
  });

  it('work fully in their own space', async () => {
    const created = await limited.memories.create({ body: { content: 'mine', space_id: own } });
    const params = { id: created.id };
    const patched = await limited.memories.update({ params, body: { priority: 2 } });
    expect(patched).toMatchObject({ space_id: own, priority: 2 });
    await limited.memories.remove({ params });
    expect((await limited.spaces.get({ params: { id: own } })).name).toBe('own');
  });

  it('see only the events of their spaces', async () => {
    const seen = async (client: Client) => {
      const { data } = await client.events.list({ query: { type: 'memory.created' } });
      return new Set(data.map(({ space_id }) => space_id));
    };
    expect(await seen(limited)).toEqual(new Set([own]));
    expect(await seen(withDefault)).toEqual(new Set([own, null]));
    expect(await seen(whole)).toEqual(new Set([own, other, null]));
  });

  it('cannot make a space: they could not use it', async () => {
    await expect(limited.spaces.create({ body: { name: 'new' } })).rejects.toMatchObject({
      status: 403,
      code: 'insufficient_permissions',
    });
  });

  it('are told 404, not 403, of what another account has', async () => {
    const theirs = await service.createAccount();
    const space = await theirs.client.spaces.create({ body: { name: 'own' } });
    const note = await theirs.client.memories.create({ body: { content: 'theirs' } });
    await expect(limited.spaces.get({ params: { id: space.id } })).rejects.toMatchObject({
      status: 404,
      code: 'space_not_found',
    });
    await expect(limited.memories.get({ params: { id: note.id } })).rejects.toMatchObject({
      status: 404,
      code: 'memory_not_found',
    });
  });

  it('are told of a space that there is not: 404, wherever it is named', async () => {
    const missing = { status: 404, code: 'space_not_found' };
    const space_id = memory.own ?? '';
    for (const attempt of [
      () => limited.search.get({ query: { q: 'x', space_id } }),
      () => limited.memories.list({ query: { space_id } }),
      () => limited.memories.create({ body: { content: 'z', space_id } }),
    ] as (() => Promise<unknown>)[]) {
      await expect(attempt()).rejects.toMatchObject(missing);
    }
  });
});
