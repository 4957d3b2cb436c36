import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

describe('a difference of lines', () => {
  it('shows what is added and removed with two lines around it', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f'].map((line) => `${line}\n`).join('');
    expect(diffLines(before, before.replace('d\n', 'x\ny\n'))).toEqual([
      ...['  b', '  c', '- d', '+ x', '+ y', '  e', '  f'],
    ]);
    expect(diffLines('', 'a\n')).toEqual(['+ a']);
    expect(diffLines(before, before)).toEqual([]);
  });

  it('has all removed and all added lines, in order', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
    fc.assert(
      fc.property(lines, lines, (old, changed) => {
        const diff = diffLines(`${old.join('\n')}\n`, `${changed.join('\n')}\n`);
        const count = (sign: string): number => diff.filter((line) => line.startsWith(sign)).length;
        expect(count('+') - count('-')).toBe(changed.length - old.length);
      }),
    );
  });
});
