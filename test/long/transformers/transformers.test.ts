import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import {
  createHubDeps,
  installModel,
  toInstalledSettings,
} from '../../../packages/server/src/providers/embedding/index.ts';
import {
  createSentenceModelProcess,
  createTransformersEmbedder,
} from '../../../packages/server/src/providers/embedding/transformers.ts';
import { ModelProcess } from '../../../packages/server/src/providers/model-process/index.ts';
import { generateTones } from '../../../packages/server/src/providers/transcription/testing.ts';
import {
  createTransformersTranscriber,
  toWhisperProcessSettings,
} from '../../../packages/server/src/providers/transcription/transformers.ts';
import type {
  WhisperRequest,
  WhisperResult,
} from '../../../packages/server/src/providers/transcription/whisper.ts';
import { type TokenVectors, writeTinyModel } from './tiny-model.ts';
import { writeTinyWhisper } from './tiny-whisper.ts';

/** 470 MB with all its binaries, hence no dependency of the project: installed for this test. */
const PACKAGE = '@huggingface/transformers@4.3.1';

const TOKENS: TokenVectors = [
  ['[PAD]', [0, 0, 9]],
  ['[UNK]', [0, 0, 1]],
  ['[CLS]', [0, 0, 0]],
  ['[SEP]', [0, 0, 0]],
  ['query', [0, 1, 0]],
  ['cat', [3, 4, 0]],
  ['dog', [4, 3, 0]],
];

let folder = '';
let library = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-transformers-'));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE];
  await promisify(execFile)('npm', npm, { cwd: folder });
  const require = createRequire(join(folder, 'package.json'));
  library = pathToFileURL(require.resolve('@huggingface/transformers')).href;
  await writeTinyModel(join(folder, 'tiny'), TOKENS);
  await writeTinyWhisper(join(folder, 'whisper'));
}, 600_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = () => ({
  provider: 'transformers' as const,
  model: join(folder, 'tiny'),
  cacheDir: join(folder, 'cache'),
  dtype: 'fp32',
});
const embedderOf = (own: Parameters<typeof createTransformersEmbedder>[0]) =>
  createTransformersEmbedder(own, createSentenceModelProcess({ ...own, library }));

test('a model folder gives the unit mean of the token vectors, without the padding', async () => {
  await using embedder = await embedderOf(settings());
  expect(embedder).toMatchObject({ model: 'transformers:tiny@fp32', dimensions: 3 });
  const vectors = await embedder.embed(['cat', 'Dog dog dog', 'cat dog'], 'document');
  const diagonal = Math.SQRT1_2;
  const expected = [
    [0.6, 0.8, 0],
    [0.8, 0.6, 0],
    [diagonal, diagonal, 0],
  ];
  for (const [i, row] of expected.entries()) {
    for (const [j, value] of row.entries()) expect(vectors[i]?.[j]).toBeCloseTo(value, 5);
  }
});

test('a prefix goes through the tokenizer like the text', async () => {
  const prefixed = { ...settings(), queryPrefix: 'query ' };
  await using embedder = await embedderOf(prefixed);
  const [vector] = await embedder.embed(['cat'], 'query');
  expect(vector?.[1]).toBeCloseTo(5 / Math.hypot(3, 5), 5);
});

test('an installed model is pooled, prefixed and truncated as its own files say', async () => {
  const source = join(folder, 'own');
  const tokens: TokenVectors = TOKENS.map(([token, vector]) =>
    token === '[CLS]' ? [token, [2, 1, 2]] : [token, vector],
  );
  await writeTinyModel(source, tokens);
  await mkdir(join(source, '1_Pooling'));
  const pooling = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false };
  await writeFile(join(source, '1_Pooling', 'config.json'), JSON.stringify(pooling));
  const limits = { max_seq_length: 3 };
  await writeFile(join(source, 'sentence_bert_config.json'), JSON.stringify(limits));
  const cacheDir = join(folder, 'models');
  const request = { name: 'own-model', from: source, folder: cacheDir, now: new Date(0) };
  const hub = createHubDeps('http://127.0.0.1:1', undefined);
  const installed = await installModel({ ...request, onProgress: () => undefined }, hub);
  expect(installed).toMatchObject({ dtype: 'fp32', pooling: 'cls', tokensMax: 3, dimensions: 3 });
  const own = (truncateTo: number | null) => {
    const { model, ...rest } = toInstalledSettings(installed, cacheDir, truncateTo);
    return { settings: { ...rest, model }, process: { ...rest, model: join(cacheDir, model) } };
  };
  const whole = own(null);
  await using embedder = await createTransformersEmbedder(
    whole.settings,
    createSentenceModelProcess({ ...whole.process, library }),
  );
  expect(embedder.model).toMatch(/^transformers:own-model@fp32#[0-9a-f]{8}$/);
  const [cat, dog] = await embedder.embed(['cat', 'dog dog dog dog'], 'document');
  // The first token is the same for both.
  for (const [i, value] of [2 / 3, 1 / 3, 2 / 3].entries()) expect(cat?.[i]).toBeCloseTo(value, 5);
  expect(dog).toEqual(cat);
  const short = own(2);
  await using truncated = await createTransformersEmbedder(
    short.settings,
    createSentenceModelProcess({ ...short.process, library }),
  );
  const [vector] = await truncated.embed(['cat'], 'query');
  expect(truncated.dimensions).toBe(2);
  expect(vector?.[0]).toBeCloseTo(2 / Math.sqrt(5), 5);
});

test('texts end at the limit of the model, and may be pooled by their last token', async () => {
  const recipe = {
    pooling: 'mean',
    prefixes: { query: '', document: '' },
    truncateTo: null,
    layerNorm: false,
    tokensMax: 2,
    checksum: null,
  } as const;
  const limited = { ...settings(), recipe };
  await using embedder = await embedderOf(limited);
  // Of [CLS] cat dog [SEP], the first two tokens are left.
  const [vector] = await embedder.embed(['cat dog'], 'document');
  expect(vector?.[0]).toBeCloseTo(0.6, 5);
  expect(vector?.[1]).toBeCloseTo(0.8, 5);
  const last = { ...settings(), recipe: { ...recipe, tokensMax: null, pooling: 'last' as const } };
  // The last token of this model has no length.
  await expect(embedderOf(last)).rejects.toThrow('vector has length 0');
});

test('a folder without a model fails with its name', async () => {
  const empty = { ...settings(), model: folder };
  await expect(embedderOf(empty)).rejects.toThrow(folder);
});

const whisperOf = (name: string) => {
  const whisper = { ...settings(), model: join(folder, name), library };
  const limits = { timeoutMs: 600_000, memoryBytes: 4 * 2 ** 30 };
  const process = new ModelProcess<WhisperRequest, WhisperResult>(
    toWhisperProcessSettings(whisper, limits),
    systemClock,
  );
  const transcriber = createTransformersTranscriber(whisper, process);
  return { transcriber, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
};
const { signal } = new AbortController();

test('a Whisper folder hears words with their times, by the real library', async () => {
  await using whisper = whisperOf('whisper');
  const sound = generateTones(['tone', 4]);
  expect(await whisper.transcriber.transcribe(sound, { language: 'en' }, signal)).toMatchObject({
    language: 'en',
    segments: [{ start: 0.5, end: 2, text: 'hello world' }],
  });
  await expect(whisper.transcriber.transcribe(sound, { language: 'de' }, signal)).rejects.toThrow(
    'does not know the language de',
  );
});

test('a Whisper folder that is not whole fails with its name', async () => {
  await using whisper = whisperOf('tiny');
  const told = whisper.transcriber.transcribe(generateTones(['tone', 1]), {}, signal);
  await expect(told).rejects.toThrow('transcription model');
});
