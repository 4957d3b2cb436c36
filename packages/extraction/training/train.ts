/**
 * Trains the models of names and facts on the labelled texts of this folder and on the tuning half
 * of the benchmark: `npm run train:extraction`. The same texts give the same weights, which are
 * written into `assets/models`. With `-- --folds` nothing is written: each quarter of the training
 * texts is read by models of the others, and the figures are printed.
 *
 * With `-- --classes <vectors>` the classes of words are computed first. The file has a row of
 * signed bytes for every word of `@mneme/text`, in its order, as
 * `packages/server/assets/vectors/static-en-192.bin` has.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { getEnglishWordRanks } from '@mneme/text';
import { crossValidate } from './cross-validation.ts';
import { trainFactModel, trainNameModel } from './train-models.ts';
import { trainingDataDigest } from './training-data-digest.ts';
import { readTrainingTexts, readTuningTexts } from './training-texts.ts';
import { computeWordClusters, type WordVectors } from './word-clusters.ts';

const folder = new URL('../assets/models/', import.meta.url);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values: options } = parseArgs({
  options: { classes: { type: 'string' }, folds: { type: 'boolean', default: false } },
});

async function readWordVectors(file: string): Promise<WordVectors> {
  const rows = new Int8Array(await readFile(file));
  const dimensions = rows.length / getEnglishWordRanks().size;
  if (!Number.isInteger(dimensions)) throw new Error(`${file} has no row for every word`);
  return { rows, dimensions };
}

if (options.classes !== undefined) {
  const classes = computeWordClusters(await readWordVectors(options.classes));
  const bytes = Buffer.alloc(2 * classes.length);
  for (const [at, one] of classes.entries()) bytes.writeUInt16LE(one, 2 * at);
  await writeFile(new URL('word-classes.bin', folder), bytes);
}

const [training, tuning] = [await readTrainingTexts(), await readTuningTexts()];
print(`${training.length} training texts, ${tuning.length} of the tuning half`);

async function trainAndWrite(): Promise<void> {
  const source = await trainingDataDigest();
  const all = [...training, ...tuning];
  const learnt = { names: trainNameModel(all, source), facts: trainFactModel(all, source) };
  for (const [name, bytes] of Object.entries(learnt)) {
    await writeFile(new URL(`${name}.bin`, folder), bytes);
    print(`${name}: ${bytes.length} bytes`);
  }
}

function crossValidateAndPrint(): void {
  for (const [name, { precision, recall, labelled }] of crossValidate(training, tuning)) {
    const figures = [precision, recall].map((share) => (100 * share).toFixed(1));
    if (!name.startsWith('date')) print(`${name.padEnd(18)} ${figures.join('/')} of ${labelled}`);
  }
}

if (options.folds) crossValidateAndPrint();
else await trainAndWrite();
