import { afterAll, describe, expect, it } from 'vitest';
import { EmbeddingFailed } from '../embedding.ts';
import { dotProduct } from '../unit-vector.ts';
import { createSentenceEncoder } from './sentence-encoder.ts';

const encoder = await createSentenceEncoder();
afterAll(() => encoder[Symbol.asyncDispose]());

describe('SentenceEncoder', () => {
  it('embeds in the order of the texts, the same for queries and documents', async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `Meeting number ${i} is in room ${i}.`);
    const documents = await encoder.embed(texts, 'document');
    const queries = await encoder.embed(texts, 'query');
    expect(documents.map((vector) => vector.length)).toEqual(texts.map(() => encoder.dimensions));
    expect(queries).toEqual(documents);
    expect(await encoder.embed([], 'document')).toEqual([]);
  });

  it('finds a memory that has no word of the question', async () => {
    const [question, right, wrong] = await encoder.embed(
      [
        'What should he not eat?',
        'Shellfish and dairy make me sick.',
        'He should not miss the train.',
      ],
      'document',
    );
    const near = dotProduct(question as Float32Array, right as Float32Array);
    expect(near).toBeGreaterThan(dotProduct(question as Float32Array, wrong as Float32Array));
  });

  it('answers a repeated query from its cache, which callers cannot change', async () => {
    const [first] = await encoder.embed(['who pays the rent'], 'query');
    first?.fill(0);
    const [second] = await encoder.embed(['who pays the rent'], 'query');
    expect(Math.hypot(...(second ?? []))).toBeCloseTo(1, 4);
  });

  it('lets a query go before documents that wait', async () => {
    const order: string[] = [];
    const documents = Array.from({ length: 40 }, (_, i) => `${i} ${'kettle '.repeat(100)}`);
    const embedded = encoder.embed(documents, 'document').then(() => order.push('documents'));
    await encoder.embed(['a query that is not cached'], 'query');
    order.push('query');
    await embedded;
    expect(order).toEqual(['query', 'documents']);
  });

  it('embeds documents also while there are always queries', async () => {
    let isDone = false;
    let count = 0;
    const search = async (): Promise<void> => {
      while (!isDone) {
        count += 1;
        await encoder.embed([`query number ${count}`], 'query');
      }
    };
    const searches = [search(), search(), search()];
    await encoder.embed(['a document', 'another one'], 'document');
    isDone = true;
    await Promise.all(searches);
  });

  it('stops when the caller aborts, and fails after it is closed', async () => {
    const aborted = AbortSignal.abort(new Error('gone'));
    await expect(encoder.embed(['text'], 'document', aborted)).rejects.toThrow('gone');
    const closed = await createSentenceEncoder();
    await closed[Symbol.asyncDispose]();
    await expect(closed.embed(['text'], 'query')).rejects.toThrow(EmbeddingFailed);
  });
});
