import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { AcceleratedClock } from './controlled-dependencies.ts';
import { createMemory, listEvents, searchIds } from './memory-requests.ts';

const dayMs = 86_400_000;

describe.each(engines)('Salience on %s', (engine) => {
  let service: Service;
  const clock = new AcceleratedClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;

  /** By the list, since that is no access. */
  const salienceOf = async (client: Client, id: string): Promise<number | null> => {
    const { data } = await client.memories.list({ query: { include_deleted: true } });
    return data.find((memory) => memory.id === id)?.salience ?? null;
  };
  const rate = async (client: Client, id: string, helpful: boolean): Promise<number> =>
    (await client.memories.feedback({ params: { id }, body: { helpful } })).salience;
  /** Resolves once as many accesses as told are recorded. */
  const accesses = (client: Client, count: number) =>
    eventually(
      () => listEvents(client, 'memory.accessed'),
      (events) => events.length >= count,
    );

  it('is null until it is first computed', async () => {
    const client = await fresh();
    const { id, salience } = await createMemory(client, 'new');
    expect(salience).toBeNull();
    clock.advance(30 * dayMs);
    expect(await salienceOf(client, id)).toBeNull();
  });

  it('rises with helpful feedback and falls with the other, always within 0 to 1', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'rated');
    let before = 0.5;
    for (const helpful of [true, true, false, false, false]) {
      const after = await rate(client, id, helpful);
      if (helpful) expect(after).toBeGreaterThan(before);
      else expect(after).toBeLessThan(before);
      expect(await salienceOf(client, id)).toBeCloseTo(after, 6);
      before = after;
    }
    for (let i = 0; i < 12; i += 1) before = await rate(client, id, true);
    expect(before).toBeGreaterThan(0.9);
    expect(before).toBeLessThanOrEqual(1);
    for (let i = 0; i < 20; i += 1) before = await rate(client, id, false);
    expect(before).toBeLessThan(0.1);
    expect(before).toBeGreaterThanOrEqual(0);
  });

  it('halves every 30 days', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'fading');
    const start = await rate(client, id, true);
    for (const halves of [1, 2, 3]) {
      clock.advance(30 * dayMs);
      expect(await salienceOf(client, id)).toBeCloseTo(start / 2 ** halves, 4);
    }
    clock.advance(15 * dayMs);
    expect(await salienceOf(client, id)).toBeCloseTo(start / 2 ** 3.5, 4);
  });

  it('stands still while the memory is pinned, and goes on when unpinned', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'pinned');
    const params = { id };
    const start = await rate(client, id, true);
    clock.advance(30 * dayMs);
    await client.memories.pin({ params });
    clock.advance(300 * dayMs);
    expect(await salienceOf(client, id)).toBeCloseTo(start / 2, 4);
    await client.memories.unpin({ params });
    expect(await salienceOf(client, id)).toBeCloseTo(start / 2, 4);
    clock.advance(30 * dayMs);
    expect(await salienceOf(client, id)).toBeCloseTo(start / 4, 4);
  });

  it('rises with each access by id, a little less each time', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'read often');
    const seen: number[] = [];
    for (let count = 1; count <= 3; count += 1) {
      await client.memories.get({ params: { id } });
      await accesses(client, count);
      seen.push((await salienceOf(client, id)) ?? 0);
    }
    const [first = 0, second = 0, third = 0] = seen;
    expect(first).toBeGreaterThan(0.5);
    expect(second).toBeGreaterThan(first);
    expect(third - second).toBeLessThan(second - first);
    expect(third).toBeLessThan(1);
  });

  it('counts every one of many accesses that are recorded together', async () => {
    const client = await fresh();
    const [often, once] = [await createMemory(client, 'often'), await createMemory(client, 'once')];
    const reads = [...Array.from({ length: 20 }, () => often.id), once.id];
    await Promise.all(reads.map((id) => client.memories.get({ params: { id } })));
    await accesses(client, reads.length);
    expect(await salienceOf(client, once.id)).toBeCloseTo(0.55, 4);
    expect(await salienceOf(client, often.id)).toBeCloseTo(1 - 0.5 * 0.9 ** 20, 4);
  });

  it('rises when a search finds the memory, and not for those it leaves out', async () => {
    const client = await fresh();
    const found = await createMemory(client, 'The lighthouse keeper plays chess.');
    const left = await createMemory(client, 'Invoices are due on Fridays.');
    expect(await searchIds(client, '"lighthouse keeper"')).toEqual([found.id]);
    const [event] = await accesses(client, 1);
    expect(event?.data.ids).toEqual([found.id]);
    expect(await salienceOf(client, found.id)).toBeGreaterThan(0.5);
    expect(await salienceOf(client, left.id)).toBeNull();
  });

  it('is no edit: ETag and updated_at stay', async () => {
    const client = await fresh();
    const memory = await createMemory(client, 'unedited');
    const read = () => client.request({ method: 'GET', path: `/memories/${memory.id}` });
    await rate(client, memory.id, true);
    await read();
    await accesses(client, 1);
    const after = await read();
    expect(after.headers.get('etag')).toBe('"1"');
    expect(after.body).toMatchObject({ updated_at: memory.updated_at });
    expect(await listEvents(client, 'memory.updated')).toEqual([]);
  });

  it('is kept over an edit, a deletion and a return', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'kept');
    const params = { id };
    const start = await rate(client, id, true);
    await client.memories.update({ params, body: { content: 'kept on' } });
    await client.memories.remove({ params, query: { soft: true } });
    await client.memories.restore({ params });
    expect(await salienceOf(client, id)).toBeCloseTo(start, 4);
  });

  it('loses no feedback to accesses and edits at the same time', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, 'busy');
    await client.memories.pin({ params: { id } });
    const calls = Array.from({ length: 30 }, (_, i) => {
      if (i % 3 === 0) return client.memories.feedback({ params: { id }, body: { helpful: true } });
      if (i % 3 === 1) return client.memories.get({ params: { id } });
      return client.memories.update({ params: { id }, body: { priority: i % 11 } });
    });
    await Promise.all(calls);
    await accesses(client, 10);
    expect(await salienceOf(client, id)).toBeCloseTo(1 - 0.5 * 0.8 ** 10 * 0.9 ** 10, 4);
  });

  it('of what was read right before a stop is written, to the index as well', async () => {
    const own = await startService(engine, { isExclusive: true });
    const { id } = await createMemory(own.client(), 'read last');
    await own.client().memories.get({ params: { id } });
    await own.stop();
    const complaints = own.logLines.filter(
      (line) => !['trace', 'debug', 'info'].includes((JSON.parse(line) as { level: string }).level),
    );
    expect(complaints).toEqual([]);
  });
});
