/**
 * Writes the texts by which the scale of an embedding model is measured, with the quantiles of the
 * shipped encoder: questions and answers of subjects that it was not trained on, and restatements.
 * `node training/ranker/make-reference-texts.ts`; run it after new weights of the encoder, and
 * count the version up.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { measureQuantiles } from '../../packages/server/src/domains/search-index/testing.ts';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';

const version = 1;
const answersMax = 96;
const charactersMax = 240;
const target = new URL('../../packages/server/assets/scale/reference-texts.json', import.meta.url);

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const linesOf = (file: string): string[] => read(file).trimEnd().split('\n');

/** The first question of each scene that exactly one memory answers, with that memory. */
function answersOf(subject: string): [question: string, memory: string][] {
  return read(`../encoder/texts/${subject}.txt`)
    .split('\n## ')
    .flatMap((scene) => {
      const memories = new Map(
        [...scene.matchAll(/^(m\d+) [^|]*\| (.+)$/gm)].map(([, id, text]) => [id, text]),
      );
      for (const [, id, question] of scene.matchAll(/^q (m\d+) \| (.+)$/gm)) {
        const memory = memories.get(id);
        if (question && memory && memory.length <= charactersMax) return [[question, memory]];
      }
      return [];
    });
}

const bySubject = linesOf('../encoder/held-out.txt').map(answersOf);
const answers: [string, string][] = [];
for (let scene = 0; answers.length < answersMax; scene += 1) {
  answers.push(...bySubject.flatMap((all) => all.slice(scene, scene + 1)));
}
const restatements = linesOf('restatements.txt').map((line): [string, string] => {
  const [first = '', second = ''] = line.split(' | ');
  return [first, second];
});

const texts = { version, answers: answers.slice(0, answersMax), restatements };
await using embedder = await createEmbedder({ provider: 'encoder' });
const { quantiles } = await measureQuantiles(embedder, texts);
const encoderQuantiles = quantiles.map((value) => Math.round(value * 10_000) / 10_000);
writeFileSync(target, `${JSON.stringify({ ...texts, encoderQuantiles }, null, 1)}\n`);
