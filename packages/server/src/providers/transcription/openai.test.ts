import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type SpeechEndpoint,
  startSpeechEndpoint,
  verboseJsonReply,
} from '../../../../../test/support/speech-endpoint.ts';
import { createOpenAiTranscriber } from './openai.ts';
import { generateTones } from './testing.ts';
import { type Transcriber, TranscriptionFailed } from './transcription.ts';

const apiKey = 'sk-speech-0123456789';
const never = new AbortController().signal;
const samples = generateTones(['tone', 2], ['silence', 1]);

let endpoint: SpeechEndpoint;
let transcriber: Transcriber;
beforeEach(async () => {
  endpoint = await startSpeechEndpoint();
  transcriber = createOpenAiTranscriber(
    { provider: 'openai', url: endpoint.url, apiKey, model: 'whisper-1', timeoutMs: 5_000 },
    { sleep: async () => undefined },
  );
});
afterEach(async () => {
  await endpoint[Symbol.asyncDispose]();
});

const failure = async (): Promise<TranscriptionFailed> => {
  const error = await transcriber.transcribe(samples, {}, never).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TranscriptionFailed);
  return error as TranscriptionFailed;
};

test('a recording is sent as a WAV file with the hints, and returned as segments', async () => {
  endpoint.queueReplies(verboseJsonReply([{ start: 0.2, end: 1.9, text: ' Good morning. ' }]));
  const told = await transcriber.transcribe(samples, { language: 'en', prompt: 'Mneme' }, never);
  expect(told).toMatchObject({
    language: 'en',
    segments: [{ start: 0.2, end: 1.9, text: 'Good morning.', confidence: Math.exp(-0.25) }],
  });
  const [request] = endpoint.requests;
  expect(request).toMatchObject({
    path: '/v1/audio/transcriptions',
    authorization: `Bearer ${apiKey}`,
    fields: {
      model: 'whisper-1',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'segment',
      language: 'en',
      prompt: 'Mneme',
    },
  });
  expect(request?.audio.subarray(0, 4).toString('latin1')).toBe('RIFF');
  expect(request?.audio.subarray(44).equals(Buffer.from(samples.buffer))).toBe(true);
});

test('the longest recording per request is below 25 MB', () => {
  expect(transcriber.secondsMax * 32_000 + 44).toBeLessThan(25_000_000 - 2_000);
});

test('without times, a short text spans the recording', async () => {
  endpoint.queueReplies({ told: { text: 'Good morning.' } });
  const { segments } = await transcriber.transcribe(samples, {}, never);
  expect(segments).toMatchObject([{ start: 0, end: 2.1, text: 'Good morning.' }]);
  expect(endpoint.requests).toHaveLength(1);
});

test('without times, the recording is transcribed in ranges between pauses', async () => {
  const long = generateTones(
    ['tone', 20],
    ['silence', 2],
    ['tone', 15],
    ['silence', 1],
    ['tone', 4],
  );
  endpoint.queueReplies({ told: { text: 'All of it.' } });
  endpoint.setDefaultReply(({ audio }) => ({
    told: { text: `${Math.round(audio.length / 32_000)} s` },
  }));
  const { segments } = await transcriber.transcribe(long, {}, never);
  expect(segments).toMatchObject([{ text: '20 s' }, { text: '20 s' }]);
  expect(segments[1]?.start).toBeCloseTo(21.9);
  // The detected capability of the endpoint is remembered.
  await transcriber.transcribe(long, {}, never);
  expect(endpoint.requests).toHaveLength(5);
});

const refusing = (format: string) => ({
  status: 400,
  body: JSON.stringify({ error: { param: 'response_format', message: `no ${format}` } }),
});

test('an unsupported response format is not requested again', async () => {
  endpoint.queueReplies(refusing('verbose_json'), { told: { text: 'Good morning.' } });
  await transcriber.transcribe(samples, {}, never);
  await transcriber.transcribe(samples, {}, never);
  expect(endpoint.requests.map(({ fields }) => fields.response_format)).toEqual([
    'verbose_json',
    'json',
    'json',
  ]);
});

const diarized = {
  told: {
    text: 'Good morning. Hello.',
    segments: [
      {
        type: 'transcript.text.segment',
        id: 'seg_1',
        start: 0,
        end: 1,
        text: ' Good morning.',
        speaker: 'A',
      },
      {
        type: 'transcript.text.segment',
        id: 'seg_2',
        start: 1,
        end: 2,
        text: ' Hello.',
        speaker: 'B',
      },
    ],
  },
};

test('speakers are requested if wanted, and returned per segment', async () => {
  endpoint.queueReplies(diarized);
  const { segments } = await transcriber.transcribe(samples, { speakers: true }, never);
  expect(segments.map(({ speaker }) => speaker)).toEqual(['A', 'B']);
  expect(endpoint.requests[0]?.fields).toMatchObject({
    response_format: 'diarized_json',
    chunking_strategy: 'auto',
  });
});

test('an endpoint without speakers returns the words nevertheless', async () => {
  const detail = [{ loc: ['body', 'response_format'], msg: 'Input should be json' }];
  endpoint.queueReplies({ status: 422, body: JSON.stringify({ detail }) });
  const { segments } = await transcriber.transcribe(samples, { speakers: true }, never);
  expect(segments).toMatchObject([{ text: 'Nothing of interest.', speaker: null }]);
});

test('a model with speakers never receives the prompt that it rejects', async () => {
  const settings = { provider: 'openai', url: endpoint.url, timeoutMs: 5_000 } as const;
  transcriber = createOpenAiTranscriber({ ...settings, model: 'gpt-4o-transcribe-diarize' });
  expect([...transcriber.supportedHints]).toEqual(['language']);
  endpoint.queueReplies(diarized);
  await transcriber.transcribe(samples, { prompt: 'Mneme' }, never);
  expect(endpoint.requests[0]?.fields).toMatchObject({ response_format: 'diarized_json' });
  expect(endpoint.requests[0]?.fields).not.toHaveProperty('prompt');
});

test('a busy endpoint or a lost connection is retried', async () => {
  endpoint.queueReplies({ status: 429 }, 'gone', { status: 503 });
  expect((await transcriber.transcribe(samples, {}, never)).segments).toHaveLength(1);
  expect(endpoint.requests).toHaveLength(4);
});

test('a rejection is reported by its code only, without key or words', async () => {
  const body = JSON.stringify({ error: { code: 'bad_audio', message: `secret ${apiKey}` } });
  endpoint.queueReplies({ status: 400, body });
  const { message, unavailable } = await failure();
  expect(message).toBe('transcription endpoint: 400 bad_audio');
  expect(unavailable).toBe(false);
});

test('a response that is not a transcript fails', async () => {
  endpoint.queueReplies({ told: { segments: 'none' } });
  expect((await failure()).message).toContain('not a transcript');
});

test('an aborted caller gets the reason', async () => {
  endpoint.queueReplies('never');
  const stop = new AbortController();
  const call = transcriber.transcribe(samples, {}, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(call).rejects.toThrow('stopped');
});
