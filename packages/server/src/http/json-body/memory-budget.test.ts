import { expect, it } from 'vitest';
import { BodyMemoryBudget } from './memory-budget.ts';

const budget = () => new BodyMemoryBudget({ bytesMax: 100, accountBytesMax: 60 });
const refused = expect.objectContaining({ code: 'service_unavailable' });

it('limits the memory of each account and of all accounts', () => {
  const bodies = budget();
  bodies.acquire('a', 60);
  expect(() => bodies.acquire('a', 1)).toThrow(refused);
  bodies.acquire('b', 40);
  expect(() => bodies.acquire('b', 1)).toThrow(refused);
  expect(bodies.bytes).toBe(100);
});

it('acquires nothing on a rejection, and returns released memory', () => {
  const bodies = budget();
  bodies.acquire('a', 50);
  expect(() => bodies.acquire('a', 50)).toThrow(refused);
  bodies.release('a', 50);
  expect(bodies.bytes).toBe(0);
  bodies.acquire('a', 60);
});
