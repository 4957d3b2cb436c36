import { describe, expect, it } from 'vitest';
import { generateWebhookName, maskSecret } from './model.ts';

describe('createUniqueName', () => {
  it.each([
    [[], 'example.com'],
    [['example.org', 'example.com 2'], 'example.com'],
    [['example.com'], 'example.com 2'],
    [['example.com', 'example.com 2', 'example.com 4'], 'example.com 3'],
  ])('returns the host with the first free number: %j', (taken, name) => {
    expect(generateWebhookName('https://example.com/a?b', new Set(taken))).toBe(name);
  });

  it('reserves space for the number, however long the host is', () => {
    const url = `https://${'x'.repeat(1_000)}.com/`;
    const name = generateWebhookName(url, new Set([generateWebhookName(url, new Set())]));
    expect(name).toBe(`${'x'.repeat(200)} 2`);
  });
});

describe('maskSecret', () => {
  it('shows both ends of a long secret, and the last four characters of a shorter one', () => {
    expect(maskSecret('abcd'.padEnd(28, '-').padEnd(32, 'wxyz'))).toBe('abcd…wxyz');
    expect(maskSecret('abcd'.padEnd(27, '-').padEnd(31, 'wxyz'))).toBe('…wxyz');
  });

  it('never splits a character', () => {
    expect(maskSecret('🔑'.repeat(32))).toBe('🔑🔑🔑🔑…🔑🔑🔑🔑');
  });
});
