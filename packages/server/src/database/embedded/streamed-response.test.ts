import { describe, expect, it } from 'vitest';
import { StreamedResponse } from './streamed-response.ts';

const chunk = (value: number): Uint8Array => Uint8Array.of(value);

/** Number of chunks that the worker may send. */
const credit = (response: StreamedResponse): number =>
  Atomics.load(new Int32Array(response.credit), 0);

describe('a streamed response', () => {
  it('yields all chunks in order, also those that arrive while it is read', async () => {
    const response = new StreamedResponse();
    response.push(chunk(1));
    const read: number[] = [];
    for await (const [value = 0] of response.read()) {
      read.push(value);
      if (value === 1) response.push(chunk(2));
      if (value === 2) setImmediate(() => response.complete(chunk(3)));
    }
    expect(read).toEqual([1, 2, 3]);
  });

  it('allows a few chunks at first, and one more for each chunk read', async () => {
    const response = new StreamedResponse();
    const before = credit(response);
    expect(before).toBeLessThan(10);
    const chunks = response.read();
    response.push(chunk(1));
    await chunks.next();
    expect(credit(response)).toBe(before);
    response.push(chunk(2));
    await chunks.next();
    expect(credit(response)).toBe(before + 1);
  });

  it('lets the worker run to the end when its reader stops early', async () => {
    const response = new StreamedResponse();
    response.push(chunk(1));
    for await (const _ of response.read()) break;
    expect(credit(response)).toBeGreaterThan(1_000_000);
  });

  it('fails its reader after the earlier chunks', async () => {
    const response = new StreamedResponse();
    response.push(chunk(1));
    response.fail(new Error('gone'));
    const chunks = response.read();
    expect((await chunks.next()).value).toEqual(chunk(1));
    await expect(chunks.next()).rejects.toThrow('gone');
  });
});
