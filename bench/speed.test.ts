import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ApiClient } from './api-client.ts';
import { evaluateThresholds, renderTable, renderVerdicts } from './report.ts';
import { figureNames, type RoundFigures } from './rounds.ts';
import { selfTimes } from './self-time.ts';
import { quantile, ratios, spread } from './statistics.ts';
import { createTextGenerator, readVocabulary } from './text-generator.ts';

describe('the generated texts', async () => {
  const vocabulary = await readVocabulary();
  const some = (seed: number, count: number): string[] => {
    const texts = createTextGenerator(vocabulary, seed);
    return Array.from({ length: count }, () => texts.memory());
  };

  test('are the same for the same seed, and others for another', () => {
    expect(some(7, 50)).toEqual(some(7, 50));
    expect(some(7, 50)).not.toEqual(some(8, 50));
  });

  test('are all different, of about 25 words', () => {
    const texts = some(1, 5_000);
    expect(new Set(texts).size).toBe(5_000);
    const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0) / 5_000;
    expect(words).toBeGreaterThan(24.5);
    expect(words).toBeLessThan(25.5);
  });

  test('have the word frequencies of English: one in 17 is the commonest, many are rare', () => {
    const words = some(1, 5_000).flatMap((text) => text.toLowerCase().match(/[a-z]+/g) ?? []);
    const share = words.filter((word) => word === 'the').length / words.length;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.07);
    expect(new Set(words).size).toBeGreaterThan(10_000);
  });

  test('give queries of 3 to 8 of their words, in order', () => {
    const texts = createTextGenerator(vocabulary, 3);
    for (let i = 0; i < 200; i += 1) {
      const text = texts.memory();
      const query = texts.query(text).split(' ');
      expect(query.length).toBeGreaterThanOrEqual(3);
      expect(query.length).toBeLessThanOrEqual(8);
      const rest = text.toLowerCase().slice(0, -1).split(' ');
      for (const word of query) {
        expect(rest).toContain(word);
        rest.splice(0, rest.indexOf(word) + 1);
      }
    }
  });
});

describe('the statistics', () => {
  test('quantiles lie between neighbours, whatever the order', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([5, 1], 0.25)).toBe(2);
    expect(spread([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(() => quantile([], 0.5)).toThrow('no values');
  });

  test('ratios are taken round by round', () => {
    expect(ratios([2, 9], [1, 3])).toEqual([2, 3]);
    expect(() => ratios([1], [1, 2])).toThrow('same rounds');
  });
});

describe('the verdicts', () => {
  const round = (given: Partial<RoundFigures>): RoundFigures => ({
    ...(Object.fromEntries(figureNames.map((name) => [name, 1])) as RoundFigures),
    ...given,
  });
  const yardstick = [round({ single1: 1_000, searchP50: 8 }), round({ single1: 500 })];

  test('say MISSED where the median over the rounds misses the bar', () => {
    const embedded = [
      round({ bulk: 1_000, single16: 590, searchP50: 8, rss: 700, startSecond: 1.99 }),
      round({ bulk: 500, single16: 295 }),
    ];
    const rounds = new Map([['yardstick', yardstick] as const, ['embedded', embedded] as const]);
    const [bulk, parallel, search] = evaluateThresholds(rounds);
    expect([bulk?.isMet, parallel?.isMet, search?.isMet]).toEqual([true, false, true]);
    expect(renderVerdicts(evaluateThresholds(rounds))).toContain(
      'MISSED  embedded: 16 connections',
    );
    const heavy = new Map([['embedded', [round({ rss: 700, startSecond: 2 })]] as const]);
    expect(evaluateThresholds(heavy).map(({ isMet }) => isMet)).toEqual([false, false]);
  });

  test('compare bulk adds with those of static vectors in the same run, one way only', () => {
    const rounds = new Map([
      ['embedded', [round({ bulk: 85 })]] as const,
      ['embedded (static)', [round({ bulk: 100 })]] as const,
    ]);
    const compared = evaluateThresholds(rounds).filter(({ description }) =>
      description.includes('static vectors'),
    );
    expect(compared).toMatchObject([{ server: 'embedded', isMet: false, value: { median: 0.85 } }]);
  });

  test('leave out what a missing yardstick would be needed for', () => {
    const rounds = new Map([['embedded', [round({ rss: 300, firstSearch: Number.NaN })]] as const]);
    expect(evaluateThresholds(rounds).map(({ description }) => description)).toEqual([
      'RSS < 700 MB',
      'second start < 2 s',
    ]);
    expect(renderTable(rounds)).toContain('| RSS, MB | 300 |');
  });
});

test('self time is summed within the slices, by function', () => {
  const callFrame = {
    functionName: 'work',
    url: 'file:///x/packages/server/src/a.ts',
    lineNumber: 4,
  };
  const idle = { functionName: '(idle)', url: '', lineNumber: -1 };
  const profile = {
    startTime: 0,
    nodes: [
      { id: 1, callFrame },
      { id: 2, callFrame: idle },
    ],
    samples: [1, 2, 1, 1],
    timeDeltas: [0, 1_000, 2_000, 3_000],
  };
  const module = 'server/src/a.ts';
  expect(selfTimes([profile], [{ fromUs: 0, toUs: 4_000 }])).toEqual([
    { name: `work ${module}:5`, module, ms: 4 },
    { name: '(idle)', module: 'native', ms: 2 },
  ]);
});

describe('the client', () => {
  async function serve(listener: http.RequestListener): Promise<AsyncDisposable & { url: string }> {
    const server = http.createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      [Symbol.asyncDispose]: async () => void server.close(),
    };
  }

  test('sends all calls over as many connections as it was given, and keeps them', async () => {
    const sockets = new Set<unknown>();
    await using server = await serve((request, response) => {
      sockets.add(request.socket);
      response.end(JSON.stringify({ path: request.url, key: request.headers.authorization }));
    });
    using connections = new ApiClient({ url: server.url, apiKey: 'k' }, 4);
    const asks = Array.from({ length: 100 }, () => ({ method: 'GET', path: '/x' }) as const);
    const run = await connections.run(asks);
    expect(run.latenciesMs).toHaveLength(100);
    expect(run.responses).toContainEqual({ path: '/v1/x', key: 'Bearer k' });
    expect(sockets.size).toBe(4);
  });

  test('does not take an error for an answer', async () => {
    await using server = await serve((_request, response) => {
      response.statusCode = 503;
      response.end('busy');
    });
    using connection = new ApiClient({ url: server.url, apiKey: null }, 1);
    await expect(connection.run([{ method: 'GET', path: '/x' }])).rejects.toThrow('503 busy');
  });
});
