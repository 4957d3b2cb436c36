import { expect, test } from 'vitest';
import { benchmarkNames, readOptions } from './options.ts';
import { metricsTable, ratioOf, renderThreshold } from './report.ts';
import { readBulkIds } from './retrieval-target.ts';
import {
  buildLongTexts,
  hasExclusion,
  loadScoreTexts,
  parseScoreTextQuadruples,
  twoThirdsOfWords,
} from './score-texts.ts';
import { histogram, renderScoresSvg, shareOfSamePairsByBin } from './scores-plot.ts';

test('parts are measured in their own order, all unless some are asked for', () => {
  expect(readOptions([]).benchmarks).toEqual(benchmarkNames);
  expect(readOptions(['--only', 'scores,chats']).benchmarks).toEqual(['chats', 'scores']);
  expect(readOptions(['--only', 'chats', '--only', 'documents']).benchmarks).toEqual([
    'chats',
    'documents',
  ]);
  expect(() => readOptions(['--only', 'speed'])).toThrow('not speed');
});

test('a bar is held at its limit and missed below', () => {
  const bar = { description: 'recall@10', min: 1.28, unit: '×' } as const;
  expect(renderThreshold({ ...bar, value: 1.28 })).toBe('held    recall@10 ≥ 1.28 ×: 1.28 ×');
  expect(renderThreshold({ ...bar, value: 1.279 })).toBe('MISSED  recall@10 ≥ 1.28 ×: 1.28 ×');
  expect(renderThreshold({ ...bar, min: 0.7, value: 0.7, unit: '%' })).toBe(
    'held    recall@10 ≥ 70.0 %: 70.0 %',
  );
});

test('the table has ours beside the yardstick, and the ratio is ours over it', () => {
  const zero = { recall5: 0, recall10: 0, recall20: 0, recall50: 0, any10: 0, ndcg10: 0 };
  const ours = { ...zero, count: 4, mrr: 0.75 };
  const baseline = { ...zero, count: 4, mrr: 0.5 };
  const row = { name: 'all', ours, baseline };
  expect(metricsTable([row], ['MRR'])).toContain('| all | 4 | 75.0 / 50.0 |');
  expect(ratioOf(row, 'mrr')).toBe(1.5);
});

test('a duplicate has the id of the earlier memory, another refusal ends the run', () => {
  const answer = (code: string) =>
    ({
      created: 2,
      memories: [{ id: 'a' }, { id: 'c' }],
      failed: [{ index: 1, error: { code, message: '', details: { memory_id: 'a' } } }],
    }) as unknown as Parameters<typeof readBulkIds>[1];
  expect(readBulkIds(3, answer('duplicate_memory'))).toEqual(['a', 'a', 'c']);
  expect(() => readBulkIds(3, answer('validation_error'))).toThrow('memory 1');
});

test('the labelled texts are enough, and no memory is there twice', () => {
  const { sharedWords, nearMiss, sameTopic, exact } = loadScoreTexts();
  const all = [...sharedWords, ...nearMiss, ...sameTopic];
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(nearMiss.length + sameTopic.length).toBeGreaterThanOrEqual(100);
  const memories = [...all.map(({ memory }) => memory), ...exact];
  expect(new Set(memories).size).toBe(memories.length);
  for (const { memory, restated, hard } of all) {
    expect(restated).not.toBe(memory);
    expect(hard).not.toBe(memory);
  }
});

test('a block with a line out of place is refused', () => {
  const block = 'm: A.\nr: B.\nh: C.\nq: D?';
  const labelled = { memory: 'A.', restated: 'B.', hard: 'C.', question: 'D?' };
  expect(parseScoreTextQuadruples(`${block}\n\n${block}\n`)).toEqual([labelled, labelled]);
  expect(() => parseScoreTextQuadruples('m: A.\nh: C.\nr: B.\nq: D?')).toThrow('m, r, h and q');
});

test('passages are sentences of their long text as they stand', () => {
  const sentence = 'The second sentence is the one in the very middle.';
  const content = `This is a first sentence with enough words. ${sentence}`;
  const long = buildLongTexts([
    { id: 'note-a', content },
    { id: 'note-b', content: 'Too short.' },
  ]).filter(({ passages }) => passages.length > 0);
  expect(long).toEqual([{ content: `${content}\n\nToo short.`, passages: [sentence] }]);
  expect(twoThirdsOfWords('a b c d e f')).toBe('a b d e');
});

test('a text is told from one that leaves something out when it is searched for', () => {
  expect(hasExclusion('set it to -5 dB')).toBe(true);
  expect(hasExclusion('-"not this" one')).toBe(true);
  expect(hasExclusion('state-of-the-art - and --dry-run')).toBe(false);
});

test('scores are counted by twentieths, 1 in the last', () => {
  const shares = histogram([0, 0.04, 0.5, 1]);
  expect(shares[0]).toBe(0.5);
  expect(shares[10]).toBe(0.25);
  expect(shares[19]).toBe(0.25);
});

test('how often a score tells the truth is counted where there are pairs', () => {
  const share = shareOfSamePairsByBin([0.97, 0.98, 0.5], [0.96, 0.1]);
  expect(share[19]).toBeCloseTo(2 / 3, 12);
  expect(share[10]).toBe(1);
  expect(share[2]).toBe(0);
  expect(share[5]).toBeNull();
});

test('the plot has each kind with its number of pairs', () => {
  const scores = { inSharedSpace: [0.1, 0.9], inOwnSpace: [0.5] };
  const svg = renderScoresSvg([{ name: 'exact text', ...scores }], { same: scores, other: scores });
  expect(svg).toContain('>exact text</text>');
  expect(svg).toContain('n = 2 and 1');
  expect(svg).not.toContain('NaN');
});
