import { describe, expect, it } from 'vitest';
import { createUniqueName, maskSecret } from './model.ts';

describe('the name of a webhook that is given none', () => {
  it.each([
    [[], 'example.com'],
    [['example.org', 'example.com 2'], 'example.com'],
    [['example.com'], 'example.com 2'],
    [['example.com', 'example.com 2', 'example.com 4'], 'example.com 3'],
  ])('is the host, with the first number that is free: %j', (taken, name) => {
    expect(createUniqueName('https://example.com/a?b', new Set(taken))).toBe(name);
  });

  it('leaves room for its number, however long the host is', () => {
    const url = `https://${'x'.repeat(1_000)}.com/`;
    const name = createUniqueName(url, new Set([createUniqueName(url, new Set())]));
    expect(name).toBe(`${'x'.repeat(200)} 2`);
  });
});

describe('what is shown of a secret', () => {
  it('is both ends of a long one, and the last four letters of a shorter one', () => {
    expect(maskSecret('abcd'.padEnd(28, '-').padEnd(32, 'wxyz'))).toBe('abcd…wxyz');
    expect(maskSecret('abcd'.padEnd(27, '-').padEnd(31, 'wxyz'))).toBe('…wxyz');
  });

  it('never has half of a character', () => {
    expect(maskSecret('🔑'.repeat(32))).toBe('🔑🔑🔑🔑…🔑🔑🔑🔑');
  });
});
