import type { AudioSegmentResult, Transcript } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findTablesContaining } from '../../support/find-tables-containing.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { oneEngine } from '../../support/service.ts';
import { verboseJsonReply } from '../../support/speech-endpoint.ts';
import { parseJson, sendRequest } from './http-requests.ts';
import {
  jobTimeoutMs,
  startTranscriptionService,
  type TranscriptionService,
  uploadRecording,
  waitForResult,
} from './transcription-service.ts';

describe.each(oneEngine)('the words of a recording on %s', (engine) => {
  let hearing: TranscriptionService;
  let sound: Buffer;
  /** Longer than one transcription window. */
  let long: Buffer;
  beforeAll(async () => {
    hearing = await startTranscriptionService(engine);
    [sound, long] = [await generateAudio('tone.ogg', 6), await generateAudio('long.ogg', 800)];
  });
  afterAll(() => hearing[Symbol.asyncDispose]());

  const account = async (plan?: 'pro') => ({
    ...(await hearing.service.createAccount(plan)),
    url: hearing.service.url,
  });
  const found = async (
    { client }: Pick<Awaited<ReturnType<typeof account>>, 'client'>,
    q: string,
  ) => {
    const query = { q, include: ['audio' as const] };
    const { results, facets } = await client.search.get({ query });
    return results.slice(0, facets.audio_segments) as AudioSegmentResult[];
  };

  it('fill its memory as far as the plan goes, and are all in the transcript', async () => {
    const credentials = await account('pro');
    const segments = Array.from({ length: 60 }, (_, i) => ({
      start: i / 10,
      end: i / 10 + 0.1,
      text: `${'Überfällige Brücken '.repeat(40)}word${i}.`,
    }));
    hearing.endpoint.queueReplies(verboseJsonReply(segments));
    const id = await uploadRecording(credentials, sound, { title: 'Brücken' });
    const transcript = parseJson<Transcript>(
      await waitForResult(credentials, `/v1/memories/${id}/transcript`),
    );
    const { content } = await credentials.client.memories.get({ params: { id } });
    const bytes = Buffer.byteLength(content);
    expect(bytes).toBeLessThanOrEqual(32_768);
    expect(bytes).toBeGreaterThan(32_700);
    expect(`Brücken\n\n${transcript.full_transcript}`.startsWith(content)).toBe(true);
    expect(transcript.full_transcript).toContain('word59.');
    expect(await found(credentials, 'word59')).toMatchObject([{ audio_file_id: id }]);
    // The truncated transcript is recognized and replaced.
    hearing.endpoint.queueReplies(verboseJsonReply([{ start: 0, end: 1, text: 'Short.' }]));
    await credentials.client.media.transcribe({ params: { id } });
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    const again = await credentials.client.memories.get({ params: { id } });
    expect(again.content).toBe('Brücken\n\nShort.');
  });

  it('stand nowhere once it is deleted, half-way through its transcript or after it', async () => {
    const credentials = await account();
    const said = (word: string) =>
      verboseJsonReply([{ start: 1, end: 2, text: `The ${word} is here.` }]);
    const before = hearing.endpoint.requests.length;
    hearing.endpoint.queueReplies(said('quokka'), 'never');
    const half = await uploadRecording(credentials, long);
    await eventually(
      async () => hearing.endpoint.requests.length,
      (count) => count === before + 2,
      jobTimeoutMs,
    );
    expect(await findTablesContaining(hearing.service, 'quokka')).toEqual(['transcripts']);
    await credentials.client.memories.remove({ params: { id: half } });
    expect(await findTablesContaining(hearing.service, 'quokka')).toEqual([]);
    hearing.endpoint.releasePending();
    await hearing.service.running.context.worker.drain();
    expect(await findTablesContaining(hearing.service, 'quokka')).toEqual([]);

    hearing.endpoint.queueReplies(said('numbat'));
    const whole = await uploadRecording(credentials, sound);
    await waitForResult(credentials, `/v1/memories/${whole}/transcript`);
    expect(await findTablesContaining(hearing.service, 'numbat')).toEqual(
      expect.arrayContaining(['documents', 'media_segments', 'memories', 'transcripts']),
    );
    expect(await findTablesContaining(hearing.service, 'numbat')).not.toContain('jobs');
    await credentials.client.memories.remove({ params: { id: whole } });
    await hearing.service.running.context.worker.drain();
    // The outbox stores the content of changed memories for 30 days.
    expect(
      (await findTablesContaining(hearing.service, 'numbat')).filter((name) => name !== 'events'),
    ).toEqual([]);
    for (const word of ['quokka', 'numbat']) {
      expect(hearing.service.logLines.filter((line) => line.includes(word))).toEqual([]);
      expect(await found(credentials, word)).toEqual([]);
    }
  });

  it('are found where it is by then, though it moved while they were listened to', async () => {
    const credentials = await account();
    const space = await credentials.client.spaces.create({ body: { name: 'archive' } });
    const before = hearing.endpoint.requests.length;
    hearing.endpoint.queueReplies('never');
    hearing.endpoint.setDefaultReply(() =>
      verboseJsonReply([{ start: 0, end: 1, text: 'A bandicoot.' }]),
    );
    const id = await uploadRecording(credentials, sound);
    await eventually(
      async () => hearing.endpoint.requests.length,
      (count) => count > before,
      jobTimeoutMs,
    );
    await credentials.client.memories.update({ params: { id }, body: { space_id: space.id } });
    await credentials.client.memories.remove({ params: { id }, query: { soft: true } });
    hearing.endpoint.releasePending();
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    expect(await found(credentials, 'interest')).toEqual([]);
    await credentials.client.memories.restore({ params: { id } });
    expect(await found(credentials, 'interest')).toMatchObject([{ space_id: space.id }]);
    const { facets } = await credentials.client.search.get({
      query: { q: 'interest', space_id: 'default' },
    });
    expect(facets).toEqual({ memories: 0, audio_segments: 0 });
  });

  it('said anew by a key that lost its right to the space are refused', async () => {
    const credentials = await account();
    const space = await credentials.client.spaces.create({ body: { name: 'theirs' } });
    const id = await uploadRecording(credentials, sound, { space_id: space.id });
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
    const { key } = await credentials.client.keys.create({
      body: { name: 'limited', space_ids: ['default'] },
    });
    const refused = await sendRequest({ ...credentials, key }, `/v1/memories/${id}/transcribe`, {
      method: 'POST',
    });
    expect(refused.status).toBe(403);
  });
});
