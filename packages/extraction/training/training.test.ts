import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Weights } from '../src/entities/model/weights.ts';
import { entityTypes, factPredicates } from '../src/types.ts';
import { trainCrf } from './crf.ts';
import { nameSequences } from './name-sequences.ts';
import { packWeights } from './pack-weights.ts';
import { nameTrainingOptions } from './train-models.ts';
import { trainingDataDigest } from './training-data-digest.ts';
import { parseTrainingText, readTrainingTexts, readTuningTexts } from './training-texts.ts';

const assets = new URL('../assets/models/', import.meta.url);

describe('what is shipped was learnt from what is here', () => {
  test.each(['names.bin', 'facts.bin'])('%s tells of these texts and classes', async (file) => {
    const weights = new Weights(await readFile(new URL(file, assets)));
    expect(weights.source).toBe(await trainingDataDigest());
  });

  test('all of it has less than 2.5 MB', async () => {
    const files = ['names.bin', 'facts.bin', 'word-classes.bin'];
    const bytes = await Promise.all(files.map((file) => readFile(new URL(file, assets))));
    expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(2_500_000);
  });

  test('the same texts give the same weights', async () => {
    const sequences = (await readTuningTexts()).slice(0, 8).flatMap(nameSequences);
    const once = packWeights(trainCrf(sequences, nameTrainingOptions), 'these');
    expect(packWeights(trainCrf(sequences, nameTrainingOptions), 'these')).toEqual(once);
  });
});

describe('training texts', () => {
  test('name types and predicates that there are, and facts of names in the text', async () => {
    for (const { id, text, speaker, spans, facts } of await readTrainingTexts()) {
      const names = [speaker, ...spans.map(({ start, end }) => text.slice(start, end))];
      for (const { type } of spans) expect(entityTypes, id).toContain(type);
      for (const { subject, predicate, object } of facts) {
        expect(factPredicates, id).toContain(predicate);
        expect(names, id).toContain(subject);
        expect(names, id).toContain(object);
      }
    }
  });

  test('are read without their brackets', () => {
    const block =
      '# chat 2026-05-14\n# speaker Ana\nMet [Bo|person] in\n[Rome|location].\n' +
      '> Ana | knows | Bo';
    const { text, spans, facts, speaker } = parseTrainingText('one', block);
    expect(text).toBe('Met Bo in\nRome.');
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['Bo', 'Rome']);
    expect(facts).toEqual([{ subject: 'Ana', predicate: 'knows', object: 'Bo' }]);
    expect(speaker).toBe('Ana');
  });
});
