import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  entityTypes,
  predicates,
} from '../../../packages/server/src/providers/language/language.ts';
import { learnChain } from './crf.ts';
import { Weights } from './extractor.ts';
import { nameOptions } from './lessons.ts';
import { sequencesOf } from './names.ts';
import { packed } from './packing.ts';
import { sourceOf } from './source.ts';
import { lessonOf, trainingTexts, tuningTexts } from './texts.ts';

const assets = new URL('../../../packages/server/assets/extraction/', import.meta.url);

describe('what is shipped was learnt from what is here', () => {
  test.each(['names.bin', 'facts.bin'])('%s tells of these texts and classes', async (file) => {
    const weights = new Weights(await readFile(new URL(file, assets)));
    expect(weights.source).toBe(await sourceOf());
  });

  test('all of it has less than 2.5 MB', async () => {
    const files = ['names.bin', 'facts.bin', 'word-classes.bin'];
    const bytes = await Promise.all(files.map((file) => readFile(new URL(file, assets))));
    expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(2_500_000);
  });

  test('the same texts give the same weights', async () => {
    const sequences = (await tuningTexts()).slice(0, 8).flatMap(sequencesOf);
    const once = packed(learnChain(sequences, nameOptions), 'these');
    expect(packed(learnChain(sequences, nameOptions), 'these')).toEqual(once);
  });
});

describe('training texts', () => {
  test('name types and predicates that there are, and facts of names in the text', async () => {
    for (const { id, text, speaker, spans, facts } of await trainingTexts()) {
      const names = [speaker, ...spans.map(({ start, end }) => text.slice(start, end))];
      for (const { type } of spans) expect(entityTypes, id).toContain(type);
      for (const { subject, predicate, object } of facts) {
        expect(predicates, id).toContain(predicate);
        expect(names, id).toContain(subject);
        expect(names, id).toContain(object);
      }
    }
  });

  test('are read without their brackets', () => {
    const block =
      '# chat 2026-05-14\n# speaker Ana\nMet [Bo|person] in\n[Rome|location].\n' +
      '> Ana | knows | Bo';
    const { text, spans, facts, speaker } = lessonOf('one', block);
    expect(text).toBe('Met Bo in\nRome.');
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['Bo', 'Rome']);
    expect(facts).toEqual([{ subject: 'Ana', predicate: 'knows', object: 'Bo' }]);
    expect(speaker).toBe('Ana');
  });
});
