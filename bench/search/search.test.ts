import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { createLongQuestion, createQuestion, memoryAt } from './corpus.ts';
import { ExactRanking } from './exact-ranking.ts';
import { accountIndexOf, bulkRanges } from './fill.ts';
import { ParallelClients } from './parallel-clients.ts';
import type { PhaseResults } from './phases.ts';
import { recallOf } from './recall.ts';
import { minClientShare, type ScenarioId, scenarioTable, scenarioVerdicts } from './report.ts';
import type { ScenarioFigures } from './scenario.ts';
import { fullWorkload, memoriesPerSession, quickWorkload } from './workload.ts';

describe('what is stored', () => {
  test('is split evenly over the accounts, no call of two accounts or of more than 100', () => {
    const ranges = bulkRanges(5_000, 20);
    expect(ranges).toHaveLength(60);
    expect(ranges.slice(0, 4)).toEqual([
      [0, 100],
      [100, 200],
      [200, 250],
      [250, 350],
    ]);
    expect(ranges.at(-1)).toEqual([4_950, 5_000]);
    expect([0, 249, 250, 4_999].map((place) => accountIndexOf(place, 5_000, 20))).toEqual([
      0, 0, 1, 19,
    ]);
  });

  test('leaves no session to two calls, which may be answered in any order', () => {
    for (const { memories } of [...fullWorkload.stages, ...quickWorkload.stages]) {
      for (const [from] of bulkRanges(memories, 1)) expect(from % memoriesPerSession).toBe(0);
    }
  });

  test('is filtered so that 1 % and 50 % are kept, what is asked for among them', async () => {
    const texts = createTextGenerator(await readVocabulary(), 1);
    const stock = Array.from({ length: 1_000 }, () => texts.memory());
    const memories = stock.map((_, place) => memoryAt(stock, place));
    for (let i = 0; i < 50; i += 1) {
      const rare = createQuestion(stock, texts, 'hundredth');
      const tag = new URLSearchParams(rare.path.split('?')[1]).get('tags') ?? '';
      expect(memories.filter(({ tags }) => tags.includes(tag))).toHaveLength(10);
      expect(memories[rare.position]?.tags).toEqual([tag]);
      const half = createQuestion(stock, texts, 'half');
      const least = Number(new URLSearchParams(half.path.split('?')[1]).get('min_priority'));
      expect(memories.filter(({ priority }) => priority >= least)).toHaveLength(500);
      expect(memories[half.position]?.priority).toBeGreaterThanOrEqual(least);
      expect(createLongQuestion(stock, texts).q).toHaveLength(1_000);
    }
  });
});

test('clients share out what there is to ask, and do not take nothing for an answer', async () => {
  const server = http.createServer((request, response) => {
    response.end(JSON.stringify({ results: request.url === '/v1/empty' ? [] : [1] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using clients = new ParallelClients({ url, apiKey: null }, 4);
  const ask = (path: string) => ({ method: 'GET', path }) as const;
  const { latenciesMs } = await clients.search(Array.from({ length: 40 }, () => ask('/x')));
  expect(latenciesMs).toHaveLength(4);
  expect(latenciesMs.flat()).toHaveLength(40);
  await expect(clients.search([ask('/x'), ask('/empty')])).rejects.toThrow('/empty found nothing');
  server.close();
});

describe('the exact evaluation', () => {
  /** Bytes cannot tell the first two apart. */
  const vectors = new Map([
    ['red', [1, 0.001, 0]],
    ['blue', [1, 0.0015, 0]],
    ['green', [0, 0, 1]],
    ['teal', [1, 0.003, 0]],
  ]);
  const embedder = {
    model: 'static-colours',
    dimensions: 3,
    embed: async (texts: readonly string[]) =>
      texts.map((text) => Float32Array.from(vectors.get(text) ?? [0, 1, 0])),
  };
  const bestOf = async (stock: readonly string[], lifted = new Map<number, number>()) => {
    const exact = await ExactRanking.build(stock, 'one account', embedder, []);
    return (await exact.topPositions('teal', lifted, 2)).map((place) => stock[place]);
  };

  test('tells by floats what the bytes of the index cannot', async () => {
    expect(await bestOf(['red', 'green', 'blue'])).toEqual(['blue', 'red']);
    expect(await bestOf(['blue', 'green', 'red'])).toEqual(['blue', 'red']);
  });

  test('lifts what salience has lifted', async () => {
    expect(await bestOf(['red', 'green', 'blue'], new Map([[0, 1.05]]))).toEqual(['red', 'blue']);
  });

  test('is compared by what of it is shown', () => {
    expect(recallOf([3, 1, 9], [1, 2, 3, 4])).toBe(0.5);
    expect(() => recallOf([1], [])).toThrow('nothing is expected');
  });
});

describe('the report', () => {
  const run = (...latenciesMs: readonly (readonly number[])[]) => ({ seconds: 1, latenciesMs });
  const phases: PhaseResults = {
    one: [run([8, 8, 8]), run([8, 8])],
    sixteen: [run([9, 9, 9, 9], [9, 9, 9])],
    hundredth: [],
    half: [],
  };
  const figures: ScenarioFigures = {
    server: 'embedded',
    fillPerSecond: 4_000,
    coldMs: [300],
    phases,
    rss: { currentMb: 500, peakMb: 600 },
    recalls: [1, 0.94],
    reads: null,
  };
  const scene: ScenarioId = { layout: 'one account', like: 5_000 };
  const missed = (given: Partial<ScenarioFigures>, where: Partial<ScenarioId> = {}): string[] =>
    scenarioVerdicts({ ...scene, ...where }, [{ ...figures, ...given }])
      .split('\n')
      .filter((line) => line.startsWith('MISSED'));
  const one = (...latencies: number[]) => ({ phases: { ...phases, one: [run(latencies)] } });

  test('says MISSED for each bar that was missed, and for no other', () => {
    expect(missed({})).toEqual([]);
    expect(missed(one(8.1, 8.1))).toHaveLength(1);
    expect(missed(one(1, 1, 1, 21, 21))).toHaveLength(1);
    expect(missed(one(39, 39), { like: 50_000 })).toEqual([]);
    expect(missed(one(41, 41), { like: 50_000 })).toHaveLength(1);
    const server = 'PostgreSQL';
    expect(missed({ server, ...one(99, 99) }, { like: 5_000 })).toEqual([]);
    expect(missed({ server, ...one(20, 20) }, { like: 200_000 })).toEqual([]);
    expect(missed({ server, ...one(21, 61, 61) }, { like: 200_000 })).toHaveLength(2);
    expect(missed({ recalls: [1, 0.93] })).toHaveLength(1);
  });

  test('holds 16 clients by their rate together and by the one that got least', () => {
    const sixteen = (...counts: number[]) => ({
      phases: { ...phases, sixteen: [run(...counts.map((n) => Array<number>(n).fill(1)))] },
    });
    expect(missed(sixteen(4, 3))).toEqual([]);
    expect(missed(sixteen(2, 1))[0]).toContain('of one: 1.20');
    expect(missed(sixteen(12, 3))[0]).toContain('of the mean: 0.40');
    expect(minClientShare([run([1, 1], [1]), run([1], [1, 1])])).toBe(1);
    expect(minClientShare([run([1, 1, 1], [])])).toBe(0);
  });

  test('compares with the yardstick slice by slice', () => {
    const yardstick: ScenarioFigures = {
      ...figures,
      server: 'yardstick',
      phases: { one: [run([30]), run([10])], sixteen: [], hundredth: [], half: [] },
    };
    const says = (like: ScenarioId['like']): string =>
      scenarioVerdicts({ ...scene, like }, [yardstick, figures]);
    expect(says(5_000)).toContain('held    embedded, 5000, one account: p50 ≥ 1.5 × faster');
    expect(says(5_000)).toContain('2.50 (1.25–3.75)');
    expect(says(50_000)).toContain('held    embedded, 50000, one account: p50 ≥ 2.5 × faster');
    expect(says(200_000)).not.toContain('yardstick');
  });

  test("holds a neighbour's reads on the embedded engine, and tells them elsewhere", () => {
    const of = (max: number) => ({ latenciesMs: [1, max], withoutStallsMs: [1, 40] });
    const reads = { idle: of(99), longQueries: of(51), queriesMs: [30], coldLoad: of(50) };
    const lines = missed({ reads: { ...reads, loadMs: 900 } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("while long queries run: 51.0, without the client's own stalls 40");
    expect(missed({ server: 'PostgreSQL', reads: { ...reads, loadMs: 900 } })).toEqual([]);
  });

  test('has a column for each server, and no row without a figure', () => {
    const bare: ScenarioFigures = { ...figures, server: 'PostgreSQL', recalls: [], coldMs: [] };
    const lines = scenarioTable([figures, bare]).split('\n');
    expect(lines[0]).toBe('| | embedded | PostgreSQL |');
    expect(lines).toContain('| recall@10, mean / min | 0.970 / 0.9 |  |');
    expect(lines).toContain('| searches/s, 16 clients | 7 | 7 |');
    expect(lines.join()).not.toContain('filter');
  });
});
