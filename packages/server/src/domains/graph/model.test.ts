import { limits } from '@mneme/contract';
import { expect, test } from 'vitest';
import { nameKey } from './model.ts';

test.each([
  ['The Acme Corp.', 'organization', 'acme'],
  ['Acme Holding Co. Ltd', 'organization', 'acme holding'],
  ['Dr. Björn Åkesson', 'person', 'bjorn akesson'],
  ['Ana’s', 'person', 'ana'],
  ['C++', 'skill', 'c++'],
  ['Ελένη Παπαδάκη', 'person', 'ελενη παπαδακη'],
  ['…', 'concept', '...'],
] as const)('%s is compared as a %s by %s', (name, type, key) => {
  expect(nameKey(name, type)).toBe(key);
});

test.each([
  ['कमल', 'कमला'],
  ['バス', 'ハス'],
])('%s is another name than %s: their marks are letters, not accents', (one, other) => {
  expect(nameKey(one, 'person')).not.toBe(nameKey(other, 'person'));
});

test('a name that becomes longer when decomposed is limited to the index size', () => {
  const key = nameKey('\uFDFA'.repeat(limits.nameCharactersMax), 'concept');
  expect(key.length).toBeLessThanOrEqual(500);
  expect(Buffer.byteLength(key)).toBeLessThan(2_700);
});
