import { expect, test } from 'vitest';
import type { TransformersLibrary } from '../transformers/library.ts';
import { soundsOf } from './testing.ts';
import { createTransformersTranscriber } from './transformers.ts';

const settings = { provider: 'transformers', model: 'hub/whisper', cacheDir: '/cache' } as const;
const never = new AbortController().signal;

/** Stands for the package, which is no dependency. */
function library(heard: unknown, config?: object) {
  const asked: { samples: Float32Array; options: unknown }[] = [];
  const loaded = { times: 0, tasks: [] as string[] };
  const fake: TransformersLibrary = {
    env: { cacheDir: null, localModelPath: '', allowLocalModels: true, allowRemoteModels: true },
    pipeline: async (task) => {
      loaded.tasks.push(task);
      const run = async (samples: Float32Array, options: unknown) => {
        asked.push({ samples, options });
        return heard;
      };
      return Object.assign(run, { model: { generation_config: config } });
    },
  };
  const load = async () => {
    loaded.times += 1;
    return fake;
  };
  return { load, asked, loaded };
}

test('samples go in between −1 and 1, chunks come out as segments', async () => {
  const { load, asked, loaded } = library({
    text: ' Hello there.',
    chunks: [
      { timestamp: [0, 1.5], text: ' Hello' },
      { timestamp: [1.5, null], text: ' there.' },
    ],
  });
  const transcriber = createTransformersTranscriber(settings, load);
  const { segments } = await transcriber.transcribe(
    soundsOf(['tone', 2]),
    { language: 'en' },
    never,
  );
  expect(segments).toMatchObject([
    { start: 0, end: 1.5, text: 'Hello' },
    { start: 1.5, end: 2, text: 'there.' },
  ]);
  expect(asked[0]?.options).toMatchObject({ return_timestamps: true, language: 'en' });
  expect(Math.max(...(asked[0]?.samples ?? []))).toBeLessThan(0.25);
  expect(loaded.tasks).toEqual(['automatic-speech-recognition']);
});

test('the model is loaded once, with the first recording', async () => {
  const { load, loaded } = library({ text: '', chunks: [] });
  const transcriber = createTransformersTranscriber(settings, load);
  expect(loaded.times).toBe(0);
  await transcriber.transcribe(soundsOf(['tone', 1]), {}, never);
  await transcriber.transcribe(soundsOf(['tone', 1]), {}, never);
  expect(loaded.times).toBe(1);
});

test('a model that cannot be loaded is tried again with the next recording', async () => {
  const { load, loaded } = library({ text: '', chunks: [] });
  let fails = true;
  const transcriber = createTransformersTranscriber(settings, async () => {
    if (fails) throw new Error('no such package');
    return load();
  });
  const first = transcriber.transcribe(soundsOf(['tone', 1]), {}, never);
  await expect(first).rejects.toThrow('npm install @huggingface/transformers');
  fails = false;
  await transcriber.transcribe(soundsOf(['tone', 1]), {}, never);
  expect(loaded.times).toBe(1);
});

test('a model of English alone is given no language, nor said to have taken one', async () => {
  const { load, asked } = library({ text: '', chunks: [] }, { is_multilingual: false });
  const transcriber = createTransformersTranscriber(settings, load);
  await transcriber.transcribe(soundsOf(['tone', 1]), { language: 'de' }, never);
  expect(asked[0]?.options).not.toHaveProperty('language');
  expect(asked[0]?.options).not.toHaveProperty('task');
  expect(transcriber.takes.has('language')).toBe(false);
});

test('a language that the model does not know is refused by its name', async () => {
  const lang_to_id = { '<|en|>': 1 };
  const { load } = library({ text: '', chunks: [] }, { is_multilingual: true, lang_to_id });
  const transcriber = createTransformersTranscriber(settings, load);
  const told = transcriber.transcribe(soundsOf(['tone', 1]), { language: 'tlh' }, never);
  await expect(told).rejects.toThrow('does not know the language tlh');
});

test('what ends nowhere ends where the next begins', async () => {
  const chunks = [
    { timestamp: [0, null], text: 'One.' },
    { timestamp: [1, 2], text: 'Two.' },
  ];
  const { load } = library({ text: 'One. Two.', chunks });
  const transcriber = createTransformersTranscriber(settings, load);
  const { segments } = await transcriber.transcribe(soundsOf(['tone', 3]), {}, never);
  expect(segments.map(({ end }) => end)).toEqual([1, 2]);
});
