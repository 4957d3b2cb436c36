/**
 * Learns what the local extractor knows of names and facts, from the labelled texts of this folder
 * but for the test half: `npm run train:extraction`, with `-- --classes` the classes of words too.
 * The same texts give the same weights. They are written into the server's assets. With
 * `-- --folds` nothing is written: each quarter of the training texts is read by what the others
 * taught, and the figures are printed.
 */
import { writeFile } from 'node:fs/promises';
import { wordClasses } from './learning/classes.ts';
import { measuredInFolds } from './learning/folds.ts';
import { learntFacts, learntNames } from './learning/lessons.ts';
import { sourceOf } from './learning/source.ts';
import { trainingTexts, tuningTexts } from './learning/texts.ts';

const folder = new URL('../../packages/server/assets/extraction/', import.meta.url);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (process.argv.includes('--classes')) {
  const classes = await wordClasses();
  const bytes = Buffer.alloc(2 * classes.length);
  for (const [at, one] of classes.entries()) bytes.writeUInt16LE(one, 2 * at);
  await writeFile(new URL('word-classes.bin', folder), bytes);
}

const [training, tuning] = [await trainingTexts(), await tuningTexts()];
say(`${training.length} training texts, ${tuning.length} of the tuning half`);

async function learn(): Promise<void> {
  const source = await sourceOf();
  const all = [...training, ...tuning];
  const learnt = { names: learntNames(all, source), facts: learntFacts(all, source) };
  for (const [name, bytes] of Object.entries(learnt)) {
    await writeFile(new URL(`${name}.bin`, folder), bytes);
    say(`${name}: ${bytes.length} bytes`);
  }
}

function measure(): void {
  for (const [name, { precision, recall, labelled }] of measuredInFolds(training, tuning)) {
    const figures = [precision, recall].map((share) => (100 * share).toFixed(1));
    if (!name.startsWith('date')) say(`${name.padEnd(18)} ${figures.join('/')} of ${labelled}`);
  }
}

if (process.argv.includes('--folds')) measure();
else await learn();
