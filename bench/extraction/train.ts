/**
 * Learns what the local extractor knows of names and facts, from the labelled texts of this folder
 * but for the test half: `npm run train:extraction`, with `-- --classes` the classes of words too.
 * The same texts give the same weights. They are written into the server's assets. With
 * `-- --folds` nothing is written: each quarter of the training texts is read by what the others
 * taught, and the figures are printed.
 */
import { writeFile } from 'node:fs/promises';
import { crossValidate } from './trainer/cross-validation.ts';
import { trainFactModel, trainNameModel } from './trainer/train-models.ts';
import { trainingDataDigest } from './trainer/training-data-digest.ts';
import { readTrainingTexts, readTuningTexts } from './trainer/training-texts.ts';
import { computeWordClusters } from './trainer/word-clusters.ts';

const folder = new URL('../../packages/server/assets/extraction/', import.meta.url);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

if (process.argv.includes('--classes')) {
  const classes = await computeWordClusters();
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

if (process.argv.includes('--folds')) crossValidateAndPrint();
else await trainAndWrite();
