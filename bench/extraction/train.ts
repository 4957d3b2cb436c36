/**
 * Learns what the local extractor knows of names and facts, from the labelled texts of this folder
 * but for the test half: `npm run train:extraction`, with `-- --classes` the classes of words too.
 * The same texts give the same weights. They are written into the server's assets.
 */
import { writeFile } from 'node:fs/promises';
import { wordClasses } from './learning/classes.ts';
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

const source = await sourceOf();
const [training, tuning] = [await trainingTexts(), await tuningTexts()];
say(`${training.length} training texts, ${tuning.length} of the tuning half`);
const names = learntNames([...training, ...tuning], source);
await writeFile(new URL('names.bin', folder), names);
say(`names: ${names.length} bytes`);
const facts = learntFacts([...training, ...tuning], source);
await writeFile(new URL('facts.bin', folder), facts);
say(`facts: ${facts.length} bytes`);
