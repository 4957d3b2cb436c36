import { limits } from '@mneme/contract';
import { expect, test } from 'vitest';
import { nameKey } from './model.ts';

test.each([
  ['The Acme Corp.', 'organization', 'acme'],
  ['Acme Holding Co. Ltd', 'organization', 'acme holding'],
  ['Dr. Björn Åkesson', 'person', 'bjorn akesson'],
  ['Ana’s', 'person', 'ana'],
  ['C++', 'skill', 'c++'],
  ['…', 'concept', '...'],
] as const)('%s is compared as a %s by %s', (name, type, key) => {
  expect(nameKey(name, type)).toBe(key);
});

test('a name that becomes longer as it is taken apart is compared by what an index takes', () => {
  const key = nameKey('\uFDFA'.repeat(limits.nameCharactersMax), 'concept');
  expect(key.length).toBeLessThanOrEqual(500);
  expect(Buffer.byteLength(key)).toBeLessThan(2_700);
});
