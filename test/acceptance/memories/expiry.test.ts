import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  createMemory,
  expectError,
  failedItem,
  idsOf,
  listEvents,
  searchIds,
} from './memory-requests.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe.each(engines)('expires_at on %s', (engine) => {
  let service: Service;
  let client: Client;
  const clock = createFakeClock(() => 0);
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const account = async (): Promise<void> => {
    client = (await service.createAccount()).client;
  };
  const later = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString();
  const read = (id: string) => client.memories.get({ params: { id } });
  const listed = async (): Promise<string[]> =>
    idsOf((await client.memories.list({ query: { include_deleted: true } })).data);

  it('hides a memory from that instant on, and the job erases it', async () => {
    await account();
    const expires_at = later(5 * minuteMs);
    const { id } = await createMemory(client, 'The guest code is 4711.', { expires_at });
    const { id: kept } = await createMemory(client, 'The guest room is upstairs.');
    expect((await read(id)).expires_at).toBe(expires_at);
    expect((await read(kept)).expires_at).toBeNull();
    clock.advance(5 * minuteMs - 1);
    expect((await listed()).toSorted()).toEqual([id, kept].toSorted());
    expect(await searchIds(client, 'guest code')).toContain(id);
    clock.advance(1);
    expect(await expectError(read(id))).toMatchObject({ status: 404, code: 'memory_not_found' });
    expect(await listed()).toEqual([kept]);
    expect(await searchIds(client, 'guest code')).not.toContain(id);
    const { memories } = await client.search.recall({ body: { query: 'guest code' } });
    expect(idsOf(memories)).not.toContain(id);
    const params = { id };
    for (const call of [
      () => client.memories.update({ params, body: { priority: 1 } }),
      () => client.memories.pin({ params }),
      () => client.memories.remove({ params }),
    ]) {
      expect((await expectError(call())).status).toBe(404);
    }
    const { failed } = await client.memories.bulkTags({ body: { ids: [id], add: ['x'] } });
    expect(failed).toEqual([failedItem(0, 'memory_not_found')]);
    clock.advance(2 * minuteMs);
    const events = await eventually(
      () => listEvents(client, 'memory.expired'),
      ({ length }) => length > 0,
    );
    expect(events).toMatchObject([{ data: { id }, space_id: null }]);
    expect((await listEvents(client, 'memory.deleted')).map(({ data }) => data)).toEqual([
      { id, soft: false },
    ]);
    expect((await client.account.get()).usage.memories).toBe(1);
  });

  it('frees the content of a memory from that instant on', async () => {
    await account();
    const content = 'The guest code is 4712.';
    const { id } = await createMemory(client, content, { expires_at: later(minuteMs) });
    const { id: changed } = await createMemory(client, 'The guest code is unknown.');
    clock.advance(minuteMs - 1);
    const again = () => client.memories.bulkCreate({ body: { memories: [{ content }] } });
    expect((await again()).failed).toEqual([failedItem(0, 'duplicate_memory')]);
    clock.advance(1);
    const twice = { memories: [{ content }, { content }] };
    const { memories, failed } = await client.memories.bulkCreate({ body: twice });
    const stored = memories[0]?.id ?? '';
    expect([memories.length, failed]).toEqual([1, [failedItem(1, 'duplicate_memory')]]);
    await client.memories.update({ params: { id: stored }, body: { expires_at: later(minuteMs) } });
    clock.advance(minuteMs);
    await client.memories.update({ params: { id: changed }, body: { content } });
    expect(await listed()).toEqual([changed]);
    expect([id, stored]).not.toContain(changed);
  });

  it('is taken by every kind of write', async () => {
    await account();
    const expires_at = later(minuteMs);
    const { memories, failed } = await client.memories.bulkCreate({
      body: {
        memories: [
          { content: 'soon gone', expires_at },
          { content: 'gone already', expires_at: later(0) },
        ],
      },
    });
    expect(memories[0]?.expires_at).toBe(expires_at);
    expect(failed).toEqual([failedItem(1, 'validation_error')]);
    const { id } = await createMemory(client, 'for ever');
    const params = { id };
    const changed = await client.memories.update({ params, body: { expires_at } });
    expect(changed.expires_at).toBe(expires_at);
    const [event] = await listEvents(client, 'memory.updated');
    expect(event).toMatchObject({ changes: ['expires_at'], previous_data: { expires_at: null } });
    await client.memories.update({ params, body: { expires_at: null } });
    clock.advance(minuteMs);
    expect(await listed()).toEqual([id]);
  });

  it.each(['2020-01-01T00:00:00Z', 'tomorrow'])('refuses %s, naming the field', async (time) => {
    await account();
    const { id } = await createMemory(client, 'x');
    for (const call of [
      () => createMemory(client, 'y', { expires_at: time }),
      () => client.memories.update({ params: { id }, body: { expires_at: time } }),
    ]) {
      const { status, fields } = await expectError(call());
      expect([status, Object.keys(fields)]).toEqual([422, ['expires_at']]);
    }
  });

  it('never touches a hard-protected memory, and says so', async () => {
    await account();
    const expires_at = later(minuteMs);
    const { fields } = await expectError(
      createMemory(client, 'x', { expires_at, protection_level: 'hard' }),
    );
    expect(fields.expires_at?.message).toMatch(/hard-protected memory never expires/);
    const { id } = await createMemory(client, 'x', { expires_at, protection_level: 'soft' });
    const params = { id };
    const kept = await client.memories.protect({ params, body: { protection_level: 'hard' } });
    expect(kept.expires_at).toBeNull();
    const [event] = await listEvents(client, 'memory.updated');
    expect(event?.changes?.toSorted()).toEqual(['expires_at', 'protection_level']);
    clock.advance(3 * minuteMs);
    expect(await listed()).toEqual([id]);
  });

  it('comes from the lifetime of the space unless the create says otherwise', async () => {
    await account();
    const { id: space_id, memory_lifetime_days } = await client.spaces.create({
      body: { name: 'scratch', memory_lifetime_days: 30 },
    });
    expect(memory_lifetime_days).toBe(30);
    const month = later(30 * dayMs);
    const own = later(dayMs);
    const create = (content: string, fields = {}) =>
      createMemory(client, content, { space_id, ...fields });
    expect((await create('a')).expires_at).toBe(month);
    expect((await create('b', { expires_at: own })).expires_at).toBe(own);
    expect((await create('c', { expires_at: null })).expires_at).toBeNull();
    expect((await create('d', { protection_level: 'hard' })).expires_at).toBeNull();
    expect((await createMemory(client, 'e')).expires_at).toBeNull();
    const params = { id: space_id };
    const body = { memory_lifetime_days: null };
    expect((await client.spaces.update({ params, body })).memory_lifetime_days).toBeNull();
    const [event] = await listEvents(client, 'space.updated');
    expect(event?.changes).toEqual(['memory_lifetime_days']);
    expect((await create('f')).expires_at).toBeNull();
    for (const days of [0, 1.5, 36_501]) {
      const refused = client.spaces.update({ params, body: { memory_lifetime_days: days } });
      expect(Object.keys((await expectError(refused)).fields)).toEqual(['memory_lifetime_days']);
    }
  });
});
