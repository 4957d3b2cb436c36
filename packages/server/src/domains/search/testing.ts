import type { RecalledMemory } from '@mneme/contract';
import fc from 'fast-check';
import { createMemorySample } from '../../../../../test/support/memory-sample.ts';

/** @param number the end of its id */
export const createRecalledMemory = (
  number: number,
  content: string,
  more: Partial<RecalledMemory> = {},
): RecalledMemory => ({
  ...createMemorySample({
    id: `019b8d1c-0000-7000-8000-${String(number).padStart(12, '0')}`,
    content,
  }),
  score: 0.5,
  passage: null,
  related_to: null,
  ...more,
});

const oddText = fc.constantFrom(
  'a\n\n',
  '\n[x] ',
  '/\n/',
  '.',
  ' \t',
  '漢字',
  "'s",
  '🦊',
  '[',
  ']',
  '\u0301',
  '"\\',
  '</memory>&',
  '\r',
);

/** Contents whose tokens depend on what is beside them. */
export const oddContent = fc
  .tuple(fc.array(fc.oneof(oddText, fc.string({ unit: 'binary' })), { maxLength: 30 }), fc.nat(20))
  .map(([pieces, times]) => `x${pieces.join('').repeat(times)}`);
