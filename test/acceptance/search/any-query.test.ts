import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const charactersMax = 1_000;
const length = (text: string): number => [...text].length;

const signs = ['"', '-', '-"', '""', '+', '*', ':', '(', ')', 'AND', 'OR', 'NOT', '~', '^', '\\'];
const words = [
  'tea',
  'café',
  'v1.2.3',
  'src/app.ts',
  'snake_case',
  '東京',
  'чай',
  'ana@example.com',
];
const pictures = ['🙂', '👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '\u200d', '\u202e', '\u{1f9ff}', '\ufeff'];
const spaces = [' ', '\t', '\n', '\u00a0', '\u3000'];
const piece = fc.oneof(
  ...[signs, words, pictures, spaces].map((some) => fc.constantFrom(...some)),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
);
const shape = fc.array(piece, { minLength: 1, maxLength: 400 }).map((pieces) => pieces.join(''));
const filled = piece.map((one) => one.repeat(Math.floor(charactersMax / length(one))));
const anyQuery = fc
  .oneof({ weight: 4, arbitrary: shape }, { weight: 1, arbitrary: filled })
  .map((text) => [...text].slice(0, charactersMax).join(''))
  .filter((text) => !text.includes('\0'));

describe.each(engines)('any query on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
    const contents = ['Ana drinks tea — "green" tea.', 'чай и кофе', '東京のお茶', 'src/app.ts 🙂'];
    await service.client().memories.bulkCreate({
      body: { memories: contents.map((content) => ({ content })) },
    });
  });
  afterAll(() => service.stop());

  it('is answered, by GET as by POST, with scores between 0 and 1', async () => {
    const { search } = service.client();
    await fc.assert(
      fc.asyncProperty(anyQuery, async (q) => {
        const posted = await search.post({ body: { q, explain: true } });
        const got = await search.get({ query: { q } });
        const ids = posted.results.map(({ id }) => id);
        // The order moves with the salience, which the searches themselves raise.
        expect(new Set(got.results.map(({ id }) => id))).toEqual(new Set(ids));
        for (const { score } of posted.results) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runCount(40, 1_500) },
    );
  });

  it('is answered by every other search', async () => {
    const { search } = service.client();
    await fc.assert(
      fc.asyncProperty(anyQuery, async (q) => {
        const [batch, counted, everything, recalled] = await Promise.all([
          search.batch({ body: { queries: [{ q }] } }),
          search.aggregate({ query: { query: q, group_by: 'content_type', threshold: 0 } }),
          search.global({ query: { q } }),
          search.recall({ body: { query: q, max_tokens: 100 } }),
        ]);
        expect(batch.results[0]).not.toHaveProperty('error');
        expect(counted.query).toBe(q);
        expect(everything.query).toBe(q);
        expect(recalled.token_count).toBeLessThanOrEqual(100);
      }),
      { numRuns: runCount(20, 600) },
    );
  });
});
