import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AudioSegmentResult, TranscribeOptions, Transcript } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTestWhisper } from '../../../packages/server/src/providers/transcription/testing.ts';
import * as library from '../../../packages/server/src/providers/transcription/transformers.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { type engines, oneEngine, type Service, startService } from '../../support/service.ts';
import { startSpeechEndpoint, verboseJsonReply } from '../../support/speech-endpoint.ts';
import { parseJson, sendRequest } from './http-requests.ts';
import { uploadRecording, waitForResult } from './transcription-service.ts';

/** All options of the published request body. */
const wanted: TranscribeOptions = {
  language: 'en-GB',
  prompt: 'greenhouse',
  enableSpeakerDiarization: true,
  enableEntityDetection: true,
  enableContentSafety: true,
  enableAutoChapters: true,
  enableAutoSummarization: true,
  speakersExpected: 2,
};
const unwanted: TranscribeOptions = {
  enableSpeakerDiarization: false,
  enableEntityDetection: false,
  enableContentSafety: false,
  enableAutoChapters: false,
  enableAutoSummarization: false,
};
const segments = [
  { start: 0, end: 1, text: 'Ana ships the importer on Friday.', speaker: 'A' },
  { start: 1, end: 2, text: 'Ben has the greenhouse.', speaker: 'B' },
];
const nobodyDoes = ['enableContentSafety', 'speakersExpected'];

interface Hearer {
  readonly service: Service;
  /** The fields that the provider received. */
  hints(): object;
  readonly ignores: string[];
  readonly speakers: (string | null)[];
  readonly language: string | null;
  stop(): Promise<void>;
}

type Engine = (typeof engines)[number];

async function byEndpoint(engine: Engine): Promise<Hearer> {
  const endpoint = await startSpeechEndpoint();
  endpoint.setDefaultReply(() => verboseJsonReply(segments));
  const env = { MNEME_TRANSCRIPTION_URL: endpoint.url, MNEME_TRANSCRIPTION_MODEL: 'hears-1' };
  return {
    service: await startService(engine, { env }),
    hints() {
      const { language, prompt, response_format: form } = endpoint.requests.at(-1)?.fields ?? {};
      return { language, prompt, form };
    },
    ignores: nobodyDoes,
    speakers: ['A', 'B'],
    language: 'en',
    stop: async () => endpoint[Symbol.asyncDispose](),
  };
}

async function byProgram(engine: Engine): Promise<Hearer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-listener-'));
  const script = path.join(folder, 'listener.mjs');
  const output = JSON.stringify(segments.map(({ speaker: _, ...segment }) => segment));
  await writeFile(script, `console.log(${JSON.stringify(output)})`);
  const command = `"${process.execPath}" ${script} {file}`;
  return {
    service: await startService(engine, { env: { MNEME_TRANSCRIPTION_COMMAND: command } }),
    hints: () => ({}),
    ignores: ['language', 'prompt', 'enableSpeakerDiarization', ...nobodyDoes],
    speakers: [null, null],
    language: null,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function byLibrary(engine: Engine): Promise<Hearer> {
  let credentials: object = {};
  const settings = { model: 'hub/whisper', cacheDir: '/cache' };
  const whisper = loadTestWhisper(settings, async () => ({
    env: { cacheDir: null, localModelPath: '', allowLocalModels: true, allowRemoteModels: true },
    pipeline: async () => async (_: Float32Array, options: { language?: string }) => {
      credentials = { language: options.language };
      const chunks = segments.map(({ start, end, text }) => ({ timestamp: [start, end], text }));
      return { text: '', chunks };
    },
  }));
  const transcriber = library.createTransformersTranscriber(settings, whisper);
  return {
    service: await startService(engine, { overrides: { transcribers: [transcriber] } }),
    hints: () => credentials,
    ignores: ['prompt', 'enableSpeakerDiarization', ...nobodyDoes],
    speakers: [null, null],
    language: 'en',
    stop: async () => undefined,
  };
}

const kinds = { openai: byEndpoint, command: byProgram, transformers: byLibrary } as const;
const cases = oneEngine.flatMap((engine) =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => ({ kind, engine })),
);

describe.each(cases)('the options of transcribe, by $kind on $engine', ({ kind, engine }) => {
  let hearer: Hearer;
  let credentials: Awaited<ReturnType<Service['createAccount']>> & { url: string };
  let id: string;
  beforeAll(async () => {
    hearer = await kinds[kind](engine);
    credentials = { ...(await hearer.service.createAccount()), url: hearer.service.url };
    id = await uploadRecording(credentials, await generateAudio('tone.flac', 3));
    await waitForResult(credentials, `/v1/memories/${id}/transcript`);
  });
  afterAll(async () => {
    await hearer.service.stop();
    await hearer.stop();
  });

  const anew = async (body: TranscribeOptions): Promise<Transcript> => {
    await credentials.client.media.transcribe({ params: { id }, body });
    return parseJson<Transcript>(await waitForResult(credentials, `/v1/memories/${id}/transcript`));
  };

  it('are passed on, or named as ignored', async () => {
    const transcript = await anew({ ...wanted, provider: kind });
    expect(transcript.provider).toBe(kind);
    expect(transcript.ignored_options.toSorted()).toEqual(hearer.ignores.toSorted());
    expect(hearer.hints()).toEqual(
      kind === 'openai'
        ? { language: 'en', prompt: 'greenhouse', form: 'diarized_json' }
        : kind === 'transformers'
          ? { language: 'en' }
          : {},
    );
    expect(transcript.language).toBe(hearer.language);
    expect(transcript.segments.map(({ speaker }) => speaker)).toEqual(hearer.speakers);
    expect(transcript.entities.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ana']));
    expect(transcript.chapters).toHaveLength(1);
    expect(transcript.summary).not.toBeNull();
    const { results } = await credentials.client.search.get({
      query: { q: 'importer', include: ['audio'] },
    });
    expect((results[0] as AudioSegmentResult).speaker).toBe(hearer.speakers[0]);
  });

  it('that are false leave out what they are about, and nothing is ignored', async () => {
    const transcript = await anew(unwanted);
    expect(transcript).toMatchObject({
      ignored_options: [],
      entities: [],
      chapters: [],
      summary: null,
      segments: [{ speaker: null }, { speaker: null }],
    });
  });

  it('that nobody could mean are refused by their names', async () => {
    const bodies: [object, string][] = [
      [{ language: '--model' }, 'language'],
      [{ speakersExpected: 0 }, 'speakersExpected'],
      [{ enableAutoChapters: 'yes' }, 'enableAutoChapters'],
      [{ enableauto: true }, 'enableauto'],
    ];
    for (const [body, field] of bodies) {
      const headers = { 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      const refused = await sendRequest(credentials, `/v1/memories/${id}/transcribe`, sent);
      expect(refused.status).toBe(422);
      const { error } = parseJson<{ error: { details: { fields: object } } }>(refused);
      expect(Object.keys(error.details.fields)).toEqual([field]);
    }
  });
});
