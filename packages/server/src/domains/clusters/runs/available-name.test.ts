import { describe, expect, it } from 'vitest';
import { availableClusterName } from './available-name.ts';

describe('the name of an automatic cluster', () => {
  it('is its label, with a number if that is in use in any letter case', () => {
    expect(availableClusterName('Hive, bees', new Set())).toBe('Hive, bees');
    expect(availableClusterName('Hive, bees', new Set(['hive, bees']))).toBe('Hive, bees 2');
    expect(availableClusterName('Tea', new Set(['tea', 'tea 2']))).toBe('Tea 3');
  });

  it('is never empty, and never too long for a number', () => {
    expect(availableClusterName(' ', new Set())).toBe('Cluster');
    const name = availableClusterName('茶'.repeat(300), new Set(['茶'.repeat(245)]));
    expect(name).toBe(`${'茶'.repeat(245)} 2`);
  });
});
