import type { AudioSegmentResult } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateAudio } from '../../support/generated-media.ts';
import { engines } from '../../support/service.ts';
import { verboseJsonReply } from '../../support/speech-endpoint.ts';
import {
  startTranscriptionService,
  type TranscriptionService,
  uploadRecording,
  waitForResult,
} from './transcription-service.ts';

const spokenSegments = [
  { start: 0.5, end: 2, text: 'The wombat digs a tunnel.' },
  { start: 2.5, end: 4, text: 'Another wombat sleeps all day.' },
];

describe.each(engines)('what was said beside memories, in searches on %s', (engine) => {
  let hearing: TranscriptionService;
  let sound: Buffer;
  beforeAll(async () => {
    hearing = await startTranscriptionService(engine);
    hearing.endpoint.setDefaultReply(() => verboseJsonReply(spokenSegments));
    sound = await generateAudio('tone.ogg', 6);
  });
  afterAll(() => hearing[Symbol.asyncDispose]());

  /** A recording with two segments, and two memories with the same word. */
  async function stored(fields: Record<string, string> = {}) {
    const credentials = await hearing.account();
    const id = await uploadRecording(credentials, sound, { title: 'Zoo', ...fields });
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    const { client } = credentials;
    const note = await client.memories.create({ body: { content: 'A wombat in the garden' } });
    await client.memories.create({ body: { content: 'The wombat book, lent to Ben' } });
    return { credentials, client, id, note };
  }
  type Stored = Awaited<ReturnType<typeof stored>>;
  type Query = NonNullable<Parameters<Stored['client']['search']['get']>[0]>['query'];
  const facetsOf = async ({ client }: Stored, query: Partial<Query>) =>
    (await client.search.get({ query: { q: 'wombat', ...query } })).facets;

  it('passes the filters that its recording passes', async () => {
    const metadata = JSON.stringify({ project: 'zoo', shown: true });
    const tags = JSON.stringify(['field', 'night']);
    const owner = { user_id: 'ana', agent_id: 'guide' };
    const fields = { tags, metadata, priority: '7', occurred_at: '2026-03-01', ...owner };
    const all = await stored(fields);
    const { client, id } = all;
    const both = { memories: 1, audio_segments: 2 };
    const none = { memories: 0, audio_segments: 0 };
    expect(await facetsOf(all, {})).toEqual({ memories: 3, audio_segments: 2 });
    expect(await facetsOf(all, { tags: ['field', 'night'] })).toEqual(both);
    expect(await facetsOf(all, { tags_any: ['night', 'other'] })).toEqual(both);
    expect(await facetsOf(all, { tags: ['field', 'other'] })).toEqual(none);
    expect(await facetsOf(all, { content_type: 'audio' })).toEqual(both);
    expect(await facetsOf(all, { content_type: 'text' })).toEqual({
      memories: 2,
      audio_segments: 0,
    });
    expect(await facetsOf(all, owner)).toEqual(both);
    expect(await facetsOf(all, { user_id: 'ben' })).toEqual(none);
    expect(await facetsOf(all, { min_priority: 7 })).toEqual(both);
    expect(await facetsOf(all, { min_priority: 8 })).toEqual(none);
    const spring = { occurred_before: '2026-04-01' };
    expect(await facetsOf(all, spring)).toEqual(both);
    const search = async (pairs: object) =>
      (await client.search.post({ body: { q: 'wombat', metadata: pairs as never } })).facets;
    expect(await search({ project: 'zoo' })).toEqual(both);
    expect(await search({ project: 'elsewhere' })).toEqual(none);
    await client.memories.update({ params: { id }, body: { metadata: { project: 'elsewhere' } } });
    expect(await search({ project: 'elsewhere' })).toEqual(both);
    await client.memories.bulkTags({ body: { ids: [id], add: ['late'], remove: ['night'] } });
    expect(await facetsOf(all, { tags: ['late'] })).toEqual(both);
    expect(await facetsOf(all, { tags: ['night'] })).toEqual(none);
    await client.memories.bulkUpdate({ body: { ids: [id], set: { priority: 9 } } });
    expect(await facetsOf(all, { min_priority: 9 })).toEqual(both);
  });

  it('is left out with its recording, once that is superseded', async () => {
    const all = await stored();
    await all.client.relationships.create({
      params: { memoryId: all.note.id },
      body: { target_id: all.id, relationship_type: 'supersedes' },
    });
    expect(await facetsOf(all, { include_superseded: false })).toEqual({
      memories: 2,
      audio_segments: 0,
    });
    expect(await facetsOf(all, {})).toEqual({ memories: 3, audio_segments: 2 });
  });

  it('is cut by the threshold on its own score, and explained', async () => {
    const all = await stored();
    const q = spokenSegments[0]?.text ?? '';
    const { results } = await all.client.search.get({
      query: { q, threshold: 0.9, explain: true },
    });
    const segments = results.filter((one) => one.type === 'audio_segment') as AudioSegmentResult[];
    expect(segments).toMatchObject([{ text: q, why_matched: { keyword_rank: 1 } }]);
    expect(segments[0]?.highlight).toBe(q);
  });

  it('is no memory: groups, neighbours, topics and recall are of memories alone', async () => {
    const { client, note, id } = await stored({ tags: JSON.stringify(['zoo']) });
    const groups = await client.search.aggregate({
      query: { query: 'wombat', group_by: 'content_type', threshold: 0 },
    });
    expect(groups.total_count).toBe(3);
    expect(groups.groups.map(({ key, count }) => [key, count]).toSorted()).toEqual([
      ['audio', 1],
      ['text', 2],
    ]);
    const { results: near } = await client.search.similar({
      params: { memoryId: note.id },
      query: { threshold: 0 },
    });
    expect(near).toHaveLength(2);
    const topic = await client.search.topic({ query: { topic: 'zoo' } });
    expect(topic).toMatchObject({ total: 1, memories: [{ id }] });
    const words = await client.search.global({ query: { q: 'wombat', types: ['memory'] } });
    expect(words.total).toBe(3);
    const recalled = await client.search.recall({ body: { query: 'wombat' } });
    expect(recalled.memories).toHaveLength(3);
  });

  it('goes on in the order of the first page, result by result, while others write', async () => {
    const { client } = await stored();
    const page = async (offset: number) =>
      (await client.search.get({ query: { q: 'wombat', limit: 1, offset } })).results[0]?.id;
    const ids = [await page(0)];
    for (let offset = 1; offset < 5; offset += 1) {
      await client.memories.create({ body: { content: `wombat wombat ${offset}` } });
      ids.push(await page(offset));
    }
    expect(new Set(ids).size).toBe(5);
  });

  it('is found in a batch, and a key of another space finds nothing of it', async () => {
    const { credentials, client } = await stored();
    const space = await client.spaces.create({ body: { name: 'other' } });
    const { results } = await client.search.batch({
      body: {
        queries: [
          { q: 'tunnel', include: ['audio'] },
          { q: 'tunnel', space_id: space.id },
        ],
      },
    });
    expect(results).toMatchObject([
      { facets: { memories: 0, audio_segments: 1 } },
      { facets: { memories: 0, audio_segments: 0 } },
    ]);
    const { key } = await client.keys.create({ body: { name: 'k', space_ids: [space.id] } });
    const limited = hearing.service.client(key);
    expect((await limited.search.get({ query: { q: 'tunnel' } })).facets).toEqual({
      memories: 0,
      audio_segments: 0,
    });
    expect(credentials.key).not.toBe(key);
  });
});
