import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type {
  AudioSegmentResult,
  Job,
  MediaPending,
  Transcript,
  VideoInterpretation,
} from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { generateVideo } from '../../support/generated-media.ts';
import {
  type LanguageEndpoint,
  jsonReply as reply,
  startLanguageEndpoint,
} from '../../support/language-endpoint.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import {
  type SpeechEndpoint,
  startSpeechEndpoint,
  verboseJsonReply,
} from '../../support/speech-endpoint.ts';
import { errorCodeOf, type HttpResult, parseJson, sendRequest } from './http-requests.ts';
import { uploadRecording } from './transcription-service.ts';

const transcriptReply = verboseJsonReply([
  { start: 0.2, end: 0.8, text: 'Ana ships the importer on Friday.' },
]);
const seen = reply({ description: 'A whiteboard with a roadmap.', labels: ['office'] });

/** Tests control when jobs run and when time passes. */
describe.each(oneEngine)('a run over a recording on %s', (engine) => {
  let speech: SpeechEndpoint;
  let sight: LanguageEndpoint;
  let clock: FakeClock;
  let service: Service;
  let film: Buffer;
  beforeAll(async () => {
    [speech, sight] = [await startSpeechEndpoint(), await startLanguageEndpoint()];
    clock = createFakeClock();
    const env = {
      MNEME_TRANSCRIPTION_URL: speech.url,
      MNEME_TRANSCRIPTION_MODEL: 'hears-1',
      MNEME_TRANSCRIPTION_COMMAND: 'no-such-listener {file}',
      MNEME_VISION_URL: sight.url,
      MNEME_VISION_MODEL: 'sees-1',
    };
    service = await startService(engine, { env, overrides: { clock } });
    film = await generateVideo('talk.mp4', 2);
  });
  afterAll(async () => {
    await service.stop();
    await speech[Symbol.asyncDispose]();
    await sight[Symbol.asyncDispose]();
  });

  const drain = () => service.running.context.worker.drain();
  /** A video in a new account, with a queued transcription. */
  async function recorded() {
    speech.setDefaultReply(() => transcriptReply);
    sight.setDefaultReply(() => seen);
    const credentials = { ...(await service.createAccount()), url: service.url };
    const id = await uploadRecording(credentials, film);
    const get = (noun: string): Promise<HttpResult> =>
      sendRequest(credentials, `/v1/memories/${id}/${noun}`);
    const post = (verb: string, body: object = {}): Promise<HttpResult> =>
      sendRequest(credentials, `/v1/memories/${id}/${verb}`, {
        method: 'POST',
        ...(verb === 'transcribe' && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
    const jobOf = (pending: HttpResult): Promise<Job> => {
      const { job_id } = parseJson<MediaPending>(pending);
      return credentials.client.jobs.get({ params: { id: job_id } });
    };
    return { credentials, id, get, post, jobOf };
  }

  it('that met a fault which passes is queued again, tells when, and ends well', async () => {
    const { get, jobOf } = await recorded();
    speech.setDefaultReply(() => ({ status: 503 }));
    await drain();
    const pending = await get('transcript');
    expect(pending.status).toBe(202);
    expect(parseJson<MediaPending>(pending).status).toBe('queued');
    const waiting = await jobOf(pending);
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1, finished_at: null });
    const [dueAt = ''] = /\d{4}-\S+Z/.exec(waiting.error ?? '') ?? [];
    const seconds = (Date.parse(dueAt) - clock.now().getTime()) / 1_000;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(10);
    speech.setDefaultReply(() => transcriptReply);
    clock.advance(10_000);
    await drain();
    expect((await get('transcript')).status).toBe(200);
    expect(await jobOf(pending)).toMatchObject({ status: 'completed', attempts: 2, error: null });
  });

  it('that meets a refused key ends with its first attempt, and its job says why', async () => {
    const { get, jobOf } = await recorded();
    const pending = await get('transcript');
    speech.setDefaultReply(() => ({ status: 401 }));
    await drain();
    const job = await jobOf(pending);
    expect(job).toMatchObject({ status: 'failed', attempts: 1 });
    expect(job.error).toContain('MNEME_TRANSCRIPTION_API_KEY');
  });

  it('whose file is lost is 404 at once, and goes well once the file is back', async () => {
    const { get, post, jobOf } = await recorded();
    const queued = await post('video/interpret');
    const blobs = path.join(service.config.dataDir, 'blobs');
    const aside = path.join(service.config.dataDir, 'aside');
    await cp(blobs, aside, { recursive: true });
    await rm(blobs, { recursive: true });
    const pending = await get('transcript');
    await drain();
    for (const one of [pending, queued]) {
      expect(await jobOf(one)).toMatchObject({
        status: 'failed',
        attempts: 1,
        error: 'The file does not exist.',
      });
    }
    const responses = [await get('transcript'), await get('video/interpretation')];
    const refused = [await post('transcribe'), await post('video/interpret')];
    for (const one of [...responses, ...refused]) {
      expect([one.status, errorCodeOf(one)]).toEqual([404, 'not_found']);
    }
    await cp(aside, blobs, { recursive: true });
    await rm(aside, { recursive: true });
    for (const verb of ['transcribe', 'video/interpret']) {
      expect((await post(verb)).status).toBe(202);
    }
    await drain();
    expect((await get('transcript')).status).toBe(200);
    expect((await get('video/interpretation')).status).toBe(200);
  });

  it('that fails leaves the former transcript as it was, read and found', async () => {
    const { credentials, id, get, post, jobOf } = await recorded();
    await drain();
    const previous = parseJson<Transcript>(await get('transcript'));
    expect(previous.provider).toBe('openai');
    clock.advance(60_000);
    const again = await post('transcribe', { provider: 'command', enableAutoChapters: false });
    expect((await get('transcript')).status).toBe(202);
    await drain();
    const job = await jobOf(again);
    expect(job.status).toBe('failed');
    expect(job.error).toContain('no-such-listener');
    const response = await get('transcript');
    expect(response.status).toBe(200);
    expect(parseJson<Transcript>(response)).toEqual(previous);
    const query = { q: 'importer', include: ['audio' as const] };
    const { results } = await credentials.client.search.get({ query });
    expect((results as AudioSegmentResult[]).map((one) => one.audio_file_id)).toEqual([id]);
    speech.setDefaultReply(() =>
      verboseJsonReply([{ start: 0.2, end: 0.8, text: 'Other words.' }]),
    );
    await post('transcribe');
    await drain();
    expect(parseJson<Transcript>(await get('transcript'))).toMatchObject({
      full_transcript: 'Other words.',
      provider: 'openai',
    });
  });

  it('that fails leaves the former interpretation as it was', async () => {
    const { get, post, jobOf } = await recorded();
    await post('video/interpret');
    await drain();
    const previous = parseJson<VideoInterpretation>(await get('video/interpretation'));
    expect(previous.frames).not.toHaveLength(0);
    clock.advance(60_000);
    sight.setDefaultReply(() => ({ status: 404, body: '' }));
    const again = await post('video/interpret');
    expect((await get('video/interpretation')).status).toBe(202);
    await drain();
    expect((await jobOf(again)).error).toContain('MNEME_VISION_MODEL');
    expect(parseJson<VideoInterpretation>(await get('video/interpretation'))).toEqual(previous);
  });
});
