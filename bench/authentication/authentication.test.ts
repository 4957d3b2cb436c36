import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CallerKind } from './admissions.ts';
import { generateKeyGuess, keyIdOf } from './key-guesses.ts';
import {
  type AuthenticationFigures,
  authenticationTable,
  authenticationVerdicts,
} from './report.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a guess is a well-formed key, each another one, of the key id that is asked for', () => {
  const guess = generateKeyGuess('a1B2c3D4e5F6');
  expect(guess).toMatch(/^mnk_a1B2c3D4e5F6_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
  expect(keyIdOf(guess)).toBe('a1B2c3D4e5F6');
  const sum = createHash('sha256').update(guess.slice(0, -7)).digest('hex');
  const value = [...guess.slice(-6)].reduce((all, c) => all * 62n + BigInt(digits.indexOf(c)), 0n);
  expect(value).toBe(BigInt(`0x${sum}`) % 62n ** 6n);
  const ids = Array.from({ length: 100 }, () => keyIdOf(generateKeyGuess()));
  expect(new Set(ids).size).toBe(100);
});

const figures = (given: Partial<AuthenticationFigures>): AuthenticationFigures => ({
  server: 'embedded',
  admissions: new Map<CallerKind, number[]>([['pro key', [0.1, 0.15, 9]]]),
  rejections: { unknownId: [0.9, 0.9], wrongSecret: [1, 1] },
  ...given,
});
const held = (given: Partial<AuthenticationFigures>): boolean[] =>
  authenticationVerdicts(figures(given))
    .split('\n')
    .filter((line) => /^(?:held|MISSED)/.test(line))
    .map((line) => line.startsWith('held'));

test('the cost is held by its median', () => {
  expect(held({})).toEqual([true, true]);
  const dear = new Map<CallerKind, number[]>([['enterprise key', [0, 0.16, 0.16]]]);
  expect(held({ admissions: dear })).toEqual([false, true]);
});

test('on PostgreSQL the cost is told without a bar', () => {
  const server = 'PostgreSQL';
  expect(held({ server })).toEqual([true]);
  expect(authenticationVerdicts(figures({ server }))).toContain('for information: PostgreSQL');
});

test('refusals are held where neither kind is told by its median time', () => {
  const ratio = (unknownId: number) => ({
    rejections: { unknownId: [unknownId], wrongSecret: [1] },
  });
  expect([0.89, 0.9, 1.1, 1.11].map((each) => held(ratio(each))[1])).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('the table has a row for each caller and each kind of refusal', () => {
  const table = authenticationTable([figures({})]);
  expect(table.split('\n')).toHaveLength(5);
  expect(table).toContain('| embedded: pro key | 3 | 0.150 | 8.115 | 8.823 |');
});
