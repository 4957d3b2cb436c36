import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { WriteBehindBuffer } from './write-behind-buffer.ts';

/** A buffer of words whose writes end when the test resolves them. */
function createBuffer() {
  const clock = createFakeClock(() => 0);
  const disposables = new AsyncDisposableStack();
  const writes: (PromiseWithResolvers<void> & { words: string[] })[] = [];
  const buffer = new WriteBehindBuffer<string[]>(
    { clock, disposables },
    {
      delayMs: 500,
      create: () => [],
      write: (words) => {
        const write = { ...Promise.withResolvers<void>(), words };
        writes.push(write);
        return write.promise;
      },
    },
  );
  const add = (word: string) => buffer.change((words) => words.push(word));
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  return {
    add,
    buffer,
    disposables,
    pass,
    written: () => writes.map(({ words }) => words),
    writes,
  };
}

describe('WriteBehindBuffer', () => {
  it('writes all changes together, a delay after the first of them', async () => {
    const { add, buffer, pass, written } = createBuffer();
    add('a');
    await pass(499);
    add('b');
    expect(written()).toEqual([]);
    expect(buffer.pending).toEqual(['a', 'b']);
    await pass(1);
    expect(written()).toEqual([['a', 'b']]);
    expect(buffer.pending).toEqual([]);
  });

  it('writes one buffer at a time, and flush waits for all of them', async () => {
    const { add, buffer, pass, written, writes } = createBuffer();
    add('a');
    await pass(500);
    add('b');
    let isFlushed = false;
    const flushed = buffer.flush().then(() => {
      isFlushed = true;
    });
    await pass(0);
    expect(written()).toEqual([['a']]);
    writes[0]?.resolve();
    await pass(0);
    expect(written()).toEqual([['a'], ['b']]);
    expect(isFlushed).toBe(false);
    writes[1]?.resolve();
    await flushed;
  });

  it('writes at shutdown without waiting for the delay', async () => {
    const { add, disposables, pass, written, writes } = createBuffer();
    add('a');
    const disposed = disposables.disposeAsync();
    await pass(0);
    writes[0]?.resolve();
    await disposed;
    expect(written()).toEqual([['a']]);
  });
});
