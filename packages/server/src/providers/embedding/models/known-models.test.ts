import { expect, test } from 'vitest';
import { canHaveDimensions } from './known-model.ts';
import { findKnownModel, knownModels } from './known-models.ts';

test('names and aliases are unique, and each finds its model in any case', () => {
  const names = knownModels.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const model of knownModels) {
    for (const name of [model.name, ...model.aliases, model.name.toUpperCase()]) {
      expect(findKnownModel(name)).toBe(model);
    }
  }
  expect(findKnownModel('unknown')).toBeUndefined();
});

test.each(knownModels)('$name has a name for a folder and possible sizes', (model) => {
  expect(model.name).toMatch(/^[a-z0-9][a-z0-9.-]{0,63}$/);
  expect(model.dimensions).toBeLessThanOrEqual(8_192);
  expect(model.dimensions % 64).toBe(0);
  expect(model.tokensMax).toBeGreaterThanOrEqual(128);
  const { otherDimensions: others } = model;
  const lengths = 'min' in others ? [others.min] : others;
  expect(lengths).not.toContain(model.dimensions);
});

test.each(knownModels.filter((model) => model.provider === 'transformers'))(
  '$name has a repository, and prefixes that end with a space',
  (model) => {
    expect(model.repository).toMatch(/^[\w-]+\/[\w.-]+$/);
    expect(model.aliases).toContain(model.repository);
    for (const prefix of Object.values(model.prefixes)) expect(prefix).toMatch(/^$|: $/);
    const { otherDimensions: others } = model;
    // Only an endpoint has longer vectors.
    const longest = 'min' in others ? others.min : Math.max(0, ...others);
    expect(longest).toBeLessThan(model.dimensions);
    // 8-bit weights: a byte for each parameter, and the tokenizer.
    expect(model.downloadMegabytes).toBeGreaterThan(model.parametersMillions);
    expect(model.downloadMegabytes).toBeLessThan(model.parametersMillions * 1.1 + 20);
    for (const checksum of Object.values(model.checksums)) {
      expect(checksum).toMatch(/^[0-9a-f]{64}$/);
      // The newest revision may have other files.
      expect(model.revision).toMatch(/^[0-9a-f]{40}$/);
    }
  },
);

test.each(knownModels.filter((model) => model.provider === 'openai'))(
  '$name sends a number of dimensions only where there are several',
  (model) => {
    const { otherDimensions: others, request } = model;
    if (request.dimensionsField !== null) {
      expect('min' in others || others.length > 0).toBe(true);
    }
    expect(new URL(model.url).protocol).toBe('https:');
  },
);

test('vectors have only lengths that the model was trained for', () => {
  const nomic = { dimensions: 768, otherDimensions: [256] };
  expect([768, 256, 255, 512].map((count) => canHaveDimensions(nomic, count))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const gte = { dimensions: 768, otherDimensions: { min: 128 } };
  expect([769, 768, 128, 127].map((count) => canHaveDimensions(gte, count))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
