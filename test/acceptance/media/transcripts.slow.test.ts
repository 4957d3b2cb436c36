import type { AudioSegmentResult, Transcript } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { generateAudio, generateVideo, mediaSeconds } from '../../support/generated-media.ts';
import { oneEngine, startService } from '../../support/service.ts';
import { verboseJsonReply } from '../../support/speech-endpoint.ts';
import { runVerification } from '../verify/run-verification.ts';
import { errorCodeOf, parseJson, sendRequest } from './http-requests.ts';
import {
  jobTimeoutMs,
  startTranscriptionService,
  type TranscriptionService,
  uploadRecording,
  waitForResult,
} from './transcription-service.ts';

const segments = [
  { start: 0.5, end: 2, text: 'Ana ships the importer on Friday.' },
  { start: 3, end: 5.5, text: 'The budget of the greenhouse is settled.' },
];

describe.each(oneEngine)('what is said in a recording on %s', (engine) => {
  let hearing: TranscriptionService;
  let sound: Buffer;
  /** For tests that only read. */
  let shared: Awaited<ReturnType<typeof recorded>>;
  beforeAll(async () => {
    hearing = await startTranscriptionService(engine);
    sound = await generateAudio('tone.ogg', 6);
    shared = await recorded();
  });
  afterAll(() => hearing[Symbol.asyncDispose]());

  const recorded = async (fields: Record<string, string> = { title: 'Stand-up' }) => {
    const credentials = await hearing.account();
    hearing.endpoint.queueReplies(verboseJsonReply(segments));
    const id = await uploadRecording(credentials, sound, fields);
    const response = await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    return { credentials, id, response, transcript: parseJson<Transcript>(response) };
  };
  const segmentsFor = async (
    { client }: Awaited<ReturnType<typeof recorded>>['credentials'],
    q: string,
  ) => {
    const query = { q, include: ['audio' as const] };
    const { results, facets } = await client.search.get({ query });
    return results.slice(0, facets.audio_segments) as AudioSegmentResult[];
  };

  it('is there by itself after the upload: words, times, names, chapters, a summary', async () => {
    const { id, response, transcript, credentials } = shared;
    expect(response.status).toBe(200);
    expect(transcript).toMatchObject({
      memory_id: id,
      full_transcript: segments.map(({ text }) => text).join(' '),
      language: 'en',
      provider: 'openai',
      ignored_options: [],
    });
    expect(Math.abs(transcript.duration - 6)).toBeLessThan(0.1);
    expect(transcript.segments).toMatchObject(segments);
    expect(transcript.segments[0]?.confidence).toBeCloseTo(Math.exp(-0.25));
    expect(transcript.entities).toContainEqual(
      expect.objectContaining({ name: 'Ana', type: 'person' }),
    );
    expect(transcript.chapters).toMatchObject([{ start: 0.5, end: 5.5 }]);
    expect(transcript.summary).toContain('Ana');
    const memory = await credentials.client.memories.get({ params: { id } });
    expect(memory.content).toBe(`Stand-up\n\n${transcript.full_transcript}`);
  });

  it('is found with its seconds, and a signed link plays them without a key', async () => {
    const { credentials, id } = shared;
    const { results, facets } = await credentials.client.search.get({
      query: { q: 'greenhouse budget' },
    });
    expect(facets).toEqual({ memories: 1, audio_segments: 1 });
    const segment = results.find(({ type }) => type === 'audio_segment') as AudioSegmentResult;
    expect(segment).toMatchObject({
      audio_file_id: id,
      modality: 'speech',
      text: 'The budget of the greenhouse is settled.',
      start_time: 3,
      end_time: 5.5,
    });
    expect(segment.highlight).toContain('greenhouse');
    const clip = await fetch(new URL(segment.clip_url, credentials.url));
    expect(clip.status).toBe(200);
    const seconds = await mediaSeconds(new Uint8Array(await clip.arrayBuffer()));
    expect(Math.abs(seconds - 2.5)).toBeLessThan(0.3);
  });

  it('stands beside memories or alone, as the search includes it', async () => {
    const { credentials } = shared;
    const search = async (include?: ('memories' | 'audio')[]) => {
      const found = await credentials.client.search.get({
        query: { q: 'importer', ...(include && { include }) },
      });
      const { memories, audio_segments } = found.facets;
      const matches = found.results.slice(0, memories + audio_segments);
      return [matches.map(({ type }) => type).sort(), found.facets];
    };
    expect(await search()).toEqual([
      ['audio_segment', 'memory'],
      { memories: 1, audio_segments: 1 },
    ]);
    expect(await search(['audio'])).toEqual([
      ['audio_segment'],
      { memories: 0, audio_segments: 1 },
    ]);
    expect(await search(['memories'])).toEqual([['memory'], { memories: 1, audio_segments: 0 }]);
  });

  it('holds phrases, and is left out by what is excluded', async () => {
    const { credentials } = shared;
    expect(await segmentsFor(credentials, '"budget of the greenhouse"')).toHaveLength(1);
    expect(await segmentsFor(credentials, '"greenhouse of the budget"')).toHaveLength(0);
    expect(await segmentsFor(credentials, 'greenhouse -settled')).toHaveLength(0);
  });

  it('goes where its recording goes: tags, deletion, coming back, the end', async () => {
    const { credentials, id } = await recorded();
    const { client } = credentials;
    const tagged = async () =>
      (await client.search.get({ query: { q: 'importer', tags: ['work'] } })).facets;
    expect(await tagged()).toEqual({ memories: 0, audio_segments: 0 });
    await client.memories.update({ params: { id }, body: { tags: ['work'] } });
    expect(await tagged()).toEqual({ memories: 1, audio_segments: 1 });
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect(await segmentsFor(credentials, 'importer')).toHaveLength(0);
    await client.memories.restore({ params: { id } });
    expect(await segmentsFor(credentials, 'importer')).toHaveLength(1);
    await client.memories.remove({ params: { id } });
    expect(await segmentsFor(credentials, 'importer')).toHaveLength(0);
    expect((await sendRequest(credentials, `/v1/memories/${id}/transcript`)).status).toBe(404);
  });

  it('is seen by no key that may not use its space', async () => {
    const credentials = await hearing.account();
    const one = await credentials.client.spaces.create({ body: { name: 'one' } });
    const other = await credentials.client.spaces.create({ body: { name: 'other' } });
    hearing.endpoint.queueReplies(verboseJsonReply(segments));
    const id = await uploadRecording(credentials, sound, { space_id: one.id });
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    const limited = await credentials.client.keys.create({
      body: { name: 'limited', space_ids: [other.id] },
    });
    const client = hearing.service.client(limited.key);
    const { facets } = await client.search.get({ query: { q: 'importer' } });
    expect(facets).toEqual({ memories: 0, audio_segments: 0 });
    const refused = await sendRequest(
      { ...credentials, key: limited.key },
      `/v1/memories/${id}/transcript`,
    );
    expect([refused.status, errorCodeOf(refused)]).toEqual([403, 'space_access_denied']);
  });

  it('may be asked for anew: its options are passed on, or named as ignored', async () => {
    const { credentials, id } = await recorded();
    hearing.endpoint.queueReplies(
      verboseJsonReply([{ start: 1, end: 2, text: 'Other words about tulips.' }]),
    );
    const response = await credentials.client.media.transcribe({
      params: { id },
      body: {
        language: 'en',
        prompt: 'tulips',
        enableSpeakerDiarization: true,
        speakersExpected: 2,
        enableAutoChapters: false,
        enableEntityDetection: false,
        enableAutoSummarization: false,
      },
    });
    expect(response).toMatchObject({ memory_id: id, status: 'queued' });
    const again = parseJson<Transcript>(
      await waitForResult(credentials, `/v1/memories/${id}/transcript`),
    );
    expect(again).toMatchObject({
      full_transcript: 'Other words about tulips.',
      ignored_options: ['enableSpeakerDiarization', 'speakersExpected'],
      chapters: [],
      entities: [],
      summary: null,
    });
    expect(hearing.endpoint.requests.at(-1)?.fields).toMatchObject({
      language: 'en',
      prompt: 'tulips',
    });
    const { content } = await credentials.client.memories.get({ params: { id } });
    expect(content).toBe('Stand-up\n\nOther words about tulips.');
    // The old segments are removed shortly after the new ones become visible; then the job ends.
    const job = await eventually(
      () => credentials.client.jobs.get({ params: { id: response.job_id } }),
      ({ status }) => status === 'completed',
      jobTimeoutMs,
    );
    expect(job).toMatchObject({ kind: 'media.transcribe', progress: 1 });
    expect(await segmentsFor(credentials, 'importer')).toHaveLength(0);
    expect(await segmentsFor(credentials, 'tulips')).toHaveLength(1);
  });

  it('is 202 while it is made, and asking meanwhile is 409', async () => {
    const credentials = await hearing.account();
    const before = hearing.endpoint.requests.length;
    hearing.endpoint.queueReplies('never');
    const id = await uploadRecording(credentials, sound);
    await eventually(
      async () => hearing.endpoint.requests.length,
      (requests) => requests > before,
      jobTimeoutMs,
    );
    const pending = await sendRequest(credentials, `/v1/memories/${id}/transcript`);
    expect(pending.status).toBe(202);
    expect(parseJson<object>(pending)).toMatchObject({ memory_id: id, job_id: expect.any(String) });
    const refused = await sendRequest(credentials, `/v1/memories/${id}/transcribe`, {
      method: 'POST',
    });
    expect([refused.status, errorCodeOf(refused)]).toEqual([409, 'conflict']);
    hearing.endpoint.releasePending();
    expect((await waitForResult(credentials, `/v1/memories/${id}/transcript`)).status).toBe(200);
  });

  it('that a limited key asked for fails where the memory has left its spaces since', async () => {
    const credentials = await hearing.account();
    const { client } = credentials;
    const own = await client.spaces.create({ body: { name: 'own' } });
    const other = await client.spaces.create({ body: { name: 'other' } });
    const { key } = await client.keys.create({ body: { name: 'k', space_ids: [own.id] } });
    hearing.endpoint.queueReplies(verboseJsonReply(segments));
    const id = await uploadRecording(credentials, sound, { space_id: own.id });
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    // Jobs run one at a time: the next one waits.
    const before = hearing.endpoint.requests.length;
    hearing.endpoint.queueReplies('never');
    const busy = await uploadRecording(credentials, sound, { title: 'busy' });
    await eventually(
      async () => hearing.endpoint.requests.length,
      (requests) => requests > before,
      jobTimeoutMs,
    );
    const limited = hearing.service.client(key);
    const { job_id } = await limited.media.transcribe({ params: { id } });
    await client.memories.update({ params: { id }, body: { space_id: other.id } });
    const heard = hearing.endpoint.requests.length;
    hearing.endpoint.queueReplies(verboseJsonReply(segments));
    hearing.endpoint.releasePending();
    await waitForResult(credentials, `/v1/memories/${busy}/transcript`);
    const job = await eventually(
      () => client.jobs.get({ params: { id: job_id } }),
      ({ status }) => !['queued', 'running'].includes(status),
      jobTimeoutMs,
    );
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('space') });
    expect(hearing.endpoint.requests).toHaveLength(heard);
  });

  it('that failed is 503 with the reason, and may be asked for again', async () => {
    const credentials = await hearing.account();
    const body = '{"error":{"code":"unsupported","message":"secret words"}}';
    hearing.endpoint.queueReplies({ status: 400, body });
    const id = await uploadRecording(credentials, sound);
    const failed = await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    expect([failed.status, errorCodeOf(failed)]).toEqual([503, 'service_unavailable']);
    const { error } = parseJson<{ error: { message: string; details: { reason: string } } }>(
      failed,
    );
    expect(error.details.reason).toBe('transcription endpoint: 400 unsupported');
    expect(error.message).not.toContain('secret');
    hearing.endpoint.queueReplies(verboseJsonReply(segments));
    await credentials.client.media.transcribe({ params: { id } });
    expect((await waitForResult(credentials, `/v1/memories/${id}/transcript`)).status).toBe(200);
  });

  it('is refused where there is nothing to hear, and where nobody is called so', async () => {
    const { credentials, id } = shared;
    const body = JSON.stringify({ provider: 'elsewhere' });
    const headers = { 'content-type': 'application/json' };
    const asking = { method: 'POST', headers, body };
    const unknown = await sendRequest(credentials, `/v1/memories/${id}/transcribe`, asking);
    expect([unknown.status, errorCodeOf(unknown)]).toEqual([400, 'invalid_request']);
    const { id: note } = await credentials.client.memories.create({ body: { content: 'a note' } });
    for (const path of [`${note}/transcript`, `${id}/video/transcript`]) {
      const refused = await sendRequest(credentials, `/v1/memories/${path}`);
      expect([refused.status, errorCodeOf(refused)]).toEqual([400, 'invalid_request']);
    }
    const missing = await sendRequest(
      credentials,
      `/v1/memories/${crypto.randomUUID()}/transcript`,
    );
    expect([missing.status, errorCodeOf(missing)]).toEqual([404, 'memory_not_found']);
  });

  it('of a video is read at its own address, too', async () => {
    const credentials = await hearing.account();
    hearing.endpoint.queueReplies(verboseJsonReply(segments.slice(0, 1)));
    const id = await uploadRecording(credentials, await generateVideo('talk.mp4', 3));
    const response = await waitForResult(credentials, `/v1/memories/${id}/video/transcript`);
    expect(parseJson<Transcript>(response).segments).toHaveLength(1);
    expect(await segmentsFor(credentials, 'importer')).toHaveLength(1);
  });

  it('is told as events, with the memory as it is then', async () => {
    const { credentials, id } = shared;
    const { data } = await credentials.client.events.list({ query: { limit: 100 } });
    const events = data.filter(({ type }) => type.startsWith('audio.'));
    expect(events.map(({ type }) => type)).toEqual(['audio.uploaded', 'audio.transcribed']);
    expect(events[1]?.data).toMatchObject({ id, content: expect.stringContaining('importer') });
  });

  it('is in pages with memories, of which none repeats or loses a result', async () => {
    const { credentials } = await recorded();
    const words = Array.from({ length: 9 }, (_, i) => ({
      start: i / 2,
      end: i / 2 + 0.4,
      text: `Turnip number ${i}.`,
    }));
    hearing.endpoint.queueReplies(verboseJsonReply(words));
    const other = await generateAudio('other.ogg', 6, 700);
    await waitForResult(
      credentials,
      `/v1/memories/${await uploadRecording(credentials, other)}/transcript`,
    );
    for (let i = 0; i < 4; i += 1) {
      await credentials.client.memories.create({ body: { content: `A turnip memory ${i}` } });
    }
    const whole = await credentials.client.search.get({ query: { q: 'turnip', limit: 100 } });
    const { memories, audio_segments } = whole.facets;
    const all = { ...whole, results: whole.results.slice(0, memories + audio_segments) };
    expect(all.facets).toEqual({ memories: 5, audio_segments: 9 });
    const types = all.results.map(({ type }) => type);
    for (let rank = 0; rank < 5; rank += 1) {
      expect(new Set(types.slice(rank * 2, rank * 2 + 2)).size).toBe(2);
    }
    for (const limit of [1, 3, 4]) {
      const ids: string[] = [];
      for (let offset = 0; offset < all.results.length; offset += limit) {
        const page = await credentials.client.search.get({ query: { q: 'turnip', limit, offset } });
        ids.push(...page.results.map(({ id }) => id));
      }
      expect(ids).toEqual(all.results.map(({ id }) => id));
    }
  });

  it('is complete in the index, as verify finds', async () => {
    const report = await runVerification(hearing.service);
    expect(report).toMatchObject({ status: 'completed', faults: [] });
  });
});

describe.each(oneEngine)('without anybody who hears on %s', (engine) => {
  it('a recording is stored, and its transcript is 503 that says what to configure', async () => {
    const service = await startService(engine);
    const credentials = { ...(await service.createAccount()), url: service.url };
    const id = await uploadRecording(credentials, await generateAudio('tone.ogg', 1));
    for (const method of ['GET', 'POST']) {
      const path = `/v1/memories/${id}/${method === 'GET' ? 'transcript' : 'transcribe'}`;
      const refused = await sendRequest(credentials, path, { method });
      expect([refused.status, errorCodeOf(refused)]).toEqual([503, 'service_unavailable']);
      expect(refused.bytes.toString('utf8')).toContain('MNEME_TRANSCRIPTION_');
    }
    await service.stop();
  });
});
