/** Writes the stems of the most frequent words: `node packages/text/scripts/write-stems.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isStopWord, stem } from '../src/stem.ts';
import { frequentWordsMax } from '../src/term-probability.ts';

const asset = (name: string): URL => new URL(`../assets/${name}`, import.meta.url);
const words = readFileSync(asset('words.txt'), 'utf8').split('\n', frequentWordsMax);
const stems = words.map((word) => (isStopWord(word) ? '' : stem(word)));
writeFileSync(asset('stems.txt'), `${stems.join('\n')}\n`);
