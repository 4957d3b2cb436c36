import { describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { ModelProcess } from '../model-process/index.ts';
import type { TransformersLibrary } from '../transformers/library.ts';
import { generateTones, loadTestWhisper } from './testing.ts';
import { TranscriptionFailed } from './transcription.ts';
import { createTransformersTranscriber, toWhisperProcessSettings } from './transformers.ts';
import type { WhisperRequest, WhisperResult } from './whisper.ts';

const settings = { model: 'hub/whisper', cacheDir: '/cache' };
const never = new AbortController().signal;

/** Replaces the package, which is not a dependency. */
function library(heard: unknown, config?: object) {
  const asked: { samples: Float32Array; options: unknown }[] = [];
  const tasks: string[] = [];
  const fake: TransformersLibrary = {
    env: { cacheDir: null, localModelPath: '', allowLocalModels: true, allowRemoteModels: true },
    pipeline: async (task) => {
      tasks.push(task);
      const run = async (samples: Float32Array, options: unknown) => {
        asked.push({ samples, options });
        return heard;
      };
      return Object.assign(run, { model: { generation_config: config } });
    },
  };
  return { load: async () => fake, asked, tasks };
}

test('samples are scaled to −1..1, and chunks become segments', async () => {
  const { load, asked, tasks } = library({
    text: ' Hello there.',
    chunks: [
      { timestamp: [0, 1.5], text: ' Hello' },
      { timestamp: [1.5, null], text: ' there.' },
    ],
  });
  const transcriber = createTransformersTranscriber(settings, loadTestWhisper(settings, load));
  const { segments } = await transcriber.transcribe(
    generateTones(['tone', 2]),
    { language: 'en' },
    never,
  );
  expect(segments).toMatchObject([
    { start: 0, end: 1.5, text: 'Hello' },
    { start: 1.5, end: 2, text: 'there.' },
  ]);
  expect(asked[0]?.options).toMatchObject({ return_timestamps: true, language: 'en' });
  expect(Math.max(...(asked[0]?.samples ?? []))).toBeLessThan(0.25);
  expect(tasks).toEqual(['automatic-speech-recognition']);
});

test('an English-only model receives no language and reports no language hint', async () => {
  const { load, asked } = library({ text: '', chunks: [] }, { is_multilingual: false });
  const transcriber = createTransformersTranscriber(settings, loadTestWhisper(settings, load));
  await transcriber.transcribe(generateTones(['tone', 1]), { language: 'de' }, never);
  expect(asked[0]?.options).not.toHaveProperty('language');
  expect(asked[0]?.options).not.toHaveProperty('task');
  expect(transcriber.supportedHints.has('language')).toBe(false);
});

test('a language unknown to the model is rejected by its name', async () => {
  const lang_to_id = { '<|en|>': 1 };
  const { load } = library({ text: '', chunks: [] }, { is_multilingual: true, lang_to_id });
  const transcriber = createTransformersTranscriber(settings, loadTestWhisper(settings, load));
  const told = transcriber.transcribe(generateTones(['tone', 1]), { language: 'tlh' }, never);
  await expect(told).rejects.toThrow('does not know the language tlh');
});

test('a chunk without an end ends where the next begins', async () => {
  const chunks = [
    { timestamp: [0, null], text: 'One.' },
    { timestamp: [1, 2], text: 'Two.' },
  ];
  const { load } = library({ text: 'One. Two.', chunks });
  const transcriber = createTransformersTranscriber(settings, loadTestWhisper(settings, load));
  const { segments } = await transcriber.transcribe(generateTones(['tone', 3]), {}, never);
  expect(segments.map(({ end }) => end)).toEqual([1, 2]);
});

describe('in a child process', () => {
  const limits = { timeoutMs: 60_000, memoryBytes: 4 * 2 ** 30 };
  const fixture = new URL('./fixtures/transformers.ts', import.meta.url).href;
  const start = (own: { model?: string; library?: string } = {}) =>
    new ModelProcess<WhisperRequest, WhisperResult>(
      toWhisperProcessSettings({ ...settings, library: fixture, ...own }, limits),
      systemClock,
    );
  const sound = generateTones(['tone', 2]);

  test('it receives the samples', async () => {
    await using whisper = start();
    const transcriber = createTransformersTranscriber(settings, whisper);
    expect(await transcriber.transcribe(sound, { language: 'en' }, never)).toMatchObject({
      language: 'en',
      segments: [
        {
          ...{ start: 0, end: 2 },
          text: 'automatic-speech-recognition by hub/whisper of 32000 samples in en',
        },
      ],
    });
  });

  test('a missing package is reported with how to install it', async () => {
    await using whisper = start({ library: 'file:///nowhere/transformers.js' });
    const told = createTransformersTranscriber(settings, whisper).transcribe(sound, {}, never);
    const error = await told.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TranscriptionFailed);
    expect(error).toMatchObject({
      message:
        'the transcription provider "transformers" needs the package @huggingface/transformers: ' +
        'run "npm install @huggingface/transformers" in the server\'s folder',
    });
  });

  test('a missing model is reported by its name', async () => {
    await using whisper = start({ model: 'hub/none' });
    const told = createTransformersTranscriber(settings, whisper).transcribe(sound, {}, never);
    await expect(told).rejects.toThrow('transcription model hub/none cannot be loaded');
  });
});
