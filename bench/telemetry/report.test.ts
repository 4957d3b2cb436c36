import { expect, it } from 'vitest';
import { metricsVerdicts, type PhaseCosts, renderCosts } from './report.ts';

const off: PhaseCosts = { search: [2, 4, 2], read: [1, 1, 1], add: [4, 4, 4] };
const metrics: PhaseCosts = { search: [2.06, 4.12, 2.5], read: [1, 1.1, 1.2], add: [4, 4, 4] };

it('compares slice by slice, so that a slow one of the machine is on both sides', () => {
  const table = renderCosts(new Map(Object.entries({ off, metrics })), off);
  expect(table.split('\n').at(-1)).toBe('| metrics | 2.50 | 1.030 | 1.10 | 1.100 | 4.00 | 1.000 |');
});

it('holds the bar only if metrics cost at most a twentieth', () => {
  expect(metricsVerdicts(metrics, off)).toEqual([
    'held    search with metrics ≤ 1.05 × off: 1.030',
    'MISSED  read with metrics ≤ 1.05 × off: 1.100',
    'held    add with metrics ≤ 1.05 × off: 1.000',
  ]);
});
