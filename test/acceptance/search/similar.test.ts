import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { onlySessionOfKey } from '../activation/session-requests.ts';
import {
  advanceToNextMonth,
  getRequest,
  monthOf,
  readUsage,
  setUsage,
} from '../limits/usage-and-windows.ts';
import { absentId, createMemory, expectError, listEvents } from '../memories/memory-requests.ts';

describe.each(engines)('GET /search/similar/:memoryId on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** An embedding at so many degrees in one plane: the cosine of two is that of their angle. */
  function at(degrees: number): number[] {
    const { dimensions } = service.running.context.app.embedder;
    const radians = (degrees * Math.PI) / 180;
    return [Math.cos(radians), Math.sin(radians), ...Array(dimensions - 2).fill(0)];
  }
  const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

  const similar = async (client: Client, memoryId: string, query = {}) =>
    (await client.search.similar({ params: { memoryId }, query })).results;
  const contents = (results: Awaited<ReturnType<typeof similar>>): string[] =>
    results.map(({ memory }) => memory.content);

  /** Memories by their angle, the one at 0° first. */
  async function fan(degrees: readonly number[], account = service.createAccount()) {
    const { client, id } = await account;
    const { id: middle } = await createMemory(client, 'middle', { embedding: at(0) });
    const memories = degrees.map((one) => ({ content: `at ${one}`, embedding: at(one) }));
    await client.memories.bulkCreate({ body: { memories } });
    return { client, accountId: id, middle };
  }

  it('answers whole memories with their cosine, nearest first, and not itself', async () => {
    const { client, middle } = await fan([80, 10, -30, 60, 100, 180]);
    const answer = await client.search.similar({ params: { memoryId: `mem_${middle}` } });
    expect(answer.memory_id).toBe(middle);
    expect(contents(answer.results).slice(0, 4)).toEqual(['at 10', 'at -30', 'at 60', 'at 80']);
    expect(contents(answer.results).slice(4).sort()).toEqual(['at 100', 'at 180']);
    for (const { memory, similarity } of answer.results) {
      const degrees = Number(memory.content.slice(3));
      expect(similarity).toBeCloseTo(Math.max(0, cosine(degrees)), 2);
    }
    const [first] = answer.results;
    const { salience: _moving, ...memory } = await client.memories.get({
      params: { id: first?.memory.id ?? '' },
    });
    expect(first?.memory).toMatchObject(memory);
  });

  it('cuts by threshold and limit, which is 20 unless told', async () => {
    const { client, middle } = await fan(Array.from({ length: 25 }, (_, i) => i + 1));
    expect(await similar(client, middle)).toHaveLength(20);
    expect(contents(await similar(client, middle, { limit: 2 }))).toEqual(['at 1', 'at 2']);
    expect(await similar(client, middle, { limit: 100 })).toHaveLength(25);
    const near = await similar(client, middle, { limit: 100, threshold: cosine(10.5) });
    expect(contents(near)).toEqual(Array.from({ length: 10 }, (_, i) => `at ${i + 1}`));
    expect(await similar(client, middle, { threshold: 1 })).toEqual([]);
  });

  it('goes by the embedding that a text has by itself', async () => {
    const { client } = await service.createAccount();
    const tea = await createMemory(client, 'Ana likes to drink green tea in the morning');
    await createMemory(client, 'The harbour crane was painted yellow');
    const twin = await createMemory(client, 'In the morning Ana likes to drink green tea');
    const [first] = await similar(client, tea.id, { limit: 1 });
    expect(first?.memory.id).toBe(twin.id);
    expect(first?.similarity).toBeGreaterThan(0.9);
  });

  it('sees new content, soft deletes, restores and erasures at once', async () => {
    const { client, middle } = await fan([10]);
    const { id } = await createMemory(client, 'another', { embedding: at(20) });
    const params = { id };
    expect(contents(await similar(client, middle))).toEqual(['at 10', 'another']);
    await client.memories.remove({ params, query: { soft: true } });
    expect(contents(await similar(client, middle))).toEqual(['at 10']);
    await client.memories.restore({ params });
    expect(contents(await similar(client, middle))).toEqual(['at 10', 'another']);
    await client.memories.remove({ params });
    expect(contents(await similar(client, middle))).toEqual(['at 10']);
    await client.memories.update({
      params: { id: middle },
      body: { content: 'words, not angles' },
    });
    const [after] = await similar(client, middle);
    expect(after?.similarity ?? 1).toBeLessThan(0.9);
  });

  it('is 404 for what is no memory of the account, or a soft-deleted one', async () => {
    const { client, middle } = await fan([10]);
    const other = await fan([10]);
    await client.memories.remove({ params: { id: middle }, query: { soft: true } });
    for (const memoryId of [absentId, 'nonsense', other.middle, middle]) {
      const error = await expectError(similar(client, memoryId));
      expect(error).toMatchObject({ status: 404, code: 'memory_not_found' });
    }
  });

  it('another account is neither found nor changes what is found', async () => {
    const mine = await fan([10, 20]);
    const before = await similar(mine.client, mine.middle);
    await fan([1, 2, 3]);
    const after = await similar(mine.client, mine.middle);
    expect(after.map(({ similarity }) => similarity)).toEqual(
      before.map(({ similarity }) => similarity),
    );
    expect(contents(after)).toEqual(['at 10', 'at 20']);
  });

  it('looks in the space that is asked for, else in every one that the key may use', async () => {
    const { client, middle } = await fan([30]);
    const make = async (name: string, degrees: number) => {
      const { id } = await client.spaces.create({ body: { name } });
      await createMemory(client, `in ${name}`, { space_id: id, embedding: at(degrees) });
      return id;
    };
    const [own, other] = [await make('own', 20), await make('other', 10)];
    const found = async (by: Client, query = {}) => contents(await similar(by, middle, query));
    expect(await found(client)).toEqual(['in other', 'in own', 'at 30']);
    expect(await found(client, { space_id: own })).toEqual(['in own']);
    expect(await found(client, { space_id: 'null' })).toEqual(['at 30']);
    expect(await found(client, { space_id: 'default' })).toEqual(['at 30']);
    const keyFor = async (space_ids: string[]): Promise<Client> =>
      service.client((await client.keys.create({ body: { name: 'limited', space_ids } })).key);
    const withDefault = await keyFor([own, 'default']);
    expect(await found(withDefault)).toEqual(['in own', 'at 30']);
    expect(await found(withDefault, { limit: 1 })).toEqual(['in own']);
    const denied = { status: 403, code: 'space_access_denied' };
    expect(await expectError(found(withDefault, { space_id: other }))).toMatchObject(denied);
    // The memory itself is at account level, which this one may not use.
    expect(await expectError(found(await keyFor([own])))).toMatchObject(denied);
    const missing = { status: 404, code: 'space_not_found' };
    expect(await expectError(found(client, { space_id: absentId }))).toMatchObject(missing);
  });

  it.each([
    ['limit is 0', { limit: 0 }, { limit: 'invalid_range' }],
    ['limit is 101', { limit: 101 }, { limit: 'invalid_range' }],
    ['limit is no integer', { limit: '1.5' }, { limit: 'invalid_type' }],
    ['threshold is over 1', { threshold: 1.1 }, { threshold: 'invalid_range' }],
    ['threshold is below 0', { threshold: -0.1 }, { threshold: 'invalid_range' }],
    ['space_id is no id', { space_id: 'mine' }, { space_id: 'invalid_format' }],
    ['session is empty', { session: '' }, { session: 'invalid_range' }],
    ['a field is unknown', { q: 'x', offset: 1 }, { q: 'unknown_field', offset: 'unknown_field' }],
  ])('refuses with the field and its code when %s', async (_when, query, expected) => {
    const path = `/search/similar/${absentId}`;
    const answer = await service.client().request({ method: 'GET', path, query });
    const fields = Object.fromEntries(
      Object.entries(expected).map(([name, code]) => [name, { code }]),
    );
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { fields } } } });
  });

  it('adds what it answered to the session, and tells memory.accessed', async () => {
    const { client, middle } = await fan([10, 20, 30]);
    const found = await similar(client, middle, { limit: 2, session: 'k' });
    const ids = found.map(({ memory }) => memory.id);
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual(ids);
    clock.advance(500);
    const [event] = await eventually(
      () => listEvents(client, 'memory.accessed'),
      (events) => events.length > 0,
    );
    expect(event?.data).toEqual({ ids, via: 'similar', memory_id: middle });
  });

  it('counts one search, and is 429 when the month has none left', async () => {
    advanceToNextMonth(clock);
    const { client, middle, accountId } = await fan([10], service.createAccount('free'));
    const counter = { accountId, metric: 'searches', period: monthOf(clock.now()) };
    await setUsage(service, counter, 4_999);
    await expectError(similar(client, absentId));
    await expectError(similar(client, middle, { space_id: absentId }));
    await similar(client, middle);
    expect(await readUsage(service, counter)).toBe(5_000);
    expect(await client.request(getRequest(`/search/similar/${middle}`))).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded', details: { quota: 'searches_per_month' } } },
    });
  });
});
