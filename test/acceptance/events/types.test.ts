import {
  type Event,
  type EventType,
  eventSamples,
  eventSchemas,
  eventTypes,
  publishedEventTypes,
  testEventType,
} from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { silentTranscriber } from '../../support/fake-transcribers.ts';
import { ffmpegOrFake } from '../../support/ffmpeg-or-fake.ts';
import { waveFile } from '../../support/media-containers.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createForm, uploadForm } from '../media/http-requests.ts';
import { type AnyEvent, listEvents } from '../memories/memory-requests.ts';
import { exportBytes } from '../transfers/transfer.ts';

const types = Object.keys(eventTypes) as EventType[];

/**
 * Does, once at least, everything that tells anything; `settle` when all that was read is there,
 * since what is erased before it is noted as read is told of no more.
 */
async function doEverything(client: Client, settle: () => Promise<void>): Promise<void> {
  const { memories, relationships, spaces } = client;
  const { id: spaceId } = await spaces.create({ body: { name: 'red', metadata: { a: 1 } } });
  await spaces.update({ params: { id: spaceId }, body: { name: 'blue', description: 'new' } });
  const fields = { occurred_at: '2026-01-05T09:30:00Z', metadata: { k: null }, tags: ['x'] };
  const one = await memories.create({ body: { content: 'Ana prefers tea.', ...fields } });
  const many = await memories.bulkCreate({
    body: { memories: [{ content: 'Ben prefers coffee.', space_id: spaceId }, { content: 'Q' }] },
  });
  const params = { id: one.id };
  const ids = [one.id, ...many.memories.map(({ id }) => id)];
  await memories.update({
    params,
    body: {
      content: 'Ana drinks tea at Acme Corp. in Berlin.',
      metadata: { k: 1 },
      tags: [],
      priority: 9,
    },
  });
  await memories.pin({ params });
  await memories.unpin({ params });
  await memories.protect({ params, body: { protection_level: 'soft' } });
  await memories.protect({ params, body: { protection_level: 'none' } });
  await memories.verify({ params });
  await memories.feedback({ params, body: { helpful: true, query: 'tea' } });
  await memories.bulkUpdate({ body: { ids, set: { metadata: { team: 'red' } } } });
  await memories.bulkTags({ body: { ids, add: ['tagged'] } });
  const session = await client.cliSessions.create({ body: { name: 'chat' } });
  await client.cliSessions.postMessages({
    params: { id: session.id },
    body: { messages: [{ role: 'user', content: 'Hello.' }] },
  });
  await memories.update({
    params,
    body: { session_id: session.id, supersedes: [ids.at(-1) ?? ''] },
  });
  const [, other = ''] = ids;
  const end = { sourceId: one.id, targetId: other, type: 'supports' } as const;
  await relationships.create({
    params: { memoryId: one.id },
    body: { target_id: other, type: 'supports', bidirectional: true },
  });
  await relationships.update({ params: end, body: { description: 'why', metadata: { a: 1 } } });
  await relationships.reinforce({ params: end });
  await relationships.weaken({ params: end });
  await relationships.remove({ params: end });
  await memories.get({ params });
  await client.search.get({ query: { q: 'tea' } });
  await client.search.topic({ query: { topic: 'tagged' } });
  await client.search.similar({ params: { memoryId: one.id }, query: { threshold: 0 } });
  await client.search.aggregate({ query: { query: 'tea', group_by: 'content_type' } });
  await client.search.global({ query: { q: 'tea' } });
  await client.search.recall({ body: { query: 'tea' } });
  await doClusters(client, one.id);
  await settle();
  await memories.remove({ params, query: { soft: true } });
  await memories.restore({ params });
  await memories.bulkDelete({ body: { ids, soft: true } });
  await memories.bulkDelete({ body: { ids } });
  await client.cliSessions.remove({ params: { id: session.id } });
  await spaces.remove({ params: { id: spaceId } });
}

async function doClusters({ clusters }: Client, memoryId: string): Promise<void> {
  const tea = await clusters.create({ body: { name: 'Tea', metadata: { a: 1 } } });
  const other = await clusters.create({ body: { name: 'Hot' } });
  const params = { clusterId: tea.id };
  const body = { name: 'Teas', color: '#abc', description: 'd', metadata: { b: 1 } };
  await clusters.update({ params, body });
  await clusters.associate({ params: { id: memoryId }, body: { cluster_ids: [tea.id, other.id] } });
  await clusters.merge({ params, body: { source_ids: [other.id] } });
  await clusters.dissociate({ params: { id: memoryId, ...params } });
  await clusters.remove({ params });
}

/** What differs between two states, but for what always does or follows from the rest. */
function differing({ data, previous_data }: AnyEvent): string[] {
  const following = ['updated_at', 'salience', 'strength', 'reinforcement_count'];
  return Object.keys(data).filter(
    (field) =>
      !following.includes(field) &&
      JSON.stringify(data[field]) !== JSON.stringify(previous_data?.[field]),
  );
}

describe.each(engines)('every event type on %s', (engine) => {
  const clock = createFakeClock();
  let service: Service;
  let told: AnyEvent[];
  beforeAll(async () => {
    service = await startService(engine, {
      overrides: { clock, transcribers: [silentTranscriber], ...ffmpegOrFake },
    });
    const { client, key } = await service.createAccount();
    const stored = await uploadForm(
      { url: service.url, key },
      createForm(waveFile(Buffer.alloc(32_000))),
    );
    expect(stored.status).toBe(201);
    await service.running.context.worker.drain();
    await doEverything(client, async () => {
      clock.advance(1_000);
      const ways = async () =>
        new Set((await listEvents(client, 'memory.accessed')).map(({ data }) => data.via)).size;
      await eventually(ways, (count) => count === 7);
      await service.running.context.extractionWorker.drain();
    });
    const memories = [
      { content: 'I live in Munich.' },
      { content: 'I have moved to Berlin and no longer live in Munich.' },
    ];
    await client.memories.bulkCreate({ body: { memories } });
    await service.running.context.extractionWorker.drain();
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
    await client.memories.create({ body: { content: 'The code is 4711.', expires_at } });
    clock.advance(180_000);
    await eventually(
      () => listEvents(client, 'memory.expired'),
      (expired) => expired.length > 0,
    );
    const other = (await service.createAccount()).client;
    await other.memories.create({ body: { content: 'Of another account.' } });
    await client.transfers.import({ body: await exportBytes(other) });
    const drained = service.running.context.worker.drain();
    // An import pauses for requests, by this clock.
    const imported = () => {
      clock.advance(1_000);
      return listEvents(client, 'import.completed');
    };
    await eventually(imported, (completed) => completed.length > 0);
    await drained;
    told = await listEvents(client);
  });
  afterAll(() => service.stop());

  it.each(types)('%s is told by something, just in its own shape', (type) => {
    const events = told.filter((event) => event.type === type);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(eventSchemas[type].parse(event)).toEqual(event);
  });

  it('an update shows the former state, and its changes are just the fields that differ', () => {
    const updates = told.filter(({ type }) => type.endsWith('.updated'));
    expect(new Set(updates.map(({ type }) => type)).size).toBe(4);
    for (const event of updates) {
      expect(event.previous_data?.id).toBe(event.data.id);
      expect(differing(event).toSorted(), event.type).toEqual(event.changes?.toSorted());
    }
    // Each former state is the one that was told before.
    for (const [i, event] of told.entries()) {
      if (event.type !== 'memory.updated') continue;
      const shown = told.slice(0, i).filter(({ data }) => data.id === event.data.id);
      const before = shown.findLast(({ data }) => 'content' in data);
      expect({ ...event.previous_data, salience: null }).toEqual({
        ...before?.data,
        salience: null,
      });
    }
  });
});

describe('the list of event types', () => {
  it('has all that are published', () => {
    const known: readonly string[] = [...types, testEventType];
    expect(publishedEventTypes.filter((type) => !known.includes(type))).toEqual([]);
  });

  it.each(types)('%s has an example in its own shape', (type) => {
    const sample: Event = eventSamples[type];
    expect(eventSchemas[type].parse(sample)).toEqual(sample);
  });
});
