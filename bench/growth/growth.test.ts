import { describe, expect, it } from 'vitest';
import { renderChart } from './chart.ts';
import {
  type GrowthFigures,
  growthPanels,
  growthTableHead,
  growthTableRow,
  growthVerdicts,
} from './figures.ts';

const figures = (given: Partial<GrowthFigures>): GrowthFigures => ({
  memories: 50_000,
  one: { p50: 6, p95: 15, cpuMs: 4 },
  sixteen: { p50: 40, p95: 80, cpuMs: 4.4 },
  read: { p50: 0.3, p95: 0.6 },
  list: { p50: 1.5, p95: 2 },
  create: { p50: 2, p95: 4 },
  firstSearchMs: 250,
  rssMb: 300,
  indexMb: 35,
  segmentMb: 27.5,
  databaseMb: 180,
  ...given,
});

describe('the chart', () => {
  it('places powers of ten evenly, and names two lines that end together apart', () => {
    const svg = renderChart('growth & "more"', [
      {
        title: 'a < b',
        series: [
          {
            name: 'one',
            points: [
              [1, 1],
              [10, 10],
              [100, 100],
            ],
          },
          { name: 'two', points: [[100, 99]] },
        ],
      },
    ]);
    expect(svg).toContain('aria-label="growth &amp; &quot;more&quot;"');
    expect(svg).toContain('a &lt; b');
    const [first = '', second = ''] = [...svg.matchAll(/d="M(.*?)"/g)]
      .map(([, d = '']) => d)
      .filter((d) => d.includes('L'));
    expect(second).toBe('');
    const places = first.split('L').map((place) => place.split(' ').map(Number));
    const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = places;
    expect(x1 - x0).toBeCloseTo(x2 - x1, 0);
    expect(y0 - y1).toBeCloseTo(y1 - y2, 0);
    const labels = [...svg.matchAll(/y="([\d.]+)" style/g)].map(([, y]) => Number(y));
    expect((labels[1] ?? 0) - (labels[0] ?? 0)).toBeGreaterThanOrEqual(14);
  });

  it('refuses a panel without points', () => {
    expect(() => renderChart('', [{ title: '', series: [] }])).toThrow('without points');
  });

  it('leaves out segments that small accounts do not have', () => {
    const panels = growthPanels([figures({ memories: 1_000, segmentMb: null }), figures({})]);
    const series = panels.flatMap((panel) => panel.series);
    expect(series.find(({ name }) => name === 'segment')?.points).toEqual([[50_000, 27.5]]);
    expect(series.find(({ name }) => name === 'p50')?.points).toHaveLength(2);
  });
});

describe('the report', () => {
  const missed = (given: Partial<GrowthFigures>): number =>
    growthVerdicts(figures(given)).filter((line) => line.startsWith('MISSED')).length;

  it('has a cell for each head', () => {
    const cells = (line: string) => line.split('|').length;
    expect(cells(growthTableRow(figures({})))).toBe(cells(growthTableHead().split('\n')[0] ?? ''));
    expect(growthTableRow(figures({}))).toContain('| 50,000 | 6.0 / 15.0 |');
  });

  it('holds searches, their processor time, the first one and the memory of the index', () => {
    expect(growthVerdicts(figures({}))).toHaveLength(4);
    expect(missed({})).toBe(0);
    expect(missed({ one: { p50: 10.1, p95: 19, cpuMs: 4 } })).toBe(1);
    expect(missed({ one: { p50: 10, p95: 19.1, cpuMs: 4 } })).toBe(1);
    expect(missed({ sixteen: { p50: 1, p95: 1, cpuMs: 4.5 } })).toBe(1);
    expect(missed({ firstSearchMs: 251 })).toBe(1);
    expect(missed({ indexMb: 35.1 })).toBe(1);
  });

  it('has no bar at sizes between', () => {
    expect(growthVerdicts(figures({ memories: 2_000 }))).toEqual([]);
  });
});
