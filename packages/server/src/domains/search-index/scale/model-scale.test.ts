import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbedder, type Embedder } from '../../../providers/embedding/index.ts';
import { AccountIndex } from '../account/account-index.ts';
import { VectorArena } from '../account/arena.ts';
import { quantiseVector } from '../model.ts';
import { SearchBuffers } from '../ranking/buffers.ts';
import { beginCosines } from '../ranking/cosine.ts';
import { makeRow } from '../testing.ts';
import { type ModelScale, measureModelScale } from './model-scale.ts';
import { referenceTexts } from './reference-texts.ts';

describe('the scale of a model', () => {
  let encoder: Embedder;
  let scale: ModelScale;
  let vectors: Float32Array[];
  let queryVector: Float32Array;
  beforeAll(async () => {
    encoder = await createEmbedder({ provider: 'encoder' });
    scale = await measureModelScale(encoder);
    vectors = await encoder.embed(contents, 'document');
    [queryVector] = (await encoder.embed(['who repairs the roof'], 'query')) as [Float32Array];
  });
  afterAll(() => encoder[Symbol.asyncDispose]());

  const contents = referenceTexts().answers.map(([, memory]) => memory);

  function indexOf(order: readonly number[]): AccountIndex {
    const { dimensions } = encoder;
    const index = new AccountIndex(dimensions, new VectorArena(dimensions));
    for (const i of order) {
      const vector = new Uint8Array(quantiseVector(vectors[i] as Float32Array).buffer);
      const id = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
      const space_id = i % 4 === 0 ? 'hidden' : null;
      index.apply(makeRow(id, contents[i] as string, { vector, space_id }));
    }
    return index;
  }
  const inOrder = contents.map((_, i) => i);

  function cosinesIn(index: AccountIndex, spaces: (string | null)[] | null) {
    const buffers = new SearchBuffers();
    buffers.ensureCapacity(index.columns.length, 0, 0);
    beginCosines(index, index.scope(spaces), queryVector, buffers.semantic)();
    return new Map(
      Array.from({ length: index.ids.length }, (_, i) => [
        index.ids.at(i),
        buffers.semantic[i] as number,
      ]),
    );
  }

  it('of the shipped encoder is the one that the reference texts have', () => {
    for (const [i, value] of scale.quantiles.entries()) {
      expect(value).toBeCloseTo(referenceTexts().encoderQuantiles[i] as number, 2);
    }
    expect(scale.line.slope).toBeCloseTo(1, 2);
    expect(scale.line.intercept).toBeCloseTo(0, 2);
  });

  it.each([[null], [[null]]])('of the encoder changes its cosines by rounding only', (spaces) => {
    const index = indexOf(inOrder);
    const plain = cosinesIn(index, spaces);
    index.setScale(scale);
    for (const [id, cosine] of cosinesIn(index, spaces)) {
      if (spaces === null || Number(id.slice(-12)) % 4 !== 0) {
        expect(cosine).toBeCloseTo(plain.get(id) as number, 2);
      }
    }
  });

  it('gives the same cosines whatever the order in which documents were loaded', () => {
    const [first, second] = [indexOf(inOrder), indexOf(inOrder.toReversed())];
    for (const index of [first, second]) index.setScale({ ...scale, quantiles: bent(scale) });
    const expected = cosinesIn(first, null);
    for (const [id, cosine] of cosinesIn(second, null)) {
      expect(cosine).toBeCloseTo(expected.get(id) as number, 5);
    }
  });

  it('lets documents that a search may not see have no influence', () => {
    const all = indexOf(inOrder);
    const visible = indexOf(inOrder.filter((i) => i % 4 !== 0));
    for (const index of [all, visible]) index.setScale({ ...scale, quantiles: bent(scale) });
    const actual = cosinesIn(all, [null]);
    for (const [id, cosine] of cosinesIn(visible, [null])) {
      expect(actual.get(id)).toBeCloseTo(cosine, 5);
    }
  });

  const bent = ({ quantiles }: ModelScale): number[] => quantiles.map((x) => x / 2 + 0.3);
});
