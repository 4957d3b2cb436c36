import { expect, test } from 'vitest';
import { BatchFailures } from './batch-failures.ts';

/** Processes elements in order, of which the `bad` ones fail. */
function process(elements: readonly string[], bad: ReadonlySet<string>, size: number) {
  const failures = new BatchFailures();
  const sizes: number[] = [];
  const skipped: string[] = [];
  for (let at = 0; at < elements.length; ) {
    const plan = failures.plan('a');
    const batch = elements.slice(at, at + (plan.isSingle ? 1 : size));
    sizes.push(batch.length);
    if (plan.skip) skipped.push(...batch);
    if (!plan.skip && batch.some((element) => bad.has(element))) {
      failures.failed('a', new Error('bad'));
      continue;
    }
    at += batch.length;
    failures.succeeded('a', plan, at < elements.length);
  }
  return { sizes, skipped };
}

test('an element that fails is isolated and skipped; the others are processed', () => {
  const { sizes, skipped } = process(['1', '2', '3', '4', '5', '6', '7'], new Set(['3']), 4);
  // 3 fails with others, then twice alone; after it the batches are full again.
  expect(sizes).toEqual([4, 1, 1, 1, 1, 1, 4]);
  expect(skipped).toEqual(['3']);
});

test('each of several is skipped', () => {
  const { skipped } = process(['1', '2', '3', '4', '5'], new Set(['1', '2', '5']), 2);
  expect(skipped).toEqual(['1', '2', '5']);
});

test('failures of the storage, and of other accounts, do not count', () => {
  const failures = new BatchFailures();
  failures.failed('a', Object.assign(new Error('disk full'), { code: '53100' }));
  failures.failed('b', new Error('bad'));
  expect(failures.plan('a')).toEqual({ isSingle: false, skip: false });
  expect(failures.plan('b')).toEqual({ isSingle: true, skip: false });
});
