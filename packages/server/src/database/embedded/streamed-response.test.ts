import { describe, expect, it } from 'vitest';
import { StreamedResponse } from './streamed-response.ts';

const piece = (value: number): Uint8Array => Uint8Array.of(value);

/** How many pieces the worker may send. */
const credit = (answer: StreamedResponse): number => Atomics.load(new Int32Array(answer.credit), 0);

describe('a streamed answer', () => {
  it('gives all pieces in order, also those that come while it is read', async () => {
    const answer = new StreamedResponse();
    answer.push(piece(1));
    const read: number[] = [];
    for await (const [value = 0] of answer.read()) {
      read.push(value);
      if (value === 1) answer.push(piece(2));
      if (value === 2) setImmediate(() => answer.complete(piece(3)));
    }
    expect(read).toEqual([1, 2, 3]);
  });

  it('allows a few pieces at first, and one more for each that was read', async () => {
    const answer = new StreamedResponse();
    const before = credit(answer);
    expect(before).toBeLessThan(10);
    const pieces = answer.read();
    answer.push(piece(1));
    await pieces.next();
    expect(credit(answer)).toBe(before);
    answer.push(piece(2));
    await pieces.next();
    expect(credit(answer)).toBe(before + 1);
  });

  it('lets the worker go on without end when its reader has stopped', async () => {
    const answer = new StreamedResponse();
    answer.push(piece(1));
    for await (const _ of answer.read()) break;
    expect(credit(answer)).toBeGreaterThan(1_000_000);
  });

  it('fails its reader after the pieces that came before', async () => {
    const answer = new StreamedResponse();
    answer.push(piece(1));
    answer.fail(new Error('gone'));
    const pieces = answer.read();
    expect((await pieces.next()).value).toEqual(piece(1));
    await expect(pieces.next()).rejects.toThrow('gone');
  });
});
